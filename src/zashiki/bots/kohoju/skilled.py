"""Kohoju by skill: learned weights for the traits of actions and positions, in the heuristic's place."""

from __future__ import annotations

import numpy as np

from zashiki.bots.kohoju.hopes import HOPES, look_forward
from zashiki.bots.kohoju.sight import LINES, Sight, laid, look
from zashiki.bots.kohoju.standing import is_fresh, share_out
from zashiki.bots.kohoju.traits import MOST_TRAITS, OFFSETS, SIZES, describe_one
from zashiki.bots.sense import Spans, Weights, Worth
from zashiki.bots.skills import dot, soften
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kohoju.cards import KINDS
from zashiki.games.kohoju.rules import FINISHED_BONUS, HAND, UNFINISHED

STAGES = HAND + 1
"""How far a deal is: the cards in the smallest hand."""
SITUATIONS = (UNFINISHED + 1) * STAGES
"""The rows of a skill: by the own unfinished kohojus, then by stage."""

_HOPES = len(HOPES)


@rule
def weigh_by_skill(state: Record, seat: int, actions: Options, weights: Weights, policy: Weights) -> None:
    """The traits of each action, weighed as the policy does in this situation."""
    best, count, unseen = scratch(KINDS, np.int64), scratch(KINDS, np.int64), scratch(KINDS, np.int64)
    lines, traits = scratch(LINES, np.float64), scratch(MOST_TRAITS, np.float64)
    sight = look(state, seat, best, count, lines, unseen)
    row = policy[situation(sight)]
    for i in range(len(actions)):
        sort = describe_one(state, sight, actions[i], traits)
        weights[i] = dot(traits, row[int(OFFSETS[sort]) :], int(SIZES[sort]))
    soften(weights, len(actions))


@rule
def describe(state: Record, seat: int, actions: Options, traits: Weights, spans: Spans) -> int:
    """All actions of a decision."""
    best, count, unseen = scratch(KINDS, np.int64), scratch(KINDS, np.int64), scratch(KINDS, np.int64)
    lines = scratch(LINES, np.float64)
    sight = look(state, seat, best, count, lines, unseen)
    for i in range(len(actions)):
        sort = describe_one(state, sight, actions[i], traits[i])
        spans[i, 0] = OFFSETS[sort]
        spans[i, 1] = SIZES[sort]
    return situation(sight)


@rule
def situation(sight: Sight) -> int:
    """The row of a skill for what a seat sees."""
    return STAGES * sight.begun + min(sight.fewest, sight.size, HAND)


@rule
def evaluate_by_skill(state: Record, worth: Worth, hopes: Weights) -> None:
    """By the totals as they are hoped to be after this deal."""
    looked_at = scratch(_HOPES, np.float64)
    for seat in range(int(state.seats)):
        worth[seat] = state.totals[seat]
        if not is_fresh(state):
            row = hope(state, seat, looked_at)
            worth[seat] += gained(state, seat) + dot(looked_at, hopes[row], _HOPES)
    share_out(state, worth)


@rule
def hope(state: Record, seat: int, hopes: Weights) -> int:
    """What a deal may still bring, weighed by the kohojus begun and the smallest hand."""
    begun, fewest = look_forward(state, seat, hopes), HAND
    for other in range(int(state.seats)):
        fewest = min(fewest, int(state.hand_size[other]))
    return STAGES * begun + fewest


@rule
def gained(state: Record, seat: int) -> float:
    """What lies open before a seat."""
    return laid(state, seat)


@rule
def scored(state: Record, seat: int) -> float:
    """What the last deal brought a seat."""
    return float(state.last_laid[seat]) + FINISHED_BONUS * int(state.last_finished[seat]) - int(state.last_hand[seat])
