"""The store on both databases: what shares a transaction, what is refused, who hears of it, and how it recovers."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import psycopg
import pytest
import sqlalchemy
from sqlalchemy import Connection, func, select, text
from sqlalchemy.event import listen
from sqlalchemy.exc import DBAPIError, IntegrityError

from tests.server.databases import Postgres, opened
from tests.server.rows import account, event, lay
from zashiki.server import engine
from zashiki.server import store as store_module
from zashiki.server.errors import Refused
from zashiki.server.news import LONGEST, packed
from zashiki.server.schema import accounts, events, tables
from zashiki.server.statements import Row
from zashiki.server.store import LOST, WON, Store

PATIENCE_S = 20
WRITERS = "SELECT count(DISTINCT xmin::text) FROM events"
"""How many transactions wrote the log, as PostgreSQL remembers it."""


def appended(store: Store, row: Row, news: str | None = None) -> asyncio.Future[Any]:
    """Appends a row; what `done` will hear."""
    heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    store.append(row, heard.set_result, () if news is None else (news,))
    return heard


async def held(store: Store) -> tuple[threading.Event, asyncio.Future[None]]:
    """Keeps the writer busy until the event is set, so that what follows becomes one group."""
    busy, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work(connection: Connection) -> None:
        loop.call_soon_threadsafe(busy.set)
        assert release.wait(PATIENCE_S)

    waiting = asyncio.ensure_future(store.write(work))
    await asyncio.wait_for(busy.wait(), PATIENCE_S)
    return release, waiting


async def grouped(store: Store, rows: Sequence[Row], writes: Sequence[Callable[[Connection], Any]] = ()) -> list[Any]:
    """What comes of these rows and writes when they are carried out as one group."""
    release, waiting = await held(store)
    asked = [appended(store, row) for row in rows] + [asyncio.ensure_future(store.write(work)) for work in writes]
    await asyncio.sleep(0)
    release.set()
    await waiting
    return await asyncio.gather(*asked, return_exceptions=True)


def log(store: Store) -> list[tuple[str, int]]:
    """Which events are in the store."""
    rows = store.read_now(lambda connection: connection.execute(select(events.c.table_id, events.c.number)).all())
    return sorted((row[0].rstrip("-"), row[1]) for row in rows)


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits for something that happens by itself."""
    async with asyncio.timeout(PATIENCE_S):
        while not await condition():
            await asyncio.sleep(0.02)


def add(name: str, **columns: Any) -> Callable[[Connection], int]:
    return lambda connection: account(connection, name, **columns)


def driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def test_rows_appended_together_share_one_transaction(url: str) -> None:
    (table,) = lay(url, "t")

    async def main() -> None:
        async with opened(url) as store:
            statements: list[str] = []
            if store.is_sqlite:
                await store.write(lambda connection: driver(connection).set_trace_callback(statements.append))
            assert await grouped(store, [event(table, number) for number in range(1, 51)]) == [WON] * 50
            assert log(store) == [("t", number) for number in range(1, 51)]
            if store.is_sqlite:
                assert statements.count("COMMIT") == 3  # that which began to watch, that which held the writer, and the group
            else:
                assert store.read_now(lambda connection: connection.execute(text(WRITERS)).scalar_one()) == 1

    asyncio.run(main())


def test_of_two_writers_of_one_number_in_one_group_the_first_wins(url: str) -> None:
    first, second = lay(url, "a", "b")

    async def main() -> None:
        async with opened(url) as store:
            rows = [event(first, 1), event(first, 1, action=9), event(second, 1), event(first, 2)]
            assert await grouped(store, rows) == [WON, LOST, WON, WON]
            assert log(store) == [("a", 1), ("a", 2), ("b", 1)]

    asyncio.run(main())


def test_of_two_stores_that_write_the_same_numbers_exactly_one_wins_each(url: str) -> None:
    (table,) = lay(url, "t")

    async def main() -> None:
        async with opened(url, process="one") as one, opened(url, process="two") as two:
            for number in range(1, 21):
                results = await asyncio.gather(appended(one, event(table, number)), appended(two, event(table, number)))
                assert sorted(results) == [LOST, WON]
            assert len(log(one)) == 20

    asyncio.run(main())


def stumble(connection: Connection) -> None:
    """Work that writes and then fails."""
    account(connection, "Nobody")
    raise ValueError("not like that")


def test_a_failing_write_does_not_hurt_its_neighbours(url: str) -> None:
    (table,) = lay(url, "t")

    async def main() -> None:
        async with opened(url) as store:
            await store.write(add("Aki", kind="person", name_key="aki"))
            rows = [event(table, 1), event(table, 2)]
            wrong = sqlalchemy.text("SELECT nonsense")
            writes = [
                stumble,
                add("Aki", kind="person", name_key="aki"),
                lambda connection: connection.execute(wrong),
                add("Botan"),
            ]
            results = await grouped(store, rows, writes)
            assert results[:2] == [WON, WON]
            assert isinstance(results[2], ValueError)
            assert isinstance(results[3], IntegrityError)
            assert isinstance(results[4], DBAPIError)
            assert isinstance(results[5], int)
            names = await store.read(lambda connection: connection.execute(select(accounts.c.name)).scalars().all())
            assert sorted(names) == ["Aki", "Aki", "Botan"]  # one of them laid the table

    asyncio.run(main())


