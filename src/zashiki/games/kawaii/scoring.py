"""What a round is worth, who starts the next one and who has won."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.layout import UNKNOWN, Record
from zashiki.games.kawaii.cards import ALL_SHOPS, CHERRY, CLOSED_SHOP

PARTS = ("flavour", "shape", "cherries", "shops", "tokens")
FLAVOUR, SHAPE, CHERRIES, SHOPS, HELD = range(5)
MOST_POINTS, SHARED = 1, 2


@rule
def count_points(state: Record, seat: int, row: npt.NDArray[Any]) -> None:
    """Writes what the seat's score pile and tokens are worth, as far as they are known."""
    for part in range(len(PARTS)):
        row[part] = 0
    row[HELD] = state.tokens[seat]
    captured = state.captured[seat]
    if captured[0] == UNKNOWN:
        return
    row[CHERRIES] = captured[CHERRY]
    row[SHOPS] = ALL_SHOPS if captured[CLOSED_SHOP] == ALL_SHOPS else -int(captured[CLOSED_SHOP])
    flavour, shape = int(state.flavours[seat]), int(state.shapes[seat])
    if flavour == UNKNOWN:
        return
    for i in range(5):
        row[FLAVOUR] += captured[5 * flavour + i]
        row[SHAPE] += captured[5 * i + shape]


@rule
def running_total(state: Record, seat: int) -> int:
    """The seat's points from the rounds that are scored."""
    total = 0
    for part in range(len(PARTS)):
        total += int(state.points[seat, part])
    return total


@rule
def score_round(state: Record) -> None:
    """Adds the round to everybody's points and shows how it was scored."""
    for seat in range(int(state.seats)):
        count_points(state, seat, state.scored[seat])
        for part in range(len(PARTS)):
            state.points[seat, part] += state.scored[seat, part]
        state.scored_flavours[seat] = state.flavours[seat]
        state.scored_shapes[seat] = state.shapes[seat]


@rule
def next_starter(state: Record) -> int:
    """The lowest running total; of several the first one clockwise from the last starter's left neighbour."""
    seats = int(state.seats)
    best = (int(state.starter) + 1) % seats
    for step in range(2, seats + 1):
        seat = (int(state.starter) + step) % seats
        if running_total(state, seat) < running_total(state, best):
            best = seat
    return best


@rule
def decide(state: Record) -> None:
    """The highest total wins; a tie is shared."""
    best = running_total(state, 0)
    for seat in range(1, int(state.seats)):
        best = max(best, running_total(state, seat))
    winners = 0
    for seat in range(int(state.seats)):
        if running_total(state, seat) == best:
            winners |= 1 << seat
    state.winners = winners
    state.ending = MOST_POINTS if winners & (winners - 1) == 0 else SHARED
