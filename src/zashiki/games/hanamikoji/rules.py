"""Hanamikoji, for two: win the favour of four geisha, or of geisha with eleven charm.

Each round both players use the same four actions once: keep one card in secret, discard two, offer three of which the other takes
one, offer two pairs of which the other takes one. Whoever has more of a geisha's items wins her favour, which stays from round to
round.

Game by Kota Nakayama. Our readings: a choice with one legal answer is asked all the same, so that a round is always twelve
decisions; a match is decided by charm after `rounds` rounds (20 unless chosen; 3 is the printed optional rule).
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from zashiki.core.contract import Options, Table
from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, blank, copy
from zashiki.core.layout import EMPTY, SEALED, UNKNOWN, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear, words_for
from zashiki.core.random import Words, random_below, reseed, roll_shuffle, seed_state, shuffle
from zashiki.games.hanamikoji.cards import CHARM

GEISHA = 7
CARDS = 21
HAND = 6
TURNS = 8
CHARM_TO_WIN = 11
GEISHA_TO_WIN = 4
NOBODY = 2

OVER, TURN, GIFT_ANSWER, COMPETITION_ANSWER = range(4)
BY_CHARM, BY_GEISHA, BY_MOST_CHARM, BY_BEST_GEISHA, SHARED = range(1, 6)
SECRET, TRADE_OFF, GIFT, COMPETITION = range(4)

# Every hand of two, three and twice two items that the deck can fill, in the order of their action numbers.
PAIRS = list(combinations_with_replacement(range(GEISHA), 2))
TRIPLES = [t for t in combinations_with_replacement(range(GEISHA), 3) if all(t.count(i) <= CHARM[i] for i in t)]
DOUBLES = [(p, q) for p, q in combinations_with_replacement(PAIRS, 2) if all((p + q).count(i) <= CHARM[i] for i in p + q)]

SECRET_FROM = 0
TRADE_OFF_FROM = SECRET_FROM + GEISHA
GIFT_FROM = TRADE_OFF_FROM + len(PAIRS)
COMPETITION_FROM = GIFT_FROM + len(TRIPLES)
TAKE_FROM = COMPETITION_FROM + len(DOUBLES)
TAKE_PAIR_FROM = TAKE_FROM + GEISHA
ACTIONS = TAKE_PAIR_FROM + 2
WORDS = words_for(ACTIONS)

PARTS = ("charm",)

STATE = Layout(
    "hanamikoji",
    phases=("over", "turn", "gift answer", "competition answer"),
    endings=("", "charm", "geisha", "most charm", "best geisha", "shared"),
    own=(
        Field("rounds", "i1", (), "the round after which charm decides"),
        Field("round_number", "i1", (), "this round, from 1"),
        Field("starter", "i1", (), "the seat that began this round"),
        Field("turn_number", "i1", (), "this turn of the round, from 1 to 8"),
        Field("active", "i1", (), "the seat whose turn it is; during an offer still the one who offers"),
        Field("markers", "i1", (GEISHA,), "the seat that has each geisha's favour; 2: nobody"),
        Field("sides", "i1", (2, GEISHA), "how many of each item lie open before each seat"),
        Field("used", "i1", (2, 4), "the turn in which each seat used secret, trade-off, gift, competition; 0: not yet"),
        Field("offer", "i1", (4,), "the open offer: three items, or two pairs; −2 where there is none"),
        Field("hand_size", "i1", (2,), "cards in each hand"),
        Field("stack_size", "i1", (), "cards left to draw"),
        Field("scored_sides", "i1", (2, GEISHA), "each seat's items when the last round was scored"),
        Field("scored_secrets", "i1", (2,), "the secrets shown when the last round was scored; −2 in the first"),
        Field("hands", "i1", (2, GEISHA), "how many of each item each hand holds", hidden=True),
        Field("secret", "i1", (2,), "each seat's secret; −2 before it is kept", hidden=True),
        Field("trade_off", "i1", (2, 2), "what each seat has discarded; −2 before that", hidden=True),
        Field("deck", "i1", (CARDS,), "the removed card, then the stack with its top last", hidden=True),
    ),
)

_CHARM = np.array(CHARM, np.int64)
_DECK = np.array([item for item in range(GEISHA) for _ in range(CHARM[item])], np.int8)
_PAIR_ITEMS = np.array(PAIRS, np.int64)
_TRIPLE_ITEMS = np.array(TRIPLES, np.int64)
_DOUBLE_ITEMS = np.array([p + q for p, q in DOUBLES], np.int64)


def _turn_actions() -> list[tuple[int, tuple[int, ...]]]:
    """Every action of a turn in order: which of the four it is, and the cards it takes out of the hand."""
    return [
        *((SECRET, (item,)) for item in range(GEISHA)),
        *((TRADE_OFF, pair) for pair in PAIRS),
        *((GIFT, triple) for triple in TRIPLES),
        *((COMPETITION, p + q) for p, q in DOUBLES),
    ]


def _bits(chosen: list[bool]) -> list[int]:
    """Truth values of the first actions as the words of a mask."""
    number = sum(1 << place for place, each in enumerate(chosen) if each)
    return [(number >> (32 * word)) & 0xFFFFFFFF for word in range(WORDS)]


# By the set of used actions: what is left. By item and how many of it are in hand: what wants no more.
_UNUSED = np.array([_bits([not used >> kind & 1 for kind, _ in _turn_actions()]) for used in range(16)], np.uint32)
_WITHIN = np.array(
    [
        [_bits([cards.count(item) <= held for _, cards in _turn_actions()]) for held in range(max(CHARM) + 1)]
        for item in range(GEISHA)
    ],
    np.uint32,
)


@rule
def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """Nobody has a favour yet; a random seat begins."""
    seed_state(state, seed)
    state.seats = seats
    state.rounds = options[0]
    state.winners = 0
    state.ending = 0
    state.markers[:] = NOBODY
    state.scored_sides[:] = 0
    state.scored_secrets[:] = EMPTY
    state.round_number = 0
    state.starter = random_below(state, 2)
    _deal_round(state)


@rule
def to_act(state: Record) -> int:
    """The active seat, or the other one while an offer is open."""
    if state.phase == OVER:
        return 0
    if state.phase == TURN:
        return 1 << int(state.active)
    return 1 << (1 - int(state.active))


@rule
def legal(state: Record, seat: int, mask: Mask) -> None:
    """The actions left with the cards in hand, or the answers to the offer."""
    clear(mask)
    if (to_act(state) >> seat) & 1 == 0:
        return
    if state.phase == TURN:
        _legal_turn(state, seat, mask)
    elif state.phase == GIFT_ANSWER:
        for i in range(3):
            allow(mask, TAKE_FROM + int(state.offer[i]))
    else:
        allow(mask, TAKE_PAIR_FROM)
        if state.offer[0] != state.offer[2] or state.offer[1] != state.offer[3]:
            allow(mask, TAKE_PAIR_FROM + 1)


@rule
def apply(state: Record, seat: int, action: int) -> None:
    """Uses an action, or answers an offer."""
    if action < GIFT_FROM:
        _apply_face_down(state, seat, action)
        _next_turn(state)
    elif action < TAKE_FROM:
        _apply_offer(state, seat, action)
    else:
        if action < TAKE_PAIR_FROM:
            _apply_gift_answer(state, seat, action - TAKE_FROM)
        else:
            _apply_competition_answer(state, seat, action - TAKE_PAIR_FROM)
        state.offer[:] = EMPTY
        _next_turn(state)


@rule
def view(state: Record, seat: int, out: Record) -> None:
    """Everything open, and the seat's own hand, secret and trade-off."""
    blank(out)
    out.seats = state.seats
    out.phase = state.phase
    out.winners = state.winners
    out.ending = state.ending
    out.rounds = state.rounds
    out.round_number = state.round_number
    out.starter = state.starter
    out.turn_number = state.turn_number
    out.active = state.active
    assign(out.markers, state.markers)
    assign(out.sides, state.sides)
    assign(out.used, state.used)
    assign(out.offer, state.offer)
    assign(out.hand_size, state.hand_size)
    out.stack_size = state.stack_size
    assign(out.scored_sides, state.scored_sides)
    assign(out.scored_secrets, state.scored_secrets)
    for other in range(2):
        if other == seat:
            assign(out.hands[other], state.hands[other])
        if other == seat or state.used[other, TRADE_OFF] == 0:
            assign(out.trade_off[other], state.trade_off[other])
        if other == seat or state.used[other, SECRET] == 0 or state.phase == OVER:
            out.secret[other] = state.secret[other]


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """The cards that lie nowhere open, shuffled over the places nobody showed."""
    copy(view, out)
    reseed(out, rng)
    unseen = _gather_unseen(view, out)
    roll_shuffle(rng, out.deck, 0, unseen)
    for other in range(2):
        if view.hands[other, 0] == UNKNOWN:
            out.hands[other] = 0
            for _ in range(int(view.hand_size[other])):
                unseen -= 1
                out.hands[other, int(out.deck[unseen])] += 1
        if view.secret[other] == UNKNOWN:
            unseen -= 1
            out.secret[other] = out.deck[unseen]
        if view.trade_off[other, 0] == UNKNOWN:
            unseen -= 2
            _keep_pair(out, other, int(out.deck[unseen]), int(out.deck[unseen + 1]))
    for i in range(unseen, CARDS):
        out.deck[i] = EMPTY