def test_a_write_that_passes_over_an_error_takes_nobody_down_with_it(url: str) -> None:
    (table,) = lay(url, "t")

    def careless(connection: Connection) -> None:
        for _ in range(2):
            with contextlib.suppress(IntegrityError):
                account(connection, "Aki", kind="person", name_key="aki")

    async def main() -> None:
        async with opened(url) as store:
            results = await grouped(store, [event(table, 1)], [careless])
            assert results[0] == WON
            assert log(store) == [("t", 1)]

    asyncio.run(main())


def test_a_write_apart_waits_for_no_group_of_moves(postgres_url: str) -> None:
    async def main() -> None:
        heard: list[str] = []
        async with opened(postgres_url, process="one") as one, opened(postgres_url, heard.extend, process="two"):
            await until(lambda: seen(heard, "*"))
            release, waiting = await held(one)
            assert await one.write_apart(add("Aki"), news=["account:1"]) > 0
            await until(lambda: seen(heard, "account:1"))
            release.set()
            await waiting

    asyncio.run(main())


def test_a_write_apart_that_fails_changes_nothing(url: str) -> None:
    async def main() -> None:
        async with opened(url) as store:
            with pytest.raises(ValueError, match="not like that"):
                await store.write_apart(stumble)
            assert await store.read(lambda connection: connection.execute(select(accounts)).all()) == []

    asyncio.run(main())


def test_a_reader_sees_one_moment_of_the_store(url: str) -> None:
    async def main() -> None:
        async with opened(url) as store:
            seen, written = threading.Event(), threading.Event()

            def count(connection: Connection) -> tuple[int, int]:
                before = connection.execute(select(func.count()).select_from(accounts)).scalar_one()
                seen.set()
                assert written.wait(PATIENCE_S)
                return before, connection.execute(select(func.count()).select_from(accounts)).scalar_one()

            counting = asyncio.ensure_future(store.read(count))
            await asyncio.to_thread(seen.wait, PATIENCE_S)
            await store.write(add("Aki"))
            written.set()
            assert await counting == (0, 0)

    asyncio.run(main())


def lock(url: str) -> Any:
    """Another program that locks the store against writers; `close` lets go."""
    if url.startswith("sqlite"):
        other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        return other
    connection = psycopg.connect(url)
    connection.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
    return connection


