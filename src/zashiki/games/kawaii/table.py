"""What happens at the table at either pace: rounds, flips, captures and contests; and how the relaxed pace goes on by itself."""

from __future__ import annotations

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, lowest, ones
from zashiki.core.layout import EMPTY, Record
from zashiki.core.random import random_below, shuffle
from zashiki.games.kawaii.cards import CARDS, COPIES, KINDS, PILE_NUMBERS, ROUNDS, THROWS_AT_MOST, TOKENS
from zashiki.games.kawaii.scoring import decide, next_starter, score_round

OVER, WINDOW, THROWS, LIVE = range(4)
AT_LIVE_PACE = 1
PASS = 1 << 5
"""Stands beside the bits of five piles for the answer that claims none of them."""

_DECK = np.array([kind for kind in range(KINDS) for _ in range(COPIES[kind])], np.int8)
_EVERY_FAVOURITE = np.arange(5, dtype=np.int8)
# By the signs that are shown, as bits: the winning one where there are exactly two.
_WINNING_SIGN = np.array([-1, -1, -1, 1, -1, 0, 2, -1], np.int64)


@rule
def deal_round(state: Record) -> None:
    """A fresh round: reserves, favourites, two tokens each. In turns the first card is flipped at once."""
    seats = int(state.seats)
    state.round_number += 1
    state.turn = state.starter
    state.flips = 0
    state.captures = 0
    state.tokens_out = 0
    state.done = 0
    state.pile_size[:] = 0
    state.captured_size[:] = 0
    state.piles[:] = EMPTY
    state.captured[:] = 0
    for seat in range(seats):
        state.tokens[seat] = TOKENS
        state.reserve_size[seat] = (CARDS + seats - 1 - (seat - int(state.starter)) % seats) // seats
        _next_pile_number(state, seat)
    assign(state.deck, _DECK)
    shuffle(state, state.deck, 0, CARDS)
    _deal_favourites(state)
    if state.pace == AT_LIVE_PACE:
        state.phase = LIVE
    else:
        flip(state)
        _open_window(state)


@rule
def _next_pile_number(state: Record, pile: int) -> None:
    state.pile_number[pile] = (int(state.pile_number[pile]) + 1) % PILE_NUMBERS


@rule
def _deal_favourites(state: Record) -> None:
    assign(state.flavours, _EVERY_FAVOURITE)
    assign(state.shapes, _EVERY_FAVOURITE)
    shuffle(state, state.flavours, 0, 5)
    shuffle(state, state.shapes, 0, 5)
    for put_away in range(int(state.seats), 5):
        state.flavours[put_away] = EMPTY
        state.shapes[put_away] = EMPTY


@rule
def flip(state: Record) -> None:
    """The seat whose turn it is turns its top card. All reserves run out in the same lap, so nobody is ever skipped."""
    seat, number = int(state.turn), int(state.flips)
    state.piles[seat, int(state.pile_size[seat])] = state.deck[number]
    state.deck[number] = EMPTY
    state.pile_size[seat] += 1
    state.reserve_size[seat] -= 1
    state.flips = number + 1
    if number + 1 == CARDS:
        state.turn = EMPTY
    else:
        state.turn = (seat + 1) % int(state.seats)


@rule
def open_piles(state: Record) -> int:
    """The owners of piles that are not empty, as bits."""
    piles = 0
    for pile in range(int(state.seats)):
        if state.pile_size[pile] > 0:
            piles |= 1 << pile
    return piles


@rule
def claimants(state: Record, pile: int) -> int:
    """The seats with a claim on this pile that nobody has been told of, as bits."""
    seats = 0
    for seat in range(int(state.seats)):
        if state.claims[seat] > 0 and (int(state.claims[seat]) >> pile) & 1:
            seats |= 1 << seat
    return seats


@rule
def reveal(state: Record, pile: int) -> None:
    """Shows the claims on a pile: a single one takes it, several are a contest."""
    seats = claimants(state, pile)
    state.shown_claims[pile] = seats
    state.shown_throws[pile] = EMPTY
    state.taker[pile] = EMPTY
    for seat in range(int(state.seats)):
        if (seats >> seat) & 1:
            state.claims[seat] = int(state.claims[seat]) & ~(1 << pile)
    if seats == 0:
        return
    if seats & (seats - 1) == 0:
        _capture(state, pile, lowest(seats))
    else:
        state.contested[pile] = seats


