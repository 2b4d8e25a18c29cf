"""A match as a row of single decisions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from tests.conformance.walks import SETTINGS, Setting
from zashiki.core.layout import CLOCK
from zashiki.core.masks import words_for
from zashiki.core.state import State, seed_words
from zashiki.core.turns import NOBODY, REFUSED, turn_doors
from zashiki.games import find

SOME = [setting for setting in SETTINGS if setting.seats == find(setting.game).seats[-1]]


class Table:
    """A match and what its doors are called with."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.game = find(setting.game)
        self.doors = turn_doors(self.game)
        self.words = words_for(self.game.rules.ACTIONS)
        self.state, self.rng = State(self.game), np.zeros(4, np.uint32)
        numbers = self.game.option_numbers(setting.options)
        self.acting = self.doors.start(self.state.records, setting.seats, numbers, seed_words(seed), self.words, self.rng)

    def decide(self, action: int) -> int:
        return self.doors.decide(self.state.records, self.acting, action, self.words, self.rng)


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_whoever_is_asked_may_act_and_is_never_the_clock(setting: Setting) -> None:
    table = Table(setting, 1)
    for place in range(60):
        if table.acting == NOBODY:
            assert table.state.to_act() == 0
            break
        assert 0 <= table.acting < CLOCK
        assert table.state.to_act() >> table.acting & 1
        legal = table.state.legal(table.acting)
        table.acting = table.decide(legal[place % len(legal)])


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_a_look_is_the_view_as_numbers_with_its_legal_actions(setting: Setting) -> None:
    table = Table(setting, 2)
    for seat in range(setting.seats):
        tensor, flags = np.empty(table.game.features, np.float32), np.zeros(table.game.rules.ACTIONS, np.int8)
        seen = table.game.layout.new(1)
        found = table.doors.look(table.state.records, seat, table.words, seen, tensor, flags)
        assert tensor.tobytes() == table.state.view(seat).observe(seat).tobytes()
        assert np.flatnonzero(flags).tolist() == table.state.legal(seat)
        assert found == len(table.state.legal(seat))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    table = Table(Setting("hanamikoji", 2, {}), 3)
    before = table.state.to_bytes()
    illegal = next(action for action in range(500) if action not in table.state.legal(table.acting))
    assert [table.decide(action) for action in (illegal, -1, 10**6)] == [REFUSED] * 3
    assert table.state.to_bytes() == before


def test_where_nothing_was_done_somebody_is_asked_again() -> None:
    table = Table(Setting("kawaii", 3, {"pace": "live"}), 4)
    assert {table.doors.go_on(table.state.records, table.words, table.rng) for _ in range(40)} <= {NOBODY, 0, 1, 2}


def test_doors_travel_as_their_game() -> None:
    doors = turn_doors(find("kasane"))
    assert copy.deepcopy(doors) is doors
    assert pickle.loads(pickle.dumps(doors)) is doors
