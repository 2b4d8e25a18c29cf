"""Kasane as a sensible person plays it: what each card brings now, what it may grow into, and what it opens to the next seat."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.bots.bot import Budget
from zashiki.bots.sense import Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, scratch
from zashiki.core.layout import EMPTY, Record
from zashiki.core.random import Words
from zashiki.games.kasane.combinations import FIRST_MARK, KIND_SIZE, KINDS, MOST, PLACE_POINTS, fitting
from zashiki.games.kasane.rules import (
    ACCESSORY,
    COMBINATIONS,
    COMBINE_FROM,
    DECLINE,
    FACES,
    NOBODY,
    SECOND_PLACE,
    TAKE,
    TURNS,
    is_free,
    kimono_end,
)
from zashiki.games.kasane.scoring import DOZEN, cards_laid, points_of

CUT = 24
LEVELS = {
    "beginner": ("careless", Budget()),
    "club": ("search", Budget(seconds=0.2, iterations=100)),
    "expert": ("search", Budget(seconds=1.0)),
}
SHARPNESS = 1.2
"""How much likelier a choice becomes with each point of value."""
CARD = 0.4
"""What a card laid is worth besides the points of its place: it counts towards eight and twelve."""
PATIENCE = 0.6
"""What a point that the next card may bring is worth now."""
DENIAL = 0.5
"""What a point that the next seat is left to take costs."""
NEAR = (0.75, 0.45, 0.25, 0.15, 0.1)
"""How likely a card of the market is to be had next turn, by the number of cards on its right."""

HAND_PARTS = MOST + 1
"""From none to five cards of the hand may be laid at once."""

Values = npt.NDArray[np.float64]

_SIZE = np.array(KIND_SIZE, np.int64)
_POINTS = np.array(PLACE_POINTS, np.int64)
_NEAR = np.array(NEAR, np.float64)


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """By the points gained now, those in prospect, and those left to the next seat."""
    gains = scratch(COMBINATIONS, np.float64)
    _value_combinations(state, gains)
    chances = scratch(FACES, np.float64)
    _find_chances(state, chances)
    if state.phase == TAKE:
        _weigh_rows(state, seat, gains, chances, actions, weights)
    else:
        _weigh_combinations(state, seat, gains, chances, actions, weights)
    best = weights[0]
    for i in range(len(actions)):
        best = max(best, weights[i])
    for i in range(len(actions)):
        weights[i] = exp(max(SHARPNESS * (weights[i] - best), -12.0))


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the points each seat may expect in the end."""
    gains = scratch(COMBINATIONS, np.float64)
    _value_combinations(state, gains)
    chances = scratch(FACES, np.float64)
    _find_chances(state, chances)
    seats = int(state.seats)
    total = 0.0
    for seat in range(seats):
        worth[seat] = exp(_expected(state, seat, gains, chances) / 4)
        total += worth[seat]
    for seat in range(seats):
        worth[seat] /= total


@rule
def chapter(state: Record) -> int:
    """The round: what follows depends on a market not yet dealt."""
    return int(state.round_number)


@rule
def mixed(state: Record, seat: int) -> bool:
    """Nobody chooses at the same time as another."""
    return False


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """All orders of the stack are as likely."""


@rule
def _value_combinations(state: Record, gains: Values) -> None:
    """What each combination would gain, below 0 where no place is free."""
    for kind in range(KINDS):
        if is_free(state, kind):
            place = kind + SECOND_PLACE if kind >= FIRST_MARK and state.places[kind] != NOBODY else kind
            gains[kind] = _POINTS[place] + CARD * _SIZE[kind]
            gains[KINDS + kind] = gains[kind] - CARD
        else:
            gains[kind] = gains[KINDS + kind] = -1.0


@rule
def _find_chances(state: Record, chances: Values) -> None:
    """How likely each card is to be had with the next turn."""
    chances[:] = 1.0
    for row in range(len(state.row_size)):
        size = int(state.row_size[row])
        for column in range(size):
            chances[int(state.market[row, column])] *= 1 - _NEAR[size - 1 - column]
    for card in range(FACES):
        chances[card] = 1 - chances[card]


