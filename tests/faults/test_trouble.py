"""A store in trouble: every request is answered with a clear refusal, and play goes on by itself when the trouble is over."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.faults.disk import mounted
from tests.faults.load import Ledger
from tests.faults.processes import START_PATIENCE_S, Server, wait_for
from tests.faults.verify import verify
from tests.faults.wire import Wire
from tests.server.databases import Postgres
from zashiki.client import Backoff, Client, Refused, Table


class TwoSeats:
    """Two people at a table, perhaps at two servers."""

    def __init__(self, seats: list[Table]) -> None:
        self.seats = seats

    async def move(self) -> None:
        """Makes one move, which both see; raises if it is refused."""
        mover = next(seat for seat in self.seats if seat.state.my_turn)
        before = [seat.version for seat in self.seats]
        await mover.act(mover.state.legal[0])
        for seat, version in zip(self.seats, before, strict=True):
            await seat.shown(version + 1)

    async def cannot_move(self) -> None:
        """A move is refused with a word on why, and changes nothing that anybody sees."""
        before = [seat.version for seat in self.seats]
        with pytest.raises(Refused, match="store") as refusal:
            await self.move()
        assert refusal.value.code == "unavailable"
        assert [seat.version for seat in self.seats] == before

    async def move_again(self) -> None:
        """Moves as soon as the store is back."""
        async with asyncio.timeout(20):
            while True:
                try:
                    return await self.move()
                except Refused as refusal:
                    if refusal.code != "unavailable":
                        raise
                    await asyncio.sleep(0.1)


@asynccontextmanager
async def seated(*urls: str) -> AsyncIterator[TwoSeats]:
    """Two people who have begun a match, at the first and the last of these servers."""
    people = [Client(url, patient=False, backoff=Backoff(0.05, 0.3), timeout=90) for url in (urls[0], urls[-1])]
    async with people[0] as one, people[1] as other:
        table = await one.create("hanamikoji")
        async with one.sit(table, 0) as host, other.sit(table, 1) as guest:
            await host.shown(guest.version)
            await host.start()
            await guest.shown(host.version)
            yield TwoSeats([host, guest])


@contextmanager
def serving(data: Path, *, database: str | None = None) -> Iterator[Server]:
    server = Server(data, database=database)
    server.start()
    try:
        server.wait_until_ready()
        yield server
        assert server.is_running, server.last_words()
    finally:
        server.kill()


async def go_through(server: Server, people: TwoSeats, begin: Callable[[], object], end: Callable[[], object]) -> None:
    """Trouble begins and ends; the same process answers before, meanwhile and afterwards."""
    await people.move()
    begin()
    try:
        await people.cannot_move()
        assert server.status("/healthz") == 200
    finally:
        end()
    for _ in range(3):
        await people.move_again()
    await asyncio.to_thread(server.wait_until_ready)


def is_sound(database: str) -> bool:
    verdict = verify(database, Ledger())
    assert verdict.wrong == []
    return verdict.actions >= 3


def test_a_full_disk_is_said_and_survived(tmp_path: Path) -> None:
    async def main(server: Server, begin: Callable[[], object], end: Callable[[], object]) -> None:
        async with seated(server.url) as people:
            await go_through(server, people, begin, end)

    with mounted(tmp_path) as disk, serving(tmp_path) as server:
        if disk:
            asyncio.run(main(server, disk.fill, disk.clear))
        else:
            asyncio.run(main(server, lambda: allow(server.pid, 0), lambda: allow(server.pid, resource.RLIM_INFINITY)))
        assert is_sound(f"sqlite:///{tmp_path / 'zashiki.db'}")


def allow(pid: int, size: int) -> None:
    """Lets a process write files up to that size."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def test_a_locked_database_is_said_and_survived(tmp_path: Path) -> None:
    async def main(server: Server) -> None:
        lock = sqlite3.connect(tmp_path / "zashiki.db", isolation_level=None)
        async with seated(server.url) as people:
            await go_through(server, people, partial(lock.execute, "BEGIN IMMEDIATE"), partial(lock.execute, "ROLLBACK"))
        lock.close()

    with serving(tmp_path) as server:
        asyncio.run(main(server))
    assert is_sound(f"sqlite:///{tmp_path / 'zashiki.db'}")


def test_a_server_that_starts_before_its_postgresql_says_so_and_waits_for_it(tmp_path: Path, postgres: Postgres) -> None:
    name = postgres.create()
    wire = Wire(f"{make_url(postgres.url(name)).query['host']}/.s.PGSQL.5432")
    wire.cut()
    server = Server(tmp_path, database=f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable")
    server.start()
    try:
        wait_for(lambda: "the store does not answer" in server.last_words(), server.last_words, START_PATIENCE_S)
        assert server.status("/readyz") is None
        wire.mend()
        server.wait_until_ready()
    finally:
        server.kill()
        wire.close()


def test_a_lost_postgresql_is_said_and_survived(tmp_path: Path, postgres: Postgres) -> None:
    async def main(one: Server, other: Server) -> None:
        async with seated(one.url, other.url) as people:
            await go_through(one, people, wire.cut, wire.mend)

    name = postgres.create()
    wire = Wire(f"{make_url(postgres.url(name)).query['host']}/.s.PGSQL.5432")
    url = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable"
    try:
        with serving(tmp_path, database=url) as one, serving(tmp_path, database=url) as other:
            asyncio.run(main(one, other))
        assert is_sound(postgres.url(name))
    finally:
        wire.close()
