"""The story of a run as it is written down: when a line is due, and what is dropped of it when a run goes on from earlier."""

from __future__ import annotations

import json
from pathlib import Path


def passed(before: int, now: int, every: int) -> bool:
    """Whether a multiple of a number lies between."""
    return now // every > before // every


def cut(curve: Path, decisions: int) -> None:
    """Drops the lines of a curve that were written after so many decisions."""
    lines = curve.read_text().splitlines() if curve.exists() else []
    curve.write_text("".join(f"{line}\n" for line in lines if json.loads(line)["decisions"] <= decisions))
