"""One server on its core and what loads it on another."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import zashiki
from zashiki.bench.processes import CORES, Program, cpu_seconds, free_port, measure_of, resident_bytes

BOARDGAMEIO = Path(zashiki.__file__).parents[2] / "bench" / "boardgameio"
WARM_UP = 1.0
LOOK, RESTING = 1.0, 0.04
"""A server rests when it takes less than this part of a core for so many seconds."""
PATIENCE = 180.0
BLOCKS = "zashiki_python_blocks"
MEGABYTE = 1e6
now = time.perf_counter


@dataclass(frozen=True)
class Contender:
    """A kind of server: how it is started, and what it answers first."""

    name: str
    first: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)

    def started_with(self, *options: str) -> Contender:
        """The same with more options."""
        return Contender(self.name, self.first, self.command + options, self.environment)


_SERVE = (sys.executable, "-m", "zashiki.cli", "serve", "--no-browser", "--limits", "1e6", "--data", "{data}", "--port", "{port}")
ZASHIKI = Contender("zashiki", "/healthz", _SERVE)
PEER = Contender("boardgame.io", "/games", ("node", str(BOARDGAMEIO / "server.js"), "{port}"), {"NODE_ENV": "production"})


@dataclass(frozen=True)
class Cores:
    """Who runs where: the server alone on its cores if there are enough."""

    server: Sequence[int]
    load: Sequence[int]

    @classmethod
    def planned(cls, workers: int = 1) -> Cores:
        """A core a worker and the others for the load; all share all where there are too few."""
        if len(CORES) <= workers:
            return cls(CORES, CORES)
        return cls(CORES[:workers], CORES[workers:])

    @property
    def apart(self) -> bool:
        """Whether server and load do not get into each other's way."""
        return not set(self.server) & set(self.load)


@dataclass(frozen=True)
class Measured:
    """One loop. Times in milliseconds, from when a move was due until the other side had received it."""

    per_second: float
    per_cpu_second: float
    p50: float
    p99: float
    server_busy: float
    load_busy: float
    lag_p99: float
    matches: int
    errors: dict[str, int]

    @property
    def figures(self) -> dict[str, float]:
        """What medians are taken of."""
        return {name: value for name, value in vars(self).items() if isinstance(value, int | float)}