@rule
def _capture(state: Record, pile: int, captor: int) -> None:
    size = int(state.pile_size[pile])
    for i in range(size):
        state.captured[captor, int(state.piles[pile, i])] += 1
        state.piles[pile, i] = EMPTY
    state.captured_size[captor] += size
    state.pile_size[pile] = 0
    state.contested[pile] = 0
    state.throw_count[pile] = 0
    state.taker[pile] = captor
    _next_pile_number(state, pile)
    state.tokens[captor] -= 1
    if captor == pile:
        state.tokens_out += 1
    else:
        state.tokens[pile] += 1
    state.captures += 1
    state.done = 0


@rule
def still_to_throw(state: Record, pile: int) -> int:
    """The seats that have not thrown yet for this pile, as bits."""
    seats = int(state.contested[pile])
    for seat in range(int(state.seats)):
        if state.throws[pile, seat] != EMPTY:
            seats &= ~(1 << seat)
    return seats


@rule
def judge(state: Record, pile: int) -> None:
    """Shows the throws for a pile. The losing sign drops out; who is left alone takes the pile."""
    left = _winning_throws(state, pile)
    assign(state.shown_throws[pile], state.throws[pile])
    state.throws[pile] = EMPTY
    state.throw_count[pile] += 1
    if left & (left - 1) and state.throw_count[pile] == THROWS_AT_MOST:
        for _ in range(random_below(state, ones(left))):
            left &= left - 1
        left = 1 << lowest(left)
    if left & (left - 1):
        state.contested[pile] = left
    else:
        _capture(state, pile, lowest(left))


@rule
def _winning_throws(state: Record, pile: int) -> int:
    """Those who stay in: with two different signs the winning one, otherwise all."""
    throwers = int(state.contested[pile])
    signs = 0
    for seat in range(int(state.seats)):
        if (throwers >> seat) & 1:
            signs |= 1 << int(state.throws[pile, seat])
    winning = _WINNING_SIGN[signs]
    if winning < 0:
        return throwers
    left = 0
    for seat in range(int(state.seats)):
        if (throwers >> seat) & 1 and state.throws[pile, seat] == winning:
            left |= 1 << seat
    return left


@rule
def nothing_left(state: Record) -> bool:
    """Whether nobody has a token, or every reserve and every pile is empty: the round ends at once."""
    if state.tokens_out == TOKENS * int(state.seats):
        return True
    return state.flips == CARDS and open_piles(state) == 0


@rule
def end_round(state: Record) -> None:
    """Scores the round, and deals the next one or ends the match."""
    score_round(state)
    state.flip_waits = 0
    if state.round_number == ROUNDS:
        state.phase = OVER
        decide(state)
    else:
        state.starter = next_starter(state)
        deal_round(state)


@rule
def show_answers(state: Record) -> None:
    """The answers of a window are in: piles change hands, or their claimants throw, or all have passed."""
    before = int(state.captures)
    passes = 0
    for seat in range(int(state.seats)):
        if state.claims[seat] == PASS:
            passes |= 1 << seat
            state.claims[seat] = 0
    state.shown_passes = passes
    contested = 0
    for pile in range(int(state.seats)):
        reveal(state, pile)
        contested |= int(state.contested[pile])
    if contested:
        state.phase = THROWS
        state.asked = contested
    elif state.captures > before:
        _go_on(state)
    elif state.flips == CARDS:
        end_round(state)
    else:
        flip(state)
        _open_window(state)


@rule
def show_throws(state: Record) -> None:
    """All have thrown: the contests that are decided drop out, the rest throw again."""
    contested = 0
    for pile in range(int(state.seats)):
        if state.contested[pile]:
            judge(state, pile)
            contested |= int(state.contested[pile])
    state.asked = contested
    if contested == 0:
        _go_on(state)


@rule
def _go_on(state: Record) -> None:
    """After captures: everybody with a token is asked again, if there is a pile to ask about."""
    if nothing_left(state):
        end_round(state)
        return
    if open_piles(state) == 0:
        flip(state)
    _open_window(state)


@rule
def _open_window(state: Record) -> None:
    state.phase = WINDOW
    asked = 0
    for seat in range(int(state.seats)):
        if state.tokens[seat] > 0:
            asked |= 1 << seat
    state.asked = asked
