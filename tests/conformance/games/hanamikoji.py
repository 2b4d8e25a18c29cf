"""What the conformance suite must be told about Hanamikoji: its laws, what hides from whom, and small cases to redeal."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np

from tests.conformance.games import RedealCase
from tests.position import Position
from zashiki.core.layout import EMPTY
from zashiki.games.hanamikoji.cards import CHARM
from zashiki.games.hanamikoji.rules import OVER, SECRET

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"rounds": 1}, {"rounds": 3})
"""The options worth walking through."""


def check_laws(state: Any) -> None:
    """21 cards are always somewhere, and sizes tell the truth."""
    cards: Counter[int] = Counter()
    for seat in range(2):
        for item in range(7):
            cards[item] += int(state.hands[seat, item]) + int(state.sides[seat, item])
        if state.phase != OVER:
            cards[int(state.secret[seat])] += 1
        cards.update(int(card) for card in state.trade_off[seat])
        assert int(state.hands[seat].sum()) == state.hand_size[seat]
    cards.update(int(card) for card in state.offer)
    cards.update(int(card) for card in state.deck)
    del cards[EMPTY]
    assert dict(cards) == dict(enumerate(CHARM))
    assert sum(card != EMPTY for card in state.deck) == state.stack_size + 1


def permute_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Shuffles the cards that the rules hide from a seat over the places they may lie in."""
    hidden = [s for s in range(2) if s != seat]
    cards = [int(card) for card in state.deck if card != EMPTY]
    for other in hidden:
        cards += [item for item in range(7) for _ in range(int(state.hands[other, item]))]
        if state.used[other, SECRET] > 0 and state.phase != OVER:
            cards.append(int(state.secret[other]))
        cards += [int(card) for card in state.trade_off[other] if card != EMPTY]
    cards = [cards[i] for i in rng.permutation(len(cards))]
    for i in range(21):
        if state.deck[i] != EMPTY:
            state.deck[i] = cards.pop()
    for other in hidden:
        size = int(state.hand_size[other])
        state.hands[other] = np.bincount([cards.pop() for _ in range(size)], minlength=7)
        if state.used[other, SECRET] > 0 and state.phase != OVER:
            state.secret[other] = cards.pop()
        if state.trade_off[other, 0] != EMPTY:
            state.trade_off[other] = sorted((cards.pop(), cards.pop()))
    assert not cards


def redeal_cases() -> list[RedealCase]:
    """The last two turns of a round: few cards are left, every arrangement of them is counted."""
    return [_last_turns()]


def _last_turns() -> RedealCase:
    position = Position("hanamikoji", 2)
    state = position.state
    state.active, state.starter, state.turn_number = 0, 1, 8
    state.sides[:] = [[0, 1, 1, 2, 1, 1, 1], [1, 1, 1, 0, 1, 2, 1]]
    state.hands[:] = [[0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0]]
    state.hand_size[:] = [1, 0]
    state.secret[:] = [EMPTY, 0]
    state.trade_off[:] = [[6, 6], [3, 4]]
    state.used[:] = [[0, 4, 6, 2], [1, 3, 5, 7]]
    state.deck[:] = EMPTY
    state.deck[0] = 6
    state.stack_size = 0
    check_laws(state)
    unseen = [0, 3, 4, 6]
    ways = Counter((a, *sorted((b, c)), d) for a, b, c, d in permutations(unseen))
    total = sum(ways.values())
    return RedealCase(
        view=position.view(0).copy(),
        seat=0,
        key=lambda s: (int(s.secret[1]), *map(int, s.trade_off[1]), int(s.deck[0])),
        expected={key: count / total for key, count in ways.items()},
    )
