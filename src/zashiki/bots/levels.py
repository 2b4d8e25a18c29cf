"""The levels of the bots, the same names in every game, weakest first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """A bot people can choose. `seconds` is the longest it thinks about an action; how it plays is up to the game."""

    name: str
    title: str
    strength: str
    seconds: float


LEVELS = {
    level.name: level
    for level in (
        Level("beginner", "Beginner bot", "knows what is sensible, and slips now and then", 0.2),
        Level("club", "Club bot", "plays soundly, and seldom slips", 0.2),
        Level("expert", "Expert bot", "looks ahead as far as it can in a second", 1.0),
    )
}
"""The visible list of levels."""
