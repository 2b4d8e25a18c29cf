"""A whole match over HTTP, with the real house behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from litestar import Request

from tests.server.http_house import FakePusher
from tests.server.room import Room, opened, run
from zashiki.core.match import Match
from zashiki.server import messages
from zashiki.server.accounts import Account
from zashiki.server.app import create_app
from zashiki.server.errors import Refused
from zashiki.server.http.authority import Moment
from zashiki.server.http.seeing import Health, reachable
from zashiki.server.metrics import Metrics
from zashiki.server.service import Service
from zashiki.server.settings import Settings


class Desk:
    """The service as HTTP asks for it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.ask, self.look = service.ask, service.look
        self.talk_of, self.saved_match = service.talk_of, service.saved_match

    async def create(self, account: Account, wanted: messages.NewTable, key: str | None) -> str:
        return await self.service.create(account, wanted)

    async def open_tables(self, game: str | None, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        return await self.service.lobby.open_tables(game, before, limit)

    async def tables_of(self, account: Account, waiting: bool, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        return await self.service.lobby.tables_of(account, waiting, before, limit)


class Player:
    """Somebody who plays over HTTP alone."""

    def __init__(self, browser: httpx.AsyncClient, account: Account) -> None:
        self.browser = browser
        self.account = account
        self.seen = 0

    async def ask(self, method: str, path: str, **request: Any) -> Any:
        answer = await self.browser.request(method, path, headers={"x-account": str(self.account.id)}, **request)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def look(self, table: str) -> messages.TableState:
        shown = await self.ask("GET", f"/api/tables/{table}?since={self.seen}")
        state = msgspec.convert(shown, messages.TableState)
        assert state.since == self.seen
        assert len(state.events) == state.version - self.seen
        self.seen = state.version
        return state


@asynccontextmanager
async def playing(url: str, *names: str) -> AsyncIterator[tuple[Room, list[Player]]]:
    async with opened(url) as room:
        people = [await room.account(name) for name in names]

        async def who(request: Request[Any, Any, Any]) -> Account:
            try:
                return room.accounts[int(request.headers["x-account"])]
            except KeyError:
                raise Refused("unauthorized", "nobody") from None

        application: Any = create_app(
            settings=Settings(data=Path("unused")),
            house=Desk(room.service),
            socket=room.socket,  # type: ignore[arg-type]  # Litestar's types of ASGI are its own
            who=who,
            pusher=FakePusher(),  # type: ignore[arg-type]  # all that is asked of it
            health=Health({"store": reachable(room.service.store)}),
            metrics=Metrics(),
        )
        async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://localhost") as browser:
            yield room, [Player(browser, account) for account in people]


def test_two_people_play_a_match_from_the_first_to_the_last_request(url: str) -> None:
    async def main() -> None:
        async with playing(url, "Aiko", "Ben") as (_, (aiko, ben)):
            wanted = {"game": "hanamikoji", "settings": {"options": {"rounds": 1}}}
            table = (await aiko.ask("POST", "/api/tables", json=wanted))["table"]
            assert [each["id"] for each in (await ben.ask("GET", "/api/tables"))["tables"]] == [table]
            await ben.ask("POST", f"/api/tables/{table}/sit")
            await aiko.ask("POST", f"/api/tables/{table}/start")
            assert (await ben.ask("GET", "/api/tables"))["tables"] == []
            await play_out(table, [aiko, ben])
            saved = await ben.browser.get(f"/api/tables/{table}/match", headers={"x-account": str(ben.account.id)})
            state = await ben.look(table)
            assert state.outcome is not None
            assert Match.load(saved.text).outcome == (tuple(state.outcome.winners), state.outcome.reason)

    run(main())


async def play_out(table: str, people: list[Player]) -> None:
    for number in range(300):
        for player in people:
            state = await player.look(table)
            if state.status != "playing":
                return
            if state.legal:
                wanted = {"action": state.legal[number % len(state.legal)], "version": state.version}
                done = await player.ask("POST", f"/api/tables/{table}/act", json=wanted)
                assert done["type"] == "done"
    raise AssertionError("the match does not end")


def test_a_request_that_is_sent_again_is_done_once(sqlite_url: str) -> None:
    async def main() -> None:
        async with playing(sqlite_url, "Aiko") as (_, (aiko,)):
            table = (await aiko.ask("POST", "/api/tables", json={"game": "kimono"}))["table"]
            sent = {"x-account": str(aiko.account.id), "idempotency-key": "hello-once"}
            for _ in range(2):
                await aiko.browser.post(f"/api/tables/{table}/talk", json={"text": "hello"}, headers=sent)
            assert [line["text"] for line in (await aiko.ask("GET", f"/api/tables/{table}/talk"))["lines"]] == ["hello"]

    run(main())


def test_a_match_that_is_played_is_mine_and_cannot_be_saved_yet(sqlite_url: str) -> None:
    async def main() -> None:
        async with playing(sqlite_url, "Aiko") as (_, (aiko,)):
            wanted = {"game": "hanamikoji", "bots": {"1": "beginner"}, "start": True}
            table = (await aiko.ask("POST", "/api/tables", json=wanted))["table"]
            answer = await aiko.browser.get(f"/api/tables/{table}/match", headers={"x-account": str(aiko.account.id)})
            assert answer.status_code == 409
            assert [each["id"] for each in (await aiko.ask("GET", "/api/my/tables"))["tables"]] == [table]
            assert (await aiko.browser.get("/readyz")).json()["checks"] == {"running": True, "store": True}

    run(main())
