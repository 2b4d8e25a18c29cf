"""The numeric features of a Kasane view: the table, the seats from the viewer on, then who leads and what next cards bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, scratch
from zashiki.core.leads import FINE, LEADS, SHOWN, lead, show_lead
from zashiki.core.observation import Features, Observation, Repeated
from zashiki.games.kasane.combinations import FIRST_MARK, KINDS, PLACE_POINTS, fitting
from zashiki.games.kasane.rules import (
    ACCESSORY,
    COMBINE,
    FACES,
    NOBODY,
    NUMBERS,
    SEATS,
    SECOND_PLACE,
    TAKE,
    TURNS,
    count_unseen,
    is_free,
    kimono_end,
)
from zashiki.games.kasane.scoring import DOZEN, LAID_FOR_VARIETY, PLACES, cards_laid, points_of, variety

if TYPE_CHECKING:
    from zashiki.core.contract import Tensor
    from zashiki.core.layout import Record

ROW_COUNT, COLUMN_COUNT = 4, 5

COURSE = 8 + 2 * SEATS
MARKET = ROW_COUNT * COLUMN_COUNT * FACES
PILES = 2 * FACES
BOARD = 2 * PLACES
CARDS_HELD = (DOZEN + 3) * NUMBERS + 7
SEAT = CARDS_HELD + ROW_COUNT

PROSPECTS = LEADS + ROW_COUNT

FEATURES = COURSE + MARKET + PILES + BOARD + SEATS * (SEAT + PROSPECTS)

OBSERVATION: Observation = (
    Features(2, "what is decided: take, combine", "one of"),
    Features(2, "the round, of as many as play; the turn, of 12"),
    Features(1, "the option `accessory_combo`", "flags"),
    Features(3, "two, three or four seats", "one of"),
    Features(SEATS, "whose turn it is, from the viewer on", "one of"),
    Features(SEATS, "who began the round, from the viewer on", "one of"),
    Features(
        FACES,
        "the market row by row, each in the order in which its cards can be taken: an accessory, fabric 1 to 9",
        "one of",
        ROW_COUNT * COLUMN_COUNT,
    ),
    Features(FACES, "cards nobody has seen, a fifth each: accessories, fabric 1 to 9"),
    Features(FACES, "discarded cards, a fifth each"),
    Features(PLACES, "places of the board that are free", "flags"),
    Features(PLACES, "places that the viewer has used", "flags"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(NUMBERS, "the hand from its right end: fabric 1 to 9", "one of", DOZEN),
            Features(NUMBERS, "the hand by number, a fifth each"),
            Features(NUMBERS, "the kimono by number, a fifth each"),
            Features(NUMBERS, "the kimono's last card", "one of"),
            Features(4, "cards in hand, in the kimono, of 12; accessories, of 7; all cards laid, of 12"),
            Features(1, "enough are laid for the variety bonus", "flags"),
            Features(2, "different fabrics, of 9; points, of 20"),
            Features(ROW_COUNT, "the dearest place that each row's rightmost card would let it use, of 9"),
        ),
    ),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(LEADS, f"its lead L over the best other: {SHOWN}; more cards laid count half a point"),
            Features(ROW_COUNT, "the dearest place that the card behind each row's rightmost would let it use, of 9"),
        ),
    ),
)


_POINTS = np.array(PLACE_POINTS, np.int64)


@rule
def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """The course of the match, the market, stack and discards, the board, each seat's cards and chances, then its prospects."""
    tensor[:] = 0
    me = max(seat, 0)
    _observe_course(view, me, tensor)
    _observe_market(view, tensor)
    _observe_piles(view, tensor, COURSE + MARKET)
    _observe_board(view, me, tensor, COURSE + MARKET + PILES)
    seats = int(view.seats)
    standings = scratch(SEATS, np.int64)
    for owner in range(seats):
        standings[owner] = FINE * points_of(view, owner) + cards_laid(view, owner)
    for relative in range(seats):
        owner = (me + relative) % seats
        place = COURSE + MARKET + PILES + BOARD + relative * SEAT
        _observe_cards(view, owner, tensor, place)
        _observe_chances(view, owner, 0, tensor, place + CARDS_HELD)
        place = FEATURES - (SEATS - relative) * PROSPECTS
        show_lead(lead(standings, seats, owner), tensor, place)
        _observe_chances(view, owner, 1, tensor, place + LEADS)


