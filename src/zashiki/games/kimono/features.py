"""The numeric features of a Kimono view: the table, each seat from the viewer on, the row and its two groups, who leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.leads import FINE, LEADS, SHOWN, lead, show_lead
from zashiki.core.observation import Features, Observation, Repeated
from zashiki.games.kimono.action_cards import SORTS
from zashiki.games.kimono.cards import COPIES, ROUNDS
from zashiki.games.kimono.rules import (
    ASIDE,
    COPYING,
    IN_ROW,
    KIMONOS,
    KINDS,
    ROW,
    SEATS,
    WITH_MASTER,
    count_unseen,
    to_act,
)
from zashiki.games.kimono.scoring import IN_FRONT, worth

if TYPE_CHECKING:
    import numpy.typing as npt

    from zashiki.core.contract import Tensor
    from zashiki.core.layout import Record

CARDS = KINDS + 1
FEWEST_SEATS = 3
TABLE = COPYING + 4 + 3 + 3 + 3 + 2 + 2 * KINDS + 1
GAINS = 3
"""Group 1, group 2 and the bin, each of which may be somebody's gain."""
GAINED = GAINS * IN_FRONT
EACH_SEAT = 11 + IN_FRONT + 2 * SORTS + GAINS
EACH_PLACE = CARDS + 4 + SEATS
FEATURES = TABLE + SEATS * EACH_SEAT + ROW * EACH_PLACE + 2 * CARDS + (SEATS + GAINS) * LEADS

OBSERVATION: Observation = (
    Features(COPYING, "what is decided: cut, apprentice, vote, next card, breakage, copy", "one of"),
    Features(4, "three, four, five or six seats", "one of"),
    Features(3, "the round, of 5; kimonos in the supply, of 10; cards in the sack, of 29"),
    Features(3, "lucky cats, breakages and copies still to be carried out, of 2"),
    Features(3, "the apprentice: with the master, in the row, set aside", "one of"),
    Features(2, "the own vote: group 1, group 2", "one of"),
    Features(1, "cards in the bin, of 40"),
    Features(KINDS, "cards of each kind in the bin, of 8"),
    Features(KINDS, "share of each kind that nobody has seen"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(1, "the seat is played", "flags"),
            Features(1, "it is the master", "flags"),
            Features(1, "it may act", "flags"),
            Features(1, "it carries out action cards", "flags"),
            Features(1, "it wants the piece that is split", "flags"),
            Features(1, "it has the apprentice", "flags"),
            Features(1, "it wants a piece that waits", "flags"),
            Features(2, "the vote last shown: group 1, group 2", "one of"),
            Features(2, "its points and its cards, of 40"),
            Features(IN_FRONT, "cards before it by sort, coins and fire, of 8"),
            Features(SORTS, "what one more of each sort would bring, of 16"),
            Features(SORTS, "what the last of each sort is worth, of 16"),
            Features(3, "what group 1, group 2 and the bin would bring, of 40, action cards aside"),
        ),
    ),
    Repeated(
        ROW,
        "place of the row, from the left",
        (
            Features(CARDS, "the card", "one of"),
            Features(1, "it is in the piece that is split", "flags"),
            Features(2, "it is in group 1, in group 2", "one of"),
            Features(1, "it is in a piece that waits: 1 for the next one, a half for the one after it, and so on"),
            Features(SEATS, "the seats that want that piece, from the viewer on", "flags"),
        ),
    ),
    Features(CARDS, "cards of each kind in group 1, a quarter each"),
    Features(CARDS, "cards of each kind in group 2, a quarter each"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (Features(LEADS, f"its lead L over the best other: {SHOWN}; more cards count half a point"),),
    ),
    Features(GAINS * LEADS, "the same lead of the viewer with group 1, with group 2, with the bin, action cards aside"),
)


_COPIES = np.array(COPIES, np.int64)


@rule
def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """Everything a decision may hang on; cards in front, in the bin and unseen as counts by kind."""
    tensor[:] = 0
    _observe_table(view, seat, tensor)
    me = max(seat, 0)
    gained = scratch(GAINED, np.int64)
    _count_gains(view, gained)
    for relative in range(int(view.seats)):
        place = TABLE + relative * EACH_SEAT
        owner = (me + relative) % int(view.seats)
        _observe_seat(view, owner, tensor, place)
        for which in range(GAINS):
            cards = gained[which * IN_FRONT : (which + 1) * IN_FRONT]
            tensor[place + EACH_SEAT - GAINS + which] = _gain(view, owner, cards) / 40
    _observe_row(view, me, tensor, TABLE + SEATS * EACH_SEAT)
    leads = FEATURES - (SEATS + GAINS) * LEADS
    for group in range(2):
        _observe_group(view, group, tensor, leads - (2 - group) * CARDS)
    _observe_leads(view, me, gained, tensor, leads)


@rule
def _observe_table(view: Record, seat: int, tensor: Tensor) -> None:
    if view.phase > 0:
        tensor[int(view.phase) - 1] = 1
    place = COPYING
    tensor[place + int(view.seats) - FEWEST_SEATS] = 1
    place += 4
    tensor[place] = int(view.round_number) / ROUNDS
    tensor[place + 1] = int(view.kimonos) / KIMONOS
    tensor[place + 2] = int(view.sack_size) / 29
    place += 3
    for kind in range(3):
        tensor[place + kind] = int(view.to_do[kind]) / 2
    place += 3
    tensor[place] = view.apprentice == WITH_MASTER
    tensor[place + 1] = view.apprentice == IN_ROW
    tensor[place + 2] = view.apprentice == ASIDE
    place += 3
    if seat >= 0:
        tensor[place] = view.votes[seat] == 1
        tensor[place + 1] = view.votes[seat] == 2
    _observe_piles(view, tensor, place + 2)


