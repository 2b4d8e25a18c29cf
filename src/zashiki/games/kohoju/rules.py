"""Kohoju, for two to six: lay cards of one colour or one symbol before you, and be rid of the rest in time.

A turn is a draw, at most one card laid, and a discard. A card of the guide card's kind opens a kohoju, which its owner fills with
five symbols of one colour or five colours of one symbol; cards also go into the pool, which is everybody's and scores nothing.
Opening and finishing a kohoju allow one more card. When a hand is empty or the pool is full, everyone scores the points laid in
kohojus, five for each finished one, less the points still in hand. The first to reach the target wins.

The author is not known to us; the source is the German rulebook. Our readings: laying is optional; the card just taken from the
discard pile may not go back in the same turn unless it is the last in hand; a shuffled pile is a set out of which each card comes
by chance when drawn; of the hands left when a deal is scored everybody sees the points, and the cards only when the match is
over. The number everybody knows of a card is that of the stock it was last shuffled into: a hidden card is in the present stock,
or in a hand that drew it from the stock of its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, blank, copy, ones, scratch
from zashiki.core.layout import EMPTY, UNKNOWN, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear
from zashiki.core.random import Words, random_below, reseed, seed_state
from zashiki.games.kohoju.cards import CARDS, COLOURS, FEWEST_PLAYERS, LEAST_DEALS, POINTS, POINTS_A_DEAL, TURNS_A_DEAL
from zashiki.games.kohoju.knowledge import drop_unknown, gather_unseen, mark_shown, redraw, view_hand
from zashiki.games.kohoju.piles import (
    CROSS,
    KNOWN,
    LAID,
    SEATS,
    STOCKS,
    clear_table,
    draw,
    nth,
    put_down,
    put_in_pool,
    put_on_discard,
    reshuffle,
    shuffle_in,
    take_from_discard,
    take_up,
    turn_guide,
)

if TYPE_CHECKING:
    from zashiki.core.contract import Options, Table

HAND = 12
HELD = HAND + 1
PILE = CARDS - FEWEST_PLAYERS * HAND - 1
UNFINISHED = 2
KOHOJUS = 4
FINISHED_BONUS = 5

OVER, DRAW, PLAY = range(3)
BY_TARGET, BY_MOST_POINTS, SHARED = range(1, 4)
WENT_OUT, POOL_FULL, TURNS_UP = range(1, 4)
DEAL_ENDINGS = ("", "empty hand", "full pool", "last turn")

DRAW_STOCK, DRAW_DISCARD = range(2)
OPEN_FROM = 2
FIRST_FROM = OPEN_FROM + CARDS
SECOND_FROM = FIRST_FROM + CARDS
POOL_FROM = SECOND_FROM + CARDS
DISCARD_FROM = POOL_FROM + CARDS
ACTIONS = DISCARD_FROM + CARDS

PARTS = ("earlier deals", "kohojus", "finished kohojus", "hand")

STATE = Layout(
    "kohoju",
    phases=("over", "draw", "play"),
    endings=("", "target", "most points", "shared"),
    own=(
        Field("target", "i2", (), "the points that win the match"),
        Field("totals", "i2", (SEATS,), "each seat's points from the deals scored"),
        Field("deal_number", "i1", (), "this deal, from 1"),
        Field("turn_number", "i1", (), "which of its turns in this deal the active seat has, from 1 to 60"),
        Field("starter", "i1", (), "the seat that began this deal"),
        Field("active", "i1", (), "the seat whose turn it is"),
        Field("may_lay", "i1", (), "1 while another card may be laid this turn"),
        Field("taken", "i1", (), "the card taken from the discard pile this turn and still in hand, or −2"),
        Field("guide", "i1", (), "the kind of the guide card"),
        Field("guide_pile", "i4", (), "the kinds left in the guide pile, as bits"),
        Field("pool", "i4", (), "the kinds that lie in the pool, as bits"),
        Field("pool_fits", "i4", (), "the kinds that may be added to the pool, as bits"),
        Field("fits", "i4", (SEATS, UNFINISHED), "the kinds that may be added to each seat's unfinished kohojus, as bits"),
        Field("kohojus", "i1", (SEATS,), "how many kohojus each seat has opened"),
        Field("finished", "i1", (SEATS,), "which of them are finished, as bits"),
        Field("laid", "i1", (SEATS,), "the points in each seat's kohojus"),
        Field("hand_size", "i1", (SEATS,), "cards in each hand"),
        Field("stock_size", "i1", (), "cards in the stock"),
        Field("stock_number", "i1", (), "how often the discard pile has become the stock in this deal"),
        Field("discard_size", "i1", (), "cards in the discard pile"),
        Field("discard", "i1", (PILE,), "the discard pile, its top last"),
        Field(
            "place",
            "i1",
            (CARDS,),
            "of each card, 0–6: hidden, and last shuffled into the stock of that number; 7–12: known in the hand of seat 0–5; "
            "13: in the discard pile; 14: in the pool; 15 + 4 × seat + number: in that kohoju",
        ),
        Field("drawn", "i1", (SEATS, STOCKS), "how many hidden cards of each hand came from the stock of each number"),
        Field("last_ending", "i1", (), "how the last deal ended", names=DEAL_ENDINGS),
        Field("last_laid", "i1", (SEATS,), "the points in each seat's kohojus in the last deal"),
        Field("last_finished", "i1", (SEATS,), "how many kohojus each seat had finished in the last deal"),
        Field("last_hand", "i1", (SEATS,), "the points left in each hand in the last deal"),
        Field("hands", "i1", (SEATS, HELD), "each hand in order; of another's the known cards, then the others", hidden=True),
        Field("stock", "i4", (len(COLOURS),), "the cards of each colour in the stock, as bits", hidden=True),
    ),
)


@rule
def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """Nobody has a point yet; a random seat begins."""
    seed_state(state, seed)
    state.seats = seats
    state.target = options[0]
    state.winners = 0
    state.ending = 0
    state.totals[:] = 0
    state.last_ending = 0
    state.last_laid[:] = 0
    state.last_finished[:] = 0
    state.last_hand[:] = 0
    state.deal_number = 0
    state.starter = random_below(state, seats)
    _deal_cards(state)


@rule
def to_act(state: Record) -> int:
    """The active seat."""
    if state.phase == OVER:
        return 0
    return 1 << int(state.active)


@rule
def legal(state: Record, seat: int, mask: Mask) -> None:
    """Both draws, of which there is always something; then every lay still allowed, and the discards."""
    clear(mask)
    if (to_act(state) >> seat) & 1 == 0:
        return
    if state.phase == DRAW:
        allow(mask, DRAW_STOCK)
        allow(mask, DRAW_DISCARD)
    else:
        _legal_play(state, seat, mask)


@rule
def apply(state: Record, seat: int, action: int) -> None:
    """Draws, lays or discards a card."""
    if action < OPEN_FROM:
        _apply_draw(state, seat, action)
    elif action < DISCARD_FROM:
        _apply_lay(state, seat, action)
    else:
        _apply_discard(state, seat, action - DISCARD_FROM)


@rule
def view(state: Record, seat: int, out: Record) -> None:
    """Everything open, the seat's own hand, and of the others' hands what was taken from the discard pile."""
    blank(out)
    _view_match(state, out)
    _view_turn(state, out)
    _view_table(state, out)
    for other in range(SEATS):
        if other == seat or state.phase == OVER:
            assign(out.hands[other], state.hands[other])
        else:
            view_hand(state, other, out)


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """Deals the hidden cards of each stock to the hands that drew from it; what is left of the last is the stock."""
    copy(view, out)
    reseed(out, rng)
    out.stock[:] = 0
    shown = scratch(CARDS, np.int8)
    unseen = scratch(CARDS, np.int8)
    mark_shown(view, shown)
    for other in range(SEATS):
        drop_unknown(out, other)
    for number in range(int(view.stock_number) + 1):
        count = gather_unseen(view, number, shown, unseen)
        for other in range(int(view.seats)):
            if other != seat and view.phase != OVER:
                count = redraw(out, other, int(view.drawn[other, number]), rng, unseen, count)
        for i in range(count):
            shuffle_in(out, int(unseen[i]))


@rule
def scores(state: Record, table: Table) -> None:
    """The earlier deals, and what this one would give; of a hand that is hidden, the known cards."""
    for seat in range(int(state.seats)):
        table[seat, 0] = state.totals[seat]
        table[seat, 1] = state.laid[seat]
        table[seat, 2] = FINISHED_BONUS * ones(int(state.finished[seat]))
        table[seat, 3] = -_points_in_hand(state, seat)
        # After the last deal the totals hold it already.
        if state.phase == OVER:
            table[seat, 0] -= table[seat, 1] + table[seat, 2] + table[seat, 3]


@rule
def sealed(state: Record, seat: int, action: int) -> int:
    """Nothing is chosen at the same time here."""
    return 0


@rule
def _deal_cards(state: Record) -> None:
    state.deal_number += 1
    state.turn_number = 1
    clear_table(state)
    for seat in range(int(state.seats)):
        for _ in range(HAND):
            take_up(state, seat, draw(state))
        state.drawn[seat, 0] = HAND
    put_on_discard(state, draw(state))
    put_in_pool(state, draw(state))
    turn_guide(state)
    _begin_turn(state, int(state.starter))


@rule
def _begin_turn(state: Record, seat: int) -> None:
    state.active = seat
    state.phase = DRAW
    state.may_lay = 0
    state.taken = EMPTY


@rule
def _apply_draw(state: Record, seat: int, action: int) -> None:
    if action == DRAW_STOCK:
        if state.stock_size == 0:
            reshuffle(state)
        take_up(state, seat, draw(state))
        state.drawn[seat, int(state.stock_number)] += 1
    else:
        card = take_from_discard(state)
        take_up(state, seat, card)
        state.place[card] = KNOWN + seat
        state.taken = card
    state.phase = PLAY
    state.may_lay = 1


@rule
def _legal_play(state: Record, seat: int, mask: Mask) -> None:
    opening, first, second, pool = 0, 0, 0, 0
    if state.may_lay == 1:
        first = int(state.fits[seat, 0])
        second = int(state.fits[seat, 1])
        pool = int(state.pool_fits)
        if second == 0:
            opening = 1 << int(state.guide)
    hand = state.hands[seat]
    size = int(state.hand_size[seat])
    # The card taken may not go back, unless it is the only one left.
    kept = int(state.taken) if size > 1 else EMPTY
    for i in range(size):
        card = int(hand[i])
        kind = card // POINTS
        if (opening >> kind) & 1:
            allow(mask, OPEN_FROM + card)
        if (first >> kind) & 1:
            allow(mask, FIRST_FROM + card)
        if (second >> kind) & 1:
            allow(mask, SECOND_FROM + card)
        if (pool >> kind) & 1:
            allow(mask, POOL_FROM + card)
        if card != kept:
            allow(mask, DISCARD_FROM + card)


@rule
def _apply_lay(state: Record, seat: int, action: int) -> None:
    card = (action - OPEN_FROM) % CARDS
    put_down(state, seat, card)
    if action < FIRST_FROM:
        _open(state, seat, card)
    elif action < POOL_FROM:
        _add(state, seat, card, (action - FIRST_FROM) // CARDS)
    else:
        put_in_pool(state, card)
        state.may_lay = 0
    if state.hand_size[seat] == 0:
        _end_deal(state, WENT_OUT)
    elif state.pool_fits == 0:
        _end_deal(state, POOL_FULL)
    elif card // POINTS == state.guide:
        turn_guide(state)


@rule
def _open(state: Record, seat: int, card: int) -> None:
    which = 0 if state.fits[seat, 0] == 0 else 1
    state.fits[seat, which] = CROSS[card // POINTS]
    _lay(state, seat, card, int(state.kohojus[seat]))
    state.kohojus[seat] += 1


@rule
def _lay(state: Record, seat: int, card: int, number: int) -> None:
    state.place[card] = LAID + KOHOJUS * seat + number
    state.laid[seat] += card % POINTS + 1


@rule
def _add(state: Record, seat: int, card: int, which: int) -> None:
    """What still fits beside all its cards is settled by the second one; when nothing does, the kohoju is finished."""
    number = _unfinished(state, seat, which)
    _lay(state, seat, card, number)
    fits = int(state.fits[seat, which]) & CROSS[card // POINTS]
    state.fits[seat, which] = fits
    state.may_lay = 0
    if fits == 0:
        state.finished[seat] |= 1 << number
        state.may_lay = 1
        if which == 0:
            state.fits[seat, 0] = state.fits[seat, 1]
            state.fits[seat, 1] = 0


@rule
def _unfinished(state: Record, seat: int, which: int) -> int:
    """The number of a seat's first or second unfinished kohoju."""
    opened = (1 << int(state.kohojus[seat])) - 1
    return nth(opened & ~int(state.finished[seat]), which)


