"""Small pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table; what stands in a cell stays in it."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(str(each)) for each in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: object) -> str:
    """Something as code."""
    return f"`{text}`"


def codes(texts: Iterable[object]) -> str:
    """Several pieces of code, with commas."""
    return ", ".join(map(code, texts))


def paragraphs(*parts: str) -> str:
    """Parts with an empty line between them, empty parts left out."""
    return "\n\n".join(part for part in parts if part)


def lowered(text: str, levels: int) -> str:
    """A page as part of another: its title dropped, its headings so many levels lower."""
    return re.sub(r"^(#+) ", lambda found: f"{found[1]}{'#' * levels} ", re.sub(r"\A# .*\n+", "", text), flags=re.MULTILINE)
