"""Every number of an observation has a meaning, and is what its meaning allows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance.walks import SETTINGS, SLOW, Setting, walk
from zashiki.core.observation import length, placed
from zashiki.games import GAMES, find


@pytest.mark.parametrize("game", GAMES)
def test_every_feature_has_a_meaning(game: str) -> None:
    assert length(find(game).observation) == find(game).features, f"OBSERVATION of games/{game}/features.py"


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_flags_are_flags_and_of_one_of_many_at_most_one_is_set(setting: Setting) -> None:
    runs = [each for each in placed(find(setting.game).observation) if each[1].kind != "amounts"]
    for state in walk(setting, 14, 20 if SLOW else 60):
        for seat in range(-1, setting.seats):
            numbers = state.view(seat).observe(seat)
            for place, features in runs:
                found = numbers[place : place + features.length].reshape(features.times, features.count)
                assert np.isin(found, (0, 1)).all(), features.meaning
                assert features.kind == "flags" or (found.sum(1) <= 1).all(), features.meaning