@rule
def _apply_discard(state: Record, seat: int, card: int) -> None:
    put_down(state, seat, card)
    put_on_discard(state, card)
    if state.hand_size[seat] == 0:
        _end_deal(state, WENT_OUT)
        return
    if card // POINTS == state.guide:
        turn_guide(state)
    _next_turn(state)


@rule
def _next_turn(state: Record) -> None:
    following = (int(state.active) + 1) % int(state.seats)
    if following == state.starter:
        if state.turn_number == TURNS_A_DEAL:
            _end_deal(state, TURNS_UP)
            return
        state.turn_number += 1
    _begin_turn(state, following)


@rule
def _end_deal(state: Record, ending: int) -> None:
    state.last_ending = ending
    for seat in range(int(state.seats)):
        state.last_laid[seat] = state.laid[seat]
        state.last_finished[seat] = ones(int(state.finished[seat]))
        state.last_hand[seat] = _points_in_hand(state, seat)
        bonus = FINISHED_BONUS * int(state.last_finished[seat])
        state.totals[seat] += int(state.laid[seat]) + bonus - int(state.last_hand[seat])
    _decide(state)
    if state.phase != OVER:
        state.starter = (int(state.starter) + 1) % int(state.seats)
        _deal_cards(state)


@rule
def _points_in_hand(state: Record, seat: int) -> int:
    points = 0
    for i in range(int(state.hand_size[seat])):
        card = int(state.hands[seat, i])
        if card != UNKNOWN:
            points += card % POINTS + 1
    return points


