"""Hanamikoji as a sensible person plays it: every card is worth what it can still change about its geisha."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.bots.bot import Budget
from zashiki.bots.hanamikoji.favours import chance_of_first, stake_of, way_of
from zashiki.bots.sense import Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.core.random import Words
from zashiki.games.hanamikoji.cards import CHARM
from zashiki.games.hanamikoji.rules import (
    COMPETITION_FROM,
    DOUBLES,
    GEISHA,
    GIFT_FROM,
    PAIRS,
    TAKE_FROM,
    TAKE_PAIR_FROM,
    TRADE_OFF_FROM,
    TRIPLES,
)

CUT = 24
EXPLORE = 0.9
LEVELS = {
    "beginner": ("careless", Budget()),
    "club": ("search", Budget(seconds=0.2, iterations=30)),
    "expert": ("solve", Budget(seconds=1.0)),
    "master": ("master-solve", Budget(seconds=1.0)),
}
SHARPNESS = 1.6
"""How much likelier a choice becomes with each point of value."""
STAKE = 3.2
"""Points of value that a certain victory is worth."""

Values = npt.NDArray[np.float64]

_CHARM = np.array(CHARM, np.int64)
_PAIRS = np.array(PAIRS, np.int8)
_TRIPLES = np.array(TRIPLES, np.int8)
_DOUBLES = np.array([first + second for first, second in DOUBLES], np.int8)


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """Secret: the dearest; trade-off: the cheapest; offers: those whose best part is little better than the rest."""
    values = scratch(GEISHA, np.float64)
    _value_cards(state, seat, values)
    for i in range(len(actions)):
        weights[i] = exp(SHARPNESS * _gain(state, actions[i], values))


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the favours; cards that lie open in a round that has begun are not looked at."""
    worth[0] = chance_of_first(state)
    worth[1] = 1 - worth[0]


@rule
def chapter(state: Record) -> int:
    """The round."""
    return int(state.round_number)


@rule
def mixed(state: Record, seat: int) -> bool:
    """Nobody chooses at the same time as the other."""
    return False


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """All deals are taken as they come."""


@rule
def _value_cards(state: Record, seat: int, values: Values) -> None:
    """What one more card of each item before this seat, rather than the other, would change: most where it is close."""
    rounds = int(state.rounds) - int(state.round_number)
    way = way_of(state.markers, int(state.starter))
    for item in range(GEISHA):
        mine, theirs = int(state.sides[seat, item]), int(state.sides[1 - seat, item])
        mine += state.secret[seat] == item
        out = (state.trade_off[seat, 0] == item) + (state.trade_off[seat, 1] == item)
        for i in range(4):
            out += state.offer[i] == item
        lead = mine - theirs
        left = int(_CHARM[item]) - mine - theirs - out
        # A favour that is held stays through a tie.
        if state.markers[item] == seat:
            lead += 0.5
        elif state.markers[item] == 1 - seat:
            lead -= 0.5
        closeness = 1 / (1 + lead * lead) if abs(lead) <= left + 1 else 0.02
        values[item] = STAKE * stake_of(way, item, rounds) * closeness


@rule
def _gain(state: Record, action: int, values: Values) -> float:
    if action < TRADE_OFF_FROM:
        return float(values[action])
    if action < GIFT_FROM:
        pair = _PAIRS[action - TRADE_OFF_FROM]
        return float(-values[pair[0]] - values[pair[1]])
    if action < COMPETITION_FROM:
        triple = _TRIPLES[action - GIFT_FROM]
        a, b, c = values[triple[0]], values[triple[1]], values[triple[2]]
        return float(a + b + c - 2 * max(a, b, c)) * 0.7
    if action < TAKE_FROM:
        double = _DOUBLES[action - COMPETITION_FROM]
        return float(-abs(values[double[0]] + values[double[1]] - values[double[2]] - values[double[3]]))
    if action < TAKE_PAIR_FROM:
        return float(2 * values[action - TAKE_FROM])
    first = 2 * (action - TAKE_PAIR_FROM)
    return float(values[int(state.offer[first])] + values[int(state.offer[first + 1])]) * 2
