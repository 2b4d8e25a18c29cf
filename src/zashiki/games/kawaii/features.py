"""The numeric features of a Kawaii view, seats counted from the viewer on; at the end, who stands how."""

from __future__ import annotations

import numpy as np

from zashiki.core.contract import Tensor
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.core.leads import LEADS, SHOWN
from zashiki.core.observation import Features, Observation, Repeated
from zashiki.games.kawaii.cards import CARDS, CHERRY, CLOSED_SHOP, COPIES, ICE_CREAMS, KINDS, RESERVE, SEATS
from zashiki.games.kawaii.scoring import running_total
from zashiki.games.kawaii.standing import STANDING, observe_standing
from zashiki.games.kawaii.table import THROWS, WINDOW

GENERAL = 12
OWN = 5 + 5 + 5 + 1
A_SEAT = 20 + 3 * SEATS + 2 * KINDS
STANDING_FROM = GENERAL + OWN + KINDS + SEATS * A_SEAT
FEATURES = STANDING_FROM + STANDING

OBSERVATION: Observation = (
    Features(2, "the pace is live; piles are stacked", "flags"),
    Features(2, "what is decided: answers in a window, throws", "one of"),
    Features(4, "the round, of 3; cards flipped, of 55; tokens out of the round, of 10; piles captured, of 55"),
    Features(3, "three, four or five seats", "one of"),
    Features(1, "all cards are flipped", "flags"),
    Features(5, "the own favourite flavour", "one of"),
    Features(5, "the own favourite shape", "one of"),
    Features(SEATS, "piles that the viewer has claimed and that are not shown yet, the own pile first", "flags"),
    Features(1, "the viewer has asked to flip and waits", "flags"),
    Features(KINDS, "cards of each kind that nobody has seen, a third each"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(1, "the seat is played", "flags"),
            Features(1, "its tokens, of 5"),
            Features(1, "it has a token", "flags"),
            Features(2, "cards in its reserve and in its pile, of 19"),
            Features(1, "it has a pile", "flags"),
            Features(1, "cards captured, of 55"),
            Features(2, "its lead over the viewer, of 20; its total, of 50"),
            Features(1, "it is its turn to flip", "flags"),
            Features(1, "it began the round", "flags"),
            Features(1, "it has still to answer or to throw", "flags"),
            Features(1, "it wants to capture no more", "flags"),
            Features(1, "it passed when answers were last shown", "flags"),
            Features(1, "throws for its pile, of 10"),
            Features(4, "in its pile: closed shops, of 3; cherries, of 2; the viewer's flavour, the viewer's shape, of 5"),
            Features(1, "what its pile seems worth to the viewer: a mixture of these four"),
            Features(SEATS, "who throws for its pile, from the viewer on", "flags"),
            Features(SEATS, "who claimed its pile when claims were last shown", "flags"),
            Features(SEATS, "the signs last shown for its pile: a third is rock, two thirds paper, 1 scissors"),
            Features(KINDS, "known cards of each kind in its pile, of 2"),
            Features(KINDS, "known cards of each kind in its score pile, of 2"),
        ),
    ),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(
                LEADS,
                f"by how many points L it seems ahead of the best other: {SHOWN}; others' favourites are guessed from what they "
                "captured",
            ),
        ),
    ),
    Features(SEATS, "what each seat seems to have in this round, of 10, from the viewer on"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (Features(SEATS, "what each pile would seem to bring it, of 5, the viewer's pile first"),),
    ),
)


_COPIES = np.array(COPIES, np.int64)


@rule
def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """The table, the viewer's own secrets, the cards not seen yet, then each seat with its pile and score pile."""
    tensor[:] = 0
    me = max(seat, 0)
    _observe_table(view, tensor)
    _observe_own(view, seat, tensor)
    for kind in range(KINDS):
        tensor[GENERAL + OWN + kind] = _COPIES[kind] / 3
    seats = int(view.seats)
    for relative in range(seats):
        _observe_seat(view, me, (me + relative) % seats, tensor, GENERAL + OWN + KINDS + A_SEAT * relative)
    if seat >= 0:
        _observe_worth(view, seat, tensor)
    observe_standing(view, me, tensor, STANDING_FROM)


