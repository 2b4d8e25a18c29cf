"""OpenSpiel's own test of the interface, run on our games: on sampled states of all, and on the whole tree of the small one."""

from __future__ import annotations

import unittest
from importlib import import_module
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

from zashiki.adapters.openspiel import register  # noqa: E402  # only with OpenSpiel

SMALL = "zashiki_small_hanamikoji"
NODES = (8, 1638, 1230)
"""Of the small game: chance, decisions, ends."""
INFORMATION_STATES = 1135


def passes(base: str, name: str) -> bool:
    """Whether all of OpenSpiel's tests in that class pass on a game."""
    game = pyspiel.load_game(name)
    tests = type(name, (getattr(api(), base),), {"game": game, "game_name": name})
    ended = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(tests))
    return ended.testsRun > 4 and ended.wasSuccessful()


def api() -> Any:
    return import_module("open_spiel.integration_tests.api_test")


@pytest.mark.parametrize("name", [*register(), SMALL])
def test_sampled_states_answer_as_openspiel_demands(name: str) -> None:
    assert passes("EnforceAPIOnPartialTreeBase", name)


def test_the_whole_tree_of_the_small_game_does_and_has_perfect_recall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(api().TOTAL_NUM_STATES, SMALL, NODES)
    monkeypatch.setitem(api().PERFECT_RECALL_NUM_STATES, SMALL, INFORMATION_STATES)
    assert passes("EnforceAPIOnFullTreeBase", SMALL)
