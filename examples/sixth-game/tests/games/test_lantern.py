"""Lantern, sentence by sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.position import Position
from zashiki.games.lantern.actions import Lay
from zashiki.games.lantern.cards import HAND, LANTERNS


def with_hands(*hands: tuple[int, ...], **options: Any) -> Position:
    """A match in which seat 0 begins and everybody holds these lanterns."""
    position = Position("lantern", len(hands), **options)
    position.state.active = 0
    position.state.holders[:] = -2
    for seat, hand in enumerate(hands):
        position.state.holders[np.array(hand) - 1] = seat
    return position


def test_everybody_gets_three_of_fifteen_lanterns() -> None:
    position = Position("lantern", 4)
    assert [int((position.state.holders == seat).sum()) for seat in range(4)] == [HAND] * 4
    assert len(position.state.holders) == LANTERNS


def test_the_brightest_lantern_lights_the_street_and_its_player_begins_the_next() -> None:
    position = with_hands((1, 2, 3), (9, 5, 6))
    position.do(0, Lay(3))
    position.do(1, Lay(9))
    assert position.scores() == [{"streets": 0}, {"streets": 1}]
    assert position.to_act() == {1}


def test_in_the_dark_the_dimmest_lights_it() -> None:
    position = with_hands((1, 2, 3), (9, 5, 6), dark=True)
    position.do(0, Lay(3))
    position.do(1, Lay(9))
    assert position.scores() == [{"streets": 1}, {"streets": 0}]


def test_whoever_has_lit_the_most_streets_wins() -> None:
    position = with_hands((1, 2, 15), (9, 5, 6))
    for seat, lantern in ((0, 1), (1, 9), (1, 5), (0, 2), (1, 6), (0, 15)):
        position.do(seat, Lay(lantern))
    assert (position.winners(), position.ending()) == ({1}, "streets")


def test_a_tie_is_shared() -> None:
    position = with_hands((15, 2, 1), (14, 13, 3), (4, 5, 12))
    for seat, lantern in ((0, 15), (1, 14), (2, 4), (0, 2), (1, 13), (2, 5), (1, 3), (2, 12), (0, 1)):
        position.do(seat, Lay(lantern))
    assert (position.winners(), position.ending()) == ({0, 1, 2}, "shared")


def test_nobody_sees_another_hand() -> None:
    position = with_hands((1, 2, 3), (9, 5, 6))
    assert position.view(0).holders.tolist() == [0, 0, 0] + [-1] * 12
