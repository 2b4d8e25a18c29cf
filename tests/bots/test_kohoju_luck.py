"""The luck of imagined deals of Kohoju: the same turn brings the same, whatever was done before."""

from __future__ import annotations

import numpy as np
import pytest

from zashiki.bots.kohoju.luck import act, begin_turn
from zashiki.bots.sense import heuristics
from zashiki.core.gears import GEAR
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.games import find
from zashiki.games.kohoju.cards import CARDS
from zashiki.games.kohoju.rules import DISCARD_FROM, DRAW, DRAW_STOCK

KOHOJU = find("kohoju")
LUCKS = 6_000 if GEAR != "python" else 300


def turn_begun() -> State:
    """Somebody is about to draw."""
    match = Match(KOHOJU, 3, seed=5)
    assert match.state.record.phase == DRAW
    return match.state


def drawn(state: State, luck: int) -> int:
    """The card that a turn's luck brings from the stock."""
    heuristics(KOHOJU)
    state, fate = state.copy(), np.zeros(4, np.uint32)
    seat = int(state.record.active)
    before = set(state.record.hands[seat].tolist())
    begin_turn(state.records[0], luck, fate)
    act(state.records[0], DRAW_STOCK, fate)
    (card,) = set(state.record.hands[seat].tolist()) - before
    return int(card)


def stock_of(state: State) -> list[int]:
    return [card for card in range(CARDS) if int(state.record.stock[card // 25]) >> card % 25 & 1]


def without(state: State, card: int) -> State:
    """The same, but that this card is in the stock no more."""
    other = state.copy()
    other.record.stock[card // 25] ^= 1 << card % 25
    other.record.stock_size -= 1
    return other


def test_the_same_card_comes_whatever_was_discarded_before() -> None:
    state = turn_begun()
    seat = int(state.record.active)
    state.apply(seat, DRAW_STOCK)
    discards = [action for action in state.legal(seat) if action >= DISCARD_FROM]
    for luck in range(10):
        found = set()
        for action in discards:
            after = state.copy()
            after.apply(seat, action)
            found.add(drawn(after, luck))
        assert len(found) == 1


def test_the_same_card_comes_from_another_stock_if_it_is_still_there() -> None:
    state = turn_begun()
    card = drawn(state, 1)
    for gone in stock_of(state):
        if gone != card:
            assert drawn(without(state, gone), 1) == card
    assert drawn(without(state, card), 1) in set(stock_of(state)) - {card}


def test_every_turn_and_every_deal_has_luck_of_its_own() -> None:
    state = turn_begun()
    later, other = state.copy(), state.copy()
    later.record.turn_number += 1
    other.record.active = (int(state.record.active) + 1) % 3
    found = {(drawn(state, luck), drawn(later, luck), drawn(other, luck)) for luck in range(20)}
    assert len(found) > 15
    assert all(len({cards[i] for cards in found}) > 10 for i in range(3))
    assert sum(len(set(cards)) == 3 for cards in found) > 10


def test_every_card_of_the_stock_is_as_likely() -> None:
    state = turn_begun()
    stock = stock_of(state)
    counts = np.bincount([drawn(state, luck) for luck in range(LUCKS)], minlength=CARDS)
    assert counts.sum() == counts[stock].sum() == LUCKS
    expected = LUCKS / len(stock)
    surprise = ((counts[stock] - expected) ** 2 / expected).sum()
    assert surprise == pytest.approx(len(stock) - 1, abs=4 * (2 * len(stock)) ** 0.5)


def test_an_empty_stock_is_shuffled_anew() -> None:
    match = Match(KOHOJU, 3, seed=5)
    while match.state.record.stock_size:
        seat = match.to_act[0]
        match.play(seat, [action for action in match.legal_actions(seat).numbers if action != 1][-1])
    while match.state.record.phase != DRAW:
        seat = match.to_act[0]
        match.play(seat, match.legal_actions(seat).numbers[-1])
    pile = set(match.state.record.discard.tolist())
    assert {drawn(match.state, luck) for luck in range(5)} <= pile
