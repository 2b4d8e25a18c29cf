"""What points of Kawaii are worth: each seat's chance to win from what it is expected to have."""

from __future__ import annotations

from math import exp, sqrt

from zashiki.bots.sense import Worth
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.games.kawaii.cards import CARDS, ROUNDS

# Fitted to self-play.
LEAD, LEAD_EARLY = 0.75, 0.26
"""The lead in points that makes victory e times as likely; its square grows with each card of the match still to be flipped."""


@rule
def share_out(state: Record, worth: Worth) -> None:
    """Makes chances of the points that the seats are expected to have."""
    left = CARDS - int(state.flips) + CARDS * (ROUNDS - int(state.round_number))
    scale = 1 / sqrt(LEAD * LEAD + LEAD_EARLY * LEAD_EARLY * left)
    best = worth[0]
    for seat in range(1, int(state.seats)):
        best = max(best, worth[seat])
    total = 0.0
    for seat in range(int(state.seats)):
        worth[seat] = exp((worth[seat] - best) * scale)
        total += worth[seat]
    for seat in range(int(state.seats)):
        worth[seat] /= total
