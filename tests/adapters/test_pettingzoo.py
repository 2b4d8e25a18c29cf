"""PettingZoo's environments: what PettingZoo itself demands, and that they are the engine's matches."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import BaseParallelWrapper

from tests.adapters.play import FEWEST, LIVE, any_legal, same
from tests.conformance.test_secrecy import permuted
from tests.conformance.walks import SETTINGS, Setting, positions, seats_in
from zashiki import Batch, Match, find
from zashiki.adapters.at_once import SeatsAtOnce
from zashiki.adapters.pettingzoo import SeatsInTurn, env, parallel_env, raw_env, register
from zashiki.core.errors import IllegalAction, MalformedAction, WrongOption, WrongSeats
from zashiki.core.layout import CLOCK

MATCHES = {"hanamikoji": 100, "kimono": 60, "kasane": 40, "kawaii": 40, "kohoju": 15}
"""Matches of each setting that are followed move by move, in each of three ways: more than 200 of every game."""
SOME = (*FEWEST, LIVE)

IN_TURNS = [setting for setting in SETTINGS if setting.options.get("pace") != "live"]


def matches_of(setting: Setting) -> range:
    """The seeds of the matches that are followed; of kohoju's long ones there is only one."""
    return range(1 if setting == Setting("kohoju", setting.seats, {}) else MATCHES[setting.game])


every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
some_settings = pytest.mark.parametrize("setting", SOME, ids=str)
wrapped_and_raw = pytest.mark.parametrize("make", [env, raw_env], ids=["wrapped", "raw"])

Make = Callable[..., Any]


def made(make: Make, setting: Setting, **more: Any) -> Any:
    return make(setting.game, setting.seats, options=setting.options, **more)