@rule
def _observe_course(view: Record, me: int, tensor: Tensor) -> None:
    seats = int(view.seats)
    tensor[0] = view.phase == TAKE
    tensor[1] = view.phase == COMBINE
    tensor[2] = view.round_number / seats
    tensor[3] = view.turn_number / TURNS
    tensor[4] = view.accessory_combo
    tensor[3 + seats] = 1
    tensor[8 + (int(view.active) - me) % seats] = 1
    tensor[8 + SEATS + (int(view.starter) - me) % seats] = 1


@rule
def _observe_market(view: Record, tensor: Tensor) -> None:
    """Each row in the order in which its cards can be taken."""
    for row in range(ROW_COUNT):
        size = int(view.row_size[row])
        for depth in range(size):
            card = int(view.market[row, size - 1 - depth])
            tensor[COURSE + (row * COLUMN_COUNT + depth) * FACES + card] = 1


@rule
def _observe_piles(view: Record, tensor: Tensor, place: int) -> None:
    unseen = scratch(FACES, np.int64)
    count_unseen(view, unseen)
    for card in range(FACES):
        tensor[place + card] = unseen[card] / 5
    for i in range(int(view.discard_size)):
        tensor[place + FACES + int(view.discards[i])] += 0.2


@rule
def _observe_board(view: Record, me: int, tensor: Tensor, place: int) -> None:
    for i in range(PLACES):
        tensor[place + i] = view.places[i] == NOBODY
        tensor[place + PLACES + i] = view.places[i] == me


@rule
def _observe_cards(view: Record, owner: int, tensor: Tensor, place: int) -> None:
    """The hand from its right end, the hand and the kimono by number, the kimono's last card, then counts."""
    size = int(view.hand_size[owner])
    for depth in range(size):
        tensor[place + depth * NUMBERS + int(view.hands[owner, size - 1 - depth]) - 1] = 1
    place += DOZEN * NUMBERS - 1
    for i in range(size):
        tensor[place + int(view.hands[owner, i])] += 0.2
    for i in range(int(view.kimono_size[owner])):
        tensor[place + NUMBERS + int(view.kimonos[owner, i])] += 0.2
    end = kimono_end(view, owner)
    if end > 0:
        tensor[place + 2 * NUMBERS + end] = 1
    place += 3 * NUMBERS + 1
    laid = cards_laid(view, owner)
    tensor[place] = size / DOZEN
    tensor[place + 1] = view.kimono_size[owner] / DOZEN
    tensor[place + 2] = view.accessories[owner] / 7
    tensor[place + 3] = laid / DOZEN
    tensor[place + 4] = laid >= LAID_FOR_VARIETY
    tensor[place + 5] = variety(view, owner) / NUMBERS
    tensor[place + 6] = points_of(view, owner) / 20


@rule
def _observe_chances(view: Record, owner: int, depth: int, tensor: Tensor, place: int) -> None:
    """The dearest place that each row's card in this depth would let that seat use."""
    for row in range(ROW_COUNT):
        column = int(view.row_size[row]) - 1 - depth
        if column >= 0:
            card = int(view.market[row, column])
            tensor[place + row] = _best_points(view, owner, card) / 9


@rule
def _best_points(view: Record, owner: int, card: int) -> int:
    """After an accessory, if at all, a combination ends with the last card of the hand as it is."""
    before = int(view.hand_size[owner])
    if card == ACCESSORY:
        if view.accessory_combo == 0 or before == 0:
            return 0
        before -= 1
        card = int(view.hands[owner, before])
    found = fitting(view.hands[owner], before, card, kimono_end(view, owner))
    best = 0
    while found != 0:
        kind = lowest(found) % KINDS
        found &= found - 1
        if is_free(view, kind):
            used = kind >= FIRST_MARK and view.places[kind] != NOBODY
            best = max(best, int(_POINTS[kind + SECOND_PLACE if used else kind]))
    return best
