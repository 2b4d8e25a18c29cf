"""The numeric features of a Kohoju view, own seat first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.games.kohoju.cards import CARDS, KINDS, LEAST_DEALS, POINTS, POINTS_A_DEAL, TURNS_A_DEAL
from zashiki.games.kohoju.piles import KNOWN, SEATS, STOCKS
from zashiki.games.kohoju.rules import DRAW, FINISHED_BONUS, HAND, PILE, PLAY, UNFINISHED

if TYPE_CHECKING:
    from zashiki.core.contract import Tensor
    from zashiki.core.layout import Record

MATCH = 10 + SEATS + 1
GUIDE = 2 * KINDS
POOL = 2 * KINDS
DISCARD = KINDS + 1 + KINDS
UNSEEN = 2 * KINDS
OWN = CARDS + KINDS + 1
SEAT = 12 + (UNFINISHED + 1) * KINDS
FEATURES = MATCH + GUIDE + POOL + DISCARD + UNSEEN + OWN + SEATS * SEAT


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
    """The top card by kind and points, and how many of each kind lie below."""
    size = int(view.discard_size)
    for i in range(size):
        tensor[place + KINDS + 1 + int(view.discard[i]) // POINTS] += 1 / POINTS
    if size > 0:
        top = int(view.discard[size - 1])
        tensor[place + top // POINTS] = 1
        tensor[place + KINDS] = (top % POINTS + 1) / POINTS


@rule
def _observe_unseen(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """How many cards of each kind nobody has shown, the own ones not counted; and those that must be in hands."""
    for card in range(CARDS):
        if view.place[card] < KNOWN:
            tensor[place + card // POINTS] += 1 / POINTS
            if view.place[card] < view.stock_number:
                tensor[place + KINDS + card // POINTS] += 1 / POINTS
    if seat < 0:
        return
    for i in range(int(view.hand_size[seat])):
        card = int(view.hands[seat, i])
        if view.place[card] < KNOWN:
            tensor[place + card // POINTS] -= 1 / POINTS
            if view.place[card] < view.stock_number:
                tensor[place + KINDS + card // POINTS] -= 1 / POINTS


@rule
def _observe_hand(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """Each card, how many of each kind, and the points in all; the card taken this turn counts half, as it may not go back."""
    for i in range(int(view.hand_size[seat])):
        card = int(view.hands[seat, i])
        points = card % POINTS + 1
        tensor[place + card] = 1 if card != view.taken else 0.5
        tensor[place + CARDS + card // POINTS] += 1 / POINTS
        tensor[place + CARDS + KINDS] += points / (HAND * POINTS)


@rule
def _observe_seat(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    """How the seat stands, the kinds it can use, and the cards known in its hand."""
    target = int(view.target)
    tensor[place] = 1
    tensor[place + 1] = view.starter == seat
    tensor[place + 2] = view.hand_size[seat] / HAND
    tensor[place + 3] = view.laid[seat] / (HAND * POINTS)
    tensor[place + 4] = FINISHED_BONUS * ones(int(view.finished[seat])) / (HAND * POINTS)
    tensor[place + 5] = view.kohojus[seat] / 4
    tensor[place + 6] = max(view.totals[seat] / target, -4) / 4
    tensor[place + 7] = max(min((int(view.totals[seat]) - target) / (HAND * POINTS), 1), -1)
    # How far each kohoju is: it has one card while eight kinds fit, and the rest of its line after that.
    for which in range(UNFINISHED):
        fits = int(view.fits[seat, which])
        missing = min(ones(fits), 4)
        tensor[place + 8 + which] = missing > 0
        tensor[place + 10 + which] = missing / 4
        _observe_kinds(fits, tensor, place + 12 + which * KINDS)
    for i in range(int(view.hand_size[seat])):
        card = int(view.hands[seat, i])
        if card >= 0 and view.place[card] == KNOWN + seat:
            tensor[place + 12 + UNFINISHED * KINDS + card // POINTS] += 1 / POINTS
