"""Kawaii, for three to five: ice creams pile up open before everyone; put a token on the pile that suits your secret taste.

Everybody flips cards from a reserve onto an open pile, in turn. A token put on any pile captures it and goes to the pile's owner.
Those who claim the same pile at the same time play rock-paper-scissors for it. Each captured ice cream of one's secret favourite
flavour or shape is a point, closed shops cost one, cherries and tokens left bring one. Three rounds, the highest total wins.

Game by Marc-Antoine Hofmann and Ismaël Perrin (Helvetiq). Our readings:
- A reserve is flipped in the order it was dealt, so the deck is one row: its i-th card belongs to the i-th seat from the starter.
- A claim in `live` names the owner and the number of the pile it saw. Numbers run from 0 to 18 and on from 0, through all rounds:
  nobody begins more than 19 piles in a round, so the same number comes back only when the old pile is a round away.
- Nobody but the asker is told of a flip that waits: it would tell everybody of a photo finish. The asker himself can guess.
- Whoever said "done" may still claim; whoever has no token is not asked to say it. A round that does not end with the last "done"
  although no contest goes on shows everybody that a photo finish is open, but not on which pile nor whose claims are in it.
- The clock flips only when nothing is being settled. For a pile it throws for all at once who have not thrown yet.
- At the end of the match all is shown, score piles too. Under `stacked` reserves and covered cards stay unknown even then.
- Redealt, claims in photo finishes are a uniform draw from all that could have been made: what is likely is for bots to judge.
"""

from __future__ import annotations

from zashiki.core.contract import Options, Table
from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, blank, copy
from zashiki.core.layout import CLOCK, EMPTY, SEALED, UNKNOWN, VOID, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear
from zashiki.core.random import Words, random_below, reseed, roll, seed_state
from zashiki.games.kawaii.cards import CARDS, KINDS, PILE_NUMBERS, RESERVE, SEATS, SIGNS
from zashiki.games.kawaii.live import all_done, can_say_done, claimable, go_on_live, settling, throw_for
from zashiki.games.kawaii.scoring import PARTS, count_points
from zashiki.games.kawaii.table import (
    LIVE,
    OVER,
    WINDOW,
    claimants,
    deal_round,
    end_round,
    flip,
    judge,
    reveal,
    show_answers,
    show_throws,
    still_to_throw,
)
from zashiki.games.kawaii.unseen import redeal_answers, redeal_cards, redeal_claims, redeal_favourites

ANSWER_FROM = 0
ANSWER_PASS = ANSWER_FROM + SEATS
THROW_FROM = ANSWER_PASS + 1
FLIP = THROW_FROM + SEATS * len(SIGNS)
DONE = FLIP + 1
CLAIM_FROM = DONE + 1
CLOSE_PHOTO_FINISH_FROM = CLAIM_FROM + SEATS * PILE_NUMBERS
THROW_FOR_FROM = CLOSE_PHOTO_FINISH_FROM + SEATS
FLIP_FOR = THROW_FOR_FROM + SEATS
CLOSE_ROUND = FLIP_FOR + 1
ACTIONS = CLOSE_ROUND + 1

