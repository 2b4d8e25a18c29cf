"""Learning, small enough for a processor: what comes out is held against the exact equilibrium."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from zashiki.core.gears import GEAR
from zashiki.learn.recipe import SMALL_RECIPE
from zashiki.learn.run import Run
from zashiki.learn.small import VALUE, SmallField, exploitability, policy_of, tree, value

pytestmark = pytest.mark.skipif(GEAR == "python", reason="learning needs no other gear")


def evenly() -> npt.NDArray[np.float64]:
    game = tree()
    legal = np.zeros((game.kinds, game.after.shape[1]))
    acted = game.seat >= 0
    legal[game.knows[acted]] = game.after[acted] >= 0
    shares: npt.NDArray[np.float64] = legal / legal.sum(1, keepdims=True)
    return shares


def test_the_small_game_is_learned_to_near_its_equilibrium(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    run = Run(SMALL_RECIPE, SmallField(SMALL_RECIPE.matches, seed=1), tmp_path, seed=1)
    before = exploitability(policy_of(run.network))
    run.go()
    learned = policy_of(run.network)
    assert before > 0.5
    assert exploitability(learned) < 0.1
    assert abs(value(learned) - VALUE) < 0.05


def test_exploitability_is_what_openspiel_finds() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from zashiki.adapters.openspiel import register

    register()
    game = pyspiel.load_game("zashiki_small_hanamikoji")
    theirs = import_module("open_spiel.python.algorithms.exploitability")
    policy = import_module("open_spiel.python.policy").UniformRandomPolicy(game)
    assert exploitability(evenly()) == pytest.approx(theirs.exploitability(game, policy))


def test_matches_of_the_small_game_are_dealt_as_often_as_the_rules_say() -> None:
    field, game = SmallField(20_000, seed=3), tree()
    dealt = np.bincount(field._here.numpy(), minlength=len(game.likely)) / field.count
    assert np.abs(dealt - game.likely).max() < 0.01


def test_a_result_goes_to_both_seats_and_is_one_victory() -> None:
    field = SmallField(64, seed=1)
    for _ in range(6):
        field.step(torch.multinomial(field.legal.float(), 1)[:, 0])
    assert field.done.all()
    assert torch.equal(field.results.sum(1), torch.ones(64))
