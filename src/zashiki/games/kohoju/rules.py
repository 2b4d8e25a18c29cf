"""Kohoju, for two to six: lay cards of one colour or one symbol before you, and be rid of the rest in time.

A turn is a draw, at most one card laid, and a discard. A card of the guide card's kind opens a kohoju, which its owner fills with five
symbols of one colour or five colours of one symbol; cards also go into the pool, which is everybody's and scores nothing. Opening and
finishing a kohoju allow one more card. When a hand is empty or the pool is full, everyone scores the points laid in kohojus, five for
each finished one, less the points still in hand. The first to reach the target wins.

The author is not known to us; the source is the German rulebook. Our readings: laying is optional; the card just taken from the discard
pile may not go back in the same turn unless it is the last in hand; a shuffled pile is a set out of which each card comes by chance when
it is drawn; the hands are shown when a deal is scored. The number everybody knows of a card is that of the stock it was last shuffled
into, so that a hidden card is either in the present stock or in a hand that drew it from the stock of its number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Options, Table
from zashiki.core.gears import rule
from zashiki.core.intrinsics import blank, copy, lowest, ones, scratch
from zashiki.core.layout import EMPTY, UNKNOWN, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear
from zashiki.core.random import Words, random_below, reseed, roll, seed_state
from zashiki.games.kohoju.cards import CARDS as CARD_NAMES
from zashiki.games.kohoju.cards import COLOURS, HOUSE_NUMBERS, KINDS as KIND_NAMES, SYMBOLS

SEATS = HOUSE_NUMBERS["most players"].value
LINE = len(SYMBOLS)
KINDS = len(KIND_NAMES)
CARDS = len(CARD_NAMES)
POINTS = HOUSE_NUMBERS["points"].value
HAND = 12
HELD = HAND + 1
PILE = CARDS - 2 * HAND - 1
UNFINISHED = 2
KOHOJUS = 4
FINISHED_BONUS = 5
TURNS = HOUSE_NUMBERS["turns"].value
DEALS = HOUSE_NUMBERS["deals"].value
POINTS_A_DEAL = HOUSE_NUMBERS["points a deal"].value
# Six players draw at most 360 cards in a deal: 51 from the first stock, then 52 from each of the next.
STOCKS = 7

OVER, DRAW, PLAY = range(3)
BY_TARGET, BY_MOST_POINTS, SHARED = range(1, 4)
WENT_OUT, POOL_FULL, TURNS_UP = range(1, 4)

# Where everybody knows a card to be: hidden, with the number of its stock; known in a hand; or in the open.
HIDDEN = 0
KNOWN = HIDDEN + STOCKS
DISCARDED = KNOWN + SEATS
POOLED = DISCARDED + 1
LAID = POOLED + 1

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
        Field("turn_number", "i1", (), "how many turns each player has begun in this deal, this one counted, from 1 to 60"),
        Field("starter", "i1", (), "the seat that began this deal"),
        Field("active", "i1", (), "the seat whose turn it is"),
        Field("may_lay", "i1", (), "1 while another card may be laid this turn"),
        Field("taken", "i1", (), "the card taken from the discard pile this turn and still in hand"),
        Field("guide", "i1", (), "the kind of the guide card"),
        Field("guide_pile", "i4", (), "the kinds left in the guide pile, as bits"),
        Field("pool", "i4", (), "the kinds that lie in the pool, as bits"),
        Field("pool_fits", "i4", (), "the kinds that may be added to the pool, as bits"),
        Field("fits", "i4", (SEATS, UNFINISHED), "the kinds that may be added to each seat's unfinished kohojus, as bits; 0: none there"),
        Field("kohojus", "i1", (SEATS,), "how many kohojus each seat has opened"),
        Field("finished", "i1", (SEATS,), "which of them are finished, as bits"),
        Field("laid", "i1", (SEATS,), "the points in each seat's kohojus"),
        Field("hand_size", "i1", (SEATS,), "cards in each hand"),
        Field("stock_size", "i1", (), "cards in the stock"),
        Field("stock_number", "i1", (), "how often the discard pile has become the stock in this deal"),
        Field("discard_size", "i1", (), "cards in the discard pile"),
        Field("discard", "i1", (PILE,), "the discard pile, its top last"),
        Field("place", "i1", (CARDS,), "for each card 0–6: hidden, last shuffled into the stock of that number; 7–12: known in the "
              "hand of seat 0–5; 13: in the discard pile; 14: in the pool; 15 + 4 × seat + number: in a kohoju"),
        Field("drawn", "i1", (SEATS, STOCKS), "how many hidden cards of each hand came from the stock of each number"),
        Field("last_ending", "i1", (), "how the last deal ended: 1: an empty hand, 2: a full pool, 3: 60 turns; 0: there was none"),
        Field("last_laid", "i1", (SEATS,), "the points in each seat's kohojus in the last deal"),
        Field("last_finished", "i1", (SEATS,), "how many kohojus each seat had finished in the last deal"),
        Field("last_hand", "i1", (SEATS,), "the points left in each hand in the last deal"),
        Field("hands", "i1", (SEATS, HELD), "the cards of each hand in order; of another's the known ones, then unknown ones", hidden=True),
        Field("stock", "i4", (len(COLOURS),), "the cards of each colour in the stock, as bits", hidden=True),
    ),
)

_ALL_KINDS = (1 << KINDS) - 1
_OF_A_COLOUR = CARDS // len(COLOURS)
_WHOLE_COLOUR = (1 << _OF_A_COLOUR) - 1
# The other kinds of the same colour or the same symbol: what may lie beside a kind, in a kohoju as in the pool.
_CROSS = np.array(
    [
        sum(1 << other for other in range(KINDS) if other != kind and (other // LINE == kind // LINE or other % LINE == kind % LINE))
        for kind in range(KINDS)
    ],
    np.int64,
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
            out.hands[other] = state.hands[other]
        else:
            _view_hand(state, other, out)


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """For each stock there was, its hidden cards by chance into the hands that drew from it; what is left is the present stock."""
    copy(view, out)
    reseed(out, rng)
    out.stock[:] = 0
    shown = scratch(CARDS, np.int8)
    unseen = scratch(CARDS, np.int8)
    _mark_shown(view, shown)
    for other in range(SEATS):
        _drop_unknown(out, other)
    for number in range(int(view.stock_number) + 1):
        count = _gather_unseen(view, number, shown, unseen)
        for other in range(int(view.seats)):
            if other != seat and view.phase != OVER:
                count = _redraw(out, other, int(view.drawn[other, number]), rng, unseen, count)
        for i in range(count):
            _shuffle_in(out, int(unseen[i]))


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
def sealed(state: Record, seat: int, action: int) -> bool:
    """Nothing is chosen at the same time here."""
    return False


@rule
def _deal_cards(state: Record) -> None:
    state.deal_number += 1
    state.turn_number = 1
    _clear_table(state)
    for seat in range(int(state.seats)):
        for _ in range(HAND):
            _take_up(state, seat, _draw(state))
        state.drawn[seat, 0] = HAND
    _put_on_discard(state, _draw(state))
    _put_in_pool(state, _draw(state))
    _turn_guide(state)
    _begin_turn(state, int(state.starter))


@rule
def _clear_table(state: Record) -> None:
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
def _draw(state: Record) -> int:
    """A card of the stock by chance, which is what a shuffled stock gives."""
    size = int(state.stock_size)
    n = random_below(state, size)
    state.stock_size = size - 1
    colour = 0
    cards = int(state.stock[0])
    while n >= ones(cards):
        n -= ones(cards)
        colour += 1
        cards = int(state.stock[colour])
    bit = _nth(cards, n)
    state.stock[colour] = cards ^ (1 << bit)
    return colour * _OF_A_COLOUR + bit


@rule
def _nth(bits: int, n: int) -> int:
    """The place of the set bit that has n below it."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@rule
