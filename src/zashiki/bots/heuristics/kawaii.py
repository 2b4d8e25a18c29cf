"""Kawaii as a sensible person plays it: a token is dear, so it goes on a pile that is worth it before others think so too."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import numpy.typing as npt

from zashiki.bots.bot import Budget
from zashiki.bots.sense import Taste, Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.core.random import Words, roll_word
from zashiki.games.kawaii.cards import CARDS, CHERRY, CLOSED_SHOP, FLAVOURS, ICE_CREAMS, PILE_NUMBERS, ROUNDS, SEATS
from zashiki.games.kawaii.rules import ANSWER_PASS, CLAIM_FROM
from zashiki.games.kawaii.scoring import PARTS, count_points, running_total
from zashiki.games.kawaii.table import WINDOW

Favourites = npt.NDArray[np.int8]

CUT = 16
EXPLORE = 0.9
HASTY, STEADY = 0.26, 0.38
TASTE = Taste(explore=0.9, learned=0.6, ease=1.0, trust=1.0, cut=0, sides=True, asks=2)
TEMPERATURE = 0.0
LEVELS = {
    "beginner": ("hasty", Budget()),
    "club": ("steady", Budget()),
    "expert": ("search", Budget(seconds=1.0)),
}

# From self-play: each generation the best of many variations, in thousands of matches of three, four and five.
PRICE, PRICE_OF_THE_LAST = 1.4, 0.5
"""What a token is worth to its owner at the end of a round, and how much more the only one is at its start."""
PRICE_EARLY = (1.7, 1.25, 0.9)
"""How much more any token is worth at the start, with three, four and five players."""
OWN_PILE = 0.28
"""What it costs besides to take one's own pile: the token never comes back."""
WANTED = 0.57
"""The worth of a pile from which on somebody else may want it."""
RIVALRY = 0.58
"""How likely another takes a pile before it has grown, for each point it may be worth to him beyond WANTED."""
GROWTH = 1.15
"""What a pile that is left alone gains until the next chance to take it."""
IMPATIENCE = 0.36
"""How much of a pile's worth is lost by waiting though nobody else wants it."""
SHARPNESS = 9.5
"""How much likelier a choice becomes with each point of value."""
COVERED = 0.4
"""What a card that nobody sees is worth to anybody."""

# Fitted to self-play: its favourites, and its outcomes.
TELLING = 0.9
"""How much likelier a favourite becomes with each card of it that somebody captured."""
TRADES = 2
"""How often everybody trades favourites before they are taken as likely: enough to forget how they were dealt."""
TOKEN_EARLY, FIRST_TOKEN_EARLY = (2.25, 1.6, 1.3), 0.45
"""What a token (with three, four and five players) and the first of them bring beyond their point, at the start of a round."""
PROSPECT = 0.59
"""How much of what an open pile would bring belongs already to whoever likes it best."""
INCOME = 1.7
"""What it brings the owner of a pile that others will surely take: their token."""
SURELY = 4.0
"""The points that somebody must gain by a pile for that, squared."""
LEAD, LEAD_EARLY = 0.75, 0.26
"""The lead in points that makes victory e times as likely; its square grows with each card of the match still to be flipped."""

