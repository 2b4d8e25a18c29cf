"""What the cards before a seat are worth, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.games.kimono.cards import NUMBERS

if TYPE_CHECKING:
    from zashiki.core.layout import Record

IN_FRONT = len(NUMBERS)
MOST_POINTS, MOST_CARDS, SHARED = range(1, 4)

_POINTS = np.array([number.points for number in NUMBERS.values()], np.int64)
_LIMIT = np.array([number.limit for number in NUMBERS.values()], np.int64)


@rule
def worth(sort: int, count: int) -> int:
    """The points that so many cards of a sort bring, or cost if they are too many."""
    return -count if count > _LIMIT[sort] else count * _POINTS[sort]


@rule
def decide(state: Record) -> None:
    """The winners: most points; among equals, most cards in front."""
    most_points = most_cards = -1000
    leaders = 0
    winners = 0
    for seat in range(int(state.seats)):
        points = 0
        cards = 0
        for sort in range(IN_FRONT):
            points += worth(sort, int(state.front[seat, sort]))
            cards += int(state.front[seat, sort])
        if points > most_points:
            most_points, most_cards, leaders, winners = points, cards, 1 << seat, 1 << seat
        elif points == most_points:
            leaders |= 1 << seat
            if cards > most_cards:
                most_cards, winners = cards, 1 << seat
            elif cards == most_cards:
                winners |= 1 << seat
    state.winners = winners
    if ones(leaders) == 1:
        state.ending = MOST_POINTS
    else:
        state.ending = MOST_CARDS if ones(winners) == 1 else SHARED
