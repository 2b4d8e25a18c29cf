"""The small Hanamikoji: a tree of the whole game's rules that OpenSpiel's exact solvers solve."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.conformance.games.hanamikoji import check_laws
from zashiki.games.hanamikoji.small import CHANCE, TERMINAL, Position, actions, alike, root

pyspiel = pytest.importorskip("pyspiel")

from zashiki.adapters.openspiel import register  # noqa: E402  # only with OpenSpiel

VALUE = -7 / 20


@pytest.fixture(scope="module")
def game() -> Any:
    register()
    return pyspiel.load_game("zashiki_small_hanamikoji")


def positions(here: Position) -> Iterator[Position]:
    yield here
    for step in here.legal:
        yield from positions(here.after(step))


def shown(here: Position, seat: int) -> object:
    """What the rules of the whole game show a seat of a position."""
    return here._state.view(seat).to_bytes()


def test_the_whole_tree_can_be_counted() -> None:
    everywhere = list(positions(root()))
    decisions = [here for here in everywhere if here.seat >= 0]
    assert len(everywhere) == 2876
    assert sum(here.seat == TERMINAL for here in everywhere) == 1230
    assert len({(here.seat, here.words[here.seat]) for here in decisions}) == 1135
    assert len({(here.seat, here.words[here.seat]) for here in decisions if len(here.legal) > 1}) == 475
    assert len(actions()) == 40


def test_every_position_obeys_the_laws_of_the_whole_game() -> None:
    for here in positions(root()):
        if here.seat != CHANCE:
            check_laws(here._state.record)


def test_chance_deals_with_all_its_weight() -> None:
    for here in positions(root()):
        if here.seat == CHANCE:
            assert sum(chance for _, chance in here.outcomes()) == pytest.approx(1)


def test_a_seat_that_has_learnt_the_same_sees_the_same_and_may_do_the_same() -> None:
    for seat in range(2):
        known: dict[str, tuple[object, ...]] = {}
        for here in positions(root()):
            if here.seat == seat:
                now = (shown(here, seat), here.legal)
                assert known.setdefault(here.words[seat], now) == now


def test_an_information_state_has_one_past() -> None:
    """Perfect recall: what a seat has learnt begins with what it had learnt before."""
    for here in positions(root()):
        for step in here.legal:
            after = here.after(step)
            assert all(after.words[seat].startswith(here.words[seat]) for seat in range(2))


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


def test_the_value_is_proved_by_a_linear_program() -> None:
    assert sequence_form_value() == pytest.approx(VALUE, abs=1e-9)


def sequence_form_value() -> float:
    """What seat 0 can secure: the sequence form of the tree, solved by SciPy."""
    sparse, optimize = import_module("scipy.sparse"), import_module("scipy.optimize")
    sequences, choices, payoffs = sequence_form()
    tallies = [constraints(sequences[seat], choices[seat]) for seat in range(2)]
    shape = len(sequences[0]), len(sequences[1])
    payoff = sparse.coo_array(
        (list(payoffs.values()), ([pair[0] for pair in payoffs], [pair[1] for pair in payoffs])), shape
    ).tocsr()
    (own, own_total), (other, other_total) = tallies
    solved = optimize.linprog(
        [0.0] * shape[0] + [-each for each in other_total],
        A_ub=sparse.hstack([-payoff.T, other.T]),
        b_ub=[0.0] * shape[1],
        A_eq=sparse.hstack([own, sparse.csr_array((own.shape[0], other.shape[0]))]),
        b_eq=own_total,
        bounds=[(0, None)] * shape[0] + [(None, None)] * other.shape[0],
    )
    return -float(solved.fun)


def sequence_form() -> tuple[list[Any], list[Any], dict[tuple[int, int], float]]:
    """Each seat's sequences, the choices they come from, and seat 0's payoff for every pair of them."""
    sequences: list[dict[Any, int]] = [{(): 0}, {(): 0}]
    choices: list[dict[str, tuple[int, list[int]]]] = [{}, {}]
    payoffs: dict[tuple[int, int], float] = {}

    def visit(here: Position, chance: float, played: tuple[int, int]) -> None:
        if here.seat == TERMINAL:
            payoffs[played] = payoffs.get(played, 0.0) + chance * here.returns()[0]
        for step, weight in here.outcomes():
            visit(here.after(step), chance * weight, played)
        for action in here.legal if here.seat >= 0 else ():
            visit(here.after(action), chance, extended(here, action, played))

    def extended(here: Position, action: int, played: tuple[int, int]) -> tuple[int, int]:
        seat, learnt = here.seat, here.words[here.seat]
        number = sequences[seat].setdefault((learnt, action), len(sequences[seat]))
        parent, children = choices[seat].setdefault(learnt, (played[seat], []))
        assert parent == played[seat]
        if number not in children:
            children.append(number)
        return (number, played[1]) if seat == 0 else (played[0], number)

    visit(root(), 1.0, (0, 0))
    return sequences, choices, payoffs


def constraints(sequences: Any, choices: Any) -> tuple[Any, list[float]]:
    """A plan begins with 1, and what comes into a choice goes out of it."""
    entries = [(0, 0, 1.0)]
    for row, (parent, children) in enumerate(choices.values(), 1):
        entries += [(row, parent, -1.0), *((row, child, 1.0) for child in children)]
    rows, columns, numbers = zip(*entries, strict=True)
    matrix = import_module("scipy.sparse").coo_array((numbers, (rows, columns)), (len(choices) + 1, len(sequences))).tocsr()
    return matrix, [1.0, *([0.0] * len(choices))]


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