class Trial:
    """A running server with its load generators; `steered`: each of them goes to a worker of its own, as behind our proxy."""

    def __init__(
        self,
        contender: Contender,
        folder: Path,
        cores: Cores,
        *,
        generators: int = 1,
        port: int | None = None,
        steered: bool = False,
    ) -> None:
        self.contender = contender
        self.steered = steered
        self.folder = folder
        self.cores = cores
        self.port = port or free_port()
        self.errors: Counter[str] = Counter()
        self.server = self._served()
        try:
            self.first_answer = self.server.answers(self.port, contender.first)
            self._generators = [self._generator(place) for place in range(generators)]
        except BaseException:
            self.server.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for generator in self._generators:
            generator.kill()
        self.server.kill()

    def _served(self) -> Program:
        command = [word.format(data=self.folder, port=self.port) for word in self.contender.command]
        words = self.folder / f"{self.contender.name}.log"
        return Program(command, self.cores.server, output=words, environment=self.contender.environment)

    def _generator(self, place: int) -> Program:
        # Worker after worker answers alone at the ports after the shared one.
        port = self.port + 1 + place if self.steered else self.port
        wishes = {"dialect": self.contender.name, "port": port, "name": f"{os.getpid()}-{place}"}
        command = [sys.executable, "-m", "zashiki.bench.generator", json.dumps(wishes)]
        generator = Program(command, self.cores.load, output=self.folder / f"load-{place}.log", piped=True)
        self._answer(generator)
        return generator

    def _answer(self, generator: Program) -> dict[str, Any]:
        line = next(generator.lines, None)
        if line is None:
            raise RuntimeError(f"the load generator ended: {generator.output.read_text()[-2000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def restart(self) -> None:
        """Kills the server at once and starts it again on what it had stored."""
        self.server.kill()
        self.server = self._served()
        self.server.answers(self.port, self.contender.first)

    def tell(self, do: str, **wishes: Any) -> None:
        """Tells every generator what to do."""
        for place, generator in enumerate(self._generators):
            share = {name: _share(value, place, len(self._generators)) for name, value in wishes.items()}
            generator.input.write(json.dumps({"do": do, **share}) + "\n")
            generator.input.flush()

    def answers(self) -> list[dict[str, Any]]:
        """What they answer; their errors are kept here."""
        answers = [self._answer(generator) for generator in self._generators]
        for answer in answers:
            self.errors += Counter(answer.get("errors", {}))
        return answers

    def ask(self, do: str, **wishes: Any) -> list[dict[str, Any]]:
        """Tells them and waits for the answers."""
        self.tell(do, **wishes)
        return self.answers()

    def seat(self, tables: int, players: int | None = None) -> None:
        """People sit down at so many tables, each with an own connection, and their matches begin."""
        self.ask("seat", tables=Share(tables), players=Share(players or 2 * tables))

    def measure(self, do: str, seconds: float, **wishes: Any) -> Measured:
        """A closed or open loop, with the server's time in the same window."""
        begin = now() + WARM_UP
        self.tell(do, begin=begin, seconds=seconds, **wishes)
        _sleep_until(begin)
        before, start = cpu_seconds(self.server.pid), now()
        _sleep_until(begin + seconds)
        used, elapsed = cpu_seconds(self.server.pid) - before, now() - start
        return _summed(self.answers(), seconds, used * seconds / elapsed)

    def some(self, moves: int) -> Measured:
        """So many moves at every table, as fast as they go; none of the matches should end with them."""
        before, start = cpu_seconds(self.server.pid), now()
        answers = self.ask("some", moves=moves)
        return _summed(answers, now() - start, cpu_seconds(self.server.pid) - before)

    def rest(self) -> None:
        """Waits until the server has done what it does by itself, such as loading its rules or taking leave of people."""
        deadline = now() + PATIENCE
        while now() < deadline:
            before = cpu_seconds(self.server.pid)
            time.sleep(LOOK)
            if cpu_seconds(self.server.pid) - before < RESTING * LOOK:
                return
        raise RuntimeError(f"{self.contender.name} does not come to rest within {PATIENCE:.0f} s")

    def blocks(self) -> float:
        """How many pieces of memory the server's objects hold, as it tells; none where it does not."""
        return measure_of(self.port, "/metrics", BLOCKS)

    def megabytes(self, settle: float = 2.0) -> float:
        """The server's resident memory when it has come to rest."""
        time.sleep(settle)
        return resident_bytes(self.server.pid) / MEGABYTE


class Share(int):
    """A number that the generators divide among themselves."""


def _share(value: Any, place: int, of: int) -> Any:
    """The part of one generator; even, so that people come in pairs."""
    if not isinstance(value, Share):
        return value
    return (value * (place + 1) // of) - (value * place // of)


def _sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - now()))


def _summed(answers: list[dict[str, Any]], seconds: float, cpu: float) -> Measured:
    latencies = sorted(each for answer in answers for each in answer["latencies"])
    lags = sorted(each for answer in answers for each in answer["lags"])
    moves = sum(answer["moves"] for answer in answers)
    return Measured(
        per_second=moves / seconds,
        per_cpu_second=moves / cpu if cpu else 0.0,
        p50=quantile(latencies, 0.5) / 1000,
        p99=quantile(latencies, 0.99) / 1000,
        server_busy=cpu / seconds,
        load_busy=max(answer["busy"] for answer in answers),
        lag_p99=quantile(lags, 0.99) / 1000,
        matches=sum(answer["matches"] for answer in answers),
        errors=dict(sum((Counter(answer["errors"]) for answer in answers), Counter())),
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value that this share of the others does not exceed; zero where there are none."""
    if not ordered:
        return 0.0
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
