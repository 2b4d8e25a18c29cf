"""The table in a terminal: a board a game, and the room around it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from zashiki.core.state import State


def board(view: State, seat: int) -> RenderableType:
    """The table as that seat sees it."""
    module: Any = import_module(f"zashiki.terminal.{view.game.id}")
    drawn: RenderableType = module.board(view.record, seat)
    return drawn
