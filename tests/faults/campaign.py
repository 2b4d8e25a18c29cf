"""A campaign of kills under load."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.faults.load import Ledger, Load
from tests.faults.processes import Server
from tests.faults.verify import Verdict, verify
from tests.server.databases import Postgres


class Report:
    """What a campaign did and what came of it."""

    def __init__(self) -> None:
        self.kills: Counter[str] = Counter()
        self.recoveries: list[float] = []
        self.seconds = 0.0
        self.reconnects = 0
        self.ledger = Ledger()
        self.verdict = Verdict([], [], 0, 0)

    def words(self) -> str:
        """The summary, for people."""
        ledger, verdict = self.ledger, self.verdict
        slowest = max(self.recoveries, default=0.0)
        lines = [
            f"{sum(self.kills.values())} kills in {self.seconds:.0f} s: {dict(self.kills)}",
            f"{verdict.tables} tables, {verdict.actions} actions in the log, {ledger.finished} seats at the end of a match",
            f"{ledger.acknowledged} actions acknowledged, {ledger.repeated} of them only when asked again",
            f"refusals: {dict(ledger.refusals)}",
            f"{self.reconnects} reconnects; from a kill to the next acknowledged action at most {slowest:.1f} s",
            f"refused as unavailable, yet in the log: {len(verdict.unsure)}",
            f"wrong: {len(verdict.wrong)}",
        ]
        return "\n".join([*lines, *(f"  {text}" for text in verdict.wrong[:20])])


class Campaign:
    """Servers over one store, and ways to kill them. `postgres`: two servers, one of them with two workers, over PostgreSQL."""

    def __init__(self, folder: Path, *, seed: int, postgres: Postgres | None = None) -> None:
        self._rng = random.Random(seed)
        self._postgres = postgres
        self._database = postgres.url(postgres.create()) if postgres else None
        self.database = self._database or f"sqlite:///{folder / 'zashiki.db'}"
        workers = (2, 1) if postgres else (1,)
        self.servers = [Server(folder, database=self._database, workers=count) for count in workers]
        self.ways: dict[str, Callable[[], None]] = {"all": self._kill_all, "restart": self._restart}
        if postgres:
            self.ways |= {
                "worker": self._kill_worker,
                "postgres": self._kill_postgres,
                "first": self._kill_first,
                "replace": self._replace_workers,
            }

    async def run(
        self, kills: int, *, ways: Sequence[str] = (), apart: float = 1.0, parties: int = 10, clients: int = 6
    ) -> Report:
        """Kills that often, in these ways or in all, while clients play; then compares."""
        report, began, ways = Report(), time.monotonic(), ways or list(self.ways)
        try:
            for server in self.servers:
                server.start()
                await asyncio.to_thread(server.wait_until_ready)
            urls = [server.url for server in self.servers]
            async with Load(urls, self._rng, parties=parties, clients=clients) as load:
                await _progress(load)
                for number in range(kills):
                    await self._kill(ways[number % len(ways)], load, report, apart)
                await load.finish()
                report.ledger, report.reconnects = load.ledger, load.reconnects
                report.verdict = await self._settled(load)
        except BaseException as error:
            error.add_note(f"after {dict(report.kills)}")
            for server in self.servers:
                error.add_note(f"{server.url}: {server.last_words()}")
            raise
        finally:
            for server in self.servers:
                server.kill()
        report.seconds = time.monotonic() - began
        return report

    async def _settled(self, load: Load, patience: float = 15.0) -> Verdict:
        """Compares until everybody has been shown the last there is, or should have been."""
        end = time.monotonic() + patience
        while True:
            load.look()
            verdict = await asyncio.to_thread(verify, self.database, load.ledger)
            if not verdict.wrong or time.monotonic() > end:
                return verdict
            await asyncio.sleep(0.5)

    async def _kill(self, way: str, load: Load, report: Report, apart: float) -> None:
        """Waits a moment, kills, and mostly waits until the play goes on: the next kill may also hit a server that starts."""
        await asyncio.sleep(self._rng.uniform(0, 2 * apart))
        await asyncio.to_thread(self.ways[way])
        report.kills[way] += 1
        if self._rng.random() < 0.8:
            report.recoveries.append(await _progress(load))

    def _kill_all(self) -> None:
        for server in self.servers:
            server.kill()
        time.sleep(self._rng.uniform(0, 0.3))
        for server in self.servers:
            server.start()

    def _restart(self) -> None:
        """No kill: one after the other is asked to end, as in a rolling restart."""
        for server in self.servers:
            status = server.stop()
            assert status in (0, -signal.SIGTERM), f"the server ended with {status}:\n{server.last_words()}"
            server.start()
            server.wait_until_ready()

    def _kill_worker(self) -> None:
        self._rng.choice(self.servers).kill_worker(self._rng)
        for server in self.servers:
            if not server.is_running:
                server.start()

    def _kill_first(self) -> None:
        """Its workers must notice by themselves."""
        server = self.servers[0]
        server.kill_first()
        server.start_when_possible()

    def _replace_workers(self) -> None:
        self.servers[0].wait_until_ready()
        self.servers[0].replace_workers()

    def _kill_postgres(self) -> None:
        assert self._postgres is not None
        self._postgres.kill()
        time.sleep(self._rng.uniform(0, 1))
        self._postgres.start()


async def _progress(load: Load, patience: float = 60.0) -> float:
    """Waits until another action has been acknowledged at every table; how long that took."""
    began, before = time.monotonic(), [party.acknowledged for party in load.parties]
    while any(party.acknowledged == count for party, count in zip(load.parties, before, strict=True)):
        load.check()
        stuck = [party.standing() for party, count in zip(load.parties, before, strict=True) if party.acknowledged == count]
        assert time.monotonic() < began + patience, "\n".join(["the play does not go on", *stuck])
        await asyncio.sleep(0.02)
    return time.monotonic() - began