MOST_WEIGHT = 40.0
KINDS_OF_FAVOURITES = len(FLAVOURS)
CHERRIES, SHOPS, UNSEEN = 10, 11, 12
SCORED = len(PARTS)
TALLY = 13
"""How many cards of a pile have each flavour and each shape, and how many are none of these."""
_SHOPS = np.array((0.0, -1.0, -2.0, 3.0))
_PRICE_EARLY = np.array(PRICE_EARLY)
_TOKEN_EARLY = np.array(TOKEN_EARLY)


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """A pile by what is gained by taking it now, against doing nothing; every sign of a throw alike."""
    rivals = _rivals(state, seat)
    for i in range(len(actions)):
        action = actions[i]
        pile = -1
        if action < ANSWER_PASS:
            pile = action
        elif action >= CLAIM_FROM:
            pile = (action - CLAIM_FROM) // PILE_NUMBERS
        weights[i] = _weight(state, seat, pile, rivals) if pile >= 0 else 1.0


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the points, and what tokens and open piles may still bring."""
    left = CARDS - int(state.flips)
    for seat in range(int(state.seats)):
        worth[seat] = _standing(state, seat, left / CARDS)
    _add_prospects(state, worth)
    left += CARDS * (ROUNDS - int(state.round_number))
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


@rule
def chapter(state: Record) -> int:
    """The round."""
    return int(state.round_number)


@rule
def mixed(state: Record, seat: int) -> bool:
    """Signs are. Answers are secret too, but what one claims hardly depends on who else does: a lost claim costs nothing."""
    return bool(state.phase != WINDOW)


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """The others' favourites are such as suit what they captured, and their answers, given already or not, suit these."""
    if state.stacked == 0:
        _guess_favourites(state, seat, state.flavours, 5, 1, rng)
        _guess_favourites(state, seat, state.shapes, 1, 5, rng)
    if state.phase == WINDOW:
        for other in range(int(state.seats)):
            if other != seat and state.tokens[other] > 0:
                state.claims[other] = 1 << _likely_answer(state, other, rng)
        state.asked = 1 << seat


@rule
def _guess_favourites(state: Record, seat: int, favourites: Favourites, step: int, stride: int, rng: Words) -> None:
    """Lets each other trade his favourite, likeliest for what he captured many of; `step` and `stride` lead to those cards."""
    for i in range(TRADES * int(state.seats)):
        other = i % int(state.seats)
        if other != seat:
            wanted = _likely_favourite(state, seat, other, favourites, step, stride, rng)
            holder = _holder(state, favourites, wanted)
            if holder >= 0:
                favourites[holder] = favourites[other]
            favourites[other] = wanted


@rule
def _likely_favourite(state: Record, seat: int, other: int, favourites: Favourites, step: int, stride: int, rng: Words) -> int:
    """A favourite drawn by how well it suits this one, and his own the one who has it now."""
    weights = scratch(KINDS_OF_FAVOURITES, np.float64)
    total = 0.0
    given = int(favourites[other])
    for offered in range(KINDS_OF_FAVOURITES):
        holder = _holder(state, favourites, offered)
        gain = _captured(state, other, step * offered, stride)
        if holder >= 0:
            gain += _captured(state, holder, step * given, stride) - _captured(state, holder, step * offered, stride)
        weights[offered] = 0.0 if holder == seat else exp(TELLING * gain)
        total += weights[offered]
    return _drawn(weights, total, rng)


@rule
def _drawn(weights: Weights, total: float, rng: Words) -> int:
    """A place drawn in proportion to the weights; the one behind the last for what they lack of the total."""
    left = roll_word(rng) / 4294967296.0 * total
    for i in range(len(weights)):
        left -= weights[i]
        if left < 0:
            return i
    return len(weights)


@rule
def _holder(state: Record, favourites: Favourites, wanted: int) -> int:
    """The seat with this favourite; -1: it was put away."""
    for seat in range(int(state.seats)):
        if favourites[seat] == wanted:
            return seat
    return -1


@rule
def _captured(state: Record, seat: int, first: int, stride: int) -> int:
    """How many cards of a flavour or shape a seat has captured."""
    total = 0
    for i in range(5):
        total += int(state.captured[seat, first + stride * i])
    return total


@rule
def _likely_answer(state: Record, seat: int, rng: Words) -> int:
    """An answer drawn as it is weighed."""
    rivals = _rivals(state, seat)
    weights = scratch(SEATS, np.float64)
    total = 1.0
    for pile in range(SEATS):
        weights[pile] = _weight(state, seat, pile, rivals) if pile < state.seats and state.pile_size[pile] > 0 else 0.0
        total += weights[pile]
    return _drawn(weights, total, rng)


@rule
def _weight(state: Record, seat: int, pile: int, rivals: int) -> float:
    """How much likelier a claim on a pile is than none."""
    return exp(min(SHARPNESS * _gain(state, seat, pile, rivals), MOST_WEIGHT))


