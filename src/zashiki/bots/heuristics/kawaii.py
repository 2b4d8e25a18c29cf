"""Kawaii as a sensible person plays it: a token is dear, so it goes on a pile that is worth it before others think so too."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.bots.bot import Budget
from zashiki.bots.kawaii.chances import share_out
from zashiki.bots.kawaii.claims import TALLY, rivals_of, tally_pile, value_of, weight_of
from zashiki.bots.kawaii.claims import weigh as weigh
from zashiki.bots.kawaii.skilled import describe as describe
from zashiki.bots.kawaii.skilled import evaluate_by_skill as evaluate_by_skill
from zashiki.bots.kawaii.skilled import gained as gained
from zashiki.bots.kawaii.skilled import hope as hope
from zashiki.bots.kawaii.skilled import scored as scored
from zashiki.bots.kawaii.skilled import weigh_by_skill as weigh_by_skill
from zashiki.bots.sense import Taste, Weights, Worth
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.core.random import Words, roll_word
from zashiki.games.kawaii.cards import CARDS, FLAVOURS, SEATS
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
KINDS_OF_FAVOURITES = len(FLAVOURS)
SCORED = len(PARTS)
_TOKEN_EARLY = np.array(TOKEN_EARLY)


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the points, and what tokens and open piles may still bring."""
    early = (CARDS - int(state.flips)) / CARDS
    for seat in range(int(state.seats)):
        worth[seat] = _standing(state, seat, early)
    _add_prospects(state, worth)
    share_out(state, worth)


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
    rivals = rivals_of(state, seat)
    weights = scratch(SEATS, np.float64)
    total = 1.0
    for pile in range(SEATS):
        weights[pile] = weight_of(state, seat, pile, rivals) if pile < state.seats and state.pile_size[pile] > 0 else 0.0
        total += weights[pile]
    return _drawn(weights, total, rng)


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
    tally_pile(state, pile, tally)
    total = 0.0
    for seat in range(int(state.seats)):
        gains[seat] = max(0.0, value_of(state, seat, tally) - 1) if state.tokens[seat] > 0 else 0.0
        total += gains[seat] ** 2
    return total
