"""A world: one server without a network, one table, and everything that anybody there receives, byte for byte."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Iterator, MutableMapping
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from tests.server.room import Clock, Guest, Room, opened
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.match import Match
from zashiki.server import messages, opening, socket
from zashiki.server.accounts import Account
from zashiki.server.botroom import BotRoom, Question, any_action, think
from zashiki.server.errors import Refused
from zashiki.server.live import LiveTable
from zashiki.server.log import Kind
from zashiki.server.messages import NewTable
from zashiki.server.migrate import migrate
from zashiki.server.service import Service
from zashiki.server.settings import TableSettings
from zashiki.server.store import BLIND

TABLE = "t" * 16
IDLER = -2
"""Somebody in the lobby who has nothing to do with the table."""


Tape = dict[str, list[bytes]]
"""What reached somebody by each way, in its order."""


class Recorded(Guest):
    """A connection whose messages are kept as they were sent."""

    def __init__(self, world: World, who: int, way: str, *, packed: bool = False) -> None:
        self.tape = world.tapes[who][way]
        super().__init__(world.room, world.accounts[who], client=way, packed=packed)

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        await super()._send(message)
        self.tape.append(repr(sorted(message.items())).encode())


class AskedBots(BotRoom[int]):
    """Bots that answer when the test lets them."""

    def __init__(self) -> None:
        super().__init__(0, think, any_action)
        self.questions: dict[int, Question[int]] = {}

    def ask(self, question: Question[int]) -> None:
        self.questions[question.seat] = question


class World:
    """One server with one table."""

    def __init__(self, room: Room, clock: Clock, seats: int) -> None:
        self.room = room
        self.clock = clock
        self.seats = seats
        self.tapes: dict[int, Tape] = defaultdict(lambda: defaultdict(list))
        self.accounts: dict[int, Account] = {}
        self.lines: dict[tuple[int, str], Recorded] = {}
        self.bots = AskedBots()
        service = room.service
        service.bots = service.steward.bots = self.bots
        service.name_for = lambda account, key: key
        service.push_turn = self._pushed

    @property
    def service(self) -> Service:
        return self.room.service

    @property
    def live(self) -> LiveTable:
        return self.service.house.tables[TABLE]

    @property
    def match(self) -> Match:
        match = self.live.table.match
        assert match is not None
        return match

    def _pushed(self, account: int, table: str, game: str) -> None:
        who = next(who for who, each in self.accounts.items() if each.id == account)
        self.note(who, "push", (table, game))

    def note(self, who: int, way: str, content: Any) -> None:
        """Keeps something that reached somebody otherwise than by a socket."""
        self.tapes[who][way].append(msgspec.json.encode(content))

    async def people(self, bots: dict[int, str]) -> None:
        """The same people with the same numbers in every world."""
        for who in (*range(self.seats), SPECTATOR, IDLER):
            if who not in bots:
                self.accounts[who] = await self.room.account(f"P{who}")

    async def connect(self, who: int, way: str, *, packed: bool = False) -> Recorded:
        """Opens a connection of somebody, and waits for the welcome."""
        line = self.lines[who, way] = Recorded(self, who, way, packed=packed)
        await line.until(lambda message: message["type"] == "welcome")
        return line

    async def disconnect(self, who: int) -> None:
        """Closes all connections of somebody."""
        for key in [key for key in self.lines if key[0] == who]:
            await self.lines.pop(key).leave()

    async def create(self, game: str, settings: dict[str, Any], bots: dict[int, str]) -> None:
        """Opens the table; the first person is the host and has no seat yet."""
        wanted = NewTable(game=game, seats=self.seats, settings=msgspec.convert(settings, TableSettings), bots=bots, seat=None)
        host = min(who for who in self.accounts if who >= 0)
        assert await self.service.create(self.accounts[host], wanted, TABLE) == TABLE

    async def hear(self, who: int, way: str, answer: Awaitable[Any]) -> None:
        """Keeps an answer over HTTP, or the refusal."""
        try:
            self.note(who, way, await answer)
        except Refused as refusal:
            self.note(who, way, (refusal.code, refusal.reason, refusal.retry_after_ms))

    async def ask(self, who: int, way: str, **fields: Any) -> None:
        """A request over one of somebody's connections, or over HTTP; its answer is kept."""
        line = self.lines.get((who, way))
        if line is not None:
            await line.ask(table=TABLE, **fields)
            return
        request: Any = msgspec.convert({"request": 0, "table": TABLE, **fields}, messages.Requests)
        await self.hear(who, "http", self.service.ask(self.accounts[who], request))

    async def act(self, seat: int, way: str, number: int) -> None:
        """A seat's person, its bot, or time acts."""
        if seat == CLOCK:
            assert self.service.steward.write(self.live, Kind.ACT, CLOCK, number)
        elif seat in self.bots.questions:
            self.bots.questions.pop(seat).answer(number)
        else:
            await self.ask(seat, way, type="act", action=number)
        await self.settle()

    def ring(self) -> None:
        """Whatever is due by the clock happens."""
        self.service.deadlines.ring()

    async def settle(self) -> None:
        """Waits until nothing is under way."""
        house = self.service.house
        while house._tasks or any(live.busy or live.behind or live.queue for live in house.tables.values()) or self._drains():
            await asyncio.sleep(0.0003)

    def _drains(self) -> bool:
        blocked = {line.account.id for line in self.lines.values() if not line.reading.is_set()}
        return any(each.paused and each.account.id not in blocked for each in self.room.socket.connections)


@cache
def _empty_database() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="zashiki-secrecy-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(f"sqlite:///{folder / 'template.db'}")
    return folder / "template.db"


@asynccontextmanager
async def opened_world(folder: Path, name: str, clock: Clock, seats: int) -> AsyncIterator[World]:
    """A new world on a database of its own."""
    file = folder / f"{name}.db"
    shutil.copy(_empty_database(), file)
    async with opened(f"sqlite:///{file}", ticks=clock, clock=clock, bot_threads=0) as room:
        while room.service.store._seen == BLIND:  # A store that opens its eyes tells its lobby, once.
            await asyncio.sleep(0.001)
        world = World(room, clock, seats)
        await world.settle()
        yield world


class Drawn:
    """In the place of the operating system's chance: new tables have the same name in every world, and other seeds."""

    def __init__(self) -> None:
        self._seed = 0x5EED << 96

    def token_bytes(self, count: int) -> bytes:
        self._seed += 0x9E3779B97F4A7C15
        seed = self._seed.to_bytes(opening.SEED_BYTES, "big")
        return seed + bytes(count - len(seed))


@contextmanager
def no_chance(clock: Clock) -> Iterator[None]:
    """Names, seeds and the time of day are the test's."""
    with patch.object(opening, "secrets", Drawn()), patch.object(socket, "now_ms", clock):
        yield
