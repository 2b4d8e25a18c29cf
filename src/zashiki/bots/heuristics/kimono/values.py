"""What cards of Kimono are worth to a seat: points now, and what the cards to come may still do to them."""

from __future__ import annotations

from math import factorial

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kimono.action_cards import SORTS
from zashiki.games.kimono.cards import APPRENTICE, BREAKAGE, CAT, COPY, KIMONO, NUMBERS, ROUNDS
from zashiki.games.kimono.rules import KINDS, ROW, count_unseen
from zashiki.games.kimono.scoring import IN_FRONT

STEPS, STEP = 40, 0.05
"""The cards of a sort that may still come a seat's way are counted in steps of so much."""
MOST = 24
"""More cards of a sort than a seat can have."""
ALL_KINDS = KINDS + 1
"""The kinds of cards in a row: those of the market, and the apprentice."""
# From self-play of the heuristic: what made the outcome of matches most likely, by the cards that lay open between rounds.
BELOW, AT, OVER = 0.9, 0.2, 0.1
"""The share of a sort's cards coming its way that a seat takes while it is below, at and over the limit."""
KIMONO_RATE = 0.16
"""The kimonos that come a seat's way in a round."""
MASTER_VALUE = np.array([0.0, 4.5, 3.0, 2.0, 0.5, 0.0])
"""The points that being the next master is worth, by the rounds to come."""
CAT_VALUE = 2.0
"""The points a card from the sack is thought to bring."""

Counts = npt.NDArray[np.int64]


def _points(sort: int, count: int) -> int:
    number = list(NUMBERS.values())[sort]
    return -count if count > number.limit else count * number.points


def _taken(sort: int, count: int) -> float:
    limit = list(NUMBERS.values())[sort].limit
    return BELOW if count < limit else AT if count == limit else OVER


def _outlook(sort: int, come: int) -> list[float]:
    """The points expected of each count when so many cards come the seat's way."""
    if come == 0:
        return [float(_points(sort, count)) for count in range(2 * MOST)]
    later = _outlook(sort, come - 1)
    taken = [_taken(sort, count) for count in range(len(later) - 1)]
    return [share * more + (1 - share) * same for share, same, more in zip(taken, later, later[1:], strict=False)]


def _values(sort: int) -> npt.NDArray[np.float64]:
    """What so many cards are worth rather than none, by the steps of those to come, which are spread by chance (Poisson)."""
    outlooks = np.array([_outlook(sort, come)[:MOST] for come in range(MOST // 2)])
    come = np.arange(STEPS)[:, None] * STEP
    chances = [np.exp(-come) * come**more / factorial(more) for more in range(MOST // 2)]
    expected = sum(chance * outlook for chance, outlook in zip(chances, outlooks, strict=True))
    return np.asarray(expected - expected[:, :1])


# Single precision and read in one place: a GPU keeps a copy of a constant for each function that reads it, and 64 KB in all.
_VALUE = np.stack([_values(sort) for sort in range(IN_FRONT)], axis=1).astype(np.float32).ravel()


@rule
def _value(steps: Counts, sort: int, count: int) -> float:
    """What so many cards of a sort are worth rather than none."""
    return _read_value(MOST * (IN_FRONT * int(steps[sort]) + sort) + count)


@rule
def _read_value(place: int) -> float:
    return float(_VALUE[place])


@rule
def foresee(state: Record, rounds: int, steps: Counts) -> None:
    """How many cards of each sort a seat has coming its way in so many rounds, in steps."""
    unseen = scratch(KINDS, np.int64)
    count_unseen(state, unseen)
    if rounds > ROUNDS - int(state.round_number):
        for place in range(ROW):
            if 0 <= state.row[place] < KINDS:
                unseen[int(state.row[place])] += 1
    total = 0
    for card in range(KINDS):
        total += unseen[card]
    rate = rounds * int(state.pile_size) / (max(total, 1) * int(state.seats) * STEP)
    for sort in range(IN_FRONT):
        steps[sort] = min(STEPS - 1, int(rate * unseen[sort]))
    steps[KIMONO] = int(rounds * KIMONO_RATE / STEP) if state.kimonos > 1 else 0


@rule
def holding(state: Record, seat: int, steps: Counts) -> float:
    """What lies before a seat."""
    total: float = 0.0
    for sort in range(IN_FRONT):
        total += _value(steps, sort, int(state.front[seat, sort]))
    return total


@rule
def kimono_gain(state: Record, seat: int, steps: Counts) -> float:
    """One kimono more."""
    count = int(state.front[seat, KIMONO])
    return _value(steps, KIMONO, count + 1) - _value(steps, KIMONO, count)


@rule
def gain(state: Record, seat: int, cards: Counts, steps: Counts) -> float:
    """What taking these cards, counted by kind, changes; with the apprentice comes the bin."""
    front = scratch(IN_FRONT, np.int64)
    bins = 1 if cards[APPRENTICE] > 0 else 0
    total: float = 0.0
    for sort in range(IN_FRONT):
        before = int(state.front[seat, sort])
        front[sort] = before + cards[sort] + bins * int(state.bin[sort])
        if front[sort] != before:
            total += _value(steps, sort, int(front[sort])) - _value(steps, sort, before)
    total += bins * MASTER_VALUE[ROUNDS - int(state.round_number)]
    total += CAT_VALUE * (cards[CAT] + bins * int(state.bin[CAT]))
    for _ in range(cards[BREAKAGE] + bins * int(state.bin[BREAKAGE])):
        total += break_two(front, steps)
    for _ in range(cards[COPY] + bins * int(state.bin[COPY])):
        total += add_copy(front, steps)
    return total


@rule
def break_two(front: Counts, steps: Counts) -> float:
    """Breaks the two curios whose loss costs least, and tells what that changes."""
    best, first, second = -1e9, -1, -1
    for a in range(SORTS):
        for b in range(a, SORTS):
            if front[a] == 0 or front[b] < 1 + (a == b):
                continue
            changed = break_gain(front, a, b, steps)
            if changed > best:
                best, first, second = changed, a, b
    if first < 0:
        return _lose_last(front, steps)
    front[first] -= 1
    front[second] -= 1
    return best


@rule
def _lose_last(front: Counts, steps: Counts) -> float:
    for sort in range(SORTS):
        if front[sort] > 0:
            front[sort] = 0
            return -_value(steps, sort, 1)
    return 0.0


@rule
def break_gain(front: Counts, first: int, second: int, steps: Counts) -> float:
    """What breaking these two changes."""
    if first == second:
        return _value(steps, first, int(front[first]) - 2) - _value(steps, first, int(front[first]))
    return loss(front, first, steps) + loss(front, second, steps)


@rule
def loss(front: Counts, sort: int, steps: Counts) -> float:
    """What one card less of a sort changes."""
    return _value(steps, sort, int(front[sort]) - 1) - _value(steps, sort, int(front[sort]))


@rule
def copy_gain(front: Counts, sort: int, steps: Counts) -> float:
    """What one card more of a sort changes."""
    return _value(steps, sort, int(front[sort]) + 1) - _value(steps, sort, int(front[sort]))


@rule
def add_copy(front: Counts, steps: Counts) -> float:
    """Adds a copy to the sort that has most cards, the best of those that tie, and tells what that changes."""
    most = 1
    best, found = 0.0, -1
    for sort in range(SORTS):
        if front[sort] < most:
            continue
        changed = copy_gain(front, sort, steps)
        if front[sort] > most or found < 0 or changed > best:
            most, best, found = front[sort], changed, sort
    if found >= 0:
        front[found] += 1
    return best
