"""Where the cards of Kohoju are: stock, discard pile, guide pile, pool and hands, and how a card moves from one to another.

Every move keeps `place` true, which says of each card what everybody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones
from zashiki.core.layout import EMPTY
from zashiki.core.random import random_below
from zashiki.games.kohoju.cards import CARDS, COLOURS, KINDS, MOST_PLAYERS, POINTS, SYMBOLS

if TYPE_CHECKING:
    from zashiki.core.layout import Record

SEATS = MOST_PLAYERS
# Six players draw at most 360 cards in a deal: 51 from the first stock, then 52 from each of the next.
STOCKS = 7

# Where everybody knows a card to be: hidden, with the number of its stock; known in a hand; or in the open.
HIDDEN = 0
KNOWN = HIDDEN + STOCKS
DISCARDED = KNOWN + SEATS
POOLED = DISCARDED + 1
LAID = POOLED + 1


def _share_a_line(kind: int, other: int) -> bool:
    return kind // len(SYMBOLS) == other // len(SYMBOLS) or kind % len(SYMBOLS) == other % len(SYMBOLS)


# The other kinds of the same colour or the same symbol: what may lie beside a kind, in a kohoju as in the pool.
CROSS = np.array(
    [sum(1 << other for other in range(KINDS) if other != kind and _share_a_line(kind, other)) for kind in range(KINDS)], np.int64
)

_ALL_KINDS = (1 << KINDS) - 1
_OF_A_COLOUR = CARDS // len(COLOURS)
_WHOLE_COLOUR = (1 << _OF_A_COLOUR) - 1


@rule
def clear_table(state: Record) -> None:
    """Gathers all cards for a deal: the point cards are the stock, the guide cards their pile."""
    state.guide_pile = _ALL_KINDS
    state.pool = 0
    state.pool_fits = 0
    state.fits[:] = 0
    state.kohojus[:] = 0
    state.finished[:] = 0
    state.laid[:] = 0
    state.hand_size[:] = 0
    state.hands[:] = EMPTY
    state.drawn[:] = 0
    state.stock[:] = _WHOLE_COLOUR
    state.stock_size = CARDS
    state.stock_number = 0
    state.discard[:] = EMPTY
    state.discard_size = 0
    state.place[:] = HIDDEN


@rule
def draw(state: Record) -> int:
    """Draws a card of the stock by chance, which is what a shuffled stock gives."""
    size = int(state.stock_size)
    n = random_below(state, size)
    state.stock_size = size - 1
    colour = 0
    cards = int(state.stock[0])
    while n >= ones(cards):
        n -= ones(cards)
        colour += 1
        cards = int(state.stock[colour])
    bit = nth(cards, n)
    state.stock[colour] = cards ^ (1 << bit)
    return colour * _OF_A_COLOUR + bit


@rule
def nth(bits: int, n: int) -> int:
    """The place of the set bit that has n below it."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@rule
def take_up(state: Record, seat: int, card: int) -> None:
    """Puts a card into its place in the hand."""
    hand = state.hands[seat]
    i = int(state.hand_size[seat])
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card
    state.hand_size[seat] += 1


@rule
def put_down(state: Record, seat: int, card: int) -> None:
    """Takes a card out of the hand; if it was hidden, everybody learns now which stock it came from."""
    hand = state.hands[seat]
    last = int(state.hand_size[seat]) - 1
    i = 0
    while hand[i] != card:
        i += 1
    while i < last:
        hand[i] = hand[i + 1]
        i += 1
    hand[last] = EMPTY
    state.hand_size[seat] = last
    if state.place[card] < KNOWN:
        state.drawn[seat, int(state.place[card]) - HIDDEN] -= 1
    if state.taken == card:
        state.taken = EMPTY


@rule
def put_on_discard(state: Record, card: int) -> None:
    """Lays a card on top of the discard pile."""
    state.discard[int(state.discard_size)] = card
    state.discard_size += 1
    state.place[card] = DISCARDED


@rule
def take_from_discard(state: Record) -> int:
    """Takes the top card of the discard pile."""
    top = int(state.discard_size) - 1
    card = int(state.discard[top])
    state.discard[top] = EMPTY
    state.discard_size = top
    return card


@rule
def reshuffle(state: Record) -> None:
    """Makes the whole discard pile the stock, and everybody knows which cards it is made of."""
    number = int(state.stock_number) + 1
    state.stock_number = number
    for i in range(int(state.discard_size)):
        card = int(state.discard[i])
        state.place[card] = HIDDEN + number
        shuffle_in(state, card)
    state.stock_size = state.discard_size
    state.discard_size = 0
    state.discard[:] = EMPTY


@rule
def shuffle_in(state: Record, card: int) -> None:
    """Puts a card among those of the stock."""
    state.stock[card // _OF_A_COLOUR] |= 1 << (card % _OF_A_COLOUR)


@rule
def put_in_pool(state: Record, card: int) -> None:
    """Lays a card in its place of the pool, which makes room beside it."""
    kind = card // POINTS
    pool = int(state.pool) | 1 << kind
    state.place[card] = POOLED
    state.pool = pool
    state.pool_fits = (int(state.pool_fits) | CROSS[kind]) & ~pool


@rule
def turn_guide(state: Record) -> None:
    """Turns guide cards up until one still has point cards that are not laid."""
    pile = int(state.guide_pile)
    kind = 0
    passed_over = True
    while passed_over:
        if pile == 0:
            pile = _ALL_KINDS
        kind = nth(pile, random_below(state, ones(pile)))
        pile ^= 1 << kind
        passed_over = _all_laid(state, kind)
    state.guide_pile = pile
    state.guide = kind


@rule
def _all_laid(state: Record, kind: int) -> bool:
    laid = 0
    for card in range(kind * POINTS, kind * POINTS + POINTS):
        if state.place[card] >= POOLED:
            laid += 1
    return laid == POINTS
