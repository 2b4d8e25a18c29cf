"""Kasane, for two to four: take cloth from an open market and be the first to lay each combination.

A turn takes the rightmost card of a row. An accessory is laid at once; a fabric goes to the right end of the hand, whose order
never changes. Then one combination may be played: neighbouring cards of the hand up to the last one, after the kimono's last
card if wanted. Each of the thirty places on the board, a style with a number of cards, can be used once. After as many rounds as
players the places, the accessories, a full dozen laid and the variety of the kimono count.

Game by Hinata Origuchi (Colors of Kasane, 2014; Kimono, Superlude 2017). Our readings: hands are public, since everybody saw
every card taken; a player is asked for a combination only if one can be played; with four players, too, the discarded cards are
shuffled into the stack for the last market; after an accessory (option `accessory_combo`) a combination ends with the rightmost
fabric of the hand. The house numbers are in `cards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, blank, copy, lowest, ones, scratch
from zashiki.core.layout import EMPTY, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear
from zashiki.core.random import Words, random_below, reseed, roll_shuffle, seed_state, shuffle
from zashiki.games.kasane.combinations import FIRST_MARK, KIND_SIZE, KINDS, fitting
from zashiki.games.kasane.scoring import DOZEN, PLACES, cards_laid, dozen_bonus, place_points, points_of, variety_bonus

if TYPE_CHECKING:
    import numpy.typing as npt

    from zashiki.core.contract import Options, Table

SEATS = 4
NUMBERS = 9
ACCESSORY = 0
FACES = NUMBERS + 1
"""Different cards: an accessory is 0, a fabric its number."""
CARDS = 52
# By seats, from two on.
SETS = (3, 4, 5)
ACCESSORIES = (5, 5, 7)
ROWS = (4, 3, 4)
COLUMNS = (4, 5, 4)
TURNS = 12
"""Turns a round, all seats together; also the cards each seat takes in a match."""
DISCARDS = 12
SECOND_PLACE = KINDS - FIRST_MARK
"""From the first to the second place of a mark."""
NOBODY = 4

OVER, TAKE, COMBINE = range(3)
BY_POINTS, BY_CARDS_LAID, SHARED = range(1, 4)

TAKE_FROM = 0
DECLINE = TAKE_FROM + max(ROWS)
COMBINE_FROM = DECLINE + 1
COMBINATIONS = 2 * KINDS
"""One of each kind with hand cards alone, then one of each kind that begins with the kimono's last card."""
ACTIONS = COMBINE_FROM + COMBINATIONS

PARTS = ("places", "accessories", "dozen", "variety")

STATE = Layout(
    "kasane",
    phases=("over", "take", "combine"),
    endings=("", "points", "cards laid", "shared"),
    own=(
        Field("accessory_combo", "i1", (), "1: a combination may follow an accessory as well"),
        Field("round_number", "i1", (), "this round, from 1 to the number of seats"),
        Field("starter", "i1", (), "the seat that began this round"),
        Field("turn_number", "i1", (), "this turn of the round, from 1 to 12"),
        Field("active", "i1", (), "the seat whose turn it is"),
        Field("row_size", "i1", (4,), "cards left in each row of the market"),
        Field("market", "i1", (4, 5), "the market row by row from the left: numbers of fabrics, 0 an accessory, −2 no card"),
        Field("hand_size", "i1", (SEATS,), "cards in each hand"),
        Field("hands", "i1", (SEATS, DOZEN), "each hand from the left, −2 past its end"),
        Field("kimono_size", "i1", (SEATS,), "fabrics laid by each seat"),
        Field("kimonos", "i1", (SEATS, DOZEN), "the fabrics of each kimono from the left, −2 past its end"),
        Field("accessories", "i1", (SEATS,), "accessories laid by each seat"),
        Field("places", "i1", (PLACES,), "the seat that used each place (six styles by size, marks, marks again); 4: nobody"),
        Field("last_taken", "i1", (SEATS,), "the card each seat took last; −2: none yet"),
        Field("last_place", "i1", (SEATS,), "the place each seat used in its last turn; −2: none"),
        Field("discard_size", "i1", (), "cards discarded from the market"),
        Field("discards", "i1", (DISCARDS,), "the discarded market cards, the first discarded first, −2 past the last"),
        Field("stack_size", "i1", (), "cards left in the stack"),
        Field("stack", "i1", (CARDS,), "the stack with its top last, −2 past it", hidden=True),
    ),
)

_KIND_SIZE = np.array(KIND_SIZE, np.int64)


@rule
def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """Shuffles the cards of so many players; a random seat begins."""
    seed_state(state, seed)
    state.seats = seats
    state.accessory_combo = options[0]
    state.winners = 0
    state.ending = 0
    state.market[:] = EMPTY
    state.row_size[:] = 0
    state.hands[:] = EMPTY
    state.hand_size[:] = 0
    state.kimonos[:] = EMPTY
    state.kimono_size[:] = 0
    state.accessories[:] = 0
    state.places[:] = NOBODY
    state.last_taken[:] = EMPTY
    state.last_place[:] = EMPTY
    state.discards[:] = EMPTY
    state.discard_size = 0
    state.round_number = 0
    state.starter = random_below(state, seats)
    _make_stack(state)
    _begin_round(state)