@rule
def _observe_table(view: Record, tensor: Tensor) -> None:
    tensor[0] = view.pace
    tensor[1] = view.stacked
    tensor[2] = view.phase == WINDOW
    tensor[3] = view.phase == THROWS
    tensor[4] = view.round_number / 3
    tensor[5] = view.flips / CARDS
    tensor[6] = view.tokens_out / 10
    tensor[7] = view.captures / CARDS
    for seats in range(3, 6):
        tensor[5 + seats] = view.seats == seats
    tensor[11] = view.flips == CARDS


@rule
def _observe_own(view: Record, seat: int, tensor: Tensor) -> None:
    if seat < 0:
        return
    tensor[GENERAL + int(view.flavours[seat])] = 1
    tensor[GENERAL + 5 + int(view.shapes[seat])] = 1
    seats = int(view.seats)
    for relative in range(seats):
        if view.claims[seat] > 0:
            tensor[GENERAL + 10 + relative] = (int(view.claims[seat]) >> ((seat + relative) % seats)) & 1
    tensor[GENERAL + 15] = view.turn == seat and view.flip_waits == 1


@rule
def _observe_seat(view: Record, me: int, seat: int, tensor: Tensor, place: int) -> None:
    tensor[place] = 1
    tensor[place + 1] = view.tokens[seat] / 5
    tensor[place + 2] = view.tokens[seat] > 0
    tensor[place + 3] = view.reserve_size[seat] / RESERVE
    tensor[place + 4] = view.pile_size[seat] / RESERVE
    tensor[place + 5] = view.pile_size[seat] > 0
    tensor[place + 6] = view.captured_size[seat] / CARDS
    tensor[place + 7] = (running_total(view, seat) - running_total(view, me)) / 20
    tensor[place + 8] = running_total(view, seat) / 50
    tensor[place + 9] = view.turn == seat
    tensor[place + 10] = view.starter == seat
    tensor[place + 11] = (int(view.asked) >> seat) & 1
    tensor[place + 12] = (int(view.done) >> seat) & 1
    tensor[place + 13] = (int(view.shown_passes) >> seat) & 1
    tensor[place + 14] = view.throw_count[seat] / 10
    _observe_contest(view, me, seat, tensor, place + 20)
    _observe_cards(view, seat, tensor, place + 20 + 3 * SEATS)


@rule
def _observe_contest(view: Record, me: int, pile: int, tensor: Tensor, place: int) -> None:
    """Who throws for this pile, who claimed it last, and the signs they showed."""
    seats = int(view.seats)
    for relative in range(seats):
        seat = (me + relative) % seats
        tensor[place + relative] = (int(view.contested[pile]) >> seat) & 1
        tensor[place + SEATS + relative] = (int(view.shown_claims[pile]) >> seat) & 1
        if view.shown_throws[pile, seat] >= 0:
            tensor[place + 2 * SEATS + relative] = (1 + view.shown_throws[pile, seat]) / 3


@rule
def _observe_cards(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """The known cards of the seat's pile and score pile; each of them is one fewer to come."""
    unseen = GENERAL + OWN
    for i in range(int(view.pile_size[seat])):
        kind = int(view.piles[seat, i])
        if kind >= 0:
            tensor[place + kind] += 0.5
            tensor[unseen + kind] -= 1 / 3
    for kind in range(KINDS):
        if view.captured[seat, kind] > 0:
            tensor[place + KINDS + kind] = view.captured[seat, kind] / 2
            tensor[unseen + kind] -= view.captured[seat, kind] / 3


@rule
def _observe_worth(view: Record, seat: int, tensor: Tensor) -> None:
    """What each pile would bring the viewer, and what his own score pile already has, as far as he sees the cards."""
    seats = int(view.seats)
    for relative in range(seats):
        owner = (seat + relative) % seats
        place = GENERAL + OWN + KINDS + A_SEAT * relative + 15
        for i in range(int(view.pile_size[owner])):
            kind = int(view.piles[owner, i])
            if kind == CLOSED_SHOP:
                tensor[place] += 1 / 3
            elif kind == CHERRY:
                tensor[place + 1] += 0.5
            elif 0 <= kind < ICE_CREAMS:
                tensor[place + 2] += (kind // 5 == view.flavours[seat]) / 5
                tensor[place + 3] += (kind % 5 == view.shapes[seat]) / 5
        tensor[place + 4] = tensor[place + 1] * 0.2 + (tensor[place + 2] + tensor[place + 3]) / 2 - tensor[place] * 0.3