def _take_up(state: Record, seat: int, card: int) -> None:
    """Puts a card into its place in the hand."""
    hand = state.hands[seat]
    i = int(state.hand_size[seat])
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card
    state.hand_size[seat] += 1


@rule
def _put_on_discard(state: Record, card: int) -> None:
    state.discard[int(state.discard_size)] = card
    state.discard_size += 1
    state.place[card] = DISCARDED


@rule
def _put_in_pool(state: Record, card: int) -> None:
    kind = card // POINTS
    state.place[card] = POOLED
    state.pool |= 1 << kind
    state.pool_fits = (int(state.pool_fits) | _CROSS[kind]) & ~int(state.pool)


@rule
def _turn_guide(state: Record) -> None:
    """Turns guide cards up until one still has point cards that are not laid."""
    pile = int(state.guide_pile)
    laid = True
    kind = 0
    while laid:
        if pile == 0:
            pile = _ALL_KINDS
        kind = _nth(pile, random_below(state, ones(pile)))
        pile ^= 1 << kind
        laid = _all_laid(state, kind)
    state.guide_pile = pile
    state.guide = kind


@rule
def _all_laid(state: Record, kind: int) -> bool:
    for card in range(kind * POINTS, kind * POINTS + POINTS):
        if state.place[card] < POOLED:
            return False
    return True


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
            _reshuffle(state)
        _take_up(state, seat, _draw(state))
        state.drawn[seat, int(state.stock_number)] += 1
    else:
        card = _take_from_discard(state)
        _take_up(state, seat, card)
        state.place[card] = KNOWN + seat
        state.taken = card
    state.phase = PLAY
    state.may_lay = 1