@rule
def scores(state: Record, table: Table) -> None:
    """The charm of the geisha whose favour each seat has."""
    for seat in range(2):
        table[seat, 0] = _charm(state, seat)


@rule
def sealed(state: Record, seat: int, action: int) -> int:
    """A secret until its round is scored: then it lies open, and the next round has none yet."""
    if action < TRADE_OFF_FROM and state.used[seat, SECRET] > 0 and state.phase != OVER:
        return SEALED
    return 0


@rule
def _deal_round(state: Record) -> None:
    state.round_number += 1
    state.turn_number = 1
    state.active = state.starter
    state.phase = TURN
    state.sides[:] = 0
    state.hands[:] = 0
    state.used[:] = 0
    state.offer[:] = EMPTY
    state.secret[:] = EMPTY
    state.trade_off[:] = EMPTY
    assign(state.deck, _DECK)
    shuffle(state, state.deck, 0, CARDS)
    state.stack_size = CARDS - 1
    state.hand_size[:] = 0
    for seat in range(2):
        for _ in range(HAND):
            _draw(state, seat)
    _draw(state, int(state.starter))


@rule
def _draw(state: Record, seat: int) -> None:
    top = int(state.stack_size)
    item = int(state.deck[top])
    state.deck[top] = EMPTY
    state.stack_size = top - 1
    state.hands[seat, item] += 1
    state.hand_size[seat] += 1


