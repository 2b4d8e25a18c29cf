"""Playing again: by consent of all people, with the same options, at one new table."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select

from tests.server.room import Guest, Room, opened, run
from zashiki.server import schema
from zashiki.server.store import Store
from zashiki.server.table import Table


async def finished(room: Room, count: int = 2, bots: dict[int, str] | None = None, **settings: Any) -> tuple[list[Guest], str]:
    """A match that everybody has given up but one."""
    guests = [await room.guest(f"G{number}") for number in range(count)]
    game = "hanamikoji" if count + len(bots or {}) == 2 else "kimono"
    table = await room.table(game, guests, bots, **settings)
    for guest in guests[1:] if game == "hanamikoji" and count == 2 else guests:
        await guest.ask(type="resign", table=table)
    await guests[0].state_where(table, lambda m: m["status"] == "over")
    return guests, table


async def tables(room: Room) -> int:
    query = select(func.count()).select_from(schema.tables)
    found: int = await room.service.store.read(lambda connection: connection.execute(query).scalar_one())
    return found


def test_all_people_agree_and_sit_at_a_new_table(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            settings: dict[str, Any] = {"options": {"rounds": 3}, "clock": {"type": "move", "seconds": 60}, "private": True}
            (anna, ben), table = await finished(room, **settings)
            first = await anna.ask(type="rematch", table=table)
            assert first["rematch"] == [0]
            assert "next" not in first
            await ben.ask(type="rematch", table=table)
            state = await anna.state_where(table, lambda m: "next" in m)
            new = await anna.watch(state["next"])
            assert new["status"] == "playing"
            assert new["game"] == "hanamikoji"
            assert new["settings"]["options"] == {"rounds": 3}
            assert new["settings"]["clock"] == {"type": "move", "seconds": 60}
            assert new["settings"]["private"] is True
            assert [seat["name"] for seat in new["seats"]] == ["G0", "G1"]
            assert not any("resigned" in seat for seat in new["seats"])
            assert new["seat"] == 0
            assert new["view"] != anna.state(table)["view"]

    run(main())


def test_bots_always_agree_and_play_on(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            (anna,), table = await finished(room, 1, {1: "beginner", 2: "beginner"})
            await anna.ask(type="rematch", table=table)
            state = await anna.state_where(table, lambda m: "next" in m)
            new = await anna.watch(state["next"])
            assert [seat.get("bot") for seat in new["seats"]] == [None, "beginner", "beginner"]
            await anna.state_where(state["next"], lambda m: bool(m["legal"]) or m["version"] > new["version"])

    run(main())


def test_one_who_does_not_want_to_is_enough(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests, table = await finished(room, 3)
            await guests[0].ask(type="rematch", table=table)
            await guests[1].ask(type="rematch", table=table)
            refused = await guests[2].ask(type="rematch", table=table, agree=False)
            assert "rematch" not in refused
            before = await tables(room)
            await guests[2].ask(type="rematch", table=table)
            assert await tables(room) == before, "the others must be asked again"
            await guests[0].ask(type="rematch", table=table)
            await guests[1].ask(type="rematch", table=table)
            await guests[0].state_where(table, lambda m: "next" in m)

    run(main())


def test_a_rematch_is_refused_to_others_before_the_end_and_after_the_next_table_is_there(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest("Anna"), await room.guest("Ben")]
            eve = await room.guest("Eve")
            table = await room.table("hanamikoji", guests)
            assert (await guests[0].ask(type="rematch", table=table))["code"] == "not over"
            await guests[0].ask(type="resign", table=table)
            assert (await eve.ask(type="rematch", table=table))["code"] == "not seated"
            for guest in guests:
                await guest.ask(type="rematch", table=table)
            await guests[0].state_where(table, lambda m: "next" in m)
            assert (await guests[0].ask(type="rematch", table=table))["code"] == "already started"

    run(main())


def test_a_match_that_was_abandoned_has_no_rematch(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest("Anna"), await room.guest("Ben")]
            table = await room.table("hanamikoji", guests)
            for guest in guests:
                await guest.ask(type="close", table=table)
            assert (await guests[0].ask(type="rematch", table=table))["code"] == "not over"

    run(main())


@pytest.mark.parametrize("attempt", range(3))
def test_two_processes_that_do_it_at_once_make_one_table(attempt: int, postgres_url: str) -> None:
    async def main() -> None:
        async with opened(postgres_url, process="one") as one, opened(postgres_url, process="two") as two:
            anna, ben = await one.guest("Anna"), await two.guest("Ben")
            table = await one.create(anna.account, "hanamikoji")
            for guest in (anna, ben):
                await guest.watch(table)
            await ben.ask(type="sit", table=table)
            await anna.state_where(table, lambda m: bool(m["seats"][1]))
            await anna.ask(type="start", table=table)
            await ben.state_where(table, lambda m: m["status"] == "playing")
            await ben.ask(type="resign", table=table)
            await anna.state_where(table, lambda m: m["status"] == "over")
            before = await tables(one)
            numbers = [guest.send(type="rematch", table=table) for guest in (anna, ben)]
            for guest, number in zip((anna, ben), numbers, strict=True):
                assert (await guest.until(lambda m, n=number: m.get("request") == n))["type"] == "state"  # type: ignore[misc]
            nexts = [(await guest.state_where(table, lambda m: "next" in m))["next"] for guest in (anna, ben)]
            assert nexts[0] == nexts[1]
            assert await tables(one) == before + 1
            for guest in (anna, ben):
                assert (await guest.watch(nexts[0]))["seat"] is not None

    run(main())


def test_the_last_who_agrees_is_shown_the_next_table_with_the_answer(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            (anna, ben), table = await finished(room)
            await anna.ask(type="rematch", table=table)
            answer = await ben.ask(type="rematch", table=table)
            assert [line["kind"] for line in answer["events"]] == ["rematch", "next"]
            assert answer["next"] in room.service.house.tables

    run(main())


def test_a_rematch_that_all_agreed_to_without_a_next_table_is_made_when_somebody_looks(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            monkeypatch.setattr(Table, "wants_rematch", lambda table, also=None: False)
            (anna, ben), table = await finished(room)
            for guest in (anna, ben):
                await guest.ask(type="rematch", table=table)
        monkeypatch.undo()
        async with opened(sqlite_url) as room:
            back = room.join(anna.account)
            await back.watch(table)
            await back.state_where(table, lambda m: "next" in m)

    run(main())


def test_lists_say_that_a_match_is_over_from_the_same_moment_as_its_log(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing_more(*_: Any, **__: Any) -> None:
        raise AssertionError("the status would be written after the event")

    async def main() -> None:
        async with opened(url) as room:
            guests = [await room.guest("Anna"), await room.guest("Ben")]
            table = await room.table("hanamikoji", guests)
            with monkeypatch.context() as patched:
                patched.setattr(Store, "write", nothing_more)
                await play_to_the_end(guests, table)
            status = select(schema.tables.c.status).where(schema.tables.c.id == table)
            assert await room.service.store.read(lambda connection: connection.execute(status).scalar_one()) == "over"

    run(main())


async def play_to_the_end(guests: list[Guest], table: str) -> None:
    """Whoever may act does the first thing that is legal."""
    while (state := guests[0].state(table))["status"] == "playing":
        version = state["version"]
        actor = guests[state["to_act"][0]]
        await actor.state_where(table, lambda m, v=version: m["version"] >= v and bool(m["legal"]))
        await actor.ask(type="act", table=table, action=actor.state(table)["legal"][0])
        await guests[0].state_where(table, lambda m, v=version: m["version"] > v)  # type: ignore[misc]