@pytest.fixture
def forgiving() -> Iterator[None]:
    """PettingZoo warns of dictionaries as observations, unless they are its own games'; and of the mask after the end."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        yield


@every_setting
@wrapped_and_raw
@pytest.mark.usefixtures("forgiving")
def test_the_api_test_of_pettingzoo_passes(make: Make, setting: Setting) -> None:
    api_test(made(make, setting), num_cycles=100)


@every_setting
@wrapped_and_raw
def test_the_seed_test_of_pettingzoo_passes(make: Make, setting: Setting) -> None:
    seed_test(lambda: made(make, setting), num_cycles=50)


@some_settings
@pytest.mark.parametrize("make", [env, raw_env, lambda *a, **k: parallel_to_aec(parallel_env(*a, **k))])
def test_the_render_test_of_pettingzoo_passes(make: Make, setting: Setting) -> None:
    render_test(lambda **more: made(make, setting, **more))


@every_setting
@pytest.mark.parametrize("wrap", [lambda raw: raw, BaseParallelWrapper], ids=["raw", "wrapped"])
def test_the_parallel_api_test_of_pettingzoo_passes(wrap: Callable[[Any], Any], setting: Setting) -> None:
    parallel_api_test(wrap(made(parallel_env, setting)), num_cycles=100)


@every_setting
@pytest.mark.parametrize("wrap", [lambda raw: raw, BaseParallelWrapper], ids=["raw", "wrapped"])
def test_the_parallel_seed_test_of_pettingzoo_passes(wrap: Callable[[Any], Any], setting: Setting) -> None:
    parallel_seed_test(lambda: wrap(made(parallel_env, setting)), num_cycles=50)


@some_settings
@pytest.mark.usefixtures("forgiving")
def test_a_parallel_environment_can_be_turned_into_one_that_takes_turns(setting: Setting) -> None:
    api_test(parallel_to_aec(made(parallel_env, setting)), num_cycles=50)


@pytest.mark.parametrize("setting", IN_TURNS, ids=str)
def test_a_match_in_turn_is_the_engines_match_move_by_move(setting: Setting) -> None:
    zoo, chance = made(raw_env, setting), Random(1)
    for seed in matches_of(setting):
        match = Match(setting.game, setting.seats, options=setting.options, seed=seed)
        zoo.reset(seed=seed)
        while not match.over:
            follow(zoo, match, chance)
        assert zoo.rewards == expected_rewards(match)
        assert all(zoo.terminations.values())


def follow(zoo: SeatsInTurn, match: Match, chance: Random) -> None:
    """One decision in both. Who decides sees what the engine shows, and now and then everybody is looked at."""
    acting = zoo.possible_agents.index(zoo.agent_selection)
    assert acting in match.to_act
    for seat in range(match.seats) if chance.random() < 0.1 else [acting]:
        agent = f"seat_{seat}"
        seen = zoo.observe(agent)
        assert seen["observation"].tobytes() == match.view(seat).observe(seat).tobytes()
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal_actions(seat).numbers
    action = any_legal(zoo.observe(zoo.agent_selection)["action_mask"], chance)
    zoo.step(action)
    match.act(acting, action)
    assert zoo._match.state.to_bytes() == match.state.to_bytes()


def expected_rewards(match: Match) -> dict[str, float]:
    assert match.outcome
    seats, winners = match.seats, match.outcome.winners
    alone = 1 / len(winners)
    return {f"seat_{seat}": (seats * (seat in winners) * alone - 1) / (seats - 1) for seat in range(seats)}


@every_setting
def test_a_match_in_turn_is_a_batchs_match_the_clock_included(setting: Setting) -> None:
    zoo, chance = made(raw_env, setting), Random(2)
    for seed in matches_of(setting):
        batch = Batch(setting.game, 1, setting.seats, options=setting.options, seeds=[seed])
        zoo.reset(seed=seed)
        while not batch.done[0] and zoo.agents:
            assert zoo.agent_selection == f"seat_{batch.acting[0]}"
            assert np.array_equal(zoo.last()[0]["action_mask"][: batch.legal.shape[1]], batch.legal[0])
            action = any_legal(batch.legal[0], chance)
            zoo.step(action)
            batch.step(np.array([action]))
        seats = setting.seats
        assert list(zoo.rewards.values()) == pytest.approx([(seats * share - 1) / (seats - 1) for share in batch.results[0]])


@pytest.mark.parametrize("setting", IN_TURNS, ids=str)
def test_a_match_at_once_is_the_engines_match_with_the_choices_of_all_who_had_one(setting: Setting) -> None:
    zoo, chance = made(parallel_env, setting), Random(3)
    for seed in matches_of(setting):
        match = Match(setting.game, setting.seats, options=setting.options, seed=seed)
        seen, _ = zoo.reset(seed=seed)
        rewards: dict[str, float] = {}
        while not match.over:
            waiting = match.to_act
            nothing = find(setting.game).rules.ACTIONS
            for seat in range(match.seats) if chance.random() < 0.1 else waiting:
                agent = f"seat_{seat}"
                allowed = match.legal_actions(seat).numbers or [nothing]
                assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == allowed
                assert seen[agent]["observation"].tobytes() == match.view(seat).observe(seat).tobytes()
            actions = {agent: any_legal(seen[agent]["action_mask"], chance) for agent in zoo.agents}
            for seat in waiting:
                match.act(seat, actions[f"seat_{seat}"])
            seen, rewards, ended, _, _ = zoo.step(actions)
            assert zoo._match.state.to_bytes() == match.state.to_bytes()
            assert set(ended.values()) == {match.over}
        assert rewards == expected_rewards(match)
        assert zoo.agents == []


@every_setting
def test_rewards_add_up_to_nothing_and_come_at_the_end(setting: Setting) -> None:
    zoo, chance = made(parallel_env, setting), Random(4)
    seen, _ = zoo.reset(seed=4)
    while zoo.agents:
        seen, rewards, ended, _, _ = zoo.step({agent: any_legal(seen[agent]["action_mask"], chance) for agent in zoo.agents})
        assert sum(rewards.values()) == pytest.approx(0)
        assert any(rewards.values()) == all(ended.values()) or len(set(rewards.values())) == 1


@every_setting
def test_observations_lie_within_their_space(setting: Setting) -> None:
    zoo, chance = made(raw_env, setting), Random(5)
    zoo.reset(seed=5)
    for _ in range(300):
        for agent in zoo.agents:
            assert zoo.observation_space(agent).contains(zoo.observe(agent))
        if zoo.terminations[zoo.agent_selection]:
            break
        zoo.step(any_legal(zoo.last()[0]["action_mask"], chance))


@every_setting
@pytest.mark.parametrize("make", [raw_env, parallel_env])
def test_no_agent_can_tell_hidden_cards_apart(make: Make, setting: Setting) -> None:
    assert not tells_apart(made(make, setting), setting)


def tells_apart(zoo: Any, setting: Setting) -> bool:
    """Whether any agent can tell a moment from the same one with hidden cards permuted."""
    rng = np.random.default_rng(6)
    for state in positions(setting, 6, 300, 12):
        for seat, agent in enumerate(zoo.possible_agents):
            zoo._match.state = state
            seen = zoo.observe(agent)
            zoo._match.state = permuted(state, seat, rng)
            if not same(seen, zoo.observe(agent)):
                return True
    return False


@pytest.mark.parametrize("game", ["hanamikoji", "kimono", "kawaii", "kohoju"])
def test_an_agent_that_saw_through_its_neighbours_eyes_would_be_caught(game: str) -> None:
    """The test above has teeth, wherever seats have secrets of their own; in kasane they have none."""
    setting = next(setting for setting in SETTINGS if setting.game == game)
    zoo = made(raw_env, setting)
    zoo._seat_of = {agent: (seat + 1) % setting.seats for agent, seat in zoo._seat_of.items()}
    assert tells_apart(zoo, setting)


@every_setting
@pytest.mark.parametrize("make", [raw_env, parallel_env])
def test_nothing_else_is_told(make: Make, setting: Setting) -> None:
    """Information is empty, and there is no view of everything."""
    zoo = made(make, setting)
    told = zoo.reset(seed=7)
    infos = told[1] if told else zoo.infos
    assert infos == {agent: {} for agent in zoo.possible_agents}
    with pytest.raises(NotImplementedError):
        zoo.state()


@pytest.mark.parametrize("setting", [Setting("kimono", 4, {}), Setting("kawaii", 3, {})], ids=str)
def test_those_asked_later_do_not_see_what_others_have_chosen(setting: Setting) -> None:
    """Two ways to choose look the same to everybody else, as long as somebody has still to choose."""
    zoo, chance, compared = made(raw_env, setting), Random(8), 0
    zoo.reset(seed=8)
    while not zoo.terminations[zoo.agent_selection]:
        before, agent = seats_in(zoo._match.state.to_act()), zoo.agent_selection
        legal = np.flatnonzero(zoo.last()[0]["action_mask"])
        if len(before) > 1 and len(legal) > 1:
            ways = [copy.deepcopy(zoo) for _ in range(2)]
            for way, action in zip(ways, legal[:2], strict=True):
                way.step(action)
            if all(seats_in(way._match.state.to_act()) == [s for s in before if f"seat_{s}" != agent] for way in ways):
                others = [other for other in zoo.agents if other != agent]
                assert all(same(ways[0].observe(other), ways[1].observe(other)) for other in others)
                assert ways[0].agent_selection == ways[1].agent_selection
                compared += 1
        zoo.step(any_legal(zoo.last()[0]["action_mask"], chance))
    assert compared > 5


@some_settings
@wrapped_and_raw
@pytest.mark.parametrize("twin", [copy.deepcopy, lambda zoo: pickle.loads(pickle.dumps(zoo))], ids=["deepcopy", "pickle"])
def test_a_copy_in_the_middle_of_a_match_goes_on_like_it_and_leaves_it_alone(
    make: Make, setting: Setting, twin: Callable[[Any], Any]
) -> None:
    zoo, chance = made(make, setting), Random(9)
    zoo.reset(seed=9)
    for _ in range(7):
        zoo.step(any_legal(zoo.last()[0]["action_mask"], chance))
    other, before = twin(zoo), zoo.last()[0]
    played = on(other, Random(10))
    assert same(zoo.last()[0], before)
    assert on(zoo, Random(10)) == played
    zoo.reset()
    other.reset()
    assert same(zoo.last()[0], other.last()[0])


def on(zoo: Any, chance: Random) -> list[tuple[str, int, bytes]]:
    """Plays on; tells who did what, having seen what."""
    told: list[tuple[str, int, bytes]] = []
    while not zoo.terminations[zoo.agent_selection] and len(told) < 200:
        seen = zoo.last()[0]
        action = any_legal(seen["action_mask"], chance)
        told.append((zoo.agent_selection, action, seen["observation"].tobytes()))
        zoo.step(action)
    return told


@some_settings
def test_a_parallel_copy_goes_on_like_its_original(setting: Setting) -> None:
    zoo, chance = made(parallel_env, setting), Random(11)
    seen, _ = zoo.reset(seed=11)
    for _ in range(5):
        seen, *_ = zoo.step({agent: any_legal(seen[agent]["action_mask"], chance) for agent in zoo.agents})
    other = pickle.loads(pickle.dumps(copy.deepcopy(zoo)))
    while zoo.agents:
        actions = {agent: any_legal(seen[agent]["action_mask"], chance) for agent in zoo.agents}
        seen, rewards, *_ = zoo.step(actions)
        also, others, *_ = other.step(actions)
        assert all(same(seen[agent], also[agent]) for agent in seen)
        assert rewards == others


def test_one_seed_begins_a_row_of_matches() -> None:
    one, other = raw_env("kohoju"), raw_env("kohoju")
    deals = []
    for zoo in (one, other):
        zoo.reset(seed=12)
        deals.append([zoo._match.state.to_bytes()])
        for _ in range(3):
            zoo.reset()
            deals[-1].append(zoo._match.state.to_bytes())
    assert deals[0] == deals[1]
    assert len(set(deals[0])) == 4


def test_without_a_seed_no_two_matches_are_alike() -> None:
    dealt = set()
    for _ in range(3):
        zoo = raw_env("kohoju")
        zoo.reset()
        dealt.add(zoo._match.state.to_bytes())
    assert len(dealt) == 3


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    zoo = raw_env("hanamikoji")
    zoo.reset(seed=13)
    before, agent = zoo._match.state.to_bytes(), zoo.agent_selection
    illegal = int(np.flatnonzero(zoo.last()[0]["action_mask"] == 0)[0])
    for action in (illegal, -1, 10**6):
        with pytest.raises(IllegalAction, match="the mask has what it may do"):
            zoo.step(action)
    for malformed in (None, 1.5, "gift"):
        with pytest.raises(MalformedAction, match="whole number"):
            zoo.step(malformed)
    assert (zoo._match.state.to_bytes(), zoo.agent_selection) == (before, agent)


def test_an_illegal_action_loses_in_the_wrapped_environment() -> None:
    zoo = env("hanamikoji")
    zoo.reset(seed=13)
    agent = zoo.agent_selection
    zoo.step(int(np.flatnonzero(zoo.last()[0]["action_mask"] == 0)[0]))
    assert all(zoo.terminations.values())
    assert zoo.rewards[agent] == -1


def test_at_once_an_illegal_action_becomes_the_first_legal_one() -> None:
    zoo, match = parallel_env("kimono", 3), Match("kimono", 3, seed=14)
    zoo.reset(seed=14)
    for wrong in (10**6, None, "vote", find("kimono").rules.ACTIONS):
        waiting = match.to_act
        for seat in waiting:
            match.act(seat, match.legal_actions(seat).numbers[0])
        zoo.step(dict.fromkeys(zoo.agents, wrong))
        assert zoo._match.state.to_bytes() == match.state.to_bytes()
    zoo.step({})
    assert zoo.agents


def test_in_real_time_everybody_may_wait_and_the_match_ends_all_the_same() -> None:
    turns, at_once = made(raw_env, LIVE), made(parallel_env, LIVE)
    turns.reset(seed=15)
    while not turns.terminations[turns.agent_selection]:
        assert turns.last()[0]["action_mask"][-1] == 1
        turns.step(turns.action_space(turns.agent_selection).n - 1)
    seen, _ = at_once.reset(seed=15)
    while at_once.agents:
        assert all(each["action_mask"][-1] == 1 for each in seen.values())
        seen, *_ = at_once.step({agent: at_once.action_space(agent).n - 1 for agent in at_once.agents})


def test_in_real_time_what_all_do_at_once_is_a_row_of_legal_actions_of_the_engine() -> None:
    zoo, chance = made(parallel_env, LIVE), Random(16)
    done: list[tuple[int, int]] = []
    seen, _ = zoo.reset(seed=16)
    state = zoo._match.state.copy()
    carry_out = zoo._match.state.apply

    class Noting:
        """A state that notes what is done to it."""

        def __getattr__(self, name: str) -> Any:
            return getattr(state_of_zoo, name)

        def apply(self, seat: int, action: int) -> None:
            done.append((seat, action))
            carry_out(seat, action)

    state_of_zoo = zoo._match.state
    zoo._match.state = Noting()
    while zoo.agents:
        seen, *_ = zoo.step({agent: any_legal(seen[agent]["action_mask"], chance) for agent in zoo.agents})
    for seat, action in done:
        assert action in state.legal(seat)
        state.apply(seat, action)
    assert state.to_bytes() == state_of_zoo.to_bytes()
    assert {seat for seat, _ in done} == {0, 1, 2, 3, CLOCK}


def test_the_games_are_registered_when_asked_to_be() -> None:
    register()
    register()
    in_turn = pettingzoo.make("aec", "zashiki/kawaii-v1", seats=4, options={"pace": "live"})
    at_once = pettingzoo.make("parallel", "zashiki/hanamikoji")
    assert isinstance(in_turn.unwrapped, SeatsInTurn)
    assert isinstance(at_once, SeatsAtOnce)
    assert len(in_turn.possible_agents) == 4
    assert str(in_turn) == "zashiki_kawaii_v1"


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(WrongSeats):
        env("hanamikoji", 5)
    with pytest.raises(WrongOption):
        parallel_env("kawaii", options={"pace": "slow"})


def test_rendering_without_a_mode_says_what_to_do() -> None:
    zoo = raw_env("hanamikoji")
    zoo.reset()
    with pytest.raises(WrongOption, match="render_mode is human, ansi, rgb_array"):
        zoo.render()


def test_rendering_shows_the_hand_of_whose_decision_is_open_and_at_once_nobodys() -> None:
    in_turn, at_once = (make("hanamikoji", render_mode="ansi") for make in (raw_env, parallel_env))
    in_turn.reset(seed=17)
    at_once.reset(seed=17)
    assert "Hand" in in_turn.render()
    assert "Hand" not in at_once.render()


def test_a_person_sees_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    zoo = env("hanamikoji", render_mode="human")
    zoo.reset(seed=18)
    zoo.step(any_legal(zoo.last()[0]["action_mask"], Random(18)))
    assert capsys.readouterr().out.count("Hand") == 2
