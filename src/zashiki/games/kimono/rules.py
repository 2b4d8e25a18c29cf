"""Kimono, for three to six: the master splits a row of curios, everyone votes in secret for the part they want.

Alone on a part you take it. Several are split again, down to a single card, which is thrown into the bin while they get a kimono
each. Whoever gets the apprentice empties the bin and is the next master. After five rounds each sort of curios brings its points,
but costs a point a card for those who have too many of it.

Game by Hisashi Hayashi (Zoch 2017; first Curio Collectors, 2015). Our readings: the master numbers the groups as he likes; the
apprentice counts as a card of the row; everything of group 1 is settled before group 2; a vote given stands; action cards wait
until the other cards are laid out, and what a cat draws joins them; what has one answer only is not asked, for all is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, blank, copy, lowest, ones, scratch
from zashiki.core.layout import EMPTY, SEALED, UNKNOWN, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear
from zashiki.core.random import Words, random_below, reseed, roll, roll_shuffle, seed_state, shuffle
from zashiki.games.kimono.action_cards import (
    NOTHING,
    PAIRS,
    SORTS,
    apply_breakage,
    apply_copy,
    carry_out,
    carry_out_next,
    legal_breakage,
    legal_choice,
    legal_copy,
    receive,
)
from zashiki.games.kimono.cards import APPRENTICE, CARDS, CAT, COPIES, COPY, KIMONO, ROUNDS, TO_DO
from zashiki.games.kimono.scoring import IN_FRONT, decide, worth

if TYPE_CHECKING:
    import numpy.typing as npt

    from zashiki.core.contract import Options, Table

SEATS = 6
SMALL_PILE, LARGE_PILE = 9, 13
LARGE_FROM = 5
ROW = LARGE_PILE + 1
KINDS = len(CARDS) - 1
KIMONOS = COPIES[KIMONO]
MARKET = sum(COPIES[:KINDS]) - KIMONOS
# Where the apprentice is, if not with a seat.
WITH_MASTER, IN_ROW, ASIDE = range(SEATS, SEATS + 3)

# The last three are what an action card may have to ask, in the order of its questions.
OVER, CUTTING, PLACING, VOTING, CHOOSING, BREAKING, COPYING = range(7)

CUT_FROM = 0
PLACE_FROM = CUT_FROM + 2 * (ROW - 1)
VOTE_FROM = PLACE_FROM + ROW + 1
CHOOSE_FROM = VOTE_FROM + 2
BREAK_FROM = CHOOSE_FROM + len(TO_DO)
COPY_FROM = BREAK_FROM + len(PAIRS)
ACTIONS = COPY_FROM + SORTS

PARTS = CARDS[:IN_FRONT]

STATE = Layout(
    "kimono",
    phases=("over", "cut", "apprentice", "vote", "next card", "breakage", "copy"),
    endings=("", "most points", "most cards", "shared"),
    own=(
        Field("round_number", "i1", (), "this round, from 1 to 5"),
        Field("pile_size", "i1", (), "market cards in each round pile"),
        Field("master", "i1", (), "the seat that splits in this round"),
        Field("apprentice", "i1", (), "the seat that took it; 6: the master has still to insert it; 7: in the row; 8: set aside"),
        Field("row", "i1", (ROW,), "the row from left to right; cards that are gone leave their place empty"),
        Field("piece_from", "i1", (), "the first place of the piece that is split now"),
        Field("piece_to", "i1", (), "the place after its last; 0: nothing is split"),
        Field("cut_after", "i1", (), "the last place of its left part, from 1; 0: not cut"),
        Field("right_first", "i1", (), "1: its right part is group 1; 0: its left part is"),
        Field("voters", "i1", (), "the seats that want the piece, as bits"),
        Field("asked", "i1", (), "those of them who have still to vote, as bits"),
        Field("waiting", "i1", (), "how many pieces wait; the last one comes next"),
        Field("waiting_from", "i1", (ROW,), "the first place of each"),
        Field("waiting_to", "i1", (ROW,), "the place after the last of each"),
        Field("waiting_for", "i1", (ROW,), "the seats that want each, as bits"),
        Field("shown_votes", "i1", (SEATS,), "the group each seat voted for when votes were last shown; 0: it was not asked"),
        Field("shown_groups", "i1", (2, 2), "the first place of both groups then, and the place after the last"),
        Field("taker", "i1", (), "the seat that carries out action cards; −2: nobody does"),
        Field("to_do", "i1", (len(TO_DO),), "the lucky cats, breakages and copies it has still to carry out"),
        Field("front", "i1", (SEATS, IN_FRONT), "cards before each seat: eight sorts with copies among them, coins, fire"),
        Field("copies", "i1", (SEATS, SORTS), "how many cards of each sort are copies"),
        Field("kimonos", "i1", (), "kimonos in the supply"),
        Field("bin", "i1", (KINDS,), "how many cards of each kind lie in the bin"),
        Field("bin_size", "i1", (), "cards in the bin"),
        Field("box", "i1", (KINDS,), "how many cards of each kind are out of the match"),
        Field("sack_size", "i1", (), "cards in the sack"),
        Field("last_apprentice", "i1", (), "the seat that emptied the bin after the last round; 8: nobody; −2: no round is over"),
        Field("votes", "i1", (SEATS,), "the group each seat has voted for; 0: no vote yet", hidden=True),
        Field("deck", "i1", (MARKET,), "the round piles in order, then the sack with its top last", hidden=True),
    ),
)

_COPIES = np.array(COPIES, np.int64)
_MARKET = np.array([card for card in range(KINDS) if card != KIMONO for _ in range(COPIES[card])], np.int8)


@rule
def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """Five round piles and the sack; a random seat is the first master."""
    seed_state(state, seed)
    state.seats = seats
    state.winners = 0
    state.ending = 0
    state.row[:] = EMPTY
    state.waiting = 0
    state.waiting_from[:] = 0
    state.waiting_to[:] = 0
    state.waiting_for[:] = 0
    state.shown_votes[:] = 0
    state.shown_groups[:] = 0
    state.taker = EMPTY
    state.to_do[:] = 0
    state.front[:] = 0
    state.copies[:] = 0
    state.kimonos = KIMONOS
    state.bin[:] = 0
    state.bin_size = 0
    state.box[:] = 0
    state.last_apprentice = EMPTY
    state.votes[:] = 0
    assign(state.deck, _MARKET)
    shuffle(state, state.deck, 0, MARKET)
    state.pile_size = LARGE_PILE if seats >= LARGE_FROM else SMALL_PILE
    state.sack_size = MARKET - ROUNDS * int(state.pile_size)
    state.master = random_below(state, seats)
    state.round_number = 0
    _lay_out_row(state)


@rule
def to_act(state: Record) -> int:
    """All who have still to vote; the master; or who carries out cards."""
    if state.phase == VOTING:
        return int(state.asked)
    if state.phase == OVER:
        return 0
    return 1 << int(state.master if state.phase <= PLACING else state.taker)


@rule
def legal(state: Record, seat: int, mask: Mask) -> None:
    """The cuts, places, votes, or answers to action cards."""
    clear(mask)
    if (to_act(state) >> seat) & 1 == 0:
        return
    if state.phase == VOTING:
        _allow_span(mask, VOTE_FROM, VOTE_FROM + 2)
    elif state.phase == CUTTING:
        _allow_span(mask, CUT_FROM + 2 * int(state.piece_from), CUT_FROM + 2 * (int(state.piece_to) - 1))
    elif state.phase == PLACING:
        _allow_span(mask, PLACE_FROM, PLACE_FROM + int(state.piece_to) + 2)
    elif state.phase == CHOOSING:
        legal_choice(state, mask, CHOOSE_FROM)
    elif state.phase == BREAKING:
        legal_breakage(state, seat, mask, BREAK_FROM)
    else:
        legal_copy(state, seat, mask, COPY_FROM)


@rule
def apply(state: Record, seat: int, action: int) -> None:
    """Splits, votes, or answers an action card, and settles what needs no decision."""
    if action < PLACE_FROM:
        _apply_cut(state, action - CUT_FROM)
    elif action < VOTE_FROM:
        _apply_place(state, action - PLACE_FROM)
    elif action < CHOOSE_FROM:
        _apply_vote(state, seat, action - VOTE_FROM + 1)
    elif action < BREAK_FROM:
        if not _asks(state, carry_out(state, CAT + action - CHOOSE_FROM)):
            _go_on(state)
    else:
        if action < COPY_FROM:
            apply_breakage(state, seat, action - BREAK_FROM)
        else:
            apply_copy(state, seat, action - COPY_FROM)
        _go_on(state)


@rule
def view(state: Record, seat: int, out: Record) -> None:
    """Everything but the round piles, the sack, and the votes of others while somebody has still to vote."""
    blank(out)
    out.seats = state.seats
    out.phase = state.phase
    out.winners = state.winners
    out.ending = state.ending
    out.round_number = state.round_number
    out.pile_size = state.pile_size
    out.master = state.master
    out.apprentice = state.apprentice
    assign(out.row, state.row)
    out.piece_from = state.piece_from
    out.piece_to = state.piece_to
    out.cut_after = state.cut_after
    out.right_first = state.right_first
    out.voters = state.voters
    out.asked = state.asked
    out.waiting = state.waiting
    assign(out.waiting_from, state.waiting_from)
    assign(out.waiting_to, state.waiting_to)
    assign(out.waiting_for, state.waiting_for)
    assign(out.shown_votes, state.shown_votes)
    assign(out.shown_groups, state.shown_groups)
    out.taker = state.taker
    assign(out.to_do, state.to_do)
    assign(out.front, state.front)
    assign(out.copies, state.copies)
    out.kimonos = state.kimonos
    assign(out.bin, state.bin)
    out.bin_size = state.bin_size
    assign(out.box, state.box)
    out.sack_size = state.sack_size
    out.last_apprentice = state.last_apprentice
    for other in range(SEATS):
        if other == seat or state.votes[other] == 0:
            out.votes[other] = state.votes[other]


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """The market cards that were never seen, shuffled over piles and sack; sealed votes at random."""
    copy(view, out)
    reseed(out, rng)
    unseen = scratch(KINDS, np.int64)
    count_unseen(view, unseen)
    out.deck[:] = EMPTY
    first = int(view.round_number) * int(view.pile_size)
    place = first
    for card in range(KINDS):
        for _ in range(unseen[card]):
            out.deck[place] = card
            place += 1
    roll_shuffle(rng, out.deck, first, place - first)
    for other in range(SEATS):
        if view.votes[other] == UNKNOWN:
            out.votes[other] = 1 + roll(rng, 2)


@rule
def scores(state: Record, table: Table) -> None:
    """What each sort, the coins and the fire before a seat are worth."""
    for seat in range(int(state.seats)):
        for sort in range(IN_FRONT):
            table[seat, sort] = worth(sort, int(state.front[seat, sort]))


@rule
def sealed(state: Record, seat: int, action: int) -> int:
    """A vote is, until all are in."""
    if VOTE_FROM <= action < CHOOSE_FROM and state.votes[seat] == action - VOTE_FROM + 1:
        return SEALED
    return 0


@rule
def count_unseen(view: Record, unseen: npt.NDArray[np.int64]) -> None:
    """How many market cards of each kind have never lain open: they are in the piles and in the sack."""
    for card in range(KINDS):
        unseen[card] = _COPIES[card] - view.bin[card] - view.box[card]
    for seat in range(int(view.seats)):
        for card in range(IN_FRONT):
            unseen[card] -= view.front[seat, card]
        for sort in range(SORTS):
            unseen[sort] += view.copies[seat, sort]
            unseen[COPY] -= view.copies[seat, sort]
    for card in range(CAT, KINDS):
        unseen[card] -= view.to_do[card - CAT]
    for place in range(ROW):
        if 0 <= view.row[place] < KINDS:
            unseen[int(view.row[place])] -= 1
    unseen[KIMONO] = 0


@rule
def _lay_out_row(state: Record) -> None:
    size = int(state.pile_size)
    first = int(state.round_number) * size
    for place in range(size):
        state.row[place] = state.deck[first + place]
        state.deck[first + place] = EMPTY
    state.round_number += 1
    state.apprentice = WITH_MASTER
    _ask_to_cut(state, 0, size, (1 << int(state.seats)) - 1)


@rule
def _ask_to_cut(state: Record, start: int, end: int, voters: int) -> None:
    state.piece_from = start
    state.piece_to = end
    state.cut_after = 0
    state.right_first = 0
    state.voters = voters
    state.asked = 0
    state.phase = CUTTING


@rule
def _allow_span(mask: Mask, first: int, end: int) -> None:
    for action in range(first, end):
        allow(mask, action)


@rule
def _apply_cut(state: Record, cut: int) -> None:
    state.cut_after = 1 + cut // 2
    state.right_first = cut % 2
    if state.apprentice == WITH_MASTER:
        state.phase = PLACING
    else:
        _ask_for_votes(state)


@rule
def _apply_place(state: Record, place: int) -> None:
    """Places are counted from the left; the last one of the left group and the first one of the right are two."""
    if place <= state.cut_after:
        state.cut_after += 1
    else:
        place -= 1
    for i in range(int(state.piece_to), place, -1):
        state.row[i] = state.row[i - 1]
    state.row[place] = APPRENTICE
    state.piece_to += 1
    state.apprentice = IN_ROW
    _ask_for_votes(state)


@rule
def _ask_for_votes(state: Record) -> None:
    state.asked = state.voters
    state.phase = VOTING


@rule
def _apply_vote(state: Record, seat: int, group: int) -> None:
    state.votes[seat] = group
    state.asked &= ~(1 << seat)
    if state.asked == 0:
        _show_votes(state)
        _go_on(state)


@rule
def _show_votes(state: Record) -> None:
    """Group 1 comes to lie on group 2, so that all of it is settled first."""
    wanted_first = 0
    for seat in range(int(state.seats)):
        wanted_first |= int(state.votes[seat] == 1) << seat
    wanted_second = int(state.voters) & ~wanted_first
    start, middle, end = int(state.piece_from), int(state.cut_after), int(state.piece_to)
    if state.right_first == 0:
        _wait(state, 1, middle, end, wanted_second)
        _wait(state, 0, start, middle, wanted_first)
    else:
        _wait(state, 1, start, middle, wanted_second)
        _wait(state, 0, middle, end, wanted_first)
    assign(state.shown_votes, state.votes)
    state.votes[:] = 0
    _ask_to_cut(state, 0, 0, 0)


@rule
def _wait(state: Record, group: int, start: int, end: int, wanted: int) -> None:
    top = int(state.waiting)
    state.waiting_from[top] = start
    state.waiting_to[top] = end
    state.waiting_for[top] = wanted
    state.waiting = top + 1
    state.shown_groups[group, 0] = start
    state.shown_groups[group, 1] = end


@rule
def _asks(state: Record, question: int) -> bool:
    """Lets the taker answer an action card's question, if there is one."""
    if question == NOTHING:
        return False
    state.phase = VOTING + question
    return True


