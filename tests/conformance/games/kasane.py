"""What the conformance suite must be told about Kasane: its laws, what hides from whom, and small cases to redeal."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any

from tests.conformance.games import RedealCase
from tests.position import Position
from zashiki.core.layout import EMPTY
from zashiki.games.kasane.rules import NOBODY, OVER, TAKE

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np

OPTIONS: tuple[dict[str, bool], ...] = ({}, {"accessory_combo": True})
"""The options worth walking through."""

IN_PLAY = {2: (5, 3), 3: (5, 4), 4: (7, 5)}
"""Accessories, and sets of fabrics."""
LEFT = {2: 4, 3: 3, 4: 4}
"""Cards of the market that nobody takes."""


def check_laws(state: Any) -> None:
    """Every card is somewhere, sizes tell the truth, and everybody has taken as many cards as turns have passed."""
    seats = int(state.seats)
    assert _cards_in(state) == _cards_in_play(seats)
    for row, size in zip(state.market, state.row_size, strict=True):
        _check_pile(row, int(size), lowest=0)
    for seat in range(4):
        _check_pile(state.hands[seat], int(state.hand_size[seat]), lowest=1)
        _check_pile(state.kimonos[seat], int(state.kimono_size[seat]), lowest=1)
        assert seat < seats or state.hand_size[seat] == state.kimono_size[seat] == state.accessories[seat] == 0
    _check_pile(state.discards, int(state.discard_size), lowest=0)
    _check_pile(state.stack, int(state.stack_size), lowest=0)
    _check_taken(state, seats)
    _check_places(state, seats)


def _cards_in_play(seats: int) -> Counter[int]:
    accessories, sets = IN_PLAY[seats]
    return Counter({0: accessories} | dict.fromkeys(range(1, 10), sets))


def _cards_in(state: Any) -> Counter[int]:
    piles = (state.market, state.hands, state.kimonos, state.discards, state.stack)
    cards = Counter(int(card) for pile in piles for card in pile.flat if card != EMPTY)
    cards[0] += int(state.accessories.sum())
    return cards


def _check_pile(pile: Any, size: int, lowest: int) -> None:
    assert all(lowest <= card <= 9 for card in pile[:size])
    assert all(card == EMPTY for card in pile[size:])


def _check_taken(state: Any, seats: int) -> None:
    """Twelve turns a round; a card is taken at the beginning of a turn."""
    turns = 12 * (int(state.round_number) - 1) + int(state.turn_number)
    if state.phase == TAKE:
        turns -= 1
    taken = [int(state.hand_size[s]) + int(state.kimono_size[s]) + int(state.accessories[s]) for s in range(seats)]
    assert sum(taken) == turns
    assert max(taken) - min(taken) <= 1
    if state.phase == OVER:
        assert taken == [12] * seats
    else:
        assert int(state.row_size.sum()) == LEFT[seats] + 12 - turns + 12 * (int(state.round_number) - 1)


def _check_places(state: Any, seats: int) -> None:
    """A place belongs to a player; a mark's second place is used after the first; who used none has laid no fabric."""
    assert all(owner == NOBODY or 0 <= owner < seats for owner in state.places)
    for mark in range(24, 27):
        assert state.places[mark] != NOBODY or state.places[mark + 3] == NOBODY
    for seat in range(seats):
        assert (state.kimono_size[seat] > 0) == (seat in state.places)


def permute_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Shuffles the stack, which nobody knows."""
    size = int(state.stack_size)
    state.stack[:size] = state.stack[:size][rng.permutation(size)]


def redeal_cases() -> list[RedealCase]:
    """Few cards in the stack, with every order of them counted; or many, of which the top two are."""
    return [
        _case(seats=3, round_number=3, seat=0, top=2),
        _case(seats=4, round_number=3, seat=-1, top=4),
        _case(seats=3, round_number=2, seat=2, top=2),
    ]


def _case(seats: int, round_number: int, seat: int, top: int) -> RedealCase:
    """A match in the middle of a round, seen by a seat; what is told apart is the top of the stack."""
    position = Position("kasane", seats, seed=7)
    while position.state.round_number < round_number or position.state.turn_number < 5:
        (active,) = position.to_act()
        position.do(active, position.legal(active)[-1])
    check_laws(position.state)
    view = position.view(seat).copy()
    unseen = _cards_in_play(seats)
    unseen.subtract(_cards_in(_without_stack(view)))
    ways = Counter(permutations(unseen.elements(), top))
    total = sum(ways.values())

    def key(state: Any) -> Hashable:
        size = int(state.stack_size)
        return tuple(int(card) for card in state.stack[size - top : size])

    return RedealCase(view=view, seat=seat, key=key, expected={key: count / total for key, count in ways.items()})


def _without_stack(view: Any) -> Any:
    bare = view.copy()
    bare.stack[:] = EMPTY
    return bare