STATE = Layout(
    "kawaii",
    phases=("over", "window", "throws", "live"),
    endings=("", "most points", "shared"),
    own=(
        Field("pace", "i1", (), "whether all answer in turns or everybody acts at any time", names=("turns", "live")),
        Field("stacked", "i1", (), "1: only the top card of a pile can be seen"),
        Field("round_number", "i1", (), "this round, from 1 to 3"),
        Field("starter", "i1", (), "the seat that flips first in this round"),
        Field("turn", "i1", (), "the seat that flips next; −2 after the last flip"),
        Field("flips", "i1", (), "cards flipped in this round"),
        Field("captures", "i1", (), "piles captured in this round"),
        Field("asked", "i1", (), "in turns: the seats still to answer or to throw, as bits"),
        Field("done", "i1", (), "in live: the seats that want to capture no more, as bits"),
        Field("tokens", "i1", (SEATS,), "tokens each seat holds, bound ones too"),
        Field("tokens_out", "i1", (), "tokens out of the round"),
        Field("reserve_size", "i1", (SEATS,), "cards in each reserve"),
        Field("pile_size", "i1", (SEATS,), "cards in each open pile"),
        Field("pile_number", "i1", (SEATS,), "what a claim calls each seat's pile, or its next one: 0 to 18, in turn"),
        Field("captured_size", "i1", (SEATS,), "cards in each score pile"),
        Field("contested", "i1", (SEATS,), "the seats that throw for each pile, as bits"),
        Field("throw_count", "i1", (SEATS,), "how often they have thrown"),
        Field("shown_claims", "i1", (SEATS,), "the seats that claimed each pile when claims were last shown, as bits"),
        Field("shown_passes", "i1", (), "the seats that passed when answers were last shown, as bits"),
        Field("shown_throws", "i1", (SEATS, SEATS), "the last throws shown for each pile since then, one column per seat, or −2"),
        Field("taker", "i1", (SEATS,), "who took each pile since then, or −2"),
        Field("points", "i1", (SEATS, len(PARTS)), "points of the rounds that are scored: " + ", ".join(PARTS)),
        Field("scored", "i1", (SEATS, len(PARTS)), "points of the last of them"),
        Field("scored_flavours", "i1", (SEATS,), "favourite flavours shown when it was scored; −2 before that"),
        Field("scored_shapes", "i1", (SEATS,), "favourite shapes shown when it was scored; −2 before that"),
        Field("flavours", "i1", (SEATS,), "each seat's favourite flavour; −2 where nobody sits", hidden=True),
        Field("shapes", "i1", (SEATS,), "each seat's favourite shape; −2 where nobody sits", hidden=True),
        Field("claims", "i1", (SEATS,), "piles claimed by each seat and not shown yet, as bits; 32: it passes", hidden=True),
        Field(
            "throws",
            "i1",
            (SEATS, SEATS),
            "signs thrown for each pile and not shown yet, one column per seat, or −2",
            hidden=True,
        ),
        Field("flip_waits", "i1", (), "1: the seat whose turn it is has asked to flip while a pile is settled", hidden=True),
        Field(
            "deck",
            "i1",
            (CARDS,),
            "all reserves in the order they are flipped, from the starter on; −2 once flipped",
            hidden=True,
        ),
        Field("piles", "i1", (SEATS, RESERVE), "each open pile, its top last, then −2", hidden=True),
        Field("captured", "i1", (SEATS, KINDS), "how many cards of each kind each score pile holds", hidden=True),
    ),
)


@rule
def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """Nobody has points yet; a random seat begins."""
    seed_state(state, seed)
    state.seats = seats
    state.pace = options[0]
    state.stacked = options[1]
    state.winners = 0
    state.ending = 0
    state.asked = 0
    state.tokens[:] = 0
    state.reserve_size[:] = 0
    state.pile_number[:] = 0
    state.contested[:] = 0
    state.throw_count[:] = 0
    state.claims[:] = 0
    state.throws[:] = EMPTY
    state.flip_waits = 0
    state.shown_claims[:] = 0
    state.shown_passes = 0
    state.shown_throws[:] = EMPTY
    state.taker[:] = EMPTY
    state.points[:] = 0
    state.scored[:] = 0
    state.scored_flavours[:] = EMPTY
    state.scored_shapes[:] = EMPTY
    state.round_number = 0
    state.starter = random_below(state, seats)
    deal_round(state)


@rule
def to_act(state: Record) -> int:
    """Those still to answer or throw. In live all who could do something, and the clock, which always can."""
    if state.phase != LIVE:
        return int(state.asked)
    seats = 1 << CLOCK
    for seat in range(int(state.seats)):
        if _can_act(state, seat):
            seats |= 1 << seat
    return seats


@rule
def legal(state: Record, seat: int, mask: Mask) -> None:
    """An answer, a throw, or in live whatever one could do now."""
    clear(mask)
    if state.phase == LIVE:
        if seat == CLOCK:
            _legal_clock(state, mask)
        else:
            _legal_live(state, seat, mask)
            _legal_throws(state, seat, mask)
    elif (int(state.asked) >> seat) & 1 == 0:
        return
    elif state.phase == WINDOW:
        _legal_window(state, mask)
    else:
        _legal_throws(state, seat, mask)


