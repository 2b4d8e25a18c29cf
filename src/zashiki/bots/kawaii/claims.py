"""What a claim gains in Kawaii, as far as a few numbers can tell, and what it is made of: tallies, values, prices, appetites."""

from __future__ import annotations

from math import exp

import numpy as np

from zashiki.bots.sense import Weights
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kawaii.cards import CARDS, CHERRY, CLOSED_SHOP, ICE_CREAMS, PILE_NUMBERS
from zashiki.games.kawaii.rules import ANSWER_PASS, CLAIM_FROM
from zashiki.games.kawaii.standing import SHOP_POINTS

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

MOST_WEIGHT = 40.0
CHERRIES, SHOPS, UNSEEN = 10, 11, 12
TALLY = 13
"""How many cards of a pile have each flavour and each shape, and how many are none of these."""
_PRICE_EARLY = np.array(PRICE_EARLY)


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """A pile by what is gained by taking it now, against doing nothing; every sign of a throw alike."""
    others = rivals_of(state, seat)
    for i in range(len(actions)):
        pile = pile_of(actions[i])
        weights[i] = weight_of(state, seat, pile, others) if pile >= 0 else 1.0


@rule
def pile_of(action: int) -> int:
    """The pile that an action claims; −1 for all others."""
    if action < ANSWER_PASS:
        return action
    return (action - CLAIM_FROM) // PILE_NUMBERS if action >= CLAIM_FROM else -1


@rule
def weight_of(state: Record, seat: int, pile: int, rivals: int) -> float:
    """How much likelier a claim on a pile is than none."""
    return exp(min(SHARPNESS * gain_of(state, seat, pile, rivals), MOST_WEIGHT))


@rule
def rivals_of(state: Record, seat: int) -> int:
    """How many others have a token."""
    rivals = 0
    for other in range(int(state.seats)):
        rivals += other != seat and state.tokens[other] > 0
    return rivals


@rule
def gain_of(state: Record, seat: int, pile: int, rivals: int) -> float:
    """What is gained by taking a pile now rather than later."""
    tally = scratch(TALLY, np.int64)
    tally_pile(state, pile, tally)
    profit = value_of(state, seat, tally) - _price(state, seat, pile)
    if state.flips == CARDS:
        return profit
    alone = exp(-RIVALRY * rivals * _appetite(state, seat, tally))
    growth = GROWTH if state.reserve_size[pile] > 0 else 0.0
    return profit * (1 - alone + IMPATIENCE * alone) - alone * growth


@rule
def tally_pile(state: Record, pile: int, tally: Options) -> None:
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
def value_of(state: Record, seat: int, tally: Options) -> float:
    """The points a pile brings this seat."""
    return float(value_for(state, seat, tally, int(state.flavours[seat]), int(state.shapes[seat])) + COVERED * tally[UNSEEN])


@rule
def value_for(state: Record, seat: int, tally: Options, flavour: int, shape: int) -> float:
    """What the open cards of a pile bring a seat if these are its favourites."""
    held = 0 if state.stacked == 1 else int(state.captured[seat, CLOSED_SHOP])
    plain = tally[CHERRIES] + SHOP_POINTS[held + tally[SHOPS]] - SHOP_POINTS[held]
    return float(plain + tally[flavour] + tally[5 + shape])


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