@rule
def _go_on(state: Record) -> None:
    """Settles everything up to the next decision: action cards, waiting pieces, the bin, the next round."""
    asks = False
    while not asks:
        if state.to_do[0] + state.to_do[1] + state.to_do[2] > 0:
            asks = _asks(state, carry_out_next(state))
            continue
        state.taker = EMPTY
        if state.waiting > 0:
            asks = _settle_piece(state)
        elif state.apprentice < SEATS and state.bin_size > 0:
            _empty_bin(state)
        else:
            _end_round(state)
            asks = True


@rule
def _settle_piece(state: Record) -> bool:
    """Nobody's into the bin, one player's to that player, a single card into the bin for kimonos; else it is to be cut."""
    top = int(state.waiting) - 1
    start, end, wanted = int(state.waiting_from[top]), int(state.waiting_to[top]), int(state.waiting_for[top])
    state.waiting = top
    state.waiting_from[top] = 0
    state.waiting_to[top] = 0
    state.waiting_for[top] = 0
    if wanted & (wanted - 1) == 0:
        if wanted == 0:
            _throw_away(state, start, end)
        else:
            _take(state, lowest(wanted), start, end)
        return False
    if end - start == 1:
        _throw_away(state, start, end)
        _hand_out_kimonos(state, wanted)
        return False
    _ask_to_cut(state, start, end, wanted)
    return True