@rule
def _reshuffle(state: Record) -> None:
    """The whole discard pile becomes the stock, and everybody knows which cards that are."""
    state.stock_number += 1
    for i in range(int(state.discard_size)):
        card = int(state.discard[i])
        state.place[card] = HIDDEN + state.stock_number
        _shuffle_in(state, card)
    state.stock_size = state.discard_size
    state.discard_size = 0
    state.discard[:] = EMPTY


@rule
def _shuffle_in(state: Record, card: int) -> None:
    state.stock[card // _OF_A_COLOUR] |= 1 << (card % _OF_A_COLOUR)


@rule
def _take_from_discard(state: Record) -> int:
    top = int(state.discard_size) - 1
    card = int(state.discard[top])
    state.discard[top] = EMPTY
    state.discard_size = top
    return card


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
    _put_down(state, seat, card)
    if action < FIRST_FROM:
        _open(state, seat, card)
    elif action < POOL_FROM:
        _add(state, seat, card, (action - FIRST_FROM) // CARDS)
    else:
        _put_in_pool(state, card)
        state.may_lay = 0
    if state.hand_size[seat] == 0:
        _end_deal(state, WENT_OUT)
    elif state.pool_fits == 0:
        _end_deal(state, POOL_FULL)
    elif card // POINTS == state.guide:
        _turn_guide(state)


@rule
def _put_down(state: Record, seat: int, card: int) -> None:
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
def _open(state: Record, seat: int, card: int) -> None:
    which = 0 if state.fits[seat, 0] == 0 else 1
    state.fits[seat, which] = _CROSS[card // POINTS]
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
    fits = int(state.fits[seat, which]) & _CROSS[card // POINTS]
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
    return _nth(opened & ~int(state.finished[seat]), which)


@rule
def _apply_discard(state: Record, seat: int, card: int) -> None:
    _put_down(state, seat, card)
    _put_on_discard(state, card)
    if state.hand_size[seat] == 0:
        _end_deal(state, WENT_OUT)
        return
    if card // POINTS == state.guide:
        _turn_guide(state)
    _next_turn(state)


@rule
def _next_turn(state: Record) -> None:
    following = (int(state.active) + 1) % int(state.seats)
    if following == state.starter:
        if state.turn_number == TURNS:
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
    elif state.deal_number == DEALS + int(state.target) // POINTS_A_DEAL:
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
    out.totals[:] = state.totals
    out.deal_number = state.deal_number
    out.last_ending = state.last_ending
    out.last_laid[:] = state.last_laid
    out.last_finished[:] = state.last_finished
    out.last_hand[:] = state.last_hand


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
    out.fits[:] = state.fits
    out.kohojus[:] = state.kohojus
    out.finished[:] = state.finished
    out.laid[:] = state.laid
    out.hand_size[:] = state.hand_size
    out.stock_size = state.stock_size
    out.stock_number = state.stock_number
    out.discard_size = state.discard_size
    out.discard[:] = state.discard
    out.place[:] = state.place
    out.drawn[:] = state.drawn


@rule
def _view_hand(state: Record, seat: int, out: Record) -> None:
    """The known cards first, so that their places say nothing about the others."""
    size = int(state.hand_size[seat])
    known = 0
    for i in range(size):
        card = int(state.hands[seat, i])
        if state.place[card] == KNOWN + seat:
            out.hands[seat, known] = card
            known += 1
    for i in range(size, HELD):
        out.hands[seat, i] = EMPTY


@rule
def _mark_shown(view: Record, shown: npt.NDArray[np.int8]) -> None:
    """Marks the cards that the viewer sees in hands."""
    for card in range(CARDS):
        shown[card] = 0
    for seat in range(SEATS):
        for i in range(int(view.hand_size[seat])):
            if view.hands[seat, i] != UNKNOWN:
                shown[int(view.hands[seat, i])] = 1


@rule
def _drop_unknown(out: Record, seat: int) -> None:
    size = int(out.hand_size[seat])
    while size > 0 and out.hands[seat, size - 1] == UNKNOWN:
        size -= 1
        out.hands[seat, size] = EMPTY
    out.hand_size[seat] = size


@rule
def _gather_unseen(view: Record, number: int, shown: npt.NDArray[np.int8], unseen: npt.NDArray[np.int8]) -> int:
    """The hidden cards of one stock that the viewer does not see; tells how many they are."""
    count = 0
    for card in range(CARDS):
        if view.place[card] == HIDDEN + number and shown[card] == 0:
            unseen[count] = card
            count += 1
    return count


@rule
def _redraw(out: Record, seat: int, cards: int, rng: Words, unseen: npt.NDArray[np.int8], count: int) -> int:
    """Moves cards by chance from the unseen into a hand; tells how many are left."""
    for _ in range(cards):
        i = roll(rng, count)
        count -= 1
        _take_up(out, seat, int(unseen[i]))
        unseen[i] = unseen[count]
    return count