@rule
def _legal_turn(state: Record, seat: int, mask: Mask) -> None:
    """What no action used up forbids, and what wants no more of any item than the hand holds."""
    hand = state.hands[seat]
    used = 0
    for action in range(4):
        used |= (state.used[seat, action] > 0) << action
    for word in range(WORDS):
        bits = _UNUSED[used, word]
        for item in range(GEISHA):
            bits &= _WITHIN[item, hand[item], word]
        mask[word] = bits


@rule
def _apply_face_down(state: Record, seat: int, action: int) -> None:
    if action < TRADE_OFF_FROM:
        _play(state, seat, action)
        state.secret[seat] = action
        state.used[seat, SECRET] = state.turn_number
    else:
        pair = action - TRADE_OFF_FROM
        for i in range(2):
            _play(state, seat, _PAIR_ITEMS[pair, i])
            state.trade_off[seat, i] = _PAIR_ITEMS[pair, i]
        state.used[seat, TRADE_OFF] = state.turn_number


@rule
def _apply_offer(state: Record, seat: int, action: int) -> None:
    if action < COMPETITION_FROM:
        for i in range(3):
            state.offer[i] = _TRIPLE_ITEMS[action - GIFT_FROM, i]
            _play(state, seat, int(state.offer[i]))
        state.used[seat, GIFT] = state.turn_number
        state.phase = GIFT_ANSWER
    else:
        for i in range(4):
            state.offer[i] = _DOUBLE_ITEMS[action - COMPETITION_FROM, i]
            _play(state, seat, int(state.offer[i]))
        state.used[seat, COMPETITION] = state.turn_number
        state.phase = COMPETITION_ANSWER


