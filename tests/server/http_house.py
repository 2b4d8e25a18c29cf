"""A house that answers plausibly without rules or a store, and an application around it."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import msgspec
from litestar import Request
from litestar.di import Provide

from zashiki.core.replay import Eyes
from zashiki.core.saved import SavedMatch
from zashiki.server import messages
from zashiki.server.accounts import Account
from zashiki.server.advice import Hint, Hints, Warned
from zashiki.server.app import Entrance, create_app
from zashiki.server.errors import Refused
from zashiki.server.http.authority import Moment
from zashiki.server.http.seeing import Health
from zashiki.server.metrics import Metrics
from zashiki.server.reviews import ReviewState
from zashiki.server.settings import Settings, TableSettings

AIKO = Account(id=7, kind="guest", name="Aiko")
SECRET = "q3Vn0d-Zr8sWk1pX5yTcB7uJm2Lh9GfA"
COOKIE = {"cookie": f"zashiki={SECRET}"}
TABLE = "Xq2pT8vLr0aZkW3e"
OVER = "finished_table_0"
NOT_HERE = ("identity", "anybody", "newcomer", "me", "browser")
NOON = 1_750_000_000_000


class FakeHouse:
    """Knows one table that is played and one that is over, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[messages.TableRequest, str | None]] = []
        self.made: list[tuple[messages.NewTable, str | None]] = []
        self.tables = [info(f"open_table_{number:05}", NOON - number) for number in range(7)]
        self.broken: Exception | None = None

    async def create(self, account: Account, wanted: messages.NewTable, key: str | None, address: str | None) -> str:
        if wanted.game != "hanamikoji":
            raise Refused("unknown game", "there is no such game")
        if wanted.seats not in (None, 2):
            raise Refused("wrong settings", "Hanamikoji is played by 2")
        self.made.append((wanted, key))
        return TABLE

    async def ask(self, account: Account, request: messages.TableRequest, key: str | None) -> messages.Done:
        self._check(request.table)
        if isinstance(request, messages.Act) and isinstance(request.action, int) and request.action > 507:
            raise Refused("illegal action", "there is no such action")
        self.asked.append((request, key))
        return messages.Done(request=request.request, table=request.table, version=len(self.asked))

    async def look(self, account: Account, table_id: str, since: int | None) -> messages.TableState:
        self._check(table_id)
        return messages.TableState(
            table=table_id,
            game="hanamikoji",
            version=3,
            since=since or 0,
            status="playing",
            seat=0,
            seats=[messages.SeatInfo(name=account.name, account=account.id), messages.SeatInfo(bot="club")],
            settings=msgspec.Raw(msgspec.json.encode(TableSettings())),
            host=account.id,
            view=msgspec.Raw(b'{"round_number":1}'),
            legal=[0, 1, 2],
            events=[messages.LogLine(kind="act", at=NOON, seat=1, action=msgspec.Raw(b'{"type":"secret","card":null}'))],
        )

    async def open_tables(self, game: str | None, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        found = [table for table in self.tables if game in (None, table.game)]
        return [table for table in found if before is None or (table.created_at, table.id) < before][:limit]

    async def tables_of(self, account: Account, waiting: bool, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        return (await self.open_tables(None, before, limit))[: 1 if waiting else None]

    async def talk_of(self, account: Account, table_id: str, before: int | None, limit: int) -> list[messages.TalkLine]:
        self._check(table_id)
        first = 5 if before is None else before - 1
        return [
            messages.TalkLine(table=table_id, number=number, account=7, name="Aiko", at=NOON, text=f"line {number}")
            for number in range(first, 0, -1)
        ][:limit]

    async def saved_match(self, account: Account, table_id: str) -> str:
        self._check(table_id)
        if table_id != OVER:
            raise Refused("not over", "a match can be saved once it is over")
        return (
            '{"format":"zashiki match 1","game":"hanamikoji","rules":1,"seats":2,"options":{},'
            f'"seed":"{"0" * 32}","actions":[[0,1]],"digest":"{"0" * 64}"}}\n'
        )

    async def replay(self, account: Account, table_id: str, eyes: Eyes) -> bytes:
        await self.saved_match(account, table_id)
        return msgspec.json.encode({"eyes": eyes})

    async def replay_file(self, account: Account, file: SavedMatch, eyes: Eyes) -> bytes:
        return msgspec.json.encode({"game": file.game, "eyes": eyes})

    async def warning(self, account: Account, table_id: str, action: int) -> Warned:
        self._check(table_id)
        return Warned(version=3, lost=0.3, best=Hint(action=2, chance=0.5, points=None))

    async def review(self, account: Account, table_id: str, key: str | None, *, start: bool) -> ReviewState:
        self._check(table_id)
        if table_id != OVER:
            raise Refused("not over", "the match is not over yet")
        return ReviewState(state="working", progress=0.5)

    async def hints(self, account: Account, table_id: str) -> Hints:
        self._check(table_id)
        return Hints(version=3, hints=[Hint(action=2, chance=0.5, points=None)])

    def _check(self, table_id: str) -> None:
        if self.broken:
            raise self.broken
        if table_id not in (TABLE, OVER):
            raise Refused("unknown table", "there is no such table")


class FakePusher:
    """Takes every subscription."""

    public_key = "BPublicKey"

    def __init__(self) -> None:
        self.subscribed: list[str] = []

    async def subscribe(self, account_id: int, endpoint: str, p256dh: str, auth: str) -> None:
        self.subscribed.append(endpoint)

    async def unsubscribe(self, account_id: int, endpoint: str) -> None:
        self.subscribed = [each for each in self.subscribed if each != endpoint]

    async def subscriptions(self, account_id: int) -> int:
        return len(self.subscribed)


def info(table_id: str, created_at: int) -> messages.TableInfo:
    """An open table."""
    return messages.TableInfo(
        id=table_id,
        game="hanamikoji",
        status="waiting",
        seats=[messages.SeatInfo(name="Aiko", account=7), messages.SeatInfo()],
        settings=msgspec.to_builtins(TableSettings()),
        host=7,
        created_at=created_at,
        updated_at=created_at,
    )


async def who(request: Request[Any, Any, Any], companion: int | None = None) -> Account:
    """Aiko, by her cookie or her token."""
    if request.cookies.get("zashiki") == SECRET or request.headers.get("authorization") == f"Bearer {SECRET}":
        return AIKO
    raise Refused("unauthorized", "nobody is signed in")


async def deaf_socket(scope: Any, receive: Any, send: Any) -> None:
    """Accepts, says one word and closes."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": scope["path"]})
    await send({"type": "websocket.close", "code": 1000})


def app(house: FakeHouse | None = None, *, settings: dict[str, Any] | None = None, **more: Any) -> Entrance:
    """The application around a fake house; where nothing is asked for, always the same one."""
    return _made(house, settings, more) if house or settings or more else _usual()


@cache
def _usual() -> Entrance:
    return _made(None, None, {})


def _made(house: FakeHouse | None, settings: dict[str, Any] | None, more: dict[str, Any]) -> Entrance:
    # Nobody knows people here; the tests of those are elsewhere.
    nobody = {name: Provide(lambda: None, sync_to_thread=False) for name in NOT_HERE}
    chosen: dict[str, Any] = {
        "settings": Settings(data=Path("unused"), **(settings or {})),
        "house": house or FakeHouse(),
        "socket": deaf_socket,
        "who": who,
        "records": None,
        "tournaments": None,
        "pusher": FakePusher(),
        "health": Health(),
        "metrics": Metrics(),
        **more,
        "dependencies": {**nobody, **more.get("dependencies", {})},
    }
    return create_app(**chosen)


def call(
    application: Entrance, method: str, path: str, *, client: tuple[str, int] = ("127.0.0.1", 5000), **request: Any
) -> httpx.Response:
    """One request, signed in as Aiko unless headers say otherwise."""

    async def main() -> httpx.Response:
        transport = httpx.ASGITransport(application, client=client)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as browser:
            return await browser.request(method, path, **{"headers": COOKIE, **request})

    return asyncio.run(main())