@rule
def _rivals(state: Record, seat: int) -> int:
    """How many others have a token."""
    rivals = 0
    for other in range(int(state.seats)):
        rivals += other != seat and state.tokens[other] > 0
    return rivals


@rule
def _gain(state: Record, seat: int, pile: int, rivals: int) -> float:
    """What is gained by taking a pile now rather than later."""
    tally = scratch(TALLY, np.int64)
    _count(state, pile, tally)
    profit = _value(state, seat, tally) - _price(state, seat, pile)
    if state.flips == CARDS:
        return profit
    alone = exp(-RIVALRY * rivals * _appetite(state, seat, tally))
    growth = GROWTH if state.reserve_size[pile] > 0 else 0.0
    return profit * (1 - alone + IMPATIENCE * alone) - alone * growth


@rule
def _count(state: Record, pile: int, tally: Options) -> None:
    """What lies open on a pile."""
    for i in range(TALLY):
        tally[i] = 0
    top = int(state.pile_size[pile]) - 1
    if state.stacked == 1:
        tally[UNSEEN] = max(top, 0)
    for i in range(int(tally[UNSEEN]), top + 1):
        kind = int(state.piles[pile, i])
        if kind < ICE_CREAMS:
            tally[kind // 5] += 1
            tally[5 + kind % 5] += 1
        else:
            tally[CHERRIES if kind == CHERRY else SHOPS] += 1


@rule
def _value(state: Record, seat: int, tally: Options) -> float:
    """The points a pile brings this seat."""
    held = 0 if state.stacked == 1 else int(state.captured[seat, CLOSED_SHOP])
    value = _SHOPS[held + tally[SHOPS]] - _SHOPS[held] + tally[CHERRIES] + COVERED * tally[UNSEEN]
    return float(value + tally[int(state.flavours[seat])] + tally[5 + int(state.shapes[seat])])


@rule
def _price(state: Record, seat: int, pile: int) -> float:
    early = (CARDS - int(state.flips)) / CARDS
    price = PRICE + _PRICE_EARLY[int(state.seats) - 3] * early
    if state.tokens[seat] == 1:
        price += PRICE_OF_THE_LAST * early
    return float(price + OWN_PILE if pile == seat else price)


@rule
def _appetite(state: Record, seat: int, tally: Options) -> float:
    """What a pile is worth beyond WANTED to somebody who likes any flavour and shape but this seat's, on average."""
    plain = tally[CHERRIES] - tally[SHOPS] + COVERED * tally[UNSEEN] - WANTED
    total = 0.0
    for flavour in range(5):
        if flavour != state.flavours[seat]:
            for shape in range(5):
                if shape != state.shapes[seat]:
                    total += max(0.0, plain + tally[flavour] + tally[5 + shape])
    return total / 16


@rule
def _standing(state: Record, seat: int, early: float) -> float:
    row = scratch(SCORED, np.int64)
    count_points(state, seat, row)
    points = running_total(state, seat)
    for part in range(SCORED):
        points += row[part]
    tokens = int(state.tokens[seat])
    return float(points + early * (_TOKEN_EARLY[int(state.seats) - 3] * tokens + FIRST_TOKEN_EARLY * (tokens > 0)))


@rule
def _add_prospects(state: Record, worth: Worth) -> None:
    """Shares out what the open piles would bring, most of it to whoever likes each of them best; his token to their owner."""
    gains = scratch(SEATS, np.float64)
    for pile in range(int(state.seats)):
        total = _square_gains(state, pile, gains)
        if total > 0:
            for seat in range(int(state.seats)):
                worth[seat] += PROSPECT * gains[seat] ** 3 / total
            worth[pile] += INCOME * min(1.0, total / SURELY) * (1 - gains[pile] ** 2 / total)


@rule
def _square_gains(state: Record, pile: int, gains: Worth) -> float:
    """Writes what each seat would gain by a pile now; tells the sum of the squares."""
    tally = scratch(TALLY, np.int64)
    _count(state, pile, tally)
    total = 0.0
    for seat in range(int(state.seats)):
        gains[seat] = max(0.0, _value(state, seat, tally) - 1) if state.tokens[seat] > 0 else 0.0
        total += gains[seat] ** 2
    return total
