"""Zashiki: a card table for people, bots and programs.

from zashiki import Match

match = Match("hanamikoji", seed=7)
seat = match.to_act[0]
match.act(seat, match.legal_actions(seat)[0])
"""

from typing import TYPE_CHECKING, Any

from zashiki.core.errors import (
    IllegalAction,
    MalformedAction,
    MatchOver,
    NotYourTurn,
    SavedMatchError,
    UnknownGame,
    WrongOption,
    WrongSeats,
    ZashikiError,
)
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.match import Event, Match, Outcome
from zashiki.games import GAMES, find

if TYPE_CHECKING:
    from zashiki.core.batch import Batch
    from zashiki.core.state import State

__version__ = "0.1.0"

__all__ = [
    "CLOCK",
    "GAMES",
    "SPECTATOR",
    "Batch",
    "Event",
    "IllegalAction",
    "MalformedAction",
    "Match",
    "MatchOver",
    "NotYourTurn",
    "Outcome",
    "SavedMatchError",
    "State",
    "UnknownGame",
    "WrongOption",
    "WrongSeats",
    "ZashikiError",
    "find",
]


def __getattr__(name: str) -> Any:
    """Loads what needs the compiler only when it is asked for."""
    if name == "Batch":
        from zashiki.core.batch import Batch

        return Batch
    if name == "State":
        from zashiki.core.state import State

        return State
    raise AttributeError(f"zashiki has no {name}")
