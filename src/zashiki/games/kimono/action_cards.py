"""Action cards: lucky cat, breakage and copy, carried out one by one by the seat that took them.

Each function that carries something out tells what must be asked first, or NOTHING when it is done.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from zashiki.core.gears import rule
from zashiki.core.layout import EMPTY
from zashiki.core.masks import Mask, allow
from zashiki.games.kimono.cards import APPRENTICE, BREAKAGE, CAT, COPY, CURIOS, ROUNDS, TO_DO

if TYPE_CHECKING:
    from zashiki.core.layout import Record

SORTS = len(CURIOS)
PAIRS = list(combinations_with_replacement(range(SORTS), 2))
NOTHING, WHICH_NEXT, WHAT_TO_BREAK, WHICH_TO_COPY = range(4)

_PAIR_SORTS = np.array(PAIRS, np.int64)
_PAIR = np.zeros((SORTS, SORTS), np.int64)
for _number, (_a, _b) in enumerate(PAIRS):
    _PAIR[_a, _b] = _number


@rule
def receive(state: Record, seat: int, card: int) -> None:
    """Lays a card out, or adds it to those to do."""
    if card < CAT:
        state.front[seat, card] += 1
    elif card == APPRENTICE:
        state.apprentice = seat
    else:
        state.to_do[card - CAT] += 1


@rule
def carry_out_next(state: Record) -> int:
    """Carries out the next action card, if there is only one kind left."""
    kinds = 0
    card = 0
    for kind in range(len(TO_DO)):
        if state.to_do[kind] > 0:
            kinds += 1
            card = CAT + kind
    if kinds > 1:
        return WHICH_NEXT
    return carry_out(state, card)


@rule
def legal_choice(state: Record, mask: Mask, first: int) -> None:
    """Allows the kinds that are left, numbered from `first`."""
    for kind in range(len(TO_DO)):
        if state.to_do[kind] > 0:
            allow(mask, first + kind)


@rule
def carry_out(state: Record, card: int) -> int:
    """Carries out an action card, if it can be done in one way only."""
    seat = int(state.taker)
    if card == CAT:
        _draw(state, seat)
        return NOTHING
    if card == BREAKAGE:
        return _carry_out_breakage(state, seat)
    return _carry_out_copy(state, seat)


@rule
def _draw(state: Record, seat: int) -> None:
    _into_box(state, CAT)
    left = int(state.sack_size) - 1
    top = ROUNDS * int(state.pile_size) + left
    state.sack_size = left
    card = int(state.deck[top])
    state.deck[top] = EMPTY
    receive(state, seat, card)


@rule
def _into_box(state: Record, card: int) -> None:
    state.to_do[card - CAT] -= 1
    state.box[card] += 1


@rule
def _carry_out_breakage(state: Record, seat: int) -> int:
    """With at most one pair to choose, every sort the seat has loses what it can, up to two."""
    kinds = 0
    doubles = 0
    for sort in range(SORTS):
        kinds += int(state.front[seat, sort] > 0)
        doubles += int(state.front[seat, sort] > 1)
    if kinds * (kinds - 1) // 2 + doubles > 1:
        return WHAT_TO_BREAK
    _into_box(state, BREAKAGE)
    for sort in range(SORTS):
        for _ in range(min(2, int(state.front[seat, sort]))):
            _break(state, seat, sort)
    return NOTHING


@rule
def legal_breakage(state: Record, seat: int, mask: Mask, first: int) -> None:
    """Allows the pairs of curios before the seat, numbered from `first`."""
    front = state.front[seat]
    for a in range(SORTS):
        if front[a] == 0:
            continue
        if front[a] > 1:
            allow(mask, first + _PAIR[a, a])
        for b in range(a + 1, SORTS):
            if front[b] > 0:
                allow(mask, first + _PAIR[a, b])


@rule
def apply_breakage(state: Record, seat: int, pair: int) -> None:
    """Breaks that pair."""
    _into_box(state, BREAKAGE)
    _break(state, seat, _PAIR_SORTS[pair, 0])
    _break(state, seat, _PAIR_SORTS[pair, 1])


@rule
def _break(state: Record, seat: int, sort: int) -> None:
    """Copies leave last."""
    state.front[seat, sort] -= 1
    if state.front[seat, sort] < state.copies[seat, sort]:
        state.copies[seat, sort] -= 1
        state.box[COPY] += 1
    else:
        state.box[sort] += 1


@rule
def _carry_out_copy(state: Record, seat: int) -> int:
    most = _most_of_a_sort(state, seat)
    if most == 0:
        _into_box(state, COPY)
        return NOTHING
    ties = 0
    found = 0
    for sort in range(SORTS):
        if state.front[seat, sort] == most:
            ties += 1
            found = sort
    if ties > 1:
        return WHICH_TO_COPY
    apply_copy(state, seat, found)
    return NOTHING


@rule
def legal_copy(state: Record, seat: int, mask: Mask, first: int) -> None:
    """Allows the sorts that tie for most cards, numbered from `first`."""
    most = _most_of_a_sort(state, seat)
    for sort in range(SORTS):
        if state.front[seat, sort] == most:
            allow(mask, first + sort)


@rule
def apply_copy(state: Record, seat: int, sort: int) -> None:
    """Adds a copy to that sort, for good."""
    state.to_do[COPY - CAT] -= 1
    state.front[seat, sort] += 1
    state.copies[seat, sort] += 1


@rule
def _most_of_a_sort(state: Record, seat: int) -> int:
    most = 0
    for sort in range(SORTS):
        most = max(most, int(state.front[seat, sort]))
    return most