@rule
def to_act(state: Record) -> int:
    """The active seat."""
    if state.phase == OVER:
        return 0
    return 1 << int(state.active)


@rule
def legal(state: Record, seat: int, mask: Mask) -> None:
    """A card to take, or a combination to play or to decline."""
    clear(mask)
    if (to_act(state) >> seat) & 1 == 0:
        return
    if state.phase == TAKE:
        _legal_take(state, mask)
    else:
        _legal_combine(state, seat, mask)


@rule
def apply(state: Record, seat: int, action: int) -> None:
    """Takes a card, or plays a combination, or declines."""
    if action < DECLINE:
        _apply_take(state, seat, action - TAKE_FROM)
    else:
        if action >= COMBINE_FROM:
            _apply_combine(state, seat, action - COMBINE_FROM)
        _next_turn(state)


@rule
def view(state: Record, seat: int, out: Record) -> None:
    """Everything but the order of the stack."""
    blank(out)
    out.seats = state.seats
    out.phase = state.phase
    out.winners = state.winners
    out.ending = state.ending
    out.accessory_combo = state.accessory_combo
    out.round_number = state.round_number
    out.starter = state.starter
    out.turn_number = state.turn_number
    out.active = state.active
    assign(out.row_size, state.row_size)
    assign(out.market, state.market)
    assign(out.hand_size, state.hand_size)
    assign(out.hands, state.hands)
    assign(out.kimono_size, state.kimono_size)
    assign(out.kimonos, state.kimonos)
    assign(out.accessories, state.accessories)
    assign(out.places, state.places)
    assign(out.last_taken, state.last_taken)
    assign(out.last_place, state.last_place)
    out.discard_size = state.discard_size
    assign(out.discards, state.discards)
    out.stack_size = state.stack_size
    for i in range(int(state.stack_size), CARDS):
        out.stack[i] = EMPTY


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """The cards that lie nowhere open, shuffled."""
    copy(view, out)
    reseed(out, rng)
    unseen = scratch(FACES, np.int64)
    count_unseen(view, unseen)
    top = 0
    for card in range(FACES):
        for _ in range(unseen[card]):
            out.stack[top] = card
            top += 1
    roll_shuffle(rng, out.stack, 0, top)


@rule
def scores(state: Record, table: Table) -> None:
    """Places used, accessories, all twelve cards laid, and the variety of the kimono."""
    for seat in range(int(state.seats)):
        table[seat, 0] = place_points(state, seat)
        table[seat, 1] = int(state.accessories[seat])
        table[seat, 2] = dozen_bonus(state, seat)
        table[seat, 3] = variety_bonus(state, seat)


@rule
def sealed(state: Record, seat: int, action: int) -> int:
    """Nothing is chosen at the same time here."""
    return 0


@rule
def _make_stack(state: Record) -> None:
    state.stack[:] = EMPTY
    top = 0
    for card in range(FACES):
        for _ in range(copies(int(state.seats), card)):
            state.stack[top] = card
            top += 1
    state.stack_size = top
    shuffle(state, state.stack, 0, top)


@rule
def copies(seats: int, card: int) -> int:
    """How many such cards are in play."""
    if card == ACCESSORY:
        return ACCESSORIES[seats - 2]
    return SETS[seats - 2]


@rule
def _begin_round(state: Record) -> None:
    state.round_number += 1
    state.turn_number = 1
    state.active = state.starter
    state.phase = TAKE
    rows, columns = ROWS[int(state.seats) - 2], COLUMNS[int(state.seats) - 2]
    if state.stack_size < rows * columns:
        _shuffle_discards_in(state)
    for row in range(rows):
        state.row_size[row] = columns
        for column in range(columns):
            state.market[row, column] = _draw(state)


@rule
def _shuffle_discards_in(state: Record) -> None:
    top = int(state.stack_size)
    for i in range(int(state.discard_size)):
        state.stack[top] = state.discards[i]
        state.discards[i] = EMPTY
        top += 1
    state.discard_size = 0
    state.stack_size = top
    shuffle(state, state.stack, 0, top)


@rule
def _draw(state: Record) -> int:
    top = int(state.stack_size) - 1
    card = int(state.stack[top])
    state.stack[top] = EMPTY
    state.stack_size = top
    return card


@rule
def _legal_take(state: Record, mask: Mask) -> None:
    for row in range(len(state.row_size)):
        if state.row_size[row] > 0:
            allow(mask, TAKE_FROM + row)


