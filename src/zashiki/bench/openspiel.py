"""Random decisions through OpenSpiel's Python-game interface: our games, and two that come with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

THEIRS = ("python_liars_poker", "python_block_dominoes")


def our_games() -> Iterator[tuple[str, Callable[[], int]]]:
    """Each of ours, and how a match of it is played."""
    from zashiki.adapters.openspiel import register

    return _plays(register())


def their_games() -> Iterator[tuple[str, Callable[[], int]]]:
    """The same for theirs."""
    import_module("open_spiel.python.games")
    return _plays(THEIRS)


def _plays(names: Any) -> Iterator[tuple[str, Callable[[], int]]]:
    import pyspiel

    for name in names:
        yield name, partial(_play_match, pyspiel.load_game(name), Random(1))


def _play_match(game: Any, choice: Random) -> int:
    """One match as a Python program plays it; what chance draws takes time, but counts as nobody's decision."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choice.choices(outcomes, chances)[0])
        else:
            state.apply_action(choice.choice(state.legal_actions()))
            decisions += 1
    return decisions
