"""The service's own time: that of the wall less all time in which no server was up. Clocks at tables run in it.

Each process says every second that it lives. Whoever comes first after a silence adds what was beyond a few seconds to the
time that does not count, in one statement, so that it is added once however many start together.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Set
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, false
from sqlalchemy.dialects import postgresql, sqlite

from zashiki.server.errors import Refused
from zashiki.server.schema import processes, service
from zashiki.server.store import Store, now_ms

BEAT_S = 1.0
SILENCE_MS = 3_000
"""A longer silence means that nobody was there; this much of it is counted nevertheless."""
STALE_MS = 5_000
"""A process that has not said for so long that it lives is dead."""
FORGET_MS = 3_600_000

ONLY = 1
"""The number of the service's one row."""


def steady_ms() -> int:
    """A clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000


class _Beat(NamedTuple):
    """What a beat learns: when it was, by both clocks, how much time does not count, and who lives where."""

    now: int
    steady: int
    down: int
    alive: dict[str, str]


class ServiceTime:
    """The service's own time in one process, once it has started. All machines on one store must agree on the wall's time."""

    def __init__(
        self,
        store: Store,
        process: str,
        address: str = "",
        *,
        wall: Callable[[], int] = now_ms,
        steady: Callable[[], int] = steady_ms,
    ) -> None:
        self.process = process
        self._store = store
        self._address = address
        self._wall = wall
        self._steady = steady
        self._ticks = 0
        self._since = 0
        self._alive: dict[str, str] = {}

    def ticks(self) -> int:
        """Now, in milliseconds. It never runs backwards, and stands still when no beat has reached the store for a while."""
        return self._ticks + min(self._steady() - self._since, SILENCE_MS)

    def alive(self) -> Set[str]:
        """The processes that live, this one among them."""
        return self._alive.keys()

    def address(self, process: str) -> str | None:
        """Where a living process answers."""
        return self._alive.get(process)

    async def start(self) -> None:
        """The first beat: settles how long nobody was there."""
        self._settle(await self._store.write_apart(lambda connection: self._beat(connection, starting=True)))

    async def beat(self) -> None:
        """Says that this process lives, and learns which others do."""
        self._settle(await self._store.write_apart(self._beat))

    async def keep_beating(self) -> None:
        """Beats every second until cancelled."""
        while True:
            await asyncio.sleep(BEAT_S)
            with contextlib.suppress(Refused):
                await self.beat()

    async def stop(self) -> None:
        """The last beat: others need not wait until they miss this process."""
        await self._store.write_apart(self._leave)

    def _settle(self, beat: _Beat) -> None:
        reached = self._ticks + min(beat.steady - self._since, SILENCE_MS) if self._alive else 0
        self._ticks = max(reached, beat.now - beat.down)
        self._since = beat.steady
        self._alive = beat.alive

    def _beat(self, connection: Connection, *, starting: bool = False) -> _Beat:
        now, steady = self._wall(), self._steady()
        if starting:
            self._prepare(connection, now)
        down = _speak(connection, now, starting=starting)
        mine = processes.c.id == self.process
        if not connection.execute(processes.update().where(mine).values(beat=now)).rowcount:
            connection.execute(processes.insert().values(id=self.process, address=self._address, beat=now))
        rows = connection.execute(processes.select().where(processes.c.beat >= now - STALE_MS))
        return _Beat(now, steady, down, {row.id: row.address for row in rows})

    def _prepare(self, connection: Connection, now: int) -> None:
        insert: Any = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(service)
        connection.execute(insert.values(id=ONLY, down_ms=0, beat=now, secrets="").on_conflict_do_nothing())
        connection.execute(processes.delete().where(processes.c.beat < now - FORGET_MS))

    def _leave(self, connection: Connection) -> None:
        _speak(connection, self._wall())
        connection.execute(processes.delete().where(processes.c.id == self.process))


def _speak(connection: Connection, now: int, *, starting: bool = False) -> int:
    """Notes that the service is up, and what of the silence before does not count; returns all that does not count."""
    silence = now - service.c.beat
    # A clock that was set back while nobody was there must not give the same time twice.
    set_back = silence < -SILENCE_MS if starting else false()
    statement = (
        service.update()
        .where(service.c.id == ONLY)
        .values(
            down_ms=service.c.down_ms + case((silence > SILENCE_MS, silence - SILENCE_MS), (set_back, silence), else_=0),
            beat=case((set_back, now), (silence > 0, now), else_=service.c.beat),
        )
        .returning(service.c.down_ms)
    )
    return int(connection.execute(statement).scalar_one())
