"""One seat in Gymnasium, the others played by bots."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.adapters.play import LIVE, any_legal, same
from tests.conformance.test_secrecy import permuted
from tests.conformance.walks import SETTINGS, Setting, positions
from zashiki import GAMES
from zashiki.adapters.gymnasium import OneSeat, register
from zashiki.bots import UnknownBot
from zashiki.bots.bot import Budget
from zashiki.core.errors import WrongSeats
from zashiki.core.game import Game
from zashiki.core.state import State


def made(setting: Setting, **more: Any) -> OneSeat:
    return OneSeat(setting.game, setting.seats, options=setting.options, **more)


def played(env: OneSeat, seed: int, decisions: int = 300) -> list[tuple[int, float, bytes]]:
    """A match, as far as that; tells what was done and what came of it."""
    told: list[tuple[int, float, bytes]] = []
    chance = Random(seed)
    seen, _ = env.reset(seed=seed)
    over = False
    while not over and len(told) < decisions:
        action = any_legal(seen["action_mask"], chance)
        seen, reward, over, _, _ = env.step(action)
        told.append((action, float(reward), seen["observation"].tobytes()))
    return told


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bots", ["careless", "club@40"])
def test_check_env_passes_against_bots_that_do_not_go_by_the_clock(game: str, bots: str) -> None:
    register()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*the environment is wrapped.*")
        check_env(gymnasium.make(f"zashiki/{game}-v1", bots=bots, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_same_seed_gives_the_same_match_against_the_same_bots(setting: Setting) -> None:
    one, other = made(setting), made(setting)
    assert played(one, 3) == played(other, 3) == played(one, 3)


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.options != {} or s.game != "kohoju"], ids=str)
def test_every_seat_can_be_taken_and_a_match_ends(setting: Setting) -> None:
    for seat in range(setting.seats):
        rewards = [reward for _, reward, _ in played(made(setting, seat=seat, bots="random"), seat, 100_000)]
        assert -1 <= rewards[-1] <= 1
        assert not any(rewards[:-1])


def test_a_row_of_matches_begins_with_one_seed() -> None:
    one, other = OneSeat("kohoju"), OneSeat("kohoju")
    assert same(one.reset(seed=5)[0], other.reset(seed=5)[0])
    seconds = [env.reset()[0] for env in (one, other)]
    assert same(*seconds)
    assert not same(seconds[0], one.reset()[0])


@pytest.mark.parametrize("bots", ["beginner", "search@20"])
def test_a_copy_in_the_middle_of_a_match_goes_on_like_it(bots: str) -> None:
    for setting in (Setting("hanamikoji", 2, {}), Setting("kimono", 3, {}), LIVE):
        env, chance = made(setting, bots=bots if setting != LIVE else "beginner"), Random(6)
        seen, _ = env.reset(seed=6)
        for _ in range(3):
            seen, *_ = env.step(any_legal(seen["action_mask"], chance))
        twins = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        over = False
        while not over:
            action = any_legal(seen["action_mask"], chance)
            (seen, reward, over, *_), *others = [twin.step(action) for twin in twins]
            assert all(same(seen, other[0]) and other[1:3] == (reward, over) for other in others)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_seat_cannot_tell_hidden_cards_apart(setting: Setting) -> None:
    env, rng = made(setting), np.random.default_rng(7)
    for state in positions(setting, 7, 300, 12):
        env._match.state = state
        seen = env._match.observe(0)
        env._match.state = permuted(state, 0, rng)
        assert same(seen, env._match.observe(0))


def test_an_illegal_action_becomes_the_first_legal_one() -> None:
    one, other = OneSeat("hanamikoji"), OneSeat("hanamikoji")
    seen, _ = one.reset(seed=8)
    other.reset(seed=8)
    first = int(np.flatnonzero(seen["action_mask"])[0])
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    assert same(one.step(first)[0], other.step(illegal)[0])


class Watched:
    """A bot that notes what it is given."""

    views: list[tuple[int, State]] = []  # noqa: RUF012  # all of them note in one place

    def __init__(self, game: Game, seed: int) -> None:
        self._chance = Random(seed)

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        self.views.append((seat, view))
        return self._chance.choice(legal)


def test_a_bot_gets_its_own_view_and_nothing_else() -> None:
    Watched.views.clear()
    played(OneSeat("kimono", 4, bots=f"{__name__}:Watched"), 9)
    assert {seat for seat, _ in Watched.views} == {1, 2, 3}
    for seat, view in Watched.views:
        assert view.view(seat).to_bytes() == view.to_bytes()
        assert view.records["rng_key"].tobytes() == b"\xff" * 16


def test_each_seat_can_have_a_bot_of_its_own() -> None:
    env = OneSeat("kimono", 4, seat=2, bots=["random", "beginner", "heuristic"])
    assert {seat: entrant.name for seat, entrant in env._entrants.items()} == {0: "random", 1: "beginner", 3: "heuristic"}
    assert played(env, 10)


def test_what_cannot_be_seated_is_refused() -> None:
    with pytest.raises(UnknownBot, match="3 other seats need as many bots"):
        OneSeat("kimono", 4, bots=["random"])
    with pytest.raises(UnknownBot):
        OneSeat("kimono", bots="nobody")
    with pytest.raises(WrongSeats):
        OneSeat("kimono", 4, seat=4)


def test_after_the_end_nothing_more_happens() -> None:
    env = OneSeat("hanamikoji", options={"rounds": 1})
    *_, (_, reward, last) = played(env, 11)
    seen, again, over, _, _ = env.step(0)
    assert (seen["observation"].tobytes(), again, over) == (last, reward, True)


def test_a_match_that_is_over_before_the_seat_is_asked_is_dealt_again() -> None:
    env = OneSeat("kohoju", 6, seat=5, options={"target": 10}, bots="random")
    for seed in range(20):
        seen, _ = env.reset(seed=seed)
        assert seen["action_mask"].any()


def test_the_picture_is_what_the_seat_sees() -> None:
    env = OneSeat("hanamikoji", render_mode="rgb_array")
    env.reset(seed=12)
    assert env.render().shape[2] == 3


def test_between_two_it_is_all_or_nothing() -> None:
    env = OneSeat("hanamikoji", bots="random")
    assert {played(env, seed)[-1][1] for seed in range(8)} == {-1.0, 1.0}


def test_a_person_sees_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = OneSeat("hanamikoji", render_mode="human")
    decisions = len(played(env, 13))
    assert capsys.readouterr().out.count("Hand") == decisions + 1
