"""Thousands of matches at once."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from tests.conformance.walks import SETTINGS, SLOW, Setting
from zashiki.core.arrays import Shelf
from zashiki.core.batch import Batch
from zashiki.core.errors import IllegalAction, MalformedAction, WrongSeed
from zashiki.core.state import State
from zashiki.games import GAMES, find

LONG = ("kawaii", "kohoju")
"""Games whose matches may outlast the test."""
COUNT = 12 if SLOW else 600
STEPS = 70 if SLOW else 300


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_batch_plays_what_single_states_play(setting: Setting) -> None:
    """Wherever only one seat may act, the batch and a single state go the same way."""
    batch = Batch(setting.game, 3, setting.seats, options=setting.options, seeds=[5, 6, 7])
    states = [setting.deal(seed) for seed in (5, 6, 7)]
    for _ in range(20):
        actions = batch.random_actions()
        for place, state in enumerate(states):
            bits = state.to_act()
            if bits >> 7:
                return
            seat = int(batch.acting[place])
            assert bits >> seat & 1
            assert state.legal(seat) == np.flatnonzero(batch.legal[place]).tolist()
            state.apply(seat, int(actions[place]))
        batch.step(actions)
        if batch.done.any():
            return
        for place, state in enumerate(states):
            assert batch.states[place].tobytes() == state.to_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_finished_matches_are_settled_and_dealt_anew(game: str) -> None:
    options = {"kohoju": {"target": 10}}.get(game, {})
    batch = Batch(game, COUNT, options=options, seeds=range(COUNT))
    ended = 0
    for _ in range(STEPS):
        batch.step(batch.random_actions())
        assert batch.legal.any(axis=1).all()
        for place in np.flatnonzero(batch.done):
            ended += 1
            assert abs(batch.results[place].sum() - 1) < 1e-5
            assert batch.states[place]["winners"] == 0
    assert ended > 0 or game in LONG


@pytest.mark.parametrize("game", GAMES)
def test_the_number_of_threads_changes_nothing(game: str) -> None:
    batches = [Batch(game, 3 * 128, seeds=range(3 * 128), threads=threads) for threads in (1, 3)]
    for batch in batches:
        for _ in range(3 if SLOW else 40):
            batch.step(batch.random_actions())
    assert batches[0].states.tobytes() == batches[1].states.tobytes()
    assert np.array_equal(batches[0].observe(), batches[1].observe())


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_is_that_of_the_acting_seat(game: str) -> None:
    batch = Batch(game, 4, seeds=[1, 2, 3, 4])
    batch.step(batch.random_actions())
    observed = batch.observe()
    for place in range(4):
        seat = int(batch.acting[place])
        state = State.from_bytes(find(game), batch.states[place].tobytes())
        assert np.array_equal(observed[place], state.view(seat).observe(seat))


def test_one_illegal_action_stops_the_whole_step_before_anything_is_done() -> None:
    batch = Batch("hanamikoji", 300, seeds=range(300))
    before = batch.states.tobytes()
    actions = batch.random_actions()
    for wrong in (507, -1, 10**6):
        actions[77] = wrong
        with pytest.raises(IllegalAction, match="match 77"):
            batch.step(actions)
    for malformed in (actions[:5], actions.astype(float), actions.astype(bool), ["x"] * 300):
        with pytest.raises(MalformedAction):
            batch.step(malformed)  # type: ignore[arg-type]  # the point of the test
    assert batch.states.tobytes() == before


def test_each_match_has_its_own_seed() -> None:
    batch = Batch("hanamikoji", 3, seeds=[1, 2, 1])
    assert batch.states[0].tobytes() == batch.states[2].tobytes() != batch.states[1].tobytes()
    with pytest.raises(ValueError, match="as many seeds"):
        batch.reset([1])


def test_points_are_those_of_the_finished_match() -> None:
    batch = Batch("hanamikoji", COUNT, seeds=range(COUNT))
    for _ in range(40):
        batch.step(batch.random_actions())
        for place in np.flatnonzero(batch.done):
            assert 0 < batch.points[place].sum() <= 21


def test_without_seeds_no_two_batches_are_alike() -> None:
    assert Batch("hanamikoji", 2).states.tobytes() != Batch("hanamikoji", 2).states.tobytes()


@pytest.mark.parametrize("seeds", [[-1], [1 << 128], [1.9], ["5"], [True]])
def test_a_wrong_seed_is_refused(seeds: list[int]) -> None:
    with pytest.raises(WrongSeed):
        Batch("hanamikoji", 1, seeds=seeds)


@pytest.mark.parametrize("count", [0, -1, "3"])
def test_a_batch_has_at_least_one_match(count: int) -> None:
    with pytest.raises(ValueError, match="at least one match"):
        Batch("hanamikoji", count)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seeds_and_actions_give_the_same_batch(game: str) -> None:
    first, second = (Batch(game, 5, seeds=range(5)) for _ in range(2))
    for _ in range(20):
        actions = first.random_actions()
        first.step(actions)
        second.step(actions)
    assert first.states.tobytes() == second.states.tobytes()


def test_results_and_points_are_those_of_the_match_that_ended() -> None:
    """Followed on a single state: who won there is who won in the batch, and the next step forgets it."""
    batch, state = Batch("kasane", 1, 2, seeds=[9]), Setting("kasane", 2, {}).deal(9)
    while not batch.done[0]:
        action = batch.random_actions()
        state.apply(int(batch.acting[0]), int(action[0]))
        batch.step(action)
    winners = int(state.record.winners)
    shares = [(winners >> seat & 1) / winners.bit_count() for seat in range(2)]
    assert batch.results[0].tolist() == shares
    assert batch.points[0].tolist() == [sum(parts.values()) for parts in state.scores()]
    batch.step(batch.random_actions())
    assert not batch.done[0]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_can_step_on() -> None:
    if not hasattr(os, "fork"):
        return
    batch = Batch("hanamikoji", 300, threads=2, seeds=range(300))
    batch.step(batch.random_actions())
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        batch.step(batch.random_actions())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_goes_on_from_a_snapshot_as_if_nothing_had_happened(game: str) -> None:
    batch, other = Batch(game, 6, seeds=range(6)), Batch(game, 6, seeds=range(6, 12))
    for _ in range(25):
        batch.step(batch.random_actions())
    other.restore(batch.snapshot())
    for _ in range(25):
        actions = batch.random_actions()
        assert (other.random_actions() == actions).all()
        batch.step(actions)
        other.step(actions)
        assert batch.states.tobytes() == other.states.tobytes()


def test_random_actions_differ_between_matches_of_other_seeds() -> None:
    """Twenty matches with the same cards would all do the same if they shared one generator."""
    batch = Batch("hanamikoji", 20, seeds=range(20))
    batch._masks[:] = batch._masks[0]
    assert len(set(batch.random_actions().tolist())) > 5


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_waits_stays_as_it_is(game: str) -> None:
    batch, alone = Batch(game, 4, seeds=[1, 2, 3, 4]), Batch(game, 2, seeds=[2, 4])
    where = np.array([False, True, False, True])
    waiting = batch.states[~where].tobytes(), batch.legal[~where].tobytes(), batch.acting[~where].tobytes()
    for _ in range(20):
        actions = alone.random_actions()
        batch.step(np.array([-1, actions[0], 10**6, actions[1]]), where)
        alone.step(actions)
    assert batch.states[where].tobytes() == alone.states.tobytes()
    assert np.array_equal(batch.legal[where], alone.legal)
    assert waiting == (batch.states[~where].tobytes(), batch.legal[~where].tobytes(), batch.acting[~where].tobytes())


def test_a_match_that_waits_has_not_ended_again() -> None:
    batch = Batch("hanamikoji", COUNT, seeds=range(COUNT))
    while not batch.done.any():
        batch.step(batch.random_actions())
    batch.step(batch.random_actions(), np.zeros(COUNT, np.bool_))
    assert not batch.done.any()
    with pytest.raises(MalformedAction, match="truth values"):
        batch.step(batch.random_actions(), np.zeros(COUNT))  # type: ignore[arg-type]  # the point of the test


def test_the_end_of_a_match_is_seen_after_the_next_is_dealt() -> None:
    batch, state = Batch("kasane", 1, 2, seeds=[9]), Setting("kasane", 2, {}).deal(9)
    while not batch.done[0]:
        action = batch.random_actions()
        state.apply(int(batch.acting[0]), int(action[0]))
        batch.step(action)
    for seat in range(2):
        seen = batch.observe_ends(np.array([seat], np.int8), batch.done)
        assert np.array_equal(seen[0], state.view(seat).observe(seat))
    assert not batch.observe_ends(np.array([0], np.int8), ~batch.done).any()


def test_observations_are_written_where_the_caller_wants_them() -> None:
    batch = Batch("hanamikoji", 3, seeds=[1, 2, 3])
    kept = np.zeros((2, *batch.observations.shape), np.float32)
    for row in kept:
        assert batch.observe(row) is row
        batch.step(batch.random_actions())
    assert not np.array_equal(kept[0], kept[1])
    for wrong in (kept, kept[0].astype(np.float64), kept[0][:, ::-1]):
        with pytest.raises(ValueError, match="float32"):
            batch.observe(wrong)


@pytest.mark.parametrize("name", ["observations", "legal", "acting", "done", "results", "points"])
def test_every_array_begins_with_a_cache_line_and_stays_where_it_is(name: str) -> None:
    batch = Batch("hanamikoji", 5, seeds=range(5))
    before: int = getattr(batch, name).ctypes.data
    batch.step(batch.random_actions())
    batch.observe()
    assert getattr(batch, name).ctypes.data == before
    assert before % 64 == 0


def test_a_shelf_gives_nothing_away_that_somebody_holds() -> None:
    shelf = Shelf((4, 3), np.float32)
    first = shelf.take()
    place = first.ctypes.data
    row = first[1]
    del first
    second = shelf.take()
    assert second.ctypes.data != place
    row[:] = 7
    assert not (second == 7).any()
    del row
    assert shelf.take().ctypes.data == place
    assert second.ctypes.data % 64 == 0
