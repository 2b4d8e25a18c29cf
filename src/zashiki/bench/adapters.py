"""`zashiki bench adapters`: random play through other libraries' interfaces, beside those libraries' own games.

Everything is measured in turns, several rounds of it, and the medians are told: machines are shared and noisy, so compare ratios
within one run. What runs on one core is told per second of its processor time; the vector environment, which uses all cores, per
second.
"""

from __future__ import annotations

import importlib
import json
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from io import StringIO
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from zashiki.bench import openspiel, vector
from zashiki.games import GAMES

ROUNDS = 5
MOST_DECISIONS = 1000
"""A play ends after so many decisions, where a match is longer."""

Play = Callable[[], int]
"""Plays a while at random; tells how many decisions were made."""


@dataclass(frozen=True)
class Line:
    """The speed of one game through one interface."""

    interface: str
    game: str
    decisions_per_second: float


@dataclass(frozen=True)
class Goal:
    """How many times as fast as another's game every game of ours should be through an interface."""

    interface: str
    peer: str
    times: float


RAW_ENV, PEER_RAW_ENV = "PettingZoo raw_env", "PettingZoo raw_env, theirs"
VECTOR = "Gymnasium vector"
ON_ALL_CORES = {VECTOR}
SPIEL, PEER_SPIEL = "OpenSpiel", "OpenSpiel, theirs"


def _raw_envs() -> Iterator[tuple[str, Play]]:
    from zashiki.adapters.pettingzoo import raw_env

    for game in GAMES:
        yield game, _agents_by_lot(raw_env(game))


def _peer_raw_envs() -> Iterator[tuple[str, Play]]:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module("pettingzoo.classic.texas_holdem_v4")
        yield "texas_holdem_v4", _agents_by_lot(module.raw_env())


OURS: dict[str, Callable[[], Iterator[tuple[str, Play]]]] = {
    RAW_ENV: _raw_envs,
    VECTOR: vector.our_games,
    SPIEL: openspiel.our_games,
}
PEERS: dict[str, Callable[[], Iterator[tuple[str, Play]]]] = {
    PEER_RAW_ENV: _peer_raw_envs,
    PEER_SPIEL: openspiel.their_games,
}
GOALS = (
    Goal(RAW_ENV, "texas_holdem_v4", 2.0),
    Goal(VECTOR, "texas_holdem_v4", 50.0),
    *(Goal(SPIEL, theirs, 1.0) for theirs in openspiel.THEIRS),
)
"""The visible lists: an interface with its games, and what it is held against."""


def main(*, seconds: float, peers: bool, as_json: bool) -> str:
    """Measures everything that is installed; gives a table, or JSON."""
    lines = measure(OURS | (PEERS if peers else {}), seconds)
    if as_json:
        found = {"lines": [asdict(line) for line in lines], "times": [asdict(goal) | _times(goal, lines) for goal in GOALS]}
        return json.dumps(found, indent=1) + "\n"
    return _as_text(lines)


def measure(interfaces: dict[str, Callable[[], Iterator[tuple[str, Play]]]], seconds: float) -> list[Line]:
    """Every game through every interface, taking turns; an interface whose library is missing is left out."""
    plays = {(name, game): play for name, build in interfaces.items() for game, play in _built(build)}
    rates: dict[tuple[str, str], list[float]] = {key: [] for key in plays}
    for play in plays.values():
        play()
    for _ in range(ROUNDS):
        for key, play in plays.items():
            rates[key].append(_rate(play, seconds / ROUNDS, perf_counter if key[0] in ON_ALL_CORES else process_time))
    return [Line(interface, game, median(found)) for (interface, game), found in rates.items()]


def _built(build: Callable[[], Iterator[tuple[str, Play]]]) -> list[tuple[str, Play]]:
    try:
        return list(build())
    except ImportError:
        return []


def _rate(play: Play, seconds: float, clock: Callable[[], float]) -> float:
    decisions, began = 0, clock()
    while (spent := clock() - began) < seconds or not decisions:
        decisions += play()
    return decisions / spent


def _agents_by_lot(env: Any) -> Play:
    """Matches of an AEC environment in which every agent looks, and takes any action of its mask."""
    draw = Random(1).random

    def play() -> int:
        env.reset()
        for decisions in range(MOST_DECISIONS):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return decisions
            actions = observation["action_mask"].nonzero()[0]
            env.step(int(actions[int(draw() * len(actions))]))
        return MOST_DECISIONS

    return play


def _times(goal: Goal, lines: list[Line]) -> dict[str, float]:
    """How many times as fast as the peer our slowest game is, if both were measured."""
    ours = [line.decisions_per_second for line in lines if line.interface == goal.interface]
    theirs = [line.decisions_per_second for line in lines if line.game == goal.peer]
    return {"slowest": min(ours) / max(theirs)} if ours and theirs else {}


def _as_text(lines: list[Line]) -> str:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=100, record=True, file=StringIO())
    table = Table(title="Decisions per second in random play: one core; the vector environment all cores", title_justify="left")
    for head in ("interface", "game", "decisions/s"):
        table.add_column(head, justify="right" if head == "decisions/s" else "left")
    for line in lines:
        table.add_row(line.interface, line.game, f"{line.decisions_per_second:,.0f}")
    console.print(table)
    for goal in GOALS:
        for times in _times(goal, lines).values():
            console.print(f"{goal.interface}: the slowest is {times:.1f} times {goal.peer} (goal: {goal.times:g})")
    return console.export_text()
