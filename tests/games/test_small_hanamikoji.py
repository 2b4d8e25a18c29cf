"""The small Hanamikoji: a tree of the whole game's rules, small enough to be solved exactly."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.conformance.games.hanamikoji import check_laws
from zashiki.games.hanamikoji.small import CHANCE, TERMINAL, Position, actions, alike, position, root

VALUE = -7 / 20


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


def test_positions_alike_to_a_seat_share_its_chances() -> None:
    here = root().after(3).after(2)
    found = alike(here, here.seat)
    assert here in [other for other, _ in found]
    assert sum(chance for _, chance in found) == pytest.approx(1)
    assert {other.words[here.seat] for other, _ in found} == {here.words[here.seat]}


def test_a_position_is_its_path() -> None:
    here = root().after(3).after(2)
    assert position(here.path) is here is copy.deepcopy(here) is pickle.loads(pickle.dumps(here))
    assert "to act: 0" in str(here)


def test_what_is_not_possible_is_refused() -> None:
    with pytest.raises(ValueError, match="not possible here"):
        root().after(99)


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
