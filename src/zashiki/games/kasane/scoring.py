"""What a seat's places, accessories and kimono are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.games.kasane.cards import VARIETY
from zashiki.games.kasane.combinations import PLACE_POINTS

if TYPE_CHECKING:
    from zashiki.core.layout import Record

PLACES = len(PLACE_POINTS)
DOZEN = 12
DOZEN_BONUS = 2
LAID_FOR_VARIETY = 8

_POINTS = np.array(PLACE_POINTS, np.int64)


@rule
def points_of(state: Record, seat: int) -> int:
    """All points of a seat."""
    accessories = int(state.accessories[seat])
    return place_points(state, seat) + accessories + dozen_bonus(state, seat) + variety_bonus(state, seat)


@rule
def place_points(state: Record, seat: int) -> int:
    """The points of the places a seat has used."""
    total = 0
    for place in range(PLACES):
        if state.places[place] == seat:
            total += _POINTS[place]
    return total


@rule
def cards_laid(state: Record, seat: int) -> int:
    """Fabrics in the kimono and accessories."""
    return int(state.kimono_size[seat]) + int(state.accessories[seat])


@rule
def dozen_bonus(state: Record, seat: int) -> int:
    """The bonus for having laid all twelve cards."""
    return DOZEN_BONUS if cards_laid(state, seat) == DOZEN else 0


@rule
def variety_bonus(state: Record, seat: int) -> int:
    """With eight cards laid, few or many different fabrics count."""
    return VARIETY[variety(state, seat)] if cards_laid(state, seat) >= LAID_FOR_VARIETY else 0


@rule
def variety(state: Record, seat: int) -> int:
    """How many different fabrics a kimono shows."""
    numbers = 0
    for i in range(int(state.kimono_size[seat])):
        numbers |= 1 << int(state.kimonos[seat, i])
    return ones(numbers)
