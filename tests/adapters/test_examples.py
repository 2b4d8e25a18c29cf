"""The examples learn something that can be seen."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
DECISIONS = 12 * 8192


def learnt(name: str) -> list[float]:
    """The shares of matches won in the parts of a short run, in percent."""
    command = [sys.executable, str(EXAMPLES / name), "--decisions", str(DECISIONS), "--seed", "1"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return [float(share) for share in re.findall(r"([\d.]+)%", ended.stdout)]


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_ppo_learns_to_beat_random_play(library: str) -> None:
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    won = learnt(f"ppo_{library}.py")
    # From a coin's chances, by more than luck would explain.
    assert len(won) == 6
    assert won[0] < 54
    assert sum(won[-2:]) / 2 > won[0] + 5
