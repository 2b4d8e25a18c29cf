"""Ratings on Elo's scale by Weng and Lin's update for Plackett and Luce's model: any number of seats, with uncertainty.

openskill does the arithmetic. Bots of the house stand still: they are what the scale is measured by.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

CLUB = 1500.0
"""What a club bot is rated, in every game."""
DEVIATION = 250.0
"""How uncertain the first rating is."""
LUCK = 125.0
"""How much of a match between two is luck: so 400 points are odds of about ten to one."""
DRIFT = 2.5
"""How much people may change between two matches."""
CERTAIN = 1.0
REACH = 2
"""So many deviations to either side hold about 95 of 100."""

BOTS: dict[str, dict[str, float]] = {
    "hanamikoji": {"beginner": 1150.0, "club": CLUB, "expert": 1650.0, "master": 1890.0},
    "kimono": {"beginner": 1230.0, "club": CLUB, "expert": 1780.0, "master": 2000.0},
    "kasane": {"beginner": 1140.0, "club": CLUB, "expert": 1860.0, "master": 2010.0},
    "kawaii": {"beginner": 1300.0, "club": CLUB, "expert": 1660.0, "master": 1830.0},
    "kohoju": {"beginner": 1340.0, "club": CLUB, "expert": 1660.0, "master": 1760.0},
}
"""The bots by game and level, from the victories in docs/performance.md, the masters' from those in docs/masters: means over the
numbers of seats, to the nearest ten."""


class Rating(NamedTuple):
    """A strength and how uncertain it is, as a standard deviation."""

    rating: float = CLUB
    deviation: float = DEVIATION


def of_bot(game: str, level: str) -> Rating | None:
    """The rating of a bot of the house; None where nobody has measured it."""
    found = BOTS.get(game, {}).get(level)
    return None if found is None else Rating(found, CERTAIN)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a match, the lowest rank having won; equal ranks have tied."""
    model = _model()
    teams = [[model.rating(mu=each.rating, sigma=each.deviation)] for each in before]
    return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(rank) for rank in ranks])]


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=CLUB, sigma=DEVIATION, beta=LUCK, tau=DRIFT)
