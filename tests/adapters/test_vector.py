"""Gymnasium's vector environment over batches."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_returned_data_not_reused
from gymnasium.utils.performance import benchmark_vector_step
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from tests.conformance.test_secrecy import permuted
from tests.conformance.walks import SETTINGS, Setting
from zashiki.adapters.vector import VectorMatches, register
from zashiki.core.batch import Batch
from zashiki.core.errors import IllegalAction, WrongSeats
from zashiki.core.state import State
from zashiki.games import GAMES, find

SHORT: dict[str, dict[str, Any]] = {"kohoju": {"target": 10}}
"""Options that let a match end within a test."""


def matches_of(setting: Setting, count: int, **named: Any) -> VectorMatches:
    return VectorMatches(setting.game, count, setting.seats, options=setting.options, **named)


def beside(matches: VectorMatches, setting: Setting, seed: int) -> Batch:
    """A batch of the same matches."""
    seeds = np.random.default_rng(seed).integers(0, 2**63, matches.num_envs).tolist()
    return Batch(setting.game, matches.num_envs, setting.seats, options=setting.options, seeds=seeds)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_it_plays_what_a_batch_plays_step_by_step(setting: Setting) -> None:
    matches = matches_of(setting, 40)
    observations, infos = matches.reset(seed=3)
    batch = beside(matches, setting, 3)
    for _ in range(120):
        assert np.array_equal(observations["observation"], batch.observe())
        assert np.array_equal(observations["action_mask"], batch.legal)
        assert np.array_equal(infos["acting"], batch.acting)
        actions, movers = batch.random_actions(), batch.acting.copy()
        observations, rewards, terminations, truncations, infos = matches.step(actions)
        batch.step(actions)
        assert np.array_equal(terminations, batch.done)
        assert not truncations.any()
        assert not rewards[~batch.done].any()
        for place in np.flatnonzero(batch.done):
            shares = batch.results[place]
            worths = (setting.seats * shares - 1) / (setting.seats - 1)
            assert rewards[place] == pytest.approx(worths[movers[place]])
            assert infos["final_info"]["rewards"][place] == pytest.approx(worths)
            assert infos["final_info"]["points"][place].tolist() == batch.points[place].tolist()


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_everything_lies_in_its_space(setting: Setting) -> None:
    matches = matches_of(setting, 30)
    observations, _ = matches.reset(seed=1)
    for _ in range(60):
        assert observations in matches.observation_space
        actions = matches.random_actions()
        assert actions in matches.action_space
        observations, _, _, _, infos = matches.step(actions)
        for final in infos.get("final_obs", ()):
            assert final is None or final in matches.single_observation_space


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_hidden_cards_permuted_are_observed_the_same(setting: Setting) -> None:
    """What the acting seat may not know changes nothing that leaves the environment."""
    matches, rng = matches_of(setting, 12), np.random.default_rng(7)
    matches.reset(seed=7)
    for _ in range(15):
        for _ in range(4):
            matches.step(matches.random_actions())
        shown = matches._observed()
        for place in range(matches.num_envs):
            state = State.from_bytes(find(setting.game), matches._batch.states[place].tobytes())
            other = permuted(state, int(matches._batch.acting[place]), rng)
            matches._batch.states[place] = other.records[0]
        again = matches._observed()
        assert all(shown[name].tobytes() == again[name].tobytes() for name in shown)


@pytest.mark.parametrize("game", GAMES)
def test_opponents_answer_until_the_learner_is_asked(game: str) -> None:
    matches = VectorMatches(game, 60, options=SHORT.get(game), opponents="random")
    _, infos = matches.reset(seed=2)
    ended = 0
    for _ in range(150):
        assert infos["acting"].tolist() == [place % find(game).seats[0] for place in range(60)]
        _, rewards, terminations, _, infos = matches.step(matches.random_actions())
        assert not rewards[~terminations].any()
        ended += terminations.sum()
        if terminations.any():
            sums = infos["final_info"]["rewards"].sum(axis=1)
            assert sums == pytest.approx(np.zeros(60), abs=1e-6)
    assert ended > 0 or game == "kawaii"


def test_what_the_learner_sees_of_the_end_is_its_own_view() -> None:
    matches = VectorMatches("hanamikoji", 200, opponents="random", seat=1)
    matches.reset(seed=5)
    seen = 0
    for _ in range(60):
        _, _, terminations, _, infos = matches.step(matches.random_actions())
        for place in np.flatnonzero(terminations):
            state = State.from_bytes(find("hanamikoji"), matches._batch._ended[place].tobytes())
            assert np.array_equal(infos["final_obs"][place]["observation"], state.view(1).observe(1))
            assert not infos["final_obs"][place]["action_mask"].any()
            seen += 1
    assert seen > 20


def test_a_named_bot_beats_random_play() -> None:
    matches = VectorMatches("hanamikoji", 64, opponents="heuristic")
    matches.reset(seed=1)
    rewards: list[float] = []
    while len(rewards) < 100:
        _, gained, terminations, _, _ = matches.step(matches.random_actions())
        rewards += gained[terminations].tolist()
    assert np.mean(rewards) < -0.4


@pytest.mark.parametrize("opponents", [None, "random", "careless"])
def test_the_same_seed_gives_the_same_matches(opponents: str | None) -> None:
    runs = []
    for _ in range(2):
        matches = VectorMatches("hanamikoji", 30, opponents=opponents)
        matches.reset(seed=11)
        runs.append([matches.step(matches.random_actions()) for _ in range(20)])
    for first, second in zip(*runs, strict=True):
        assert first[0]["observation"].tobytes() == second[0]["observation"].tobytes()
        assert first[1].tobytes() == second[1].tobytes()


def test_without_a_seed_every_reset_deals_other_cards() -> None:
    matches = VectorMatches("hanamikoji", 4)
    first, second = (matches.reset()[0]["observation"] for _ in range(2))
    assert first.tobytes() != second.tobytes()


def test_it_deals_anew_in_the_step_that_ends_a_match_and_says_so() -> None:
    assert VectorMatches.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    matches = VectorMatches("hanamikoji", 100)
    matches.reset(seed=1)
    terminations = np.zeros(100, np.bool_)
    while not terminations.any():
        observations, _, terminations, _, infos = matches.step(matches.random_actions())
    assert np.array_equal(infos["_final_obs"], terminations)
    assert np.array_equal(infos["_final_info"], terminations)
    assert observations["action_mask"].any(axis=1).all()


def test_gymnasiums_statistics_count_whole_matches() -> None:
    matches = RecordEpisodeStatistics(VectorMatches("hanamikoji", 50, opponents="random"))
    matches.reset(seed=1)
    while matches.episode_count < 50:
        matches.step(matches.unwrapped.random_actions())  # type: ignore[attr-defined]  # a wrapper's type forgets what it wraps
    assert set(matches.return_queue) <= {-1.0, 1.0}
    assert min(matches.length_queue) >= 4


def test_an_illegal_action_is_refused_or_replaced_as_asked() -> None:
    strict, lenient = VectorMatches("hanamikoji", 3), VectorMatches("hanamikoji", 3, illegal="replace")
    for matches in (strict, lenient):
        matches.reset(seed=1)
    legal = strict.random_actions()
    wrong = np.array([legal[0], 10**6, -1])
    with pytest.raises(IllegalAction, match="match 1"):
        strict.step(wrong)
    lenient.step(wrong)
    strict.step(np.array([legal[0], *legal[1:]]))
    assert lenient._batch.states[0].tobytes() == strict._batch.states[0].tobytes()


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_checks_pass(game: str) -> None:
    alone: Any = VectorMatches(game, 1, illegal="replace")
    check_returned_data_not_reused(alone)
    assert benchmark_vector_step(VectorMatches(game, 8, illegal="replace"), 0, seed=1) > 0


def test_without_copies_the_batchs_own_arrays_are_handed_out() -> None:
    matches = VectorMatches("hanamikoji", 5, copy=False)
    observations, _ = matches.reset(seed=1)
    again, *_ = matches.step(matches.random_actions())
    assert np.shares_memory(observations["observation"], again["observation"])
    assert np.shares_memory(observations["action_mask"], matches._batch.legal)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_makes_it_by_name(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gymnasium.envs.registration, "registry", dict(gymnasium.registry))
    monkeypatch.setattr(gymnasium, "registry", gymnasium.envs.registration.registry)
    register()
    register()
    matches: Any = gymnasium.make_vec(f"zashiki/{game}-v{find(game).version}", num_envs=3, opponents="random")
    assert matches.reset(seed=1)[0] in matches.observation_space
    assert matches.num_envs == 3


def test_a_seat_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(WrongSeats, match="0 to 1"):
        VectorMatches("hanamikoji", 2, opponents="random", seat=2)