@rule
def _decide(state: Record) -> None:
    """One alone in front wins at the target, or after the last deal; several share only that one."""
    best = int(state.totals[0])
    leaders = 0
    for seat in range(int(state.seats)):
        total = int(state.totals[seat])
        if total > best:
            best = total
            leaders = 0
        if total == best:
            leaders |= 1 << seat
    alone = ones(leaders) == 1
    if alone and best >= state.target:
        _end_match(state, leaders, BY_TARGET)
    elif state.deal_number == LEAST_DEALS + int(state.target) // POINTS_A_DEAL:
        _end_match(state, leaders, BY_MOST_POINTS if alone else SHARED)


@rule
def _end_match(state: Record, winners: int, ending: int) -> None:
    state.phase = OVER
    state.winners = winners
    state.ending = ending
    state.may_lay = 0
    state.taken = EMPTY


@rule
def _view_match(state: Record, out: Record) -> None:
    out.seats = state.seats
    out.phase = state.phase
    out.winners = state.winners
    out.ending = state.ending
    out.target = state.target
    assign(out.totals, state.totals)
    out.deal_number = state.deal_number
    out.last_ending = state.last_ending
    assign(out.last_laid, state.last_laid)
    assign(out.last_finished, state.last_finished)
    assign(out.last_hand, state.last_hand)


@rule
def _view_turn(state: Record, out: Record) -> None:
    out.turn_number = state.turn_number
    out.starter = state.starter
    out.active = state.active
    out.may_lay = state.may_lay
    out.taken = state.taken
    out.guide = state.guide
    out.guide_pile = state.guide_pile


@rule
def _view_table(state: Record, out: Record) -> None:
    out.pool = state.pool
    out.pool_fits = state.pool_fits
    assign(out.fits, state.fits)
    assign(out.kohojus, state.kohojus)
    assign(out.finished, state.finished)
    assign(out.laid, state.laid)
    assign(out.hand_size, state.hand_size)
    out.stock_size = state.stock_size
    out.stock_number = state.stock_number
    out.discard_size = state.discard_size
    assign(out.discard, state.discard)
    assign(out.place, state.place)
    assign(out.drawn, state.drawn)