@rule
def _apply_take(state: Record, seat: int, row: int) -> None:
    """Everybody sees whether a combination can be played, so nobody is asked in vain."""
    column = int(state.row_size[row]) - 1
    card = int(state.market[row, column])
    state.market[row, column] = EMPTY
    state.row_size[row] = column
    state.last_taken[seat] = card
    state.last_place[seat] = EMPTY
    if card == ACCESSORY:
        state.accessories[seat] += 1
    else:
        state.hands[seat, int(state.hand_size[seat])] = card
        state.hand_size[seat] += 1
    if (card != ACCESSORY or state.accessory_combo == 1) and _playable(state, seat) != 0:
        state.phase = COMBINE
    else:
        _next_turn(state)


@rule
def _legal_combine(state: Record, seat: int, mask: Mask) -> None:
    allow(mask, DECLINE)
    playable = _playable(state, seat)
    while playable != 0:
        allow(mask, COMBINE_FROM + lowest(playable))
        playable &= playable - 1


@rule
def _playable(state: Record, seat: int) -> int:
    """The combinations that end with the hand's last card and have a free place, as bits."""
    last = int(state.hand_size[seat]) - 1
    if last < 0:
        return 0
    found = fitting(state.hands[seat], last, int(state.hands[seat, last]), kimono_end(state, seat))
    playable = 0
    while found != 0:
        combination = lowest(found)
        found &= found - 1
        if is_free(state, combination % KINDS):
            playable |= 1 << combination
    return playable


@rule
def kimono_end(state: Record, seat: int) -> int:
    """The last card of a kimono, or EMPTY."""
    size = int(state.kimono_size[seat])
    if size == 0:
        return EMPTY
    return int(state.kimonos[seat, size - 1])


@rule
def is_free(state: Record, kind: int) -> bool:
    """Whether a place for that style and size is left: of a mark's two the second is used last."""
    if kind >= FIRST_MARK:
        kind += SECOND_PLACE
    return bool(state.places[kind] == NOBODY)


@rule
def _apply_combine(state: Record, seat: int, combination: int) -> None:
    kind = combination % KINDS
    on_kimono = combination // KINDS
    _lay(state, seat, _KIND_SIZE[kind] - on_kimono)
    place = kind if state.places[kind] == NOBODY else kind + SECOND_PLACE
    state.places[place] = seat
    state.last_place[seat] = place


@rule
def _lay(state: Record, seat: int, cards: int) -> None:
    """Moves the last cards of the hand to the kimono, in order."""
    kept = int(state.hand_size[seat]) - cards
    laid = int(state.kimono_size[seat])
    for i in range(cards):
        state.kimonos[seat, laid + i] = state.hands[seat, kept + i]
        state.hands[seat, kept + i] = EMPTY
    state.hand_size[seat] = kept
    state.kimono_size[seat] = laid + cards


@rule
def _next_turn(state: Record) -> None:
    if state.turn_number == TURNS:
        _end_round(state)
        return
    state.turn_number += 1
    state.active = _left_of(state, int(state.active))
    state.phase = TAKE


@rule
def _left_of(state: Record, seat: int) -> int:
    return seat + 1 if seat + 1 < state.seats else 0


@rule
def _end_round(state: Record) -> None:
    _discard_market(state)
    if state.round_number == state.seats:
        _decide(state)
    else:
        state.starter = _left_of(state, int(state.starter))
        _begin_round(state)


@rule
def _discard_market(state: Record) -> None:
    for row in range(len(state.row_size)):
        for column in range(int(state.row_size[row])):
            state.discards[int(state.discard_size)] = state.market[row, column]
            state.discard_size += 1
            state.market[row, column] = EMPTY
        state.row_size[row] = 0


@rule
def _decide(state: Record) -> None:
    """Most points, then most cards laid; whoever is still tied shares the victory."""
    most, most_laid = -1, -1
    on_points, winners = 0, 0
    for seat in range(int(state.seats)):
        points, laid = points_of(state, seat), cards_laid(state, seat)
        if points > most:
            on_points, most_laid = 0, -1
        if points >= most:
            most = points
            on_points += 1
            if laid > most_laid:
                most_laid, winners = laid, 0
            if laid == most_laid:
                winners |= 1 << seat
    state.phase = OVER
    state.winners = winners
    state.ending = BY_POINTS if on_points == 1 else BY_CARDS_LAID if ones(winners) == 1 else SHARED


@rule
def count_unseen(view: Record, unseen: npt.NDArray[Any]) -> None:
    """Writes how many of each card must be in the stack."""
    seats = int(view.seats)
    for card in range(FACES):
        unseen[card] = copies(seats, card)
    for row in range(len(view.row_size)):
        for column in range(int(view.row_size[row])):
            unseen[int(view.market[row, column])] -= 1
    for seat in range(seats):
        unseen[ACCESSORY] -= int(view.accessories[seat])
        for i in range(int(view.hand_size[seat])):
            unseen[int(view.hands[seat, i])] -= 1
        for i in range(int(view.kimono_size[seat])):
            unseen[int(view.kimonos[seat, i])] -= 1
    for i in range(int(view.discard_size)):
        unseen[int(view.discards[i])] -= 1