@rule
def _observe_piles(view: Record, tensor: Tensor, place: int) -> None:
    unseen = scratch(KINDS, np.int64)
    count_unseen(view, unseen)
    tensor[place] = int(view.bin_size) / 40
    for card in range(KINDS):
        tensor[place + 1 + card] = int(view.bin[card]) / 8
        tensor[place + 1 + KINDS + card] = unseen[card] / _COPIES[card]


@rule
def _observe_seat(view: Record, owner: int, tensor: Tensor, place: int) -> None:
    tensor[place] = 1
    tensor[place + 1] = view.master == owner
    tensor[place + 2] = (to_act(view) >> owner) & 1
    tensor[place + 3] = view.taker == owner
    tensor[place + 4] = (int(view.voters) >> owner) & 1
    tensor[place + 5] = view.apprentice == owner
    tensor[place + 6] = (_waited_for(view) >> owner) & 1
    tensor[place + 7] = view.shown_votes[owner] == 1
    tensor[place + 8] = view.shown_votes[owner] == 2
    points = 0
    cards = 0
    for sort in range(IN_FRONT):
        count = int(view.front[owner, sort])
        tensor[place + 11 + sort] = count / 8
        points += worth(sort, count)
        cards += count
        if sort < SORTS:
            # What the next card of a sort brings and the last one is worth: the limits in one number.
            tensor[place + 11 + IN_FRONT + sort] = (worth(sort, count + 1) - worth(sort, count)) / 16
            if count > 0:
                tensor[place + 11 + IN_FRONT + SORTS + sort] = (worth(sort, count) - worth(sort, count - 1)) / 16
    tensor[place + 9] = points / 40
    tensor[place + 10] = cards / 40


@rule
def _waited_for(view: Record) -> int:
    seats = 0
    for i in range(int(view.waiting)):
        seats |= int(view.waiting_for[i])
    return seats


@rule
def _count_gains(view: Record, gained: npt.NDArray[np.int64]) -> None:
    """What a seat would get from group 1, group 2 and the bin, by sort; action cards aside."""
    gained[:] = 0
    for i in range(ROW):
        group = _group_of(view, i)
        if group < 2 and 0 <= view.row[i] < IN_FRONT:
            gained[group * IN_FRONT + int(view.row[i])] += 1
    for sort in range(IN_FRONT):
        gained[2 * IN_FRONT + sort] = view.bin[sort]


@rule
def _gain(view: Record, owner: int, cards: npt.NDArray[np.int64]) -> int:
    gain = 0
    for sort in range(IN_FRONT):
        count = int(view.front[owner, sort])
        gain += worth(sort, count + cards[sort]) - worth(sort, count)
    return gain


@rule
def _group_of(view: Record, place: int) -> int:
    """0 for group 1, 1 for group 2, 2 for cards that belong to neither."""
    if view.cut_after == 0 or place < view.piece_from or place >= view.piece_to:
        return 2
    right = 1 if place >= view.cut_after else 0
    return right ^ int(view.right_first)


@rule
def _observe_row(view: Record, me: int, tensor: Tensor, place: int) -> None:
    for i in range(ROW):
        if view.row[i] < 0:
            continue
        here = place + i * EACH_PLACE
        tensor[here + int(view.row[i])] = 1
        here += CARDS
        tensor[here] = view.piece_from <= i < view.piece_to
        if _group_of(view, i) < 2:
            tensor[here + 1 + _group_of(view, i)] = 1
        for waiting in range(int(view.waiting)):
            if view.waiting_from[waiting] <= i < view.waiting_to[waiting]:
                # Which of the waiting pieces it is: the last one comes next.
                tensor[here + 3] = 1 / (int(view.waiting) - waiting)
                _observe_wanted(view, me, int(view.waiting_for[waiting]), tensor, here + 4)


@rule
def _observe_wanted(view: Record, me: int, wanted: int, tensor: Tensor, place: int) -> None:
    for relative in range(int(view.seats)):
        tensor[place + relative] = (wanted >> ((me + relative) % int(view.seats))) & 1


@rule
def _observe_group(view: Record, group: int, tensor: Tensor, place: int) -> None:
    for i in range(ROW):
        if _group_of(view, i) == group and view.row[i] >= 0:
            tensor[place + int(view.row[i])] += 0.25


@rule
def _observe_leads(view: Record, me: int, gained: npt.NDArray[np.int64], tensor: Tensor, place: int) -> None:
    standings = scratch(SEATS, np.int64)
    seats = int(view.seats)
    for seat in range(seats):
        standings[seat] = _standing(view, seat)
    for relative in range(seats):
        show_lead(lead(standings, seats, (me + relative) % seats), tensor, place + LEADS * relative)
    own = standings[me]
    for which in range(GAINS):
        cards = gained[which * IN_FRONT : (which + 1) * IN_FRONT]
        standings[me] = own + FINE * _gain(view, me, cards) + cards.sum()
        show_lead(lead(standings, seats, me), tensor, place + LEADS * (SEATS + which))


@rule
def _standing(view: Record, seat: int) -> int:
    """Points, and far behind them cards, which break ties."""
    total = 0
    for sort in range(IN_FRONT):
        count = int(view.front[seat, sort])
        total += FINE * worth(sort, count) + count
    return total
