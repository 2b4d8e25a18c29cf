"""Kinds of cards that can be exchanged: the same match in other colours and symbols is told and played alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from zashiki.core.gears import GEAR
from zashiki.core.grid import Grid
from zashiki.core.state import State
from zashiki.games import GAMES, find
from zashiki.games.kohoju.cards import CARDS, KINDS, POINTS

KOHOJU = find("kohoju")
Numbers = npt.NDArray[np.int64]


def grid() -> Grid:
    assert KOHOJU.grid is not None
    return KOHOJU.grid


def exchanged(seed: int) -> Numbers:
    """For each kind another one: rows with rows, columns with columns and, for odd seeds, rows with columns."""
    chance, side = np.random.default_rng(seed), grid().side
    rows, columns = chance.permutation(side), chance.permutation(side)
    kinds = (rows[:, None] * side + columns).astype(np.int64)
    return (kinds.T if seed % 2 else kinds).reshape(-1)


def in_other_colours(state: State, kinds: Numbers) -> State:
    """The same state with every card of a kind turned into the one of the other kind."""
    cards = (kinds[:, None] * POINTS + np.arange(POINTS)).reshape(-1)
    other = State(KOHOJU)
    other.records[:] = state.records
    old: Any = state.records[0]
    new: Any = other.records[0]

    def card(value: Any) -> Any:
        return np.where(np.asarray(value) >= 0, cards[np.maximum(value, 0)], value)

    def bits(value: Any) -> Any:
        return sum(((np.asarray(value) >> kind) & 1) << int(kinds[kind]) for kind in range(KINDS))

    for name in ("hands", "discard", "taken"):
        new[name] = card(old[name])
    for name in ("guide_pile", "pool", "pool_fits", "fits"):
        new[name] = bits(old[name])
    new["guide"] = kinds[int(old["guide"])]
    new["place"][cards] = old["place"].copy()
    return other


def some_states(count: int) -> list[tuple[State, int]]:
    """States of different matches, each with the seat that acts."""
    found = []
    for seed in range(count):
        chance = np.random.default_rng(seed)
        state = State.dealt(KOHOJU, 2 + seed % 5, KOHOJU.option_numbers(), seed)
        for _ in range(int(chance.integers(5, 90))):
            seat = (state.to_act() & -state.to_act()).bit_length() - 1
            state.apply(seat, int(chance.choice(state.legal(seat))))
        found.append((state, (state.to_act() & -state.to_act()).bit_length() - 1))
    return found


def test_only_kohoju_has_a_grid() -> None:
    assert [game for game in GAMES if find(game).grid is not None] == ["kohoju"]


def test_every_number_of_an_observation_and_every_action_has_one_place() -> None:
    assert sorted([*grid().seen.ravel(), *grid().rest]) == list(range(KOHOJU.features))
    assert sorted([*grid().done.ravel(), *grid().others]) == list(range(KOHOJU.rules.ACTIONS))
    assert grid().seen.shape[0] == grid().done.shape[0] == grid().kinds == KINDS


@pytest.mark.parametrize("seed", range(4))
def test_a_match_in_other_colours_looks_the_same_in_other_places(seed: int) -> None:
    kinds = exchanged(seed)
    for state, seat in some_states(4 if GEAR == "python" else 25):
        told, other = state.observe(seat), in_other_colours(state, kinds).observe(seat)
        assert np.array_equal(told[grid().rest], other[grid().rest])
        assert np.array_equal(told[grid().seen], other[grid().seen[kinds]])


@pytest.mark.parametrize("seed", range(4))
def test_and_the_same_may_be_done_in_other_places(seed: int) -> None:
    kinds = exchanged(seed)
    places = np.arange(KOHOJU.rules.ACTIONS)
    places[grid().done] = grid().done[kinds]
    for state, seat in some_states(4 if GEAR == "python" else 25):
        assert sorted(places[state.legal(seat)]) == in_other_colours(state, kinds).legal(seat)
    assert len(places) == 2 + 5 * CARDS
