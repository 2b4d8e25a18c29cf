"""The levels of the bots, the same names in every game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """How a bot plays: `trials` of each action at most, within `seconds`."""

    name: str
    title: str
    seconds: float
    trials: int | None


LEVELS = {
    level.name: level
    for level in (
        Level("beginner", "Beginner bot", 0.2, 2),
        Level("club", "Club bot", 0.2, None),
        Level("expert", "Expert bot", 1.0, None),
    )
}
"""The visible list of levels, weakest first."""
