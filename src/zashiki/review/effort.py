"""How closely a match is looked at: by iterations alone, so that a review says the same whenever it is made."""

from __future__ import annotations

from typing import NamedTuple

RATES = {"hanamikoji": 3_000, "kimono": 10_000, "kasane": 10_000, "kawaii": 10_000, "kohoju": 10_000}
"""Iterations a second of one core, measured with the most seats: what turns seconds into iterations once and for all."""
SECONDS = 12
"""How long a review may take at these rates; twice that is what it must never exceed."""
FIRST, SECOND = 0.5, 0.4
"""The shares of looking at every decision, and of comparing what was played with what was best; the rest goes to the worst."""
FEWEST, MOST = 48, 3_000
"""Iterations for one decision, however many there are."""
FEWEST_EACH, MOST_EACH = 96, 1_500
"""The same for each of two actions that are compared."""
WORST = 8
"""The decisions that are looked at most closely."""


class Effort(NamedTuple):
    """Iterations for each decision at first sight, and for all comparisons together."""

    first: int
    second: int
    third: int

    def each(self, candidates: int) -> int:
        """Iterations for each of the two actions, if so many decisions are compared."""
        return min(MOST_EACH, max(FEWEST_EACH, self.second // (2 * max(candidates, 1))))


def effort(game: str, decisions: int) -> Effort:
    """What a match with so many decisions gets."""
    total = SECONDS * RATES.get(game, min(RATES.values()))
    first = min(MOST, max(FEWEST, int(FIRST * total) // max(decisions, 1)))
    third = min(MOST, max(FEWEST_EACH, int((1 - FIRST - SECOND) * total) // (2 * WORST)))
    return Effort(first, int(SECOND * total), third)
