"""What goes wrong in one place stops nobody elsewhere."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import update

from tests.server.room import Clock, opened, run
from zashiki.server import house as house_module
from zashiki.server import messages, schema
from zashiki.server.errors import Refused
from zashiki.server.ledger import read_table
from zashiki.server.statements import SET_STATUS
from zashiki.server.store import Store, unavailable
from zashiki.server.wire import TEXT, DirectWebSocket


async def _failing(*arguments: Any) -> Any:
    raise unavailable()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on PostgreSQL: nothing but news tells of others' writes."""
    monkeypatch.setattr(Store, "_look_for_strangers", lambda self, connection: connection)


def test_a_watcher_whose_transport_is_closed_stops_nobody(sqlite_url: str) -> None:
    """uvloop's transport raises RuntimeError from `write` between `connection_lost` and the end of the ASGI task."""

    class Closed:
        def write(self, data: bytes) -> None:
            raise RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed")

    wire = DirectWebSocket.__new__(DirectWebSocket)
    wire.close_sent, wire.disconnected, wire.transport = False, True, Closed()  # type: ignore[assignment]
    wire.write(b"{}", TEXT)


def test_somebody_who_fails_to_be_shown_does_not_stop_the_table(sqlite_url: str) -> None:
    async def work() -> None:
        async with opened(sqlite_url) as room:
            a, b, c = [await room.guest(name) for name in "ABC"]
            table = await room.table("hanamikoji", [a, b])
            await c.watch(table)
            connection = next(each for each in room.socket.connections if each.account.id == c.account.id)

            class Broken(type(connection)):  # type: ignore[misc]
                __slots__ = ()

                def _begin(self, sending: Any) -> None:
                    sending.close()
                    raise RuntimeError("the handler is closed")

            connection.__class__ = Broken
            mover = a if a.state(table)["legal"] else b
            number = mover.send(type="act", table=table, action=mover.state(table)["legal"][0])
            async with asyncio.timeout(3):
                await mover.until(lambda message: message.get("request") == number)

    run(work())


def test_a_read_that_fails_once_does_not_silence_the_table(sqlite_url: str, alone: None) -> None:
    async def work() -> None:
        async with opened(sqlite_url) as room:
            a, b = await room.guest("A"), await room.guest("B")
            table = await room.table("hanamikoji", [a, b])
            read, room.service.store.read = room.service.store.read, _failing  # type: ignore[method-assign, assignment]
            room.service.heard([f"table:{table}"])
            await asyncio.sleep(0.1)
            room.service.store.read = read  # type: ignore[method-assign]
            mover = a if a.state(table)["legal"] else b
            number = mover.send(type="act", table=table, action=mover.state(table)["legal"][0])
            async with asyncio.timeout(5):
                await mover.until(lambda message: message.get("request") == number)

    run(work())