@rule
def _throw_away(state: Record, start: int, end: int) -> None:
    for place in range(start, end):
        card = int(state.row[place])
        state.row[place] = EMPTY
        if card == APPRENTICE:
            state.apprentice = ASIDE
        else:
            state.bin[card] += 1
            state.bin_size += 1


@rule
def _take(state: Record, seat: int, start: int, end: int) -> None:
    state.taker = seat
    for place in range(start, end):
        receive(state, seat, int(state.row[place]))
        state.row[place] = EMPTY


@rule
def _hand_out_kimonos(state: Record, wanted: int) -> None:
    """One for each, or for nobody: then the supply is gone for good."""
    if state.kimonos < ones(wanted):
        state.box[KIMONO] += state.kimonos
        state.kimonos = 0
        return
    while wanted > 0:
        state.front[lowest(wanted), KIMONO] += 1
        state.kimonos -= 1
        wanted &= wanted - 1


@rule
def _empty_bin(state: Record) -> None:
    seat = int(state.apprentice)
    state.taker = seat
    for card in range(CAT):
        state.front[seat, card] += state.bin[card]
    for card in range(CAT, KINDS):
        state.to_do[card - CAT] += state.bin[card]
    state.bin[:] = 0
    state.bin_size = 0


@rule
def _end_round(state: Record) -> None:
    state.last_apprentice = state.apprentice
    if state.round_number == ROUNDS:
        decide(state)
        state.phase = OVER
        return
    if state.apprentice < SEATS:
        state.master = state.apprentice
    else:
        state.master = (int(state.master) + 1) % int(state.seats)
    _lay_out_row(state)