@rule
def _best(found: int, gains: Values) -> float:
    """The most that one of these combinations gains, 0 without any."""
    best = 0.0
    while found != 0:
        best = max(best, gains[lowest(found)])
        found &= found - 1
    return best


@rule
def _prospect(state: Record, seat: int, kept: int, end: int, gains: Values, chances: Values) -> float:
    """What the next card is likely to bring after so many cards of the hand and a kimono that ends so: the best that comes."""
    brought = scratch(FACES, np.float64)
    brought[ACCESSORY] = 1 + CARD
    for card in range(1, FACES):
        brought[card] = _best(fitting(state.hands[seat], kept, card, end), gains) if chances[card] > 0 else 0.0
    expected, missed = 0.0, 1.0
    for _ in range(3):
        best = 0
        for card in range(1, FACES):
            if brought[card] > brought[best]:
                best = card
        expected += missed * chances[best] * brought[best]
        missed *= 1 - chances[best]
        brought[best] = 0.0
    return expected


@rule
def _weigh_rows(state: Record, seat: int, gains: Values, chances: Values, actions: Options, weights: Weights) -> None:
    following = seat + 1 if seat + 1 < state.seats else 0
    for i in range(len(actions)):
        row = actions[i]
        size = int(state.row_size[row])
        weights[i] = _card_gain(state, seat, int(state.market[row, size - 1]), gains)
    most, second, dearest = 0.0, 0.0, 0
    for i in range(len(actions)):
        row = actions[i]
        left = _card_gain(state, following, int(state.market[row, int(state.row_size[row]) - 1]), gains)
        if left > most:
            most, second, dearest = left, most, i
        else:
            second = max(second, left)
    for i in range(len(actions)):
        row = actions[i]
        left = second if i == dearest else most
        size = int(state.row_size[row])
        if size > 1:
            left = max(left, _card_gain(state, following, int(state.market[row, size - 2]), gains))
        weights[i] -= DENIAL * left


@rule
def _card_gain(state: Record, seat: int, card: int, gains: Values) -> float:
    """What a card brings a seat at once."""
    kept = int(state.hand_size[seat])
    if card == ACCESSORY:
        bonus = 1 + CARD
        if state.accessory_combo == 1 and kept > 0:
            bonus += _best(fitting(state.hands[seat], kept - 1, int(state.hands[seat, kept - 1]), kimono_end(state, seat)), gains)
        return bonus
    return _best(fitting(state.hands[seat], kept, card, kimono_end(state, seat)), gains)


@rule
def _weigh_combinations(state: Record, seat: int, gains: Values, chances: Values, actions: Options, weights: Weights) -> None:
    prospects = scratch(HAND_PARTS, np.float64)
    prospects[:] = -1.0
    size = int(state.hand_size[seat])
    last = int(state.hands[seat, size - 1])
    for i in range(len(actions)):
        cards, gain = 0, 0.0
        if actions[i] != DECLINE:
            combination = actions[i] - COMBINE_FROM
            cards = _SIZE[combination % KINDS] - combination // KINDS
            gain = gains[combination]
        if prospects[cards] < 0:
            end = last if cards > 0 else kimono_end(state, seat)
            prospects[cards] = _prospect(state, seat, size - cards, end, gains, chances)
        weights[i] = gain + PATIENCE * prospects[cards]


@rule
def _expected(state: Record, seat: int, gains: Values, chances: Values) -> float:
    turns = TURNS - cards_laid(state, seat) - int(state.hand_size[seat])
    points = points_of(state, seat) + CARD * cards_laid(state, seat)
    if turns == 0:
        return float(points)
    prospect = _prospect(state, seat, int(state.hand_size[seat]), kimono_end(state, seat), gains, chances)
    return points + 0.8 * prospect + turns