def test_news_while_a_table_is_loaded_is_not_forgotten(sqlite_url: str, alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(wanted: str, connection: Any) -> Any:
        found = read_table(wanted, connection)
        time.sleep(0.3)
        return found

    async def work() -> None:
        async with opened(sqlite_url, process="p1") as one, opened(sqlite_url, process="p2") as two:
            a, b = await one.account("A"), await one.account("B")
            table = await one.create(a, "hanamikoji", seats=2, seat=0)
            await one.service.ask(b, messages.Sit(request=0, table=table))
            await one.service.ask(a, messages.Start(request=0, table=table))
            live = one.live(table)
            seat = 0 if live.table.bits & 1 else 1
            monkeypatch.setattr(house_module, "read_table", slowly)
            looking = asyncio.create_task(two.join((b, a)[seat]).watch(table))
            await asyncio.sleep(0.1)
            action = int(live.table.match.state.legal(seat)[0])  # type: ignore[union-attr]
            await one.service.ask((a, b)[seat], messages.Act(request=0, table=table, action=action))
            two.service.heard([f"table:{table}"])
            await looking
            await asyncio.sleep(1)
            assert two.live(table).table.number == live.table.number

    run(work())


def test_whoever_stood_up_is_not_shown_the_seat_after_a_rewrite(sqlite_url: str, alone: None) -> None:
    async def work() -> None:
        async with opened(sqlite_url, process="p1") as one, opened(sqlite_url, process="p2") as two:
            a, b, c = [await one.account(name) for name in "ABC"]
            table = await one.create(a, "hanamikoji", seats=2, seat=0)
            await one.service.ask(b, messages.Sit(request=0, table=table, seat=1))
            guest = two.join(b)
            await guest.watch(table)
            await one.service.ask(b, messages.Stand(request=0, table=table))
            await one.service.ask(c, messages.Sit(request=0, table=table, seat=1))
            await one.service.ask(a, messages.Start(request=0, table=table))
            two.service.heard([f"table:{table}", f"rewritten:{table}"])
            await asyncio.sleep(0.5)
            assert guest.state(table)["seat"] is None

    run(work())


def test_an_unforeseen_error_does_not_leave_a_table_busy(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(event: Any, status: Any) -> list[Any]:
        return [(SET_STATUS, {"table": event.table_id, "at": object(), "now": "no value that a store takes"})]

    async def work() -> None:
        async with opened(sqlite_url) as room:
            a, b = await room.guest("A"), await room.guest("B")
            table = await room.create(a.account, "hanamikoji", seats=2, seat=0)
            monkeypatch.setattr(house_module, "listed", broken)
            number = b.send(type="sit", table=table)
            try:
                async with asyncio.timeout(2):
                    await b.until(lambda message: message.get("request") == number)
            finally:
                room.live(table).busy = False

    run(work())


def test_one_table_of_other_rules_does_not_keep_the_others_open(sqlite_url: str) -> None:
    clock = Clock()

    async def work() -> None:
        async with opened(sqlite_url, ticks=clock) as room:
            a = await room.account("A")
            tables = [await room.create(a, "hanamikoji", seats=2, seat=0) for _ in range(3)]
            old = update(schema.tables).where(schema.tables.c.id == tables[0]).values(rules=999)
            await room.service.store.write(lambda connection: connection.execute(old).rowcount)
        async with opened(sqlite_url, ticks=clock) as room:
            clock.now += 2 * 3_600_000
            with suppress(Refused):
                await room.service.steward.close_dead(lambda account: False)
            await room.quiet()
            assert {room.live(table).table.status for table in tables[1:] if table in room.service.house.tables} == {"closed"}

    run(work())


def test_a_list_read_for_somebody_who_left_is_not_kept(sqlite_url: str) -> None:
    async def work() -> None:
        async with opened(sqlite_url) as room:
            guest = await room.guest("G")
            await asyncio.sleep(0.05)
            lobby, read = room.service.lobby, room.service.lobby.open_tables

            async def slowly(*arguments: Any) -> Any:
                found = await read(*arguments)
                await asyncio.sleep(0.2)
                return found

            lobby.open_tables = slowly  # type: ignore[method-assign, assignment]
            guest.send(type="lobby")
            await asyncio.sleep(0.05)
            await guest.leave()
            await asyncio.sleep(0.4)
            assert lobby._open is None

    run(work())


def test_a_lobby_that_could_not_be_read_again_is_read_later(sqlite_url: str) -> None:
    async def work() -> None:
        async with opened(sqlite_url) as room:
            guest = await room.guest("G")
            await guest.ask(type="lobby")
            await asyncio.sleep(0.6)
            lobby, read = room.service.lobby, room.service.lobby.open_tables
            lobby.open_tables = _failing  # type: ignore[method-assign, assignment]
            lobby.forget()
            await asyncio.sleep(0.1)
            lobby.open_tables = read  # type: ignore[method-assign]
            start = len(guest.inbox)
            await room.create(await room.account("A"), "hanamikoji", seats=2, seat=0)
            async with asyncio.timeout(3):
                await guest.until(lambda message: message["type"].startswith("lobby"), start)

    run(work())


def test_looking_from_every_version_keeps_no_pictures(sqlite_url: str) -> None:
    async def work() -> None:
        async with opened(sqlite_url) as room:
            a, b = await room.guest("A"), await room.guest("B")
            table = await room.table("hanamikoji", [a, b])
            for version in range(4):
                await a.watch(table, version=version)
            assert len(room.live(table).pictures._frames) <= 1

    run(work())
