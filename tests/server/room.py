"""A server without a network: a service, its socket, and guests who speak to it as ASGI would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from sqlalchemy import insert

from zashiki.server import schema
from zashiki.server.accounts import Account, Identified
from zashiki.server.errors import Refused
from zashiki.server.live import LiveTable
from zashiki.server.messages import NewTable
from zashiki.server.service import Service
from zashiki.server.settings import TableSettings
from zashiki.server.socket import Socket
from zashiki.server.store import Store, now_ms

T = TypeVar("T")
PATIENCE_S = 45.0
"""Longer than anything that a table does by itself after a while."""
_CONNECTED: set[asyncio.Task[None]] = set()
"""Nothing else holds on to the task of somebody whom a test has let go of."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a test that waits."""
    return asyncio.run(asyncio.wait_for(work, 120))


class Clock:
    """A time that tests move by hand."""

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Passing(Clock):
    """A time that passes by itself, and can be moved by hand."""

    def __init__(self) -> None:
        super().__init__(0)

    def __call__(self) -> int:
        return now_ms() + self.now


class Guest:
    """A connection as ASGI sees it: what it sends is played in, what it is sent is kept."""

    def __init__(
        self, room: Any, account: Account, *, client: str = "c", packed: bool = False, scope: Mapping[str, Any] | None = None
    ) -> None:
        self.room = room
        self.account = account
        self.inbox: list[dict[str, Any]] = []
        self.raw: list[bytes | str] = []
        self.open = True
        self.code: int | None = None
        self.reading = asyncio.Event()
        self.reading.set()
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._news = asyncio.Event()
        self._number = 0
        self._packed = packed
        query = f"client={client}&account={account.id}" + ("&format=msgpack" if packed else "")
        opened = {"type": "websocket", "query_string": query.encode(), "headers": [], **(scope or {})}
        self._outbox.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.get_running_loop().create_task(room.socket(opened, self._receive, self._send))
        _CONNECTED.add(self.task)
        self.task.add_done_callback(_CONNECTED.discard)

    async def _receive(self) -> MutableMapping[str, Any]:
        return await self._outbox.get()

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        await self.reading.wait()
        kind = message["type"]
        if kind == "websocket.send":
            data: bytes | str = message["text"] if "text" in message else message["bytes"]
            self.raw.append(data)
            decode: Callable[[Any], Any] = msgspec.json.decode if isinstance(data, str) else msgspec.msgpack.decode
            self.inbox.append(decode(data))
        elif kind in ("websocket.close", "websocket.http.response.start"):
            self.open, self.code = False, message.get("code", message.get("status"))
            self._outbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        self._news.set()

    def send(self, **fields: Any) -> int:
        """Sends a request; gives its number."""
        number = fields.setdefault("request", self._number + 1)
        self._number = max(self._number, number)
        self.send_raw(msgspec.msgpack.encode(fields) if self._packed else msgspec.json.encode(fields).decode())
        return int(number)

    def send_raw(self, data: bytes | str) -> None:
        """Sends whatever."""
        part = {"text": data} if isinstance(data, str) else {"bytes": data}
        self._outbox.put_nowait({"type": "websocket.receive"} | part)

    async def until(self, wanted: Callable[[dict[str, Any]], bool], start: int = 0) -> dict[str, Any]:
        """The first message from a place in the inbox on that is as wanted."""
        place = start
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while place < len(self.inbox):
                    if wanted(self.inbox[place]):
                        return self.inbox[place]
                    place += 1
                self._news.clear()
                await self._news.wait()

    async def ask(self, **fields: Any) -> dict[str, Any]:
        """Sends a request and gives its answer."""
        start = len(self.inbox)
        number = self.send(**fields)
        return await self.until(lambda message: message.get("request") == number, start)

    async def watch(self, table: str, **fields: Any) -> dict[str, Any]:
        """Looks at a table."""
        return await self.ask(type="watch", table=table, **fields)

    def state(self, table: str) -> dict[str, Any]:
        """The last state of a table that was shown."""
        return next(m for m in reversed(self.inbox) if m["type"] == "state" and m["table"] == table)

    async def state_where(self, table: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Waits until a state as wanted is shown, from the last on."""
        start = len(self.inbox) - 1
        while start >= 0 and not (self.inbox[start]["type"] == "state" and self.inbox[start]["table"] == table):
            start -= 1
        return await self.until(lambda m: m["type"] == "state" and m["table"] == table and wanted(m), max(start, 0))

    async def told(self, table: str, kind: str, start: int = 0) -> dict[str, Any]:
        """The first state, from a place in the inbox on, that tells of an event of this kind."""

        def tells(message: dict[str, Any]) -> bool:
            mine = message["type"] == "state" and message["table"] == table
            return mine and any(line["kind"] == kind for line in message["events"])

        return await self.until(tells, start)

    async def leave(self) -> None:
        """Closes the connection."""
        self._outbox.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self.task


class Room:
    """A service with its socket."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.clock = service.house.ticks
        self.accounts: dict[int, Account] = {}
        self.socket = Socket(service, self._identify, self._again)
        service.on_account = self.socket.account_changed

    async def _again(self, identified: Identified) -> Identified | None:
        account = self.accounts.get(identified.account.id)
        return None if account is None else Identified(account, 1, None, 0)

    def _identify(self, scope: MutableMapping[str, Any]) -> Awaitable[Identified]:
        async def found() -> Identified:
            number = int(dict(part.split("=") for part in scope["query_string"].decode().split("&"))["account"])
            if number not in self.accounts:
                raise Refused("unauthorized", "nobody knows you")
            return Identified(self.accounts[number], 1, None, 0)

        return found()

    async def account(self, name: str, kind: Any = "guest") -> Account:
        """Somebody new."""
        row = {"kind": kind, "name": name, "created_at": now_ms(), "seen_at": now_ms()}
        query = insert(schema.accounts).values(row)
        number: Any = await self.service.store.write(lambda connection: connection.execute(query).inserted_primary_key)
        number = number[0]
        self.accounts[number] = account = Account(number, kind, name)
        return account

    async def guest(self, name: str, **fields: Any) -> Guest:
        """Somebody new who is connected."""
        return self.join(await self.account(name), **fields)

    def join(self, account: Account, **fields: Any) -> Guest:
        """Another connection of somebody."""
        self.accounts[account.id] = account
        return Guest(self, account, **fields)

    async def quiet(self) -> None:
        """Waits until nothing is under way at any table."""
        house = self.service.house
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for _ in range(3):
                    await asyncio.sleep(0.001)
                tables = house.tables.values()
                if not house._tasks and not any(live.busy or live.queue or live.behind for live in tables):
                    return

    async def later(self, delay_ms: int) -> None:
        """The test's clock moves on, and whatever is due is done."""
        assert isinstance(self.clock, Clock)
        await self.quiet()
        self.clock.now += delay_ms
        self.service.deadlines.ring()
        await self.quiet()

    async def create(self, account: Account, game: str, **fields: Any) -> str:
        """A new table, set up as it would be said over the network."""
        return await self.service.create(account, msgspec.convert({"game": game} | fields, NewTable, strict=False))

    def live(self, table: str) -> LiveTable:
        """A table in memory."""
        return self.service.house.tables[table]

    async def table(self, game: str, people: list[Guest], bots: dict[int, str] | None = None, **settings: Any) -> str:
        """A table at which these people sit and look, the match begun."""
        seats = len(people) + len(bots or {})
        wanted = NewTable(game=game, seats=seats, settings=msgspec.convert(settings, TableSettings), bots=bots or {}, seat=None)
        table = await self.service.create(people[0].account, wanted)
        for guest in people:
            await guest.watch(table)
            answer = await guest.ask(type="sit", table=table)
            assert answer["type"] == "state", answer
        assert (await people[0].ask(type="start", table=table))["type"] == "state"
        return table


@asynccontextmanager
async def opened(url: str, *, process: str = "p1", ticks: Callable[[], int] = now_ms, **fields: Any) -> AsyncIterator[Room]:
    """A room on a database."""
    fields.setdefault("clock", ticks)
    service = Service(Store(url, process=process), ticks, **fields)
    service.store.open(service.heard)
    await service.open()
    try:
        yield Room(service)
    finally:
        await service.close()
