"""Fills the `{generated}` blocks of a page; a Sphinx extension, and a plain function for whoever tests a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from docs._ext import commands, endpoints, games, socket, statistics

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# A block names what it is and of what; its text is for those who read the page as it is.
BLOCK = re.compile(r"^```\{generated\} (\S+)(?: (\S+))?\n.*?^```$", re.MULTILINE | re.DOTALL)

WRITERS: dict[str, Callable[..., str]] = {
    "games": games.games,
    "facts": games.facts,
    "rules": games.rules,
    "house-numbers": games.house_numbers,
    "actions": games.actions,
    "view": games.view,
    "observation": games.observation,
    "scoring": games.scoring,
    "statistics": statistics.statistics,
    "requests": socket.requests,
    "answers": socket.answers,
    "structures": socket.structures,
    "refusals": socket.refusals,
    "endpoints": endpoints.endpoints,
    "shapes": endpoints.shapes,
    "commands": commands.commands,
}


def filled(text: str) -> str:
    """A page with its blocks filled."""
    return BLOCK.sub(lambda block: WRITERS[block[1]](*filter(None, [block[2]])), text)


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = filled(source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Tells Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}
