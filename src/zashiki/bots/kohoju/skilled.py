"""Kohoju by skill: learned weights for the traits of actions and positions, in the heuristic's place."""

from __future__ import annotations

from math import exp

import numpy as np

from zashiki.bots.kohoju.hopes import HOPES, hope
from zashiki.bots.kohoju.sight import LINES, Sight, laid, look
from zashiki.bots.kohoju.standing import is_fresh, share_out
from zashiki.bots.kohoju.traits import MOST_TRAITS, OFFSETS, SIZES, describe
from zashiki.bots.sense import Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kohoju.cards import KINDS
from zashiki.games.kohoju.rules import HAND, UNFINISHED

STAGES = HAND + 1
"""How far a deal is: the cards in the smallest hand."""
SITUATIONS = (UNFINISHED + 1) * STAGES
"""The rows of a skill: by the own unfinished kohojus, then by stage."""
RAREST = -30.0
"""The logarithm of the least weight beside the heaviest."""

_HOPES = len(HOPES)


@rule
def weigh_by_skill(state: Record, seat: int, actions: Options, weights: Weights, policy: Weights) -> None:
    """The traits of each action, weighed as the policy does in this situation."""
    best, count, unseen = scratch(KINDS, np.int64), scratch(KINDS, np.int64), scratch(KINDS, np.int64)
    lines, traits = scratch(LINES, np.float64), scratch(MOST_TRAITS, np.float64)
    sight = look(state, seat, best, count, lines, unseen)
    row = policy[situation(sight)]
    for i in range(len(actions)):
        sort = describe(state, sight, actions[i], traits)
        weights[i] = dot(traits, row[int(OFFSETS[sort]) :], int(SIZES[sort]))
    soften(weights, len(actions))


@rule
def situation(sight: Sight) -> int:
    """The row of a skill for what a seat sees."""
    return STAGES * sight.begun + min(sight.fewest, sight.size, HAND)


@rule
def dot(traits: Weights, weights: Weights, count: int) -> float:
    """The sum of so many products, in four strands that a processor follows side by side."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    i = 0
    while i + 4 <= count:
        first += traits[i] * weights[i]
        second += traits[i + 1] * weights[i + 1]
        third += traits[i + 2] * weights[i + 2]
        fourth += traits[i + 3] * weights[i + 3]
        i += 4
    while i < count:
        first += traits[i] * weights[i]
        i += 1
    return (first + second) + (third + fourth)


@rule
def soften(weights: Weights, count: int) -> None:
    """Makes chances of logarithms."""
    most, total = weights[0], 0.0
    for i in range(1, count):
        most = max(most, weights[i])
    for i in range(count):
        weights[i] = exp(max(weights[i] - most, RAREST))
        total += weights[i]
    for i in range(count):
        weights[i] /= total


@rule
def evaluate_by_skill(state: Record, worth: Worth, hopes: Weights) -> None:
    """By the totals as they are hoped to be after this deal."""
    for seat in range(int(state.seats)):
        worth[seat] = state.totals[seat]
        if not is_fresh(state):
            worth[seat] += expected(state, seat, hopes)
    share_out(state, worth)


@rule
def expected(state: Record, seat: int, hopes: Weights) -> float:
    """The points a seat will have from this deal."""
    looked_at = scratch(_HOPES, np.float64)
    row = hopes_row(state, hope(state, seat, looked_at))
    return laid(state, seat) + dot(looked_at, hopes[row], _HOPES)


@rule
def hopes_row(state: Record, begun: int) -> int:
    """The row of a skill for a seat that has begun so many kohojus."""
    fewest = HAND
    for seat in range(int(state.seats)):
        fewest = min(fewest, int(state.hand_size[seat]))
    return STAGES * begun + fewest
