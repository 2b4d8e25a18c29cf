"""Plays a tournament on the cores of this machine.

Every worker is a process of its own that is handed a few matches at a time and sends each result back. What a worker that dies
still owed is handed to another; since a result is known by its match, none is lost and none is counted twice.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Generator, Iterable
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from zashiki.arena.schedule import Sitting, Tournament
from zashiki.core.errors import ZashikiError

if TYPE_CHECKING:
    from zashiki.arena.play import Result

MOST = 64
"""Matches handed out at once."""
TELL_S = 0.25
"""A worker tells of its results this often, and is handed about as much at once as it plays in this time."""
DEATHS = 5
"""So many workers in a row may die without a single result."""


class WorkersDie(ZashikiError, RuntimeError):
    """The workers cannot go on."""


def play_on_cores(tournament: Tournament, sittings: Iterable[Sitting], cores: int) -> Generator[list[Result], None, None]:
    """The results of these matches as they come, in no particular order."""
    crew = _Crew(tournament, deque(sittings), cores)
    try:
        yield from crew.results()
    finally:
        crew.dismiss()


class _Worker:
    """A process and what it owes."""

    def __init__(self, tournament: Tournament) -> None:
        # A daemon may have no processes of its own, such as those of bots apart.
        context = get_context("spawn")
        self.pipe, far = context.Pipe()
        self.process = context.Process(target=_work, args=(far, msgspec.json.encode(tournament)), daemon=not tournament.apart)
        self.process.start()
        far.close()
        self.owed: list[Sitting] = []
        self.most = 1
        self.since = monotonic()

    def hand_out(self, waiting: deque[Sitting]) -> None:
        """Hands it the next matches: more than last time if those were quickly done."""
        quick = monotonic() - self.since < TELL_S
        self.most = min(MOST, 2 * self.most) if quick else max(1, self.most // 2)
        self.owed = [waiting.popleft() for _ in range(min(self.most, len(waiting)))]
        self.since = monotonic()
        self.pipe.send_bytes(msgspec.json.encode(self.owed))


class _Crew:
    def __init__(self, tournament: Tournament, waiting: deque[Sitting], cores: int) -> None:
        self._tournament = tournament
        self._waiting = waiting
        self._cores = cores
        self._workers: dict[Connection, _Worker] = {}
        self._deaths = 0

    def results(self) -> Generator[list[Result], None, None]:
        if self._waiting:
            # Alone at first: what it compiles, the others find.
            self._hire(1)
        while self._waiting or any(worker.owed for worker in self._workers.values()):
            for pipe in wait(list(self._workers)):
                if results := self._hear(self._workers[pipe]):  # type: ignore[index]  # wait gives what it was given
                    yield results

    def dismiss(self) -> None:
        for worker in self._workers.values():
            worker.process.kill()
        for worker in self._workers.values():
            worker.process.join()
            worker.pipe.close()

    def _hire(self, count: int) -> None:
        for _ in range(count):
            worker = _Worker(self._tournament)
            self._workers[worker.pipe] = worker

    def _hear(self, worker: _Worker) -> list[Result]:
        """What a worker says: that it is ready, some results, or, by falling silent, that it is dead."""
        from zashiki.arena.play import Result

        try:
            results = msgspec.msgpack.decode(worker.pipe.recv_bytes(), type=list[Result])
            done = {result.sitting for result in results}
            worker.owed = [sitting for sitting in worker.owed if sitting not in done]
        except (EOFError, OSError):
            self._bury(worker)
            return []
        self._deaths = 0
        try:
            if not worker.owed and self._waiting:
                worker.hand_out(self._waiting)
        except OSError:
            # It has died after these results, which count all the same.
            self._bury(worker)
            return results
        self._hire(min(self._cores, len(self._workers) + len(self._waiting)) - len(self._workers))
        return results

    def _bury(self, worker: _Worker) -> None:
        del self._workers[worker.pipe]
        self._waiting.extendleft(reversed(worker.owed))
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self._deaths += 1
        if self._deaths > DEATHS:
            raise WorkersDie(
                f"{self._deaths} workers died one after the other, the last with exit code {worker.process.exitcode}"
            )
        self._hire(1)


def _work(pipe: Connection, tournament: bytes) -> None:
    """The life of a worker: it ends when nobody is at the other end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = "1"
    from zashiki.arena.play import Host, Result

    host = Host(msgspec.json.decode(tournament, type=Tournament))
    host.warm_up()
    try:
        pipe.send_bytes(msgspec.msgpack.encode([]))
        while True:
            told, results = monotonic(), list[Result]()
            for sitting in msgspec.json.decode(pipe.recv_bytes(), type=list[Sitting]):
                results.append(host.play(sitting))
                if monotonic() - told > TELL_S:
                    pipe.send_bytes(msgspec.msgpack.encode(results))
                    told, results = monotonic(), []
            if results:
                pipe.send_bytes(msgspec.msgpack.encode(results))
    except (EOFError, OSError):
        return