def test_a_locked_store_is_unavailable_and_recovers(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LOCK_TIMEOUT_S", 0.05)
    (table,) = lay(url, "t")

    async def main() -> None:
        async with opened(url) as store:
            other = await asyncio.to_thread(lock, url)
            refused = await appended(store, event(table, 1))
            assert isinstance(refused, Refused)
            assert refused.code == "unavailable"
            other.close()
            assert await appended(store, event(table, 1)) == WON

    asyncio.run(main())


def test_a_full_disk_is_refused_whole_and_recovers_without_a_restart(sqlite_url: str) -> None:
    (table,) = lay(sqlite_url, "t")
    disk = {"pages": 0}

    def limit(connection: Any, record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={disk['pages'] or 1_000_000}")

    async def main() -> None:
        async with opened(sqlite_url) as store:
            listen(store._writing, "connect", limit)
            disk["pages"] = 1  # as many as there are already: not one more
            await store.write(lambda connection: connection.connection.cursor().execute("PRAGMA max_page_count=1").close())
            big = event(table, 2, detail="x" * 100_000)
            for neighbour in (add("Aki"), stumble):
                rows = [event(table, 1), big]
                results = await grouped(store, rows, [neighbour])
                assert [type(result) for result in results] == [Refused] * 3
                assert "disk is full" in str(results[1].__cause__)
                assert log(store) == []
            disk["pages"] = 0
            assert await grouped(store, [event(table, 1), big]) == [WON, WON]

    asyncio.run(main())


def test_a_postgresql_that_dies_is_unavailable_and_recovers(postgres: Postgres, postgres_url: str) -> None:
    (table,) = lay(postgres_url, "t")

    async def main() -> None:
        heard: list[str] = []
        async with opened(postgres_url, process="one") as one, opened(postgres_url, heard.extend, process="two") as two:
            await until(lambda: seen(heard, "*"))
            assert await appended(one, event(table, 1)) == WON
            await asyncio.to_thread(postgres.kill)
            assert isinstance(await appended(one, event(table, 2)), Refused)
            for request in (
                two.read(lambda connection: connection.execute(select(tables.c.id)).all()),
                two.write_apart(add("Aki")),
            ):
                with pytest.raises(Refused, match="cannot reach its store"):
                    await request
            heard.clear()
            await asyncio.to_thread(postgres.start)
            assert await appended(one, event(table, 2)) == WON
            assert await two.read(lambda connection: connection.execute(select(events.c.number)).scalars().all()) == [1, 2]
            await until(lambda: seen(heard, "*"))
            assert await appended(one, event(table, 3), f"table:{table}") == WON
            await until(lambda: seen(heard, f"table:{table}"))

    asyncio.run(main())


async def seen(heard: list[str], news: str) -> bool:
    return news in heard


def test_a_restart_of_postgresql_while_nobody_writes_is_not_noticed(postgres: Postgres, postgres_url: str) -> None:
    (table,) = lay(postgres_url, "t")

    async def main() -> None:
        async with opened(postgres_url) as store:
            assert await appended(store, event(table, 1)) == WON
            assert log(store) == [("t", 1)]
            await asyncio.to_thread(postgres.kill)
            await asyncio.to_thread(postgres.start)
            assert await appended(store, event(table, 2)) == WON
            assert log(store) == [("t", 1), ("t", 2)]

    asyncio.run(main())


def test_news_reach_the_others_and_not_oneself(postgres_url: str) -> None:
    (table,) = lay(postgres_url, "t")

    async def main() -> None:
        one_heard: list[str] = []
        two_heard: list[str] = []
        one_opened = opened(postgres_url, one_heard.extend, process="one")
        async with one_opened as one, opened(postgres_url, two_heard.extend, process="two") as two:
            await until(lambda: seen(one_heard, "*"))
            await until(lambda: seen(two_heard, "*"))
            await appended(one, event(table, 1), f"table:{table}")
            await one.write(add("Aki"), news=["account:1", "lobby:t"])
            assert await appended(one, event(table, 1), "table:lost") == LOST
            await two.write(add("Botan"), news=["account:2"])
            await until(lambda: seen(two_heard, "lobby:t"))
            await until(lambda: seen(one_heard, "account:2"))
            assert one_heard == ["*", "account:2"]
            assert two_heard == ["*", f"table:{table}", "account:1", "lobby:t"]

    asyncio.run(main())


def test_long_news_are_split(postgres_url: str) -> None:
    news = [f"table:{number:016}" for number in range(2_000)]
    assert all(len(payload) <= LONGEST for payload in packed("one", news))

    async def main() -> None:
        heard: list[str] = []
        async with opened(postgres_url, process="one") as one, opened(postgres_url, heard.extend, process="two"):
            await until(lambda: seen(heard, "*"))
            await one.write(lambda connection: None, news=news * 2)
            await until(lambda: seen(heard, news[-1]))
            assert heard == ["*", *news]

    asyncio.run(main())


def test_what_another_program_writes_to_a_sqlite_file_is_noticed_even_while_we_write(sqlite_url: str) -> None:
    (table,) = lay(sqlite_url, "t")

    async def main() -> None:
        heard: list[str] = []
        async with opened(sqlite_url, heard.extend) as store:
            await until(lambda: seen(heard, "*"))
            heard.clear()
            other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))
            other.execute("UPDATE tables SET status = 'closed'")
            other.commit()
            other.close()
            numbers = iter(range(1, 100_000))

            async def noticed() -> bool:
                assert await appended(store, event(table, next(numbers))) == WON
                return "*" in heard

            await until(noticed)

    asyncio.run(main())


def test_our_own_writes_to_a_sqlite_file_are_no_news(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "LOOK_S", 0.0)
    (table,) = lay(sqlite_url, "t")

    async def main() -> None:
        heard: list[str] = []
        async with opened(sqlite_url, heard.extend) as store:
            for number in range(1, 20):
                assert await appended(store, event(table, number)) == WON
            assert heard == ["*"]

    asyncio.run(main())


def test_closing_finishes_what_is_pending_and_refuses_the_rest(url: str) -> None:
    (table,) = lay(url, "t")

    async def main() -> None:
        async with opened(url) as store:
            release, waiting = await held(store)
            result = appended(store, event(table, 1))
            closing = asyncio.ensure_future(store.close())
            await asyncio.sleep(0)
            late = appended(store, event(table, 2))
            release.set()
            await asyncio.gather(waiting, closing)
            assert await result == WON
            assert isinstance(await late, Refused)
            for request in (store.write(add("Aki")), store.read(lambda connection: None)):
                with pytest.raises(Refused):
                    await request
            assert log(store) == [("t", 1)]

    asyncio.run(main())


def test_one_who_stumbles_over_a_result_does_not_keep_the_others_waiting(url: str) -> None:
    (table,) = lay(url, "t")

    def trip(result: object) -> None:
        raise ValueError("stumbled")

    async def main() -> None:
        told: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))
        async with opened(url) as store:
            release, waiting = await held(store)
            store.append(event(table, 1), trip)
            result = appended(store, event(table, 2))
            release.set()
            await waiting
            assert await result == WON
            assert [str(error) for error in told] == ["stumbled"]

    asyncio.run(main())
