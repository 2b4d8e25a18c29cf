"""The code on a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the line of its first line, its language and its text."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{named(self.page)}:{self.line}"


def named(page: Path) -> str:
    """A page as people call it."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in order."""
    text = page.read_text("utf-8")
    return [Block(page, text.count("\n", 0, found.start()) + 2, found[1], found[2]) for found in FENCE.finditer(text)]


def every(*languages: str) -> list[Block]:
    """The blocks of these languages on all pages."""
    return [block for page in PAGES for block in blocks(page) if block.language in languages]


def program(page: Path) -> str:
    """The Python of a page as one program, every line where it stands on the page."""
    lines: list[str] = []
    for block in blocks(page):
        if block.language == "python":
            lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n" if lines else ""
