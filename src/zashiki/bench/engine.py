"""`zashiki bench engine`: one table, all games.

Every rate is the median of three measurements taken in this run. Machines are shared and noisy: compare ratios within one run,
not figures between runs.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from io import StringIO
from math import prod
from random import Random
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from zashiki.bench.peers import Peer, measure_peers
from zashiki.core.batch import Batch
from zashiki.core.contract import Options
from zashiki.core.gears import GEAR, rule
from zashiki.core.intrinsics import copy
from zashiki.core.layout import Records
from zashiki.core.masks import Mask, words_for
from zashiki.core.match import Match
from zashiki.core.play import play_steadily
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State, seed_words
from zashiki.games import GAMES

if TYPE_CHECKING:
    from zashiki.core.game import Game

REPEATS = 3
MATCHES = 256
BATCH = 4096
COMPARED = ("gin_rummy", "hearts", "bridge", "bridge(use_double_dummy_result=false)", "hanabi")
"""OpenSpiel's card games that the engine is held against; bridge also without its double-dummy solver, which is slow."""


@dataclass(frozen=True)
class Figures:
    """What was measured of one game; rates in decisions per second."""

    game: str
    seats: int
    compiled: float
    low_level: float
    match: float
    batch: float
    bytes: int
    copy_nanoseconds: float
    first_action_cold: float
    first_action_warm: float


def main(*, seconds: float, peers: bool, as_json: bool) -> str:
    """Measures everything; gives a table, or JSON."""
    figures = [measure(game, seconds) for game in GAMES.values()]
    others = _quietly(seconds) if peers else []
    imported = median(_import_seconds() for _ in range(REPEATS))
    if as_json:
        return _as_json(figures, others, imported) + "\n"
    return _as_text(figures, others, imported)


def measure(game: Game, seconds: float) -> Figures:
    """All figures of one game with its fewest seats."""
    seats = game.seats[0]
    _progress(f"{game.id}: compiled play")
    compiled = _compiled_rate(game, seats, seconds)
    _progress(f"{game.id}: Python loops")
    low_level, match = _rate(lambda: _play_state(game, seats), seconds), _rate(lambda: _play_match(game, seats), seconds)
    _progress(f"{game.id}: batches")
    batch = _batch_rate(game, seats, seconds)
    _progress(f"{game.id}: start-up")
    cold, warm = _first_action(game.id)
    return Figures(
        game.id, seats, compiled, low_level, match, batch, game.layout.dtype.itemsize, _copy_nanoseconds(game), cold, warm
    )


