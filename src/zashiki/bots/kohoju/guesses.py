"""What others hold in Kohoju: hands are drawn as players keep them, not as a dealer would give them out.

Whoever plays keeps what fits and lets go what does not, so a hand soon looks like none that was dealt. How much likelier one is
than another is weighed by the traits of hopes, with learned weights. Deals are drawn by these weights by exchanging hidden cards,
one pair after another (a Metropolis chain). Everything public stays, and only what the seat cannot know is moved.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from zashiki.bots.kohoju.hopes import HOPES, look_forward
from zashiki.bots.sense import Weights
from zashiki.bots.skills import dot
from zashiki.core.contract import Options, redeal
from zashiki.core.gears import rule
from zashiki.core.layout import Record, Records
from zashiki.core.random import Words, roll_word
from zashiki.games.kohoju.cards import CARDS, COLOURS
from zashiki.games.kohoju.piles import KNOWN, SEATS, shuffle_in
from zashiki.games.kohoju.rules import STATE, UNFINISHED

PERIODS = (2, 5, 9)
"""The last turns of all periods of a deal but the last."""
GUESSES = (UNFINISHED + 1) * (len(PERIODS) + 1)
"""The rows of guesses: by the unfinished kohojus of who holds the hand, then by period."""
FIRST, NEXT = 300, 2
"""Exchanges tried before the first deal, and before each one more for every action that is tried in it; for every other seat."""
IN_STOCK = SEATS
FIXED = -1

_HOPES = len(HOPES)
_OF_A_COLOUR = CARDS // len(COLOURS)
_PERIODS = np.array(PERIODS, np.int64)


class Chain(NamedTuple):
    """A deal as it is imagined, and what it takes to go on to the next.

    `holders`  by card: who holds it, IN_STOCK, or FIXED where the seat knows
    `cards`    those that may be exchanged, as many as `exchangeable` says
    `marks`    by seat: how likely its hand is, as a logarithm without a common scale
    """

    states: Records
    holders: Options
    cards: Options
    exchangeable: Options
    marks: Weights
    looked_at: Weights


def new_chain() -> Chain:
    """Room for one."""
    return Chain(
        *(STATE.new(1), np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64), np.zeros(1, np.int64)),
        *(np.zeros(SEATS), np.zeros(_HOPES)),
    )


@rule
def guess_row(state: Record, seat: int) -> int:
    """The row of guesses for a seat's hand."""
    begun = (1 if state.fits[seat, 0] != 0 else 0) + (1 if state.fits[seat, 1] != 0 else 0)
    period = 0
    while period < len(_PERIODS) and state.turn_number > _PERIODS[period]:
        period += 1
    return begun * (len(_PERIODS) + 1) + period


@rule
def begin(views: Records, seat: int, guesses: Weights, rng: Words, chain: Chain) -> None:
    """Imagines a first deal."""
    state = chain.states[0]
    redeal(views[0], seat, rng, state)
    _find_cards(state, seat, chain)
    for other in range(int(state.seats)):
        if other != seat:
            chain.marks[other] = _likelihood(state, other, guesses, chain.looked_at)
    go_on(FIRST * (int(state.seats) - 1), guesses, rng, chain)


@rule
def go_on(exchanges: int, guesses: Weights, rng: Words, chain: Chain) -> None:
    """Tries so many exchanges more."""
    state, count = chain.states[0], int(chain.exchangeable[0])
    if count == 0:
        return
    for _ in range(exchanges):
        card = int(chain.cards[_below(rng, count)])
        other = int(chain.cards[_below(rng, count)])
        if chain.holders[card] == IN_STOCK:
            card, other = other, card
        # Cards that went through different shuffles are never taken for each other.
        if chain.holders[card] != chain.holders[other] and state.place[card] == state.place[other]:
            _try_exchange(state, card, other, guesses, rng, chain)


@rule
def _find_cards(state: Record, root: int, chain: Chain) -> None:
    for card in range(CARDS):
        chain.holders[card] = IN_STOCK if state.place[card] < KNOWN else FIXED
    for seat in range(int(state.seats)):
        for i in range(int(state.hand_size[seat])):
            card = int(state.hands[seat, i])
            chain.holders[card] = seat if seat != root and state.place[card] < KNOWN else FIXED
    count = 0
    for card in range(CARDS):
        if chain.holders[card] != FIXED:
            chain.cards[count] = card
            count += 1
    chain.exchangeable[0] = count


@rule
def _likelihood(state: Record, seat: int, guesses: Weights, looked_at: Weights) -> float:
    look_forward(state, seat, looked_at)
    return dot(looked_at, guesses[guess_row(state, seat)], _HOPES)


@rule
def _below(rng: Words, count: int) -> int:
    return int(roll_word(rng)) * count >> 32


@rule
def _try_exchange(state: Record, card: int, other: int, guesses: Weights, rng: Words, chain: Chain) -> None:
    """Exchanges a card of a hand with one of the stock or of another hand, if that is likely enough."""
    seat, there = int(chain.holders[card]), int(chain.holders[other])
    _replace(state, seat, card, other)
    mark = _likelihood(state, seat, guesses, chain.looked_at)
    gain, mark_there = mark - chain.marks[seat], 0.0
    if there != IN_STOCK:
        _replace(state, there, other, card)
        mark_there = _likelihood(state, there, guesses, chain.looked_at)
        gain += mark_there - chain.marks[there]
    if gain < 0 and roll_word(rng) / 4294967296.0 >= exp(gain):
        _replace(state, seat, other, card)
        if there != IN_STOCK:
            _replace(state, there, card, other)
        return
    chain.holders[card], chain.holders[other], chain.marks[seat] = there, seat, mark
    if there != IN_STOCK:
        chain.marks[there] = mark_there
    else:
        shuffle_in(state, card)
        state.stock[other // _OF_A_COLOUR] &= ~(1 << (other % _OF_A_COLOUR))


@rule
def _replace(state: Record, seat: int, old: int, new: int) -> None:
    """Puts a card into the place of another in a hand, which stays in order."""
    hand, last = state.hands[seat], int(state.hand_size[seat]) - 1
    i = 0
    while hand[i] != old:
        i += 1
    while i < last and hand[i + 1] < new:
        hand[i] = hand[i + 1]
        i += 1
    while i > 0 and hand[i - 1] > new:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = new
