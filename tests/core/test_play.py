"""Random play over any game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from zashiki.core import play
from zashiki.core.masks import allow, clear, count, list_actions, nth, words_for
from zashiki.core.state import State, seed_words
from zashiki.games import GAMES, find

RNG = (1, 2, 3, 4)


def test_every_seat_that_may_act_is_picked_as_often() -> None:
    rng = np.array(RNG, np.uint32)
    picked = Counter(int(play.pick_seat(0b101001, rng)) for _ in range(3000))
    assert set(picked) == {0, 3, 5}
    assert min(picked.values()) > 850


def test_every_action_in_a_mask_is_picked_as_often() -> None:
    rng, mask = np.array(RNG, np.uint32), np.zeros(4, np.uint32)
    for action in (0, 31, 32, 95, 127):
        allow(mask, action)
    assert count(mask) == 5
    assert [int(nth(mask, n)) for n in range(5)] == [0, 31, 32, 95, 127]
    listed = np.zeros(128, np.int64)
    assert list_actions(mask, listed) == 5
    assert listed[:5].tolist() == [0, 31, 32, 95, 127]
    picked = Counter(int(play.pick_action(mask, rng)) for _ in range(3000))
    assert set(picked) == {0, 31, 32, 95, 127}
    assert min(picked.values()) > 450
    clear(mask)
    assert count(mask) == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_match_dealt_again_has_another_key_and_steady_play_never_stops(game: str) -> None:
    rules = find(game).rules
    state, options = State(find(game)), find(game).option_numbers()
    mask = np.zeros(words_for(rules.ACTIONS), np.uint32)
    rules.deal(state.record, find(game).seats[0], options, seed_words(1))
    key = state.records["rng_key"].tobytes()
    play.deal_again(state.record, find(game).seats[0], options)
    assert state.records["rng_key"].tobytes() != key
    play.play_steadily(state.record, np.array(RNG, np.uint32), mask, 60, find(game).seats[0], options)
    assert state.to_act() != 0


def test_playing_all_is_playing_each() -> None:
    game = find("hanamikoji")
    mask = np.zeros(words_for(game.rules.ACTIONS), np.uint32)
    states = game.layout.new(3)
    for seed in range(3):
        game.rules.deal(states[seed], 2, game.option_numbers(), seed_words(seed))
    alone, rngs = states.copy(), np.array([RNG] * 3, np.uint32)
    decisions = [play.play_on(alone[seed], np.array(RNG, np.uint32), mask, 1000) for seed in range(3)]
    assert play.play_all(states, rngs, mask, 1000) == sum(decisions)
    assert states.tobytes() == alone.tobytes()
