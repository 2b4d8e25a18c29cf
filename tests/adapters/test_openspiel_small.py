"""The small Hanamikoji inside OpenSpiel, whose exact solvers solve it."""

from __future__ import annotations

import pickle
from importlib import import_module
from typing import Any

import pytest

from zashiki.games.hanamikoji.small import alike

pyspiel = pytest.importorskip("pyspiel")

from zashiki.adapters.openspiel import register  # noqa: E402  # only with OpenSpiel

VALUE = -7 / 20


@pytest.fixture(scope="module")
def game() -> Any:
    register()
    return pyspiel.load_game("zashiki_small_hanamikoji")


def test_openspiels_own_random_simulations_pass(game: Any) -> None:
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    import_module("open_spiel.python.tests.games_sim_test").GamesSimTest().sim_game(game)


def test_tensors_tell_apart_what_strings_tell_apart(game: Any) -> None:
    states = import_module("open_spiel.python.algorithms.get_all_states").get_all_states(game, include_chance_states=False)
    pairs = {
        (state.information_state_string(seat), tuple(state.information_state_tensor(seat)))
        for state in states.values()
        for seat in range(2)
    }
    assert len({string for string, _ in pairs}) == len({tensor for _, tensor in pairs}) == len(pairs)


def test_counterfactual_regret_minimisation_comes_close_to_the_value(game: Any) -> None:
    algorithms = "open_spiel.python.algorithms"
    exploitability = import_module(f"{algorithms}.exploitability").exploitability
    value = import_module(f"{algorithms}.expected_game_score").policy_value
    solver = import_module(f"{algorithms}.cfr").CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability(game, policy) < 0.02
    assert value(game.new_initial_state(), [policy, policy])[0] == pytest.approx(VALUE, abs=0.01)


def test_playing_at_random_is_far_from_it(game: Any) -> None:
    policy = import_module("open_spiel.python.policy").UniformRandomPolicy(game)
    exploitability = import_module("open_spiel.python.algorithms.exploitability").exploitability
    assert exploitability(game, policy) == pytest.approx(0.6338, abs=1e-4)


def test_compiled_solvers_agree(game: Any) -> None:
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.02


def test_a_resampled_state_is_the_same_to_its_player_and_all_that_fit_are_drawn(game: Any) -> None:
    state = game.new_initial_state()
    for action in (3, 2):
        state.apply_action(action)
    state.apply_action(state.legal_actions()[0])
    player, sampler = state.current_player(), pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)
    drawn = [state.resample_from_infostate(player, sampler) for _ in range(200)]
    assert {each.information_state_string(player) for each in drawn} == {state.information_state_string(player)}
    assert {str(each.position) for each in drawn} == {str(other) for other, _ in alike(state.position, player)}
    assert len({str(each.position) for each in drawn}) > 1
    assert all(len(each.history()) == len(state.history()) for each in drawn)


def test_openspiels_python_ismcts_plays_it(game: Any) -> None:
    ismcts, mcts = (import_module(f"open_spiel.python.algorithms.{name}") for name in ("ismcts", "mcts"))
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1), uct_c=2.0, max_simulations=20)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0] if state.is_chance_node() else bot.step(state))
    assert sum(state.returns()) == 0


def test_copies_and_pickles_are_the_same_state(game: Any) -> None:
    state = game.new_initial_state()
    while not state.is_terminal():
        assert str(state.clone()) == str(pickle.loads(pickle.dumps(state))) == str(state)
        state.apply_action(state.legal_actions()[-1])


def test_what_cannot_happen_is_refused(game: Any) -> None:
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="not possible"):
        state.apply_action(12)
