"""Who stands how, as far as somebody can tell: others' favourites are guessed from what they captured."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Tensor
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import UNKNOWN, Record
from zashiki.core.leads import LEADS, show_lead
from zashiki.games.kawaii.cards import CHERRY, CLOSED_SHOP, COPIES, FLAVOURS, ICE_CREAMS, SEATS
from zashiki.games.kawaii.scoring import CHERRIES, HELD, PARTS, count_points, running_total

TASTES = 2 * len(FLAVOURS)
"""Flavours, then shapes."""
ALL_TASTES = SEATS * TASTES
TELLING = 0.9
"""How much likelier a favourite becomes with each card of it that somebody captured: e times as likely with about one."""
STANDING = SEATS * (LEADS + 1 + SEATS)
"""How many numbers tell of it."""
SHOP_POINTS = np.array((0.0, -1.0, -2.0, 3.0))
"""What so many closed shops count."""

_SHAPES, _SCORED = len(FLAVOURS), len(PARTS)
_LIKELIER = np.array([exp(TELLING * count) for count in range(len(FLAVOURS) * max(COPIES) + 1)])

Numbers = npt.NDArray[np.float64]


@rule
def observe_standing(view: Record, me: int, tensor: Tensor, place: int) -> None:
    """For each seat from `me` on: its lead over the best other, what it has in this round, and what each pile would bring it."""
    likes, points = scratch(ALL_TASTES, np.float64), scratch(SEATS, np.float64)
    seats = int(view.seats)
    for relative in range(seats):
        own = likes[TASTES * relative : TASTES * (relative + 1)]
        seat = (me + relative) % seats
        _guess(view, me, seat, own)
        points[relative] = points_of(view, seat, own)
        tensor[place + LEADS * SEATS + relative] = points[relative] / 10
        for pile in range(seats):
            value = _value(view, seat, (me + pile) % seats, own)
            tensor[place + (LEADS + 1) * SEATS + SEATS * relative + pile] = value / 5
    for relative in range(seats):
        points[relative] += running_total(view, (me + relative) % seats)
    for relative in range(seats):
        show_lead(2 * _lead(points, seats, relative), tensor, place + LEADS * relative)


@rule
def _lead(points: Numbers, seats: int, relative: int) -> float:
    """How many points a seat is ahead of the best other."""
    best = -1000.0
    for other in range(seats):
        if other != relative:
            best = max(best, points[other])
    return float(points[relative] - best)


@rule
def _guess(view: Record, me: int, seat: int, likes: Numbers) -> None:
    """How likely each flavour and each shape is a seat's favourite, to somebody who knows his own."""
    guess_one(view, seat, int(view.flavours[seat]), int(view.flavours[me]), 5, 1, likes[:_SHAPES])
    guess_one(view, seat, int(view.shapes[seat]), int(view.shapes[me]), 1, 5, likes[_SHAPES:])


@rule
def guess_one(view: Record, seat: int, known: int, taken: int, step: int, stride: int, likes: Numbers) -> None:
    """`step` leads from one favourite's cards to the next one's, `stride` from one of its cards to the next."""
    total = 0.0
    for i in range(len(likes)):
        likes[i] = 0.0
        if known == i or (known == UNKNOWN and taken != i):
            likes[i] = _LIKELIER[_captured(view, seat, step * i, stride)]
        total += likes[i]
    for i in range(len(likes)):
        likes[i] /= total


@rule
def _captured(view: Record, seat: int, first: int, stride: int) -> int:
    if view.captured[seat, 0] == UNKNOWN:
        return 0
    count = 0
    for i in range(5):
        count += int(view.captured[seat, first + stride * i])
    return count


@rule
def points_of(view: Record, seat: int, likes: Numbers) -> float:
    """What a seat seems to have in this round, its tokens included."""
    row = scratch(_SCORED, np.int64)
    count_points(view, seat, row)
    points = 0.0
    for part in range(CHERRIES, HELD + 1):
        points += row[part]
    for i in range(_SHAPES):
        points += likes[i] * _captured(view, seat, 5 * i, 1) + likes[_SHAPES + i] * _captured(view, seat, i, 5)
    return points


@rule
def _value(view: Record, seat: int, pile: int, likes: Numbers) -> float:
    """The points that what lies open on a pile would bring a seat."""
    value, shops = 0.0, 0
    for i in range(int(view.pile_size[pile])):
        kind = int(view.piles[pile, i])
        if kind == CLOSED_SHOP:
            shops += 1
        elif kind == CHERRY:
            value += 1
        elif 0 <= kind < ICE_CREAMS:
            value += likes[kind // 5] + likes[_SHAPES + kind % 5]
    held = 0 if view.captured[seat, 0] == UNKNOWN else int(view.captured[seat, CLOSED_SHOP])
    return float(value + SHOP_POINTS[held + shops] - SHOP_POINTS[held])
