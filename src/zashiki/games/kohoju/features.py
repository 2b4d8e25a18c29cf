"""The numeric features of a Kohoju view, own seat first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.core.observation import Features, Observation, Repeated
from zashiki.games.kohoju.cards import CARDS, KINDS, LEAST_DEALS, POINTS, POINTS_A_DEAL, TURNS_A_DEAL
from zashiki.games.kohoju.piles import HIDDEN, KNOWN, SEATS, STOCKS
from zashiki.games.kohoju.rules import DRAW, FINISHED_BONUS, HAND, KOHOJUS, PILE, PLAY, UNFINISHED

if TYPE_CHECKING:
    from zashiki.core.contract import Tensor
    from zashiki.core.layout import Record

MOST_LOST = HAND * POINTS
# Of a kind there are at most 5 cards with 15 points; these scales are powers of two, so that counting up and down stays exact.
CARD_SCALE, POINT_SCALE = 4, 16

MATCH = 10 + SEATS + 1
GUIDE = 2 * KINDS
POOL = 2 * KINDS
# What is counted by kind: how many cards, then their points. Of a kind, only the points tell one card from another.
COUNTED = 2 * KINDS
DISCARD = KINDS + 1 + COUNTED
UNSEEN = 2 * COUNTED
OWN = CARDS + COUNTED + 1
SEAT = 14 + UNFINISHED * KINDS + COUNTED
FEATURES = MATCH + GUIDE + POOL + DISCARD + UNSEEN + OWN + SEATS * SEAT


OBSERVATION: Observation = (
    Features(2, "what is decided: draw, play", "one of"),
    Features(1, "it is the own turn", "flags"),
    Features(1, "another card may be laid this turn", "flags"),
    Features(2, "turns of the deal, of 60; the deal, of as many as there can be"),
    Features(1, "the option `target`, of 500"),
    Features(3, "cards in the stock, of the largest; reshuffles, of the most there can be; cards in the discard pile"),
    Features(SEATS, "whose turn it is, from the viewer on", "one of"),
    Features(1, "seats, of 6"),
    Features(KINDS, "the guide card", "one of"),
    Features(KINDS, "kinds left in the guide pile", "flags"),
    Features(KINDS, "kinds in the pool", "flags"),
    Features(KINDS, "kinds that may be added to the pool", "flags"),
    Features(KINDS, "the kind on top of the discard pile", "one of"),
    Features(1, "its points, of 5"),
    Features(KINDS, "cards of each kind in the discard pile, of 4"),
    Features(KINDS, "their points, of 16"),
    Features(KINDS, "cards of each kind that nobody has shown, the own ones aside, of 4"),
    Features(KINDS, "their points, of 16"),
    Features(KINDS, "those of them that must be in hands, of 4"),
    Features(KINDS, "their points, of 16"),
    Features(CARDS, "each card of the own hand; half for the one taken this turn"),
    Features(KINDS, "cards of each kind in the own hand, of 4"),
    Features(KINDS, "their points, of 16"),
    Features(1, "all points in the own hand, of 60"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(1, "the seat is played", "flags"),
            Features(1, "it began the deal", "flags"),
            Features(1, "cards in hand, of 12"),
            Features(1, "share of its hidden cards drawn before the last reshuffle"),
            Features(2, "points laid, of 60; points for finished kohojus, of 60"),
            Features(1, "kohojus opened, of 4"),
            Features(3, "total by target, way to the target, lead over the best of the others: x / (1 + |x|) of each"),
            Features(UNFINISHED, "it has a first, a second unfinished kohoju", "flags"),
            Features(UNFINISHED, "cards that each of them misses, of 4"),
            Features(KINDS, "kinds that fit each of them", "flags", UNFINISHED),
            Features(KINDS, "cards of each kind known to be in its hand, of 4"),
            Features(KINDS, "their points, of 16"),
        ),
    ),
)


@rule
def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """The match and the turn, the middle of the table, what nobody shows, the own hand, then each seat from the viewer on."""
    tensor[:] = 0
    me = max(seat, 0)
    _observe_match(view, me, tensor)
    place = MATCH
    tensor[place + int(view.guide)] = 1
    _observe_kinds(int(view.guide_pile), tensor, place + KINDS)
    place += GUIDE
    _observe_kinds(int(view.pool), tensor, place)
    _observe_kinds(int(view.pool_fits), tensor, place + KINDS)
    place += POOL
    _observe_discard(view, tensor, place)
    place += DISCARD
    _observe_unseen(view, seat, tensor, place)
    place += UNSEEN
    if seat >= 0:
        _observe_hand(view, seat, tensor, place)
    place += OWN
    for relative in range(int(view.seats)):
        _observe_seat(view, (me + relative) % int(view.seats), tensor, place)
        place += SEAT


@rule
def _observe_match(view: Record, me: int, tensor: Tensor) -> None:
    tensor[0] = view.phase == DRAW
    tensor[1] = view.phase == PLAY
    tensor[2] = view.active == me
    tensor[3] = view.may_lay
    tensor[4] = view.turn_number / TURNS_A_DEAL
    tensor[5] = view.deal_number / (LEAST_DEALS + int(view.target) // POINTS_A_DEAL)
    tensor[6] = view.target / 500
    tensor[7] = view.stock_size / PILE
    tensor[8] = view.stock_number / STOCKS
    tensor[9] = view.discard_size / PILE
    tensor[10 + (int(view.active) - me) % int(view.seats)] = 1
    tensor[10 + SEATS] = view.seats / SEATS


@rule
def _observe_kinds(kinds: int, tensor: Tensor, place: int) -> None:
    for kind in range(KINDS):
        tensor[place + kind] = (kinds >> kind) & 1


@rule
def _observe_discard(view: Record, tensor: Tensor, place: int) -> None:
    """The top card by kind and points, then the whole pile, which is the next stock."""
    size = int(view.discard_size)
    for i in range(size):
        _count(int(view.discard[i]), 1, tensor, place + KINDS + 1)
    if size > 0:
        top = int(view.discard[size - 1])
        tensor[place + top // POINTS] = 1
        tensor[place + KINDS] = (top % POINTS + 1) / POINTS


@rule
def _count(card: int, times: int, tensor: Tensor, place: int) -> None:
    """Adds a card, or takes one off, where cards are counted by kind."""
    kind = card // POINTS
    tensor[place + kind] += times / CARD_SCALE
    tensor[place + KINDS + kind] += times * (card % POINTS + 1) / POINT_SCALE


@rule
def _observe_unseen(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """The cards of each kind that nobody has shown, the own ones not counted; and those of them that must be in hands."""
    in_hands = HIDDEN + int(view.stock_number)
    for kind in range(KINDS):
        _count_unseen(view, kind, KNOWN, tensor, place)
        _count_unseen(view, kind, in_hands, tensor, place + COUNTED)
    if seat < 0:
        return
    for i in range(int(view.hand_size[seat])):
        card = int(view.hands[seat, i])
        if view.place[card] < KNOWN:
            _count(card, -1, tensor, place)
            if view.place[card] < in_hands:
                _count(card, -1, tensor, place + COUNTED)


@rule
def _count_unseen(view: Record, kind: int, below: int, tensor: Tensor, place: int) -> None:
    """Counts the cards of a kind whose place is below this one."""
    cards, points = 0, 0
    for worth in range(POINTS):
        unseen = int(view.place[kind * POINTS + worth] < below)
        cards += unseen
        points += unseen * (worth + 1)
    tensor[place + kind] = cards / CARD_SCALE
    tensor[place + KINDS + kind] = points / POINT_SCALE


@rule
def _observe_hand(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """Each card, the kinds, and the points in all; the card taken this turn counts half, as it may not go back."""
    points = 0
    for i in range(int(view.hand_size[seat])):
        card = int(view.hands[seat, i])
        points += card % POINTS + 1
        tensor[place + card] = 1 if card != view.taken else 0.5
        _count(card, 1, tensor, place + CARDS)
    tensor[place + CARDS + COUNTED] = points / MOST_LOST


@rule
def _observe_seat(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """How the seat stands, the kinds it can use, and the cards known in its hand."""
    tensor[place] = 1
    tensor[place + 1] = view.starter == seat
    tensor[place + 2] = view.hand_size[seat] / HAND
    tensor[place + 3] = _share_of_earlier_stocks(view, seat)
    tensor[place + 4] = view.laid[seat] / MOST_LOST
    tensor[place + 5] = FINISHED_BONUS * ones(int(view.finished[seat])) / MOST_LOST
    tensor[place + 6] = view.kohojus[seat] / KOHOJUS
    _observe_total(view, seat, tensor, place + 7)
    # How far each kohoju is: it has one card while eight kinds fit, and the rest of its line after that.
    for which in range(UNFINISHED):
        fits = int(view.fits[seat, which])
        missing = min(ones(fits), 4)
        tensor[place + 10 + which] = missing > 0
        tensor[place + 12 + which] = missing / 4
        _observe_kinds(fits, tensor, place + 14 + which * KINDS)
    for i in range(int(view.hand_size[seat])):
        card = int(view.hands[seat, i])
        if card >= 0 and view.place[card] == KNOWN + seat:
            _count(card, 1, tensor, place + 14 + UNFINISHED * KINDS)


@rule
def _share_of_earlier_stocks(view: Record, seat: int) -> float:
    """Of a hand's hidden cards those that were drawn before the last reshuffle."""
    earlier = 0
    for number in range(int(view.stock_number)):
        earlier += int(view.drawn[seat, number])
    hidden = earlier + int(view.drawn[seat, int(view.stock_number)])
    return earlier / max(hidden, 1)


@rule
def _observe_total(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """The total, the way to the target, and the lead over the best of the others."""
    target = int(view.target)
    total = int(view.totals[seat])
    seats = int(view.seats)
    best = int(view.totals[(seat + 1) % seats])
    for further in range(2, seats):
        best = max(best, int(view.totals[(seat + further) % seats]))
    tensor[place] = _squashed(total / target)
    tensor[place + 1] = _squashed((total - target) / MOST_LOST)
    tensor[place + 2] = _squashed((total - best) / MOST_LOST)


@rule
def _squashed(number: float) -> float:
    """Between −1 and 1, and never the same for two numbers: totals have no bound that is worth a scale."""
    return number / (1 + abs(number))
