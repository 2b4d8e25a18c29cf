"""Whole matches over HTTP alone, with the whole server behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from tests.server.built import built
from tests.server.room import run
from zashiki.core.match import Match
from zashiki.server import messages


class Player:
    """Somebody who plays over HTTP alone."""

    def __init__(self, browser: httpx.AsyncClient) -> None:
        self.browser = browser
        self.seen = 0

    async def ask(self, method: str, path: str, **request: Any) -> Any:
        """What is answered to a request that is not refused."""
        answer = await self.browser.request(method, path, **request)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def table(self, game: str, *, key: str | None = None, **wanted: Any) -> str:
        """Makes a table; its id."""
        headers = {} if key is None else {"idempotency-key": key}
        made = await self.ask("POST", "/api/tables", json={"game": game, **wanted}, headers=headers)
        return str(made["table"])

    async def look(self, table: str) -> messages.TableState:
        """The table, and what was told since the last look."""
        shown = await self.ask("GET", f"/api/tables/{table}?since={self.seen}")
        state = msgspec.convert(shown, messages.TableState)
        assert state.since == self.seen
        assert len(state.events) == state.version - self.seen
        self.seen = state.version
        return state


@asynccontextmanager
async def playing(folder: Path, url: str, *names: str) -> AsyncIterator[list[Player]]:
    """These people, each with a browser."""
    async with built(folder, url) as house, AsyncExitStack() as stack:
        yield [Player(await stack.enter_async_context(house.guest(name))) for name in names]


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


def test_two_people_play_a_match_from_the_first_to_the_last_request(tmp_path: Path, url: str) -> None:
    async def main() -> None:
        async with playing(tmp_path, url, "Aiko", "Ben") as (aiko, ben):
            table = await aiko.table("hanamikoji", settings={"options": {"rounds": 1}})
            assert [each["id"] for each in (await ben.ask("GET", "/api/tables"))["tables"]] == [table]
            await ben.ask("POST", f"/api/tables/{table}/sit")
            await aiko.ask("POST", f"/api/tables/{table}/start")
            assert [each["status"] for each in (await ben.ask("GET", "/api/tables"))["tables"]] == ["playing"]
            await play_out(table, [aiko, ben])
            assert (await ben.ask("GET", "/api/tables"))["tables"] == []
            state = await ben.look(table)
            assert state.outcome is not None
            assert [seat.name for seat in state.seats] == ["Aiko", "Ben"]
            saved = await ben.browser.get(f"/api/tables/{table}/match")
            assert Match.load(saved.text).outcome == (tuple(state.outcome.winners), state.outcome.reason)

    run(main())


def test_what_is_said_again_with_the_same_key_is_said_once(tmp_path: Path, sqlite_url: str) -> None:
    async def main() -> None:
        async with playing(tmp_path, sqlite_url, "Aiko") as (aiko,):
            talk = f"/api/tables/{await aiko.table('kimono')}/talk"
            for _ in range(2):
                await aiko.ask("POST", talk, json={"text": "hello"}, headers={"idempotency-key": "once"})
            await aiko.ask("POST", talk, json={"text": "hello"}, headers={"idempotency-key": "twice"})
            assert [line["text"] for line in (await aiko.ask("GET", talk))["lines"]] == ["hello", "hello"]

    run(main())


def test_the_same_key_again_is_the_same_table(tmp_path: Path, url: str) -> None:
    async def main() -> None:
        async with playing(tmp_path, url, "Aiko", "Ben") as (aiko, ben):
            first = await aiko.table("hanamikoji", key="k" * 64)
            assert await aiko.table("hanamikoji", key="k" * 64) == first
            others = {await aiko.table("hanamikoji", key="another"), await ben.table("hanamikoji", key="k" * 64)}
            assert len(others - {first}) == 2
            assert len((await aiko.ask("GET", "/api/my/tables"))["tables"]) == 2

    run(main())


def test_an_action_with_the_longest_key_is_carried_out_once(tmp_path: Path, url: str) -> None:
    async def main() -> None:
        async with playing(tmp_path, url, "Aiko", "Ben") as (aiko, ben):
            table = await aiko.table("hanamikoji")
            await ben.ask("POST", f"/api/tables/{table}/sit")
            await aiko.ask("POST", f"/api/tables/{table}/start")
            state = await aiko.look(table)
            player = aiko if state.legal else ben
            wanted = {"action": (await player.look(table)).legal[0]}
            sent = [
                await player.ask("POST", f"/api/tables/{table}/act", json=wanted, headers={"idempotency-key": "~" * 64})
                for _ in range(2)
            ]
            assert [answer.get("repeated", False) for answer in sent] == [False, True]

    run(main())


def test_a_match_that_is_played_is_mine_and_cannot_be_saved_yet(tmp_path: Path, sqlite_url: str) -> None:
    async def main() -> None:
        async with playing(tmp_path, sqlite_url, "Aiko") as (aiko,):
            table = await aiko.table("hanamikoji", bots={"1": "beginner"}, start=True)
            assert (await aiko.browser.get(f"/api/tables/{table}/match")).status_code == 409
            assert [each["id"] for each in (await aiko.ask("GET", "/api/my/tables"))["tables"]] == [table]

    run(main())
