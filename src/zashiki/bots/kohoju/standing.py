"""What totals of Kohoju are worth: each seat's chance to win from where they stand."""

from __future__ import annotations

from math import exp, sqrt

from zashiki.bots.sense import Worth
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.games.kohoju.cards import LEAST_DEALS, POINTS_A_DEAL
from zashiki.games.kohoju.rules import DRAW

# How far totals are apart that make a difference of e in chances. Logistic fit to 24,000 matches of self-play, two to six seats.
DEAL_POINTS, DEALS_SPREAD, APART, APART_BY_SEATS = 12.0, 1.0, 4.5, 13.0


@rule
def share_out(state: Record, worth: Worth) -> None:
    """Makes chances of the totals that the seats are expected to have; those count more the nearer the target is."""
    seats = int(state.seats)
    highest = -1e9
    for seat in range(seats):
        highest = max(highest, worth[seat])
    most_deals = LEAST_DEALS + int(state.target) // POINTS_A_DEAL - int(state.deal_number)
    deals_left = min(max(int(state.target) - highest, 0.0) / DEAL_POINTS, float(most_deals))
    apart = (APART + APART_BY_SEATS / seats) * sqrt(deals_left + DEALS_SPREAD)
    total = 0.0
    for seat in range(seats):
        worth[seat] = exp((worth[seat] - highest) / apart)
        total += worth[seat]
    for seat in range(seats):
        worth[seat] /= total


@rule
def is_fresh(state: Record) -> bool:
    """Whether nobody has done anything yet in this deal."""
    return bool(state.phase == DRAW and state.turn_number == 1 and state.active == state.starter)
