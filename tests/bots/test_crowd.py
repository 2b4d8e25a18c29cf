"""What the heuristics would do in a whole batch."""

from __future__ import annotations

import numpy as np
import pytest

from zashiki.bots.crowd import Crowd
from zashiki.bots.sense import LEAST, heuristics, weigh
from zashiki.core.batch import Batch
from zashiki.core.gears import GEAR
from zashiki.games import GAMES, find

COUNT = 40 if GEAR == "python" else 400


@pytest.mark.parametrize("game", GAMES)
def test_in_every_match_an_action_is_chosen_that_is_legal(game: str) -> None:
    batch = Batch(find(game), COUNT, seeds=range(COUNT))
    crowd = Crowd(batch)
    for _ in range(12):
        actions = crowd.choose()
        assert batch.legal[np.arange(COUNT), actions].all()
        batch.step(actions)


def test_the_same_batch_has_the_same_crowd() -> None:
    chosen = []
    for _ in range(2):
        batch = Batch(find("kasane"), COUNT, seeds=range(COUNT))
        crowd = Crowd(batch)
        for _ in range(6):
            batch.step(crowd.choose())
        chosen.append(crowd.choose().copy())
    assert (chosen[0] == chosen[1]).all()


def test_leanings_are_the_logarithms_of_the_weights_of_what_is_legal() -> None:
    game = find("kawaii")
    heuristics(game)
    batch = Batch(game, COUNT, seeds=range(COUNT))
    crowd = Crowd(batch)
    batch.step(crowd.choose())
    crowd.choose()
    for i in range(COUNT):
        legal = np.flatnonzero(batch.legal[i])
        if len(legal) > 1:
            weights = np.zeros(len(legal))
            weigh(batch.states[i], int(batch.acting[i]), legal, weights)
            hoped = np.log(np.maximum(weights / weights.max(), LEAST))
            assert crowd.leanings[i, legal] == pytest.approx(hoped, abs=1e-5)


def test_actions_are_chosen_as_often_as_the_heuristic_weighs_them() -> None:
    game = find("kasane")
    heuristics(game)
    batch = Batch(game, COUNT, seeds=range(COUNT))
    crowd = Crowd(batch)
    hoped, variance, came = 0.0, 0.0, 0
    for _ in range(10):
        actions = crowd.choose().copy()
        for i in range(COUNT):
            legal = np.flatnonzero(batch.legal[i])
            weights = np.zeros(len(legal))
            weigh(batch.states[i], int(batch.acting[i]), legal, weights)
            likeliest = weights[weights == weights.max()].sum() / weights.sum()
            hoped, variance = hoped + likeliest, variance + likeliest * (1 - likeliest)
            came += weights[np.searchsorted(legal, actions[i])] == weights.max()
        batch.step(actions)
    assert abs(came - hoped) < 4 * np.sqrt(variance)
