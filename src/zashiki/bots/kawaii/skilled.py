"""Kawaii by skill: learned weights for the traits of claims and positions, in the heuristic's place.

Signs are thrown as the heuristic throws them.
"""

from __future__ import annotations

import numpy as np

from zashiki.bots.kawaii.chances import share_out
from zashiki.bots.kawaii.claims import pile_of, weigh
from zashiki.bots.kawaii.hopes import HOPES, look_forward
from zashiki.bots.kawaii.sight import LIKES, TALLIES, Sight, look
from zashiki.bots.kawaii.traits import TRAITS, describe_claim
from zashiki.bots.sense import Spans, Weights, Worth
from zashiki.bots.skills import dot, soften
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kawaii.cards import CARDS, SEATS
from zashiki.games.kawaii.scoring import PARTS, count_points, running_total
from zashiki.games.kawaii.table import THROWS

CARDS_A_STAGE, STAGES = 5, 12
"""How far a round is: the cards still to be flipped, so many to a stage; 0 when all are."""
MOST_TOKENS = 3
"""More tokens than these make no difference to how traits are weighed."""

_HOPES, _PARTS = len(HOPES), len(PARTS)


@rule
def weigh_by_skill(state: Record, seat: int, actions: Options, weights: Weights, policy: Weights) -> None:
    """The traits of each claim, weighed as the policy does in this situation."""
    if not _is_weighed(state):
        weigh(state, seat, actions, weights)
        return
    tallies, likes = scratch(TALLIES, np.int64), scratch(LIKES, np.float64)
    values, gains, standings = scratch(SEATS, np.float64), scratch(SEATS, np.float64), scratch(SEATS, np.float64)
    traits = scratch(TRAITS, np.float64)
    sight = look(state, seat, tallies, likes, values, gains, standings)
    row = policy[situation(state, seat)]
    for i in range(len(actions)):
        weights[i] = 0.0
        if _describe(state, seat, actions[i], sight, traits):
            weights[i] = dot(traits, row, TRAITS)
    soften(weights, len(actions))


@rule
def describe(state: Record, seat: int, actions: Options, traits: Weights, spans: Spans) -> int:
    """All actions of a decision."""
    if not _is_weighed(state):
        return -1
    tallies, likes = scratch(TALLIES, np.int64), scratch(LIKES, np.float64)
    values, gains, standings = scratch(SEATS, np.float64), scratch(SEATS, np.float64), scratch(SEATS, np.float64)
    sight = look(state, seat, tallies, likes, values, gains, standings)
    for i in range(len(actions)):
        spans[i, 0] = 0
        spans[i, 1] = TRAITS if _describe(state, seat, actions[i], sight, traits[i]) else 0
    return situation(state, seat)


@rule
def _is_weighed(state: Record) -> bool:
    return bool(state.phase != THROWS)


@rule
def _describe(state: Record, seat: int, action: int, sight: Sight, traits: Weights) -> bool:
    """Whether it is a claim, which has traits."""
    pile = pile_of(action)
    if pile < 0:
        return False
    traits[:] = 0
    describe_claim(state, seat, pile, sight, traits)
    return True


@rule
def situation(state: Record, seat: int) -> int:
    """The row of a policy: by own tokens, then by stage."""
    return STAGES * (min(max(int(state.tokens[seat]), 1), MOST_TOKENS) - 1) + _stage(state)


@rule
def _stage(state: Record) -> int:
    return -(-(CARDS - int(state.flips)) // CARDS_A_STAGE)


@rule
def evaluate_by_skill(state: Record, worth: Worth, hopes: Weights) -> None:
    """By the totals as they are hoped to be after this round."""
    looked_at = scratch(_HOPES, np.float64)
    for seat in range(int(state.seats)):
        row = hope(state, seat, looked_at)
        worth[seat] = running_total(state, seat) + gained(state, seat) + dot(looked_at, hopes[row], _HOPES)
    share_out(state, worth)


@rule
def hope(state: Record, seat: int, hopes: Weights) -> int:
    """What a round may still bring, weighed by tokens and stage."""
    look_forward(state, seat, hopes)
    return STAGES * min(int(state.tokens[seat]), MOST_TOKENS) + _stage(state)


@rule
def gained(state: Record, seat: int) -> float:
    """What a seat has captured in this round, and its tokens."""
    row, points = scratch(_PARTS, np.int64), 0.0
    count_points(state, seat, row)
    for part in range(_PARTS):
        points += row[part]
    return points


@rule
def scored(state: Record, seat: int) -> float:
    """What the last round brought a seat."""
    points = 0.0
    for part in range(_PARTS):
        points += state.scored[seat, part]
    return points
