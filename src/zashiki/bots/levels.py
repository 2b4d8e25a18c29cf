"""The levels of the bots, the same names in every game that has them, weakest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zashiki.bots.weights import is_learned

if TYPE_CHECKING:
    from zashiki.core.game import Game


@dataclass(frozen=True)
class Level:
    """A bot people can choose. `seconds` is the longest it thinks about an action; how it plays is up to the game.

    `learned`: only a game that somebody has learned has it.
    """

    name: str
    title: str
    strength: str
    seconds: float
    learned: bool = False


LEVELS = {
    level.name: level
    for level in (
        Level("beginner", "Beginner bot", "knows what is sensible, and slips now and then", 0.2),
        Level("club", "Club bot", "plays soundly, and seldom slips", 0.2),
        Level("expert", "Expert bot", "looks ahead as far as it can in a second", 1.0),
        Level("master", "Master bot", "learned by playing millions of matches", 1.0, learned=True),
    )
}
"""The visible list of levels."""


def levels_of(game: Game) -> list[str]:
    """The names of the levels that a game has, weakest first."""
    return [name for name, level in LEVELS.items() if not level.learned or is_learned(game)]


def strongest(game: Game) -> str:
    """The level that knows a game best."""
    return levels_of(game)[-1]