def _progress(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{words} …", end="", file=sys.stderr, flush=True)


def _rate(play: Callable[[], int], seconds: float) -> float:
    """Decisions per second of whole plays that fill the time; the median of three."""
    play()
    return median(_once(play, seconds / REPEATS) for _ in range(REPEATS))


def _once(play: Callable[[], int], seconds: float) -> float:
    decisions, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        decisions += play()
    return decisions / elapsed


@rule
def _play_some(states: Records, rngs: Words, mask: Mask, limit: int, seats: int, options: Options) -> None:
    for i in range(len(states)):
        play_steadily(states[i], rngs[i], mask, limit, seats, options)


@rule
def _copy_often(states: Records, times: int) -> None:
    for i in range(times):
        copy(states[i & 1], states[1 - (i & 1)])


def _compiled_rate(game: Game, seats: int, seconds: float) -> float:
    """Random play with the full legal mask at every decision, one core, matches dealt anew as they end."""
    options = game.option_numbers()
    states, rngs = game.layout.new(MATCHES), np.zeros((MATCHES, 4), np.uint32)
    mask = np.zeros(words_for(game.rules.ACTIONS), np.uint32)
    for i in range(MATCHES):
        seed_roller(rngs[i], i)
        game.rules.deal(states[i], seats, options, seed_words(i))
    limit = 2 if GEAR == "python" else 200

    def play() -> int:
        _play_some(states, rngs, mask, limit, seats, options)
        return MATCHES * limit

    return _rate(play, seconds)


def _play_state(game: Game, seats: int, choice: Random = Random(1)) -> int:  # noqa: B008  # one generator for all plays
    """One match, or its first thousand decisions, over the low-level calls."""
    state = State.dealt(game, seats, game.option_numbers(), choice.getrandbits(64))
    decisions, draw = 0, choice.random
    while (bits := state.to_act()) and decisions < 1000:
        seat = bits.bit_length() - 1
        actions = state.legal(seat)
        state.apply(seat, actions[int(draw() * len(actions))])
        decisions += 1
    return decisions


def _play_match(game: Game, seats: int, choice: Random = Random(1)) -> int:  # noqa: B008  # one generator for all plays
    """The same over the verifying class."""
    match = Match(game, seats, seed=choice.getrandbits(64))
    decisions, draw = 0, choice.random
    while (waiting := match.to_act) and decisions < 1000:
        actions = match.legal_actions(waiting[0])
        match.act(waiting[0], actions[int(draw() * len(actions))])
        decisions += 1
    return decisions


def _batch_rate(game: Game, seats: int, seconds: float) -> float:
    """Steps of a large batch on all cores: actions drawn, carried out, ended matches dealt anew, legal masks made."""
    batch = Batch(game, BATCH, seats)

    def play() -> int:
        batch.step(batch.random_actions())
        return BATCH

    return _rate(play, seconds)


def _copy_nanoseconds(game: Game) -> float:
    states, times = game.layout.new(2), 100 if GEAR == "python" else 200_000
    _copy_often(states, 2)
    start = time.perf_counter()
    _copy_often(states, times)
    return (time.perf_counter() - start) / times * 1e9


FIRST_ACTION = """
import sys
from zashiki import Match
match = Match(sys.argv[1], seed=1)
match.act(match.to_act[0], match.legal_actions(match.to_act[0])[0])
"""


def _first_action(game: str) -> tuple[float, float]:
    """Seconds to the first action in a new process, with nothing compiled yet and with everything kept."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"ZASHIKI_CACHE": folder}
        cold = _process_seconds(FIRST_ACTION, environment, game)
        return cold, median(_process_seconds(FIRST_ACTION, environment, game) for _ in range(REPEATS))


def _process_seconds(code: str, environment: dict[str, str], *arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, *arguments], env=environment, check=True)
    return time.perf_counter() - start


def _import_seconds() -> float:
    """How long `import zashiki` takes, without Python's own start."""
    code = "import time; start = time.perf_counter(); import zashiki; print(time.perf_counter() - start)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _quietly(seconds: float) -> list[Peer]:
    """Measures the peers with their chatter kept off the output."""
    _progress("other libraries")
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        return measure_peers(seconds)
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _geometric_mean(figures: list[Figures]) -> float:
    return float(prod(each.compiled for each in figures) ** (1 / len(figures)))


def _fastest(peers: list[Peer]) -> Peer | None:
    compared = [peer for peer in peers if peer.library == "open_spiel" and peer.game in COMPARED]
    return max(compared, key=lambda peer: peer.decisions_per_second, default=None)


def _ratios(figures: list[Figures], peers: list[Peer]) -> dict[str, float]:
    """How the engine compares with the fastest of OpenSpiel's card games in this run."""
    fastest = _fastest(peers)
    if not fastest:
        return {}
    rate = fastest.decisions_per_second
    return {
        "compiled, geometric mean": _geometric_mean(figures) / rate,
        "low-level calls, slowest game": min(each.low_level for each in figures) / rate,
        "low-level calls, fastest game": max(each.low_level for each in figures) / rate,
        "Match, slowest game": min(each.match for each in figures) / rate,
        "Match, fastest game": max(each.match for each in figures) / rate,
    }


def _as_json(figures: list[Figures], peers: list[Peer], imported: float) -> str:
    return json.dumps(
        {
            "machine": _machine(),
            "games": [asdict(each) for each in figures],
            "compiled_geometric_mean": _geometric_mean(figures),
            "import_seconds": imported,
            "peers": [asdict(peer) for peer in peers],
            "ratios_to_fastest_open_spiel": _ratios(figures, peers),
        },
        indent=1,
    )


def _machine() -> str:
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, gear {GEAR}"


def _as_text(figures: list[Figures], peers: list[Peer], imported: float) -> str:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=118, record=True, file=StringIO())
    table = Table(title=f"Decisions per second in random play · {_machine()}", title_justify="left")
    for head in (
        "game",
        "seats",
        "compiled,\n1 core",
        "low-level\nPython loop",
        "Match\nPython loop",
        "batch of 4,096,\nall cores",
    ):
        table.add_column(head, justify="left" if head == "game" else "right")
    for head in ("bytes", "copy", "first action\ncold", "first action\nwarm"):
        table.add_column(head, justify="right")
    for each in figures:
        rates = [f"{rate:,.0f}" for rate in (each.compiled, each.low_level, each.match, each.batch)]
        starts = [f"{seconds:.2f} s" for seconds in (each.first_action_cold, each.first_action_warm)]
        table.add_row(each.game, str(each.seats), *rates, str(each.bytes), f"{each.copy_nanoseconds:.0f} ns", *starts)
    console.print(table)
    console.print(f"compiled, geometric mean: {_geometric_mean(figures):,.0f} · import zashiki: {imported:.2f} s")
    if peers:
        others = Table(title="Other libraries through their Python APIs, one core", title_justify="left")
        for head in ("library", "game", "decisions per second"):
            others.add_column(head, justify="right" if "second" in head else "left")
        for peer in peers:
            others.add_row(peer.library, peer.game, f"{peer.decisions_per_second:,.0f}")
        console.print(others)
        fastest = _fastest(peers)
        if fastest:
            console.print(f"The fastest of OpenSpiel's {', '.join(COMPARED)} here: {fastest.game}. Times its rate:")
            for name, ratio in _ratios(figures, peers).items():
                console.print(f"  {name}: {ratio:.2f}")
    return console.export_text()
