"""What a round of Kawaii may still bring a seat, all cards known: what is looked at, as numbers that are weighed."""

from __future__ import annotations

import numpy as np

from zashiki.bots.kawaii.claims import TALLY, tally_pile, value_of
from zashiki.bots.sense import Weights
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kawaii.cards import CARDS, CHERRY, CLOSED_SHOP, ICE_CREAMS

HOPES = (
    "always",
    "tokens",
    "has a token",
    "has two tokens",
    "has three tokens",
    "one closed shop",
    "two closed shops",
    "points on cards to come",
    "with a token: points on cards to come",
    "tokens: points on cards to come",
    "points on the own pile",
    "the own pile: its worth beyond one to whom it is worth most",
    "the own pile: its worth beyond two to whom it is worth most",
    "with a token: points beyond one on all piles",
    "with a token: points beyond two on all piles",
    "with a token: points by which piles are worth more than to anybody else",
    "with a token: points on the best pile",
    "with a token: points beyond one on the best pile",
    "with a token: points beyond two on the best pile",
    "with two tokens: points beyond one on the second best pile",
    "others' tokens",
    "others without a token",
    "flips until the own",
    "cards in the reserve",
)


@rule
def look_forward(state: Record, seat: int, hopes: Weights) -> None:
    """Fills in what a seat may look forward to."""
    tokens = int(state.tokens[seat])
    hopes[:] = 0
    hopes[0] = 1
    hopes[1] = tokens
    for count in range(1, 4):
        hopes[1 + count] = tokens >= count
    hopes[5] = state.captured[seat, CLOSED_SHOP] == 1
    hopes[6] = state.captured[seat, CLOSED_SHOP] == 2
    coming = _points_to_come(state, seat)
    hopes[7] = coming
    hopes[8] = coming if tokens > 0 else 0
    hopes[9] = tokens * coming
    _hope_for_piles(state, seat, tokens, hopes)
    for other in range(int(state.seats)):
        if other != seat:
            hopes[20] += state.tokens[other]
            hopes[21] += state.tokens[other] == 0
    hopes[22] = (seat - int(state.turn)) % int(state.seats) if state.flips < CARDS else 0
    hopes[23] = state.reserve_size[seat]


@rule
def _points_to_come(state: Record, seat: int) -> int:
    """What the cards that are still to be flipped are worth to a seat."""
    points = 0
    for i in range(int(state.flips), CARDS):
        kind = int(state.deck[i])
        if kind == CHERRY:
            points += 1
        elif kind < ICE_CREAMS:
            points += (kind // 5 == int(state.flavours[seat])) + (kind % 5 == int(state.shapes[seat]))
    return points


@rule
def _hope_for_piles(state: Record, seat: int, tokens: int, hopes: Weights) -> None:
    tally = scratch(TALLY, np.int64)
    best, second = 0.0, 0.0
    for pile in range(int(state.seats)):
        if state.pile_size[pile] == 0:
            continue
        tally_pile(state, pile, tally)
        value, most = value_of(state, seat, tally), _most_to_others(state, seat, tally)
        if pile == seat:
            hopes[10] = max(value, 0.0)
            hopes[11] = max(most - 1, 0.0)
            hopes[12] = max(most - 2, 0.0)
        if tokens > 0:
            hopes[13] += max(value - 1, 0.0)
            hopes[14] += max(value - 2, 0.0)
            hopes[15] += max(min(value, 4.0) - max(most, 1.0), 0.0)
        second = max(second, min(best, value))
        best = max(best, value)
    if tokens > 0:
        hopes[16] = best
        hopes[17] = max(best - 1, 0.0)
        hopes[18] = max(best - 2, 0.0)
        hopes[19] = max(second - 1, 0.0) if tokens > 1 else 0.0


@rule
def _most_to_others(state: Record, seat: int, tally: Options) -> float:
    """What a pile brings whoever of the others with a token gains most by it."""
    most = 0.0
    for other in range(int(state.seats)):
        if other != seat and state.tokens[other] > 0:
            most = max(most, value_of(state, other, tally))
    return most