@rule
def apply(state: Record, seat: int, action: int) -> None:
    """Answers, throws, or acts in live."""
    if action < THROW_FROM:
        _apply_window(state, seat, action - ANSWER_FROM)
    elif action < FLIP:
        _apply_throw(state, seat, (action - THROW_FROM) // 3, (action - THROW_FROM) % 3)
    elif seat == CLOCK:
        _apply_clock(state, action)
    else:
        _apply_live(state, seat, action)


@rule
def view(state: Record, seat: int, out: Record) -> None:
    """Everything open; of favourites, claims and throws only the seat's own."""
    blank(out)
    out.seats = state.seats
    out.phase = state.phase
    out.winners = state.winners
    out.ending = state.ending
    out.pace = state.pace
    out.stacked = state.stacked
    out.round_number = state.round_number
    out.starter = state.starter
    out.turn = state.turn
    out.flips = state.flips
    out.captures = state.captures
    out.asked = state.asked
    out.done = state.done
    assign(out.tokens, state.tokens)
    out.tokens_out = state.tokens_out
    assign(out.reserve_size, state.reserve_size)
    assign(out.pile_size, state.pile_size)
    assign(out.pile_number, state.pile_number)
    assign(out.captured_size, state.captured_size)
    assign(out.contested, state.contested)
    assign(out.throw_count, state.throw_count)
    assign(out.shown_claims, state.shown_claims)
    out.shown_passes = state.shown_passes
    assign(out.shown_throws, state.shown_throws)
    assign(out.taker, state.taker)
    assign(out.points, state.points)
    assign(out.scored, state.scored)
    assign(out.scored_flavours, state.scored_flavours)
    assign(out.scored_shapes, state.scored_shapes)
    _view_cards(state, out)
    _view_choices(state, seat, out)


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """Unseen cards, favourites and choices, each drawn from all that fit the view."""
    copy(view, out)
    reseed(out, rng)
    redeal_favourites(int(view.seats), rng, out.flavours)
    redeal_favourites(int(view.seats), rng, out.shapes)
    redeal_cards(view, rng, out)
    if view.phase == LIVE:
        redeal_claims(view, rng, out)
    else:
        redeal_answers(view, rng, out)
    for pile in range(SEATS):
        for other in range(SEATS):
            if view.throws[pile, other] == UNKNOWN:
                out.throws[pile, other] = roll(rng, len(SIGNS))


@rule
def scores(state: Record, table: Table) -> None:
    """The rounds that are scored, and this one as it stands."""
    for seat in range(int(state.seats)):
        row = table[seat]
        if state.phase == OVER:
            row[:] = 0
        else:
            count_points(state, seat, row)
        for part in range(len(PARTS)):
            row[part] += state.points[seat, part]


@rule
def sealed(state: Record, seat: int, action: int) -> int:
    """Answers and throws until all are in, claims until their photo finish closes, a flip while it waits.

    A flip that still waits when the round ends comes to nothing: no card of the new round is flipped yet then.
    """
    if action == FLIP and (state.flips == 0 or state.phase == OVER):
        return VOID
    return SEALED if _is_sealed(state, seat, action) else 0


@rule
def _is_sealed(state: Record, seat: int, action: int) -> bool:
    if action < THROW_FROM:
        return state.phase == WINDOW and (int(state.claims[seat]) >> (action - ANSWER_FROM)) & 1 == 1
    if action < FLIP:
        return int(state.throws[(action - THROW_FROM) // 3, seat]) == (action - THROW_FROM) % 3
    if action == FLIP:
        return int(state.turn) == seat and int(state.flip_waits) == 1
    if CLAIM_FROM <= action < CLOSE_PHOTO_FINISH_FROM:
        pile = (action - CLAIM_FROM) // PILE_NUMBERS
        return action == _claim(state, pile) and (claimants(state, pile) >> seat) & 1 == 1
    return False


@rule
def _can_act(state: Record, seat: int) -> bool:
    if state.turn == seat and state.flip_waits != 1:
        return True
    return can_say_done(state, seat) or claimable(state, seat) | _throws_due(state, seat) != 0


@rule
def _throws_due(state: Record, seat: int) -> int:
    """The piles this seat must throw for now, as bits."""
    piles = 0
    for pile in range(int(state.seats)):
        if (int(state.contested[pile]) >> seat) & 1 and state.throws[pile, seat] == EMPTY:
            piles |= 1 << pile
    return piles


@rule
def _legal_window(state: Record, mask: Mask) -> None:
    for pile in range(int(state.seats)):
        if state.pile_size[pile] > 0:
            allow(mask, ANSWER_FROM + pile)
    allow(mask, ANSWER_PASS)


@rule
def _apply_window(state: Record, seat: int, answer: int) -> None:
    state.claims[seat] = 1 << answer
    state.asked = int(state.asked) & ~(1 << seat)
    if state.asked == 0:
        show_answers(state)


@rule
def _legal_throws(state: Record, seat: int, mask: Mask) -> None:
    due = _throws_due(state, seat)
    for pile in range(int(state.seats)):
        if (due >> pile) & 1:
            for sign in range(3):
                allow(mask, THROW_FROM + 3 * pile + sign)


@rule
def _apply_throw(state: Record, seat: int, pile: int, sign: int) -> None:
    state.throws[pile, seat] = sign
    if state.phase == LIVE:
        if still_to_throw(state, pile) == 0:
            judge(state, pile)
            go_on_live(state)
        return
    state.asked = int(state.asked) & ~(1 << seat)
    if state.asked == 0:
        show_throws(state)


@rule
def _legal_live(state: Record, seat: int, mask: Mask) -> None:
    if state.turn == seat and state.flip_waits != 1:
        allow(mask, FLIP)
    if can_say_done(state, seat):
        allow(mask, DONE)
    piles = claimable(state, seat)
    for pile in range(int(state.seats)):
        if (piles >> pile) & 1:
            allow(mask, _claim(state, pile))


@rule
def _apply_live(state: Record, seat: int, action: int) -> None:
    if action >= CLAIM_FROM:
        state.claims[seat] = int(state.claims[seat]) | (1 << ((action - CLAIM_FROM) // PILE_NUMBERS))
    elif action == DONE:
        state.done = int(state.done) | (1 << seat)
        if all_done(state) and not settling(state):
            end_round(state)
    elif settling(state):
        state.flip_waits = 1
    else:
        flip(state)


@rule
def _claim(state: Record, pile: int) -> int:
    return CLAIM_FROM + PILE_NUMBERS * pile + int(state.pile_number[pile])


@rule
def _legal_clock(state: Record, mask: Mask) -> None:
    for pile in range(int(state.seats)):
        if claimants(state, pile):
            allow(mask, CLOSE_PHOTO_FINISH_FROM + pile)
        if state.contested[pile]:
            allow(mask, THROW_FOR_FROM + pile)
    if not settling(state):
        allow(mask, CLOSE_ROUND if state.turn == EMPTY else FLIP_FOR)


@rule
def _apply_clock(state: Record, action: int) -> None:
    if action == FLIP_FOR:
        flip(state)
    elif action == CLOSE_ROUND:
        end_round(state)
    elif action >= THROW_FOR_FROM:
        throw_for(state, action - THROW_FOR_FROM)
        go_on_live(state)
    else:
        reveal(state, action - CLOSE_PHOTO_FINISH_FROM)
        go_on_live(state)


@rule
def _view_cards(state: Record, out: Record) -> None:
    """Flipped cards lie open for good, but under `stacked` each covers those below, and score piles are not looked through."""
    for i in range(int(state.flips)):
        out.deck[i] = EMPTY
    if state.stacked == 0 or state.phase == OVER:
        assign(out.captured, state.captured)
    if state.stacked == 0:
        assign(out.piles, state.piles)
        return
    for pile in range(SEATS):
        top = int(state.pile_size[pile]) - 1
        for i in range(max(top, 0), RESERVE):
            out.piles[pile, i] = state.piles[pile, i]


@rule
def _view_choices(state: Record, seat: int, out: Record) -> None:
    for other in range(SEATS):
        own = other == seat
        if own or state.phase == OVER or state.flavours[other] == EMPTY:
            out.flavours[other] = state.flavours[other]
            out.shapes[other] = state.shapes[other]
        # In a window it is known who has answered; in live nobody knows who has claimed.
        if own or (state.phase != LIVE and state.claims[other] == 0):
            out.claims[other] = state.claims[other]
        for pile in range(SEATS):
            if own or state.throws[pile, other] == EMPTY:
                out.throws[pile, other] = state.throws[pile, other]
    if state.phase != LIVE or state.turn == seat or state.turn == EMPTY:
        out.flip_waits = state.flip_waits
