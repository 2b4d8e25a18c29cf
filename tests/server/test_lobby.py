"""The lists of tables: the lobby as it changes, and somebody's own."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from tests.server.room import Clock, Guest, Room, opened, run
from zashiki.server import schema
from zashiki.server.settings import DAY
from zashiki.server.sweeping import ABANDONED_MS, DEAD_MS, DEAD_PRIVATE_MS, DEAD_SLOW_MS

MINUTE_MS = 60_000


async def lobby(guest: Guest) -> list[str]:
    """Enters the lobby; the tables there."""
    answer = await guest.ask(type="lobby")
    assert answer["type"] == "lobby", answer
    return [table["id"] for table in answer["tables"]]


async def change(guest: Guest, wanted: dict[str, Any], start: int = 0) -> dict[str, Any]:
    """Waits for a change of the lobby."""
    return await guest.until(lambda m: m["type"] == "lobby change" and wanted.items() <= (m.get("table") or m).items(), start)


async def sweep(room: Room) -> None:
    """What the housekeeping does every minute."""
    await room.service.steward.close_dead(room.service.presence.__contains__)
    await room.quiet()


def test_the_lobby_shows_open_tables_and_no_others(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, eve = await room.guest("Hana"), await room.guest("Eve")
            first = await room.create(host.account, "hanamikoji")
            await room.create(host.account, "hanamikoji", settings={"private": True})
            await room.create(host.account, "hanamikoji", bots={1: "beginner"}, start=True, settings={"spectators": False})
            closed = await room.create(host.account, "hanamikoji")
            await host.ask(type="close", table=closed)
            second = await room.create(host.account, "kimono")
            assert await lobby(eve) in ([second, first], [first, second])

    run(main())


def test_a_match_that_may_be_watched_is_listed_while_it_is_played(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben, eve = [await room.guest(name) for name in ("Hana", "Ben", "Eve")]
            table = await room.table("hanamikoji", [host, ben])
            await host.ask(type="act", table=table, action=0)
            [info] = await room.service.open_tables(None, None, 10)
            assert (info.id, info.status, [seat.name for seat in info.seats]) == (table, "playing", ["Hana", "Ben"])
            assert await lobby(eve) == [table]
            await ben.ask(type="resign", table=table)
            await change(eve, {"gone": table})
            assert await room.service.open_tables(None, None, 10) == []

    run(main())


def test_whoever_is_in_the_lobby_sees_tables_come_change_and_go(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben, eve = [await room.guest(name) for name in ("Hana", "Ben", "Eve")]
            assert await lobby(eve) == []
            table = await room.create(host.account, "hanamikoji")
            await change(eve, {"id": table})
            start = len(eve.inbox)
            await ben.ask(type="sit", table=table)
            seated = await change(eve, {"id": table}, start)
            assert [seat.get("name") for seat in seated["table"]["seats"]] == ["Hana", "Ben"]
            start = len(eve.inbox)
            await host.ask(type="start", table=table)
            begun = await change(eve, {"id": table}, start)
            assert begun["table"]["status"] == "playing"
            await host.ask(type="resign", table=table)
            await change(eve, {"gone": table})

    run(main())


def test_a_private_table_never_shows(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben, eve = [await room.guest(name) for name in ("Hana", "Ben", "Eve")]
            await lobby(eve)
            table = await room.create(host.account, "hanamikoji", settings={"private": True})
            await ben.ask(type="sit", table=table)
            await host.ask(type="close", table=table)
            await room.quiet()
            assert not any(table in str(message) for message in eve.inbox)

    run(main())


def test_whoever_has_left_the_lobby_is_told_no_more(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, eve = await room.guest("Hana"), await room.guest("Eve")
            await lobby(eve)
            assert (await eve.ask(type="lobby", on=False))["type"] == "done"
            table = await room.create(host.account, "hanamikoji")
            await room.quiet()
            assert not any(message["type"] == "lobby change" for message in eve.inbox)
            assert await lobby(eve) == [table]

    run(main())


def test_a_table_opened_while_the_list_is_read_is_not_missed(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, eve = await room.guest("Hana"), await room.guest("Eve")
            await room.quiet()
            read, made = room.service.lobby.open_tables, []

            async def slowly(*arguments: Any) -> Any:
                found = await read(*arguments)
                made.append(await room.create(host.account, "hanamikoji"))
                return found

            room.service.lobby.open_tables = slowly  # type: ignore[assignment, method-assign]
            assert await lobby(eve) == []
            await change(eve, {"id": made[0]})

    run(main())


def test_the_lobby_sees_what_another_process_does(postgres_url: str) -> None:
    async def main() -> None:
        async with opened(postgres_url, process="one") as one, opened(postgres_url, process="two") as two:
            eve, host, ben = await one.guest("Eve"), await two.guest("Hana"), await two.guest("Ben")
            await lobby(eve)
            table = await two.create(host.account, "hanamikoji")
            await change(eve, {"id": table})
            start = len(eve.inbox)
            await ben.ask(type="sit", table=table)
            seated = await change(eve, {"id": table}, start)
            assert [seat.get("name") for seat in seated["table"]["seats"]] == ["Hana", "Ben"]
            start = len(eve.inbox)
            await host.ask(type="start", table=table)
            begun = await change(eve, {"id": table}, start)
            assert begun["table"]["status"] == "playing"
            await host.ask(type="resign", table=table)
            await change(eve, {"gone": table})

    run(main())


def test_when_anything_may_have_changed_the_lobby_is_shown_anew(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, eve = await room.guest("Hana"), await room.guest("Eve")
            table = await room.create(host.account, "hanamikoji")
            assert await lobby(eve) == [table]
            start = len(eve.inbox)
            room.service.heard(["*"])
            shown = await eve.until(lambda m: m["type"] == "lobby", start)
            assert [each["id"] for each in shown["tables"]] == [table]

    run(main())


# Dead tables


def test_a_table_that_nobody_comes_back_to_leaves_the_lobby(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            host, eve = await room.guest("Hana"), await room.guest("Eve")
            table = await room.create(host.account, "hanamikoji")
            assert await lobby(eve) == [table]
            await host.leave()
            for _ in range(DEAD_MS // MINUTE_MS):
                await room.later(MINUTE_MS)
                await sweep(room)
            assert not any("gone" in message for message in eve.inbox)
            await room.later(MINUTE_MS)
            await sweep(room)
            await change(eve, {"gone": table})
            assert room.live(table).table.status == "closed"

    run(main())


def test_a_host_who_waits_is_not_punished_for_a_moments_absence(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            host = await room.guest("Hana")
            table = await room.create(host.account, "hanamikoji")
            for _ in range(60):
                await room.later(MINUTE_MS)
                await sweep(room)
            await host.leave()
            await room.later(MINUTE_MS)
            await sweep(room)
            assert room.live(table).table.status == "waiting"
            for _ in range(DEAD_MS // MINUTE_MS):
                await room.later(MINUTE_MS)
                await sweep(room)
            assert room.live(table).table.status == "closed"

    run(main())


@pytest.mark.parametrize(
    ("settings", "patience_ms"),
    [({"private": True}, DEAD_PRIVATE_MS), ({"clock": {"type": "move", "seconds": 3 * DAY}}, DEAD_SLOW_MS)],
)
def test_a_table_nobody_is_expected_to_sit_at_waits_longer(settings: dict[str, Any], patience_ms: int, sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            host = await room.account("Hana")
            table = await room.create(host, "hanamikoji", settings=settings)
            await room.later(patience_ms - 1)
            await sweep(room)
            assert room.live(table).table.status == "waiting"
            await room.later(2)
            await sweep(room)
            assert room.live(table).table.status == "closed"

    run(main())


def test_after_a_restart_people_have_time_to_come_back_to_their_tables(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            host = await room.account("Hana")
            table = await room.create(host, "hanamikoji")
        clock.now += 3_600_000
        async with opened(sqlite_url, ticks=clock) as room:
            await sweep(room)
            assert (await room.service.house.load(table)).table.status == "waiting"

    run(main())


def test_a_match_nobody_has_touched_for_weeks_is_closed(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests = [await room.guest("Anna"), await room.guest("Ben")]
            table = await room.table("hanamikoji", guests)
            for guest in guests:
                await guest.leave()
            await room.later(ABANDONED_MS)
            await sweep(room)
            assert room.live(table).table.status == "playing"
            await room.later(1)
            await sweep(room)
            assert room.live(table).table.status == "closed"

    run(main())


def test_a_match_that_is_over_is_never_closed_as_well(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests = [await room.guest("Anna"), await room.guest("Ben")]
            table = await room.table("hanamikoji", guests)
            await guests[0].ask(type="resign", table=table)
            for guest in guests:
                await guest.leave()
            await room.quiet()
            # As after a crash between the last action and the row that lists are made of.
            unwritten = update(schema.tables).values(status="playing", updated_at=0)
            await room.service.store.write(lambda connection: connection.execute(unwritten).rowcount)
            await room.later(ABANDONED_MS + 1)
            number = room.live(table).table.number
            await sweep(room)
            assert room.live(table).table.number == number
            assert room.live(table).table.status == "over"

    run(main())


# Pages


def test_open_tables_come_in_pages_the_newest_first(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            host = await room.account("Hana")
            made = []
            for number in range(5):
                clock.now += number % 2
                made.append(await room.create(host, "kimono" if number == 2 else "hanamikoji"))
            found: list[str] = []
            before = None
            while page := await room.service.open_tables(None, before, 2):
                found += [info.id for info in page]
                before = (page[-1].created_at, page[-1].id)
            assert sorted(found) == sorted(made)
            assert set(found[:2]) == set(made[3:])
            assert [info.id for info in await room.service.open_tables("kimono", None, 10)] == [made[2]]

    run(main())


def test_somebodys_tables_are_listed_with_those_that_wait(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            anna, ben, eve = [await room.guest(name) for name in ("Anna", "Ben", "Eve")]
            tables = []
            for _ in range(6):
                clock.now += 1
                tables.append(await room.table("hanamikoji", [anna, ben]))
            clock.now += 1
            waiting = await room.create(anna.account, "hanamikoji")
            over = tables.pop()
            await ben.ask(type="resign", table=over)
            mine = await room.service.tables_of(anna.account, False, None, 50)
            assert {info.id for info in mine} == {*tables, waiting, over}
            assert [info.updated_at for info in mine] == sorted((info.updated_at for info in mine), reverse=True)
            due = {table for table in tables if anna.state(table)["legal"]}
            assert {info.id for info in mine if info.waits_for_me} == due
            assert await room.service.tables_of(eve.account, False, None, 50) == []
            for guest in (anna, ben):
                found: list[str] = []
                before = None
                while page := await room.service.tables_of(guest.account, True, before, 1):
                    found += [info.id for info in page]
                    before = (page[-1].updated_at, page[-1].id)
                assert set(found) == {table for table in tables if guest.state(table)["legal"]}
                assert len(found) == len(set(found))

    run(main())


def test_a_table_does_not_wait_for_somebody_whose_seat_a_bot_keeps(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(name) for name in ("Anna", "Ben", "Carl")]
            table = await room.table("kimono", guests, stand_in="beginner")
            acting = next(guest for guest in guests if guest.state(table)["legal"])
            assert await room.service.tables_of(acting.account, True, None, 5)
            await acting.ask(type="resign", table=table)
            assert await room.service.tables_of(acting.account, True, None, 5) == []

    run(main())


def test_somebody_who_does_not_look_is_told_once_that_it_is_their_turn(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben = await room.guest("Anna"), await room.guest("Ben")
            table = await room.table("hanamikoji", [anna, ben])
            acting, other = (anna, ben) if anna.state(table)["legal"] else (ben, anna)
            await other.ask(type="unwatch", table=table)
            pushed: list[tuple[int, str, str]] = []
            room.service.push_turn = lambda *arguments: pushed.append(arguments)
            while not room.live(table).table.waits_for(room.live(table).table.places[other.account.id]):
                await acting.ask(type="act", table=table, action=acting.state(table)["legal"][0])
            told = await other.until(lambda m: m["type"] == "your turn")
            assert told == {"type": "your turn", "table": table, "game": "hanamikoji"}
            room.service.steward.attend(room.live(table), None)
            del room.service.house.tables[table]
            await room.service.house.load(table)
            await room.quiet()
            assert sum(message["type"] == "your turn" for message in other.inbox) == 1
            assert pushed == [], "only where days pass"

    run(main())


def test_by_correspondence_whoever_is_not_here_is_sent_a_notification_once(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            anna, ben = await room.guest("Anna"), await room.guest("Ben")
            table = await room.table("hanamikoji", [anna, ben], clock={"type": "move", "seconds": DAY})
            acting, other = (anna, ben) if anna.state(table)["legal"] else (ben, anna)
            pushed: list[tuple[int, str, str]] = []
            room.service.push_turn = lambda *arguments: pushed.append(arguments)
            await other.leave()
            await room.later(10_000)
            while acting.state(table)["legal"]:
                await acting.ask(type="act", table=table, action=acting.state(table)["legal"][0])
            assert pushed == [(other.account.id, table, "hanamikoji")]
            del room.service.house.tables[table]
            await room.service.house.load(table)
            assert len(pushed) == 1

    run(main())
