"""Random decisions through OpenSpiel's Python-game interface: our games, and two that come with it."""

from __future__ import annotations

import random
from importlib import import_module
from time import process_time
from typing import Any

THEIRS = ("python_liars_poker", "python_block_dominoes")


def measure(seconds: float) -> dict[str, float]:
    """Players' decisions a second of processor time, for each of our games and of theirs, in turns of a few matches."""
    import pyspiel

    from zashiki.adapters.openspiel import register

    import_module("open_spiel.python.games")
    games = {name: pyspiel.load_game(name) for name in (*register(), *THEIRS)}
    spent = dict.fromkeys(games, 0.0)
    made = dict.fromkeys(games, 0)
    for game in games.values():
        _play(game, 0.0)
    while min(spent.values()) < seconds:
        for name, game in games.items():
            if spent[name] < seconds:
                decisions, used = _play(game, min(0.1, seconds))
                made[name], spent[name] = made[name] + decisions, spent[name] + used
    return {name: made[name] / spent[name] for name in games}


def _play(game: Any, seconds: float) -> tuple[int, float]:
    """Plays matches for so many seconds, one at least; tells the decisions and the seconds."""
    decisions, choice, start = 0, random.Random(1), process_time()
    while True:
        decisions += _play_match(game, choice)
        if process_time() - start >= seconds:
            return decisions, process_time() - start


def _play_match(game: Any, choice: random.Random) -> int:
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
