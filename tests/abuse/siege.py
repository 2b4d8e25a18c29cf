"""A siege: honest tables with and without attackers beside them, in turns, against one real server."""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec

from tests.abuse.attackers import Orders, Results
from tests.abuse.honest import HonestTable
from tests.faults.processes import Server, children
from zashiki.client import Client


def resident_megabytes(pid: int) -> float:
    """The memory of a process and its children."""
    total = 0
    for process in (pid, *children(pid)):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total / 1024


FLOOD = 20
"""Megabytes of pings."""


class Report(msgspec.Struct):
    """What a siege has shown. Latencies are in milliseconds, memory in megabytes."""

    messages: int = 0
    requests: int = 0
    connections: int = 0
    heard: dict[str, int] = {}
    refusals: dict[str, int] = {}
    statuses: dict[str, int] = {}
    not_taken: dict[str, int] = {}
    leaks: list[str] = []
    wrong: list[str] = []
    moves: int = 0
    memory: dict[str, float] = {}
    latency: dict[str, dict[str, float]] = {}
    kept_open: dict[str, int] = {}

    def add(self, results: Results) -> None:
        """Adds what attackers report."""
        self.messages += results.messages
        self.requests += results.requests
        self.connections += results.connections
        self.leaks += results.leaks
        for name in ("heard", "refusals", "statuses", "not_taken"):
            counts = getattr(self, name)
            for what, count in getattr(results, name).items():
                counts[what] = counts.get(what, 0) + count

    @property
    def failures(self) -> list[str]:
        """What must not have happened."""
        crashes = [f"answered {status!r} {count} times" for status, count in self.statuses.items() if " 500 " in status]
        return [*self.leaks, *self.wrong, *crashes]


class Siege:
    """A server, honest people and a process of attackers."""

    def __init__(self, server: Server, seed: int, *, tables: int = 6, pause: float = 0.03) -> None:
        self.server = server
        self.report = Report()
        self._rng = random.Random(seed)
        self._seed = seed
        self._count, self._pause = tables, pause
        self._tables: list[HonestTable] = []
        self._playing: list[asyncio.Task[None]] = []
        self._attackers: asyncio.subprocess.Process | None = None
        self._windows: list[tuple[str, float, float]] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Siege:
        for number in range(self._count):
            pair = [await self._stack.enter_async_context(Client(self.server.url)) for _ in range(2)]
            table = HonestTable(pair, self._rng, pause=self._pause, watched=number == 0)
            await table.open()
            self._tables.append(table)
        self._playing = [asyncio.create_task(table.play()) for table in self._tables]
        self._attackers = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.abuse.attackers", str(self.server.port), str(self._seed)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 20,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._attackers is not None
        assert self._attackers.stdin is not None
        self._attackers.stdin.close()
        await self._attackers.wait()
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        await self._stack.aclose()

    async def order(self, do: str, count: int = 0, rate: float = 1000.0, only: str = "") -> Results:
        """Has the attackers do something, and hears what came of it."""
        assert self._attackers is not None
        assert self._attackers.stdin is not None
        assert self._attackers.stdout is not None
        watched = [table.id for table in self._tables if table.watched]
        orders = Orders(do, count, [table.id for table in self._tables], watched, rate, only)
        self._attackers.stdin.write(msgspec.json.encode(orders) + b"\n")
        results = msgspec.json.decode(await self._attackers.stdout.readline(), type=Results)
        if do != "attack the decoy":
            self.report.add(results)
        return results

    async def window(self, label: str, do: Any) -> Any:
        """Does something and remembers when, for the latencies; makes sure that the honest play on."""
        began = time.perf_counter()
        result = await do
        self._windows.append((label, began, time.perf_counter()))
        self.report.memory[label] = round(resident_megabytes(self.server.pid), 1)
        for task in self._playing:
            if task.done():
                self.report.wrong.append(f"an honest table has ended: {task.exception()!r}")
        if not self.server.is_running:
            self.report.wrong.append(f"the server has ended: {self.server.last_words()}")
        return result

    def finish(self) -> Report:
        """The report, with all latencies by windows of the same label."""
        moments = [moment for table in self._tables for moment in table.moments]
        self.report.moves = len(moments)
        self.report.wrong += [f"an honest move was refused: {text}" for table in self._tables for text in table.wrong]
        for label in dict.fromkeys(label for label, _, _ in self._windows):
            spans = [(began, ended) for name, began, ended in self._windows if name == label]
            took = sorted(m.took * 1000 for m in moments if any(began <= m.at < ended for began, ended in spans))
            if took:
                self.report.latency[label] = {
                    "moves": len(took),
                    "mean": round(statistics.fmean(took), 3),
                    "p50": round(took[len(took) // 2], 3),
                    "p90": round(took[len(took) * 9 // 10], 3),
                    "p99": round(took[len(took) * 99 // 100], 3),
                }
        return self.report


async def besiege(
    server: Server, *, messages: int, seed: int, rate: float = 1000.0, windows: int = 10, silent: int = 20, idle: int = 0
) -> Report:
    """The whole siege: attacks on the server and on a decoy in turns, then connections that never read, then idle ones."""
    async with Siege(server, seed) as siege:
        await siege.order("wait")
        await siege.window("warming up", asyncio.sleep(1))
        for _ in range(windows if messages else 0):
            await siege.window("decoy", siege.order("attack the decoy", messages // windows, rate))
            await siege.window("abuse", siege.order("attack", messages // windows, rate))
        if silent:
            await _stay(siege, "silent", silent)
            await siege.window("pings that nobody reads", siege.order("flood", FLOOD))
            await siege.order("leave")
        if idle:
            await _stay(siege, "idle", idle)
            await siege.order("leave")
        await siege.window("afterwards", asyncio.sleep(1))
        return siege.finish()


async def _stay(siege: Siege, kind: str, count: int) -> None:
    results = await siege.window(f"opening {kind} ones", siege.order(kind, count))
    siege.report.kept_open[kind] = results.open
    await siege.window(f"with {kind} ones", asyncio.sleep(2))
