"""Whole matches at the table, as people and bots play them over the socket."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from tests.server.room import Guest, opened, run
from zashiki import GAMES, Match

SHORT = {"kohoju": {"target": 10}}


async def play_out(guests: list[Guest], table: str, chance: random.Random, most: int = 3000) -> dict[str, Any]:
    """Everybody acts at random until the match is over; gives the last state that the first of them saw."""

    async def play(guest: Guest) -> None:
        for _ in range(most):
            state = await guest.state_where(table, lambda m: bool(m["legal"]) or m["status"] != "playing")
            if state["status"] != "playing":
                return
            answer = await guest.ask(type="act", table=table, action=chance.choice(state["legal"]), version=state["version"])
            assert answer["type"] in ("state", "refused"), answer
            if answer["type"] == "refused":
                assert answer["code"] in ("stale", "not your turn", "match over", "illegal action"), answer
                await asyncio.sleep(0)

    await asyncio.gather(*(play(guest) for guest in guests))
    return guests[0].state(table)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_played_to_its_end_and_saved(name: str, sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(f"G{seat}") for seat in range(GAMES[name].seats[0])]
            watcher = await room.guest("Eve")
            table = await room.table(name, guests, options=SHORT.get(name, {}))
            await watcher.watch(table)
            last = await play_out(guests, table, random.Random(3))
            assert last["status"] == "over"
            assert last["outcome"]["winners"]
            await watcher.state_where(table, lambda m: m["status"] == "over")
            match = Match.load(await room.service.saved_match(guests[0].account, table))
            assert list(match.outcome or ()) == [tuple(last["outcome"]["winners"]), last["outcome"]["reason"]]
            assert last["view"] == match.view(0).to_json()

    run(main())


def test_a_person_plays_against_bots(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guest = await room.guest("Anna")
            table = await room.table("kasane", [guest], {1: "beginner", 2: "beginner"})
            last = await play_out([guest], table, random.Random(4))
            assert last["status"] == "over"
            assert last["seats"][1] == {"name": "Haru", "bot": "beginner"}

    run(main())