@rule
def _apply_gift_answer(state: Record, seat: int, item: int) -> None:
    for i in range(3):
        state.sides[1 - seat, int(state.offer[i])] += 1
    state.sides[1 - seat, item] -= 1
    state.sides[seat, item] += 1


@rule
def _apply_competition_answer(state: Record, seat: int, pair: int) -> None:
    for i in range(4):
        owner = seat if i // 2 == pair else 1 - seat
        state.sides[owner, int(state.offer[i])] += 1


@rule
def _play(state: Record, seat: int, item: int) -> None:
    state.hands[seat, item] -= 1
    state.hand_size[seat] -= 1


@rule
def _next_turn(state: Record) -> None:
    state.phase = TURN
    if state.turn_number == TURNS:
        _score_round(state)
        return
    state.turn_number += 1
    state.active = 1 - state.active
    _draw(state, int(state.active))


@rule
def _score_round(state: Record) -> None:
    for seat in range(2):
        state.sides[seat, int(state.secret[seat])] += 1
        state.scored_secrets[seat] = state.secret[seat]
    assign(state.scored_sides, state.sides)
    for item in range(GEISHA):
        if state.sides[0, item] > state.sides[1, item]:
            state.markers[item] = 0
        elif state.sides[1, item] > state.sides[0, item]:
            state.markers[item] = 1
    _decide(state)
    if state.phase != OVER:
        state.starter = 1 - state.starter
        _deal_round(state)


@rule
def _decide(state: Record) -> None:
    """Eleven charm first, then four geisha, then, after the last round, charm and the best geisha."""
    for seat in range(2):
        if _charm(state, seat) >= CHARM_TO_WIN:
            _end(state, 1 << seat, BY_CHARM)
            return
    for seat in range(2):
        if _favours(state, seat) >= GEISHA_TO_WIN:
            _end(state, 1 << seat, BY_GEISHA)
            return
    if state.round_number == state.rounds:
        _decide_by_charm(state)


@rule
def _decide_by_charm(state: Record) -> None:
    lead = _charm(state, 0) - _charm(state, 1)
    if lead != 0:
        _end(state, 1 if lead > 0 else 2, BY_MOST_CHARM)
        return
    lead = _best_geisha(state, 0) - _best_geisha(state, 1)
    if lead != 0:
        _end(state, 1 if lead > 0 else 2, BY_BEST_GEISHA)
    else:
        _end(state, 3, SHARED)


@rule
def _end(state: Record, winners: int, ending: int) -> None:
    state.phase = OVER
    state.winners = winners
    state.ending = ending


@rule
def _charm(state: Record, seat: int) -> int:
    total = 0
    for item in range(GEISHA):
        if state.markers[item] == seat:
            total += _CHARM[item]
    return total


@rule
def _favours(state: Record, seat: int) -> int:
    total = 0
    for item in range(GEISHA):
        if state.markers[item] == seat:
            total += 1
    return total


@rule
def _best_geisha(state: Record, seat: int) -> int:
    best = 0
    for item in range(GEISHA):
        if state.markers[item] == seat:
            best = max(best, _CHARM[item])
    return best


@rule
def _gather_unseen(view: Record, out: Record) -> int:
    """Lays the cards that the viewer cannot place into `out.deck`; tells how many they are."""
    unseen = 0
    for item in range(GEISHA):
        left = _CHARM[item]
        for i in range(4):
            if view.offer[i] == item:
                left -= 1
        for seat in range(2):
            left -= view.sides[seat, item]
            if view.hands[seat, item] != UNKNOWN:
                left -= view.hands[seat, item]
            # After the last scoring the secrets lie with the open cards.
            if view.secret[seat] == item and view.phase != OVER:
                left -= 1
            for i in range(2):
                if view.trade_off[seat, i] == item:
                    left -= 1
        for _ in range(left):
            out.deck[unseen] = item
            unseen += 1
    return unseen


@rule
def _keep_pair(out: Record, seat: int, a: int, b: int) -> None:
    out.trade_off[seat, 0] = min(a, b)
    out.trade_off[seat, 1] = max(a, b)
