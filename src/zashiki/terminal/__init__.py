"""The table in a terminal: a board a game, and the room around it.

A game's module here provides `board(view, seat)`, and may provide `words(view, action)` for actions whose own words leave out
what lies on the table: which card the first row ends with, what the second pair is.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rich.console import RenderableType

from zashiki.core.actions import Action
from zashiki.core.state import State


def board(view: State, seat: int) -> RenderableType:
    """The table as that seat sees it."""
    drawn: RenderableType = _module(view).board(view.record, seat)
    return drawn


def described(view: State, action: Action) -> str:
    """An action in words, with what lies on the table."""
    words = getattr(_module(view), "words", None)
    return (words(view.record, action) if words else None) or action.words()


def _module(view: State) -> Any:
    return import_module(f"zashiki.terminal.{view.game.id}")
