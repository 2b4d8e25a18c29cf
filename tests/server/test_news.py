"""What other processes write is never missed, whenever the news of it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import insert

from tests.server.room import run
from zashiki.server import schema
from zashiki.server.accounts import Account
from zashiki.server.messages import NewTable, Start
from zashiki.server.service import Service
from zashiki.server.store import Store, unavailable

AIKO = Account(1, "guest", "Aiko")


@asynccontextmanager
async def process(url: str) -> AsyncIterator[Service]:
    """A process that hears nothing by itself."""
    store = Store(url)
    store.open()
    service = Service(store)
    await service.open()
    try:
        yield service
    finally:
        await service.close()


async def opened(service: Service) -> str:
    """A table that its host may begin."""
    row = {"id": AIKO.id, "kind": AIKO.kind, "name": AIKO.name, "created_at": 0, "seen_at": 0}
    await service.store.write(lambda connection: connection.execute(insert(schema.accounts), [row]) and None)
    return await service.create(AIKO, NewTable(game="hanamikoji", bots={1: "beginner"}))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("news", ["table:{}", "*"])
def test_news_of_a_table_that_is_being_loaded_is_not_lost(sqlite_url: str, news: str) -> None:
    async def main() -> None:
        async with process(sqlite_url) as one, process(sqlite_url) as other:
            table = await opened(one)
            read, has_read, may_go_on = other.store.read, asyncio.Event(), asyncio.Event()

            async def slowly(work: Callable[[Any], Any]) -> Any:
                found = await read(work)
                has_read.set()
                await may_go_on.wait()
                return found

            other.store.read = slowly  # type: ignore[method-assign] # a machine that is busy just then
            loading = asyncio.create_task(other.house.load(table))
            await has_read.wait()
            await one.ask(AIKO, Start(request=1, table=table))
            other.heard([news.format(table)])
            may_go_on.set()
            live = await loading
            await until(lambda: live.table.status == "playing")

    run(main())


def test_a_table_whose_log_could_not_be_read_answers_when_it_can(sqlite_url: str) -> None:
    async def main() -> None:
        async with process(sqlite_url) as service:
            table = await opened(service)
            read = service.store.read

            async def broken(work: Callable[[Any], Any]) -> Any:
                raise unavailable()

            service.store.read = broken  # type: ignore[method-assign] # PostgreSQL is away
            service.heard([f"table:{table}"])
            live = service.house.tables[table]
            await until(lambda: not live.busy)
            service.store.read = read  # type: ignore[method-assign] # and back
            done = await asyncio.wait_for(service.ask(AIKO, Start(request=1, table=table)), 10)
            assert done.version == live.table.version(0)

    run(main())
