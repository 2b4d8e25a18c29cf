"""Connection, presence and adjudication: three things with three delays."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select

from tests.server.room import Clock, Guest, Room, opened, run
from zashiki.server import messages, schema
from zashiki.server.errors import Refused
from zashiki.server.presence import LEFT_AFTER_MS, POLLED_MS
from zashiki.server.settings import DAY


async def begun(room: Room, *names: str, bots: dict[int, str] | None = None, **settings: Any) -> tuple[list[Guest], str]:
    """People at a table, the match begun."""
    guests = [await room.guest(name) for name in names]
    game = "hanamikoji" if len(guests) + len(bots or {}) == 2 else "kimono"
    return guests, await room.table(game, guests, bots, **settings)


def present(guest: Guest, table: str) -> list[int]:
    """Which seats' people are connected, as somebody was told last."""
    for message in reversed(guest.inbox):
        if message.get("table") == table and (message["type"] == "present" or "present" in message):
            return list(message.get("seats", []) if message["type"] == "present" else message["present"])
    return []


def test_everybody_at_a_table_sees_who_is_there(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben")
            assert present(anna, table) == [0, 1]
            await ben.leave()
            await room.later(LEFT_AFTER_MS - 1)
            assert present(anna, table) == [0, 1], "a dropped socket is not a person who left"
            await room.later(1)
            assert present(anna, table) == [0]
            room.join(ben.account)
            await room.later(0)
            assert present(anna, table) == [0, 1], "whoever is back is shown at once, whatever that person looks at"

    run(main())


def test_somebody_with_two_sockets_is_here_until_both_are_closed(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben")
            phone = room.join(ben.account, client="phone")
            await room.quiet()
            await ben.leave()
            await room.later(LEFT_AFTER_MS)
            assert present(anna, table) == [0, 1]
            await phone.leave()
            await room.later(LEFT_AFTER_MS)
            assert present(anna, table) == [0]

    run(main())


def test_after_the_grace_a_bot_takes_the_seat_and_gives_it_back(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben", grace_seconds=60, stand_in="beginner")
            await ben.leave()
            await room.later(LEFT_AFTER_MS)
            await room.later(60_000 - LEFT_AFTER_MS - 1)
            assert "away" not in anna.state(table)["seats"][1]
            await room.later(1)
            state = await anna.told(table, "gone")
            assert state["status"] == "playing"
            assert state["seats"][1]["away"] is True
            back = room.join(ben.account)
            await back.watch(table)
            state = await anna.told(table, "return")
            assert "away" not in state["seats"][1]

    run(main())


def test_after_the_grace_the_match_is_decided_if_the_table_wants_that(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben", grace_seconds=60, absent="decide")
            await ben.leave()
            await room.later(LEFT_AFTER_MS)
            await room.later(60_000 - LEFT_AFTER_MS)
            state = await anna.state_where(table, lambda m: m["status"] == "over")
            assert state["outcome"] == {"winners": [0], "reason": "absence"}

    run(main())


def test_whoever_is_back_in_time_has_lost_nothing(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben", grace_seconds=60, absent="decide")
            version = anna.state(table)["version"]
            await ben.leave()
            await room.later(LEFT_AFTER_MS)
            await room.later(40_000)
            back = room.join(ben.account)
            await room.later(300_000)
            assert anna.state(table)["version"] == version
            await back.leave()
            await room.later(LEFT_AFTER_MS)
            await room.later(49_999)
            assert anna.state(table)["status"] == "playing", "the grace begins anew"
            await room.later(1)
            assert anna.state(table)["status"] == "over"

    run(main())


def test_nobody_is_gone_for_bots(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna,), table = await begun(room, "Anna", bots={1: "beginner", 2: "beginner"}, absent="decide")
            eve = await room.guest("Eve")
            await eve.watch(table)
            await anna.leave()
            for _ in range(10):
                await room.later(300_000)
            assert eve.state(table)["status"] == "playing"
            assert "away" not in eve.state(table)["seats"][0]

    run(main())


def test_nobody_is_gone_for_somebody_who_has_given_up(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben", bots={2: "beginner"}, absent="decide", stand_in="beginner")
            await ben.ask(type="resign", table=table)
            await anna.leave()
            for _ in range(5):
                await room.later(300_000)
            assert ben.state(table)["status"] == "playing"

    run(main())


def test_nobody_is_gone_by_correspondence(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(
                room, "Anna", "Ben", clock={"type": "move", "seconds": 3 * DAY}, absent="decide", grace_seconds=10
            )
            await ben.leave()
            await room.later(LEFT_AFTER_MS)
            await room.later(DAY * 1000)
            assert anna.state(table)["status"] == "playing"
            assert present(anna, table) == [0]

    run(main())


def test_when_all_have_left_the_grace_begins_when_the_first_is_back(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben", grace_seconds=60, absent="decide")
            eve = await room.guest("Eve")
            await eve.watch(table)
            await anna.leave()
            await ben.leave()
            await room.later(LEFT_AFTER_MS)
            await room.later(3_600_000)
            assert eve.state(table)["status"] == "playing", "nobody waits for anybody"
            room.join(anna.account)
            await room.later(59_999)
            assert eve.state(table)["status"] == "playing"
            await room.later(1)
            assert eve.state(table)["outcome"] == {"winners": [0], "reason": "absence"}

    run(main())


def test_after_a_restart_everybody_has_the_whole_grace_to_come_back(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, ben), table = await begun(room, "Anna", "Ben", grace_seconds=10, absent="decide")
        async with opened(sqlite_url, ticks=clock) as room:
            first = room.join(anna.account)
            await first.watch(table)
            await room.later(9_999)
            assert first.state(table)["status"] == "playing"
            second = room.join(ben.account)
            await second.watch(table)
            await room.later(60_000)
            assert first.state(table)["status"] == "playing"

    run(main())


def test_a_program_that_asks_over_http_is_here(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            anna, program = await room.guest("Anna"), await room.account("Deep Fan", "bot")
            table = await room.create(anna.account, "hanamikoji", settings={"absent": "decide", "grace_seconds": 60})
            await anna.watch(table)
            await room.service.ask(program, messages.Sit(request=0, table=table))
            await anna.ask(type="start", table=table)
            assert present(anna, table) == [0, 1]
            for _ in range(10):
                await room.later(25_000)
                await room.service.look(program, table)
            assert anna.state(table)["status"] == "playing"
            assert present(anna, table) == [0, 1]
            await room.later(POLLED_MS)
            assert present(anna, table) == [0]
            await room.later(60_000 - LEFT_AFTER_MS)
            assert anna.state(table)["outcome"] == {"winners": [0], "reason": "absence"}

    run(main())


def test_what_could_not_be_written_of_who_is_here_is_written_later(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            account = await room.account("Anna")
            query = select(schema.presences.c.account_id)

            async def unavailable(*arguments: Any, **named: Any) -> None:
                raise Refused("unavailable", "not now")

            with monkeypatch.context() as patch:
                patch.setattr(room.service.store, "write_apart", unavailable)
                room.join(account)
                await room.quiet()
            read = room.service.store.read
            assert await read(lambda connection: connection.execute(query).scalars().all()) == []
            await room.later(1_000)
            assert await read(lambda connection: connection.execute(query).scalars().all()) == [account.id]

    run(main())


# Several processes


def test_somebody_connected_to_another_process_is_here(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        both = {"one", "two"}
        async with (
            opened(postgres_url, process="one", ticks=clock) as one,
            opened(postgres_url, process="two", ticks=clock) as two,
        ):
            one.service.alive = two.service.alive = lambda: both
            anna, ben = await one.guest("Anna"), await two.guest("Ben")
            table = await one.create(anna.account, "hanamikoji", settings={"grace_seconds": 60, "absent": "decide"})
            await anna.watch(table)
            await ben.watch(table)
            await ben.ask(type="sit", table=table)
            await anna.until(lambda m: m["type"] == "present" and m["seats"] == [0, 1])
            await ben.leave()
            await two.later(LEFT_AFTER_MS)
            await anna.until(lambda m: m["type"] == "present" and m["seats"] == [0], len(anna.inbox) - 1)

    run(main())


def test_a_process_that_dies_takes_nobody_with_it_who_comes_back_elsewhere(postgres_url: str) -> None:
    async def main() -> None:
        clock, living = Clock(), {"one", "two"}
        async with (
            opened(postgres_url, process="one", ticks=clock) as one,
            opened(postgres_url, process="two", ticks=clock) as two,
        ):
            one.service.alive = two.service.alive = lambda: set(living)
            anna, ben = await one.guest("Anna"), await two.guest("Ben")
            table = await one.create(anna.account, "hanamikoji", settings={"grace_seconds": 60, "absent": "decide"})
            await anna.watch(table)
            await ben.ask(type="sit", table=table)
            await anna.until(lambda m: m["type"] == "present" and m["seats"] == [0, 1])
            await anna.ask(type="start", table=table)
            await one.service._mourn()
            living.remove("two")
            two.service.deadlines.close()
            await one.service._mourn()
            await one.quiet()
            assert present(anna, table) == [0]
            rows = await one.service.store.read(lambda connection: connection.execute(select(schema.presences)).all())
            assert {row.process for row in rows} == {"one"}, "what the dead said is forgotten"
            await one.later(30_000)
            back = one.join(ben.account)
            assert (await back.watch(table))["status"] == "playing"
            await one.later(300_000)
            assert anna.state(table)["status"] == "playing"

    run(main())


def test_what_a_newborn_process_said_is_not_taken_for_a_dead_ones(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(postgres_url, process="one", ticks=clock) as room:
            account = await room.account("Anna")
            newborn = {"id": "new", "address": "", "beat": clock.now}
            rows = [{"account_id": account.id, "process": process, "at": clock.now} for process in ("new", "dead")]
            await room.service.store.write(lambda connection: connection.execute(insert(schema.processes), [newborn]))
            await room.service.store.write(lambda connection: connection.execute(insert(schema.presences), rows))
            await room.service.presence.forget_the_dead({"one"})
            query = select(schema.presences.c.process)
            assert await room.service.store.read(lambda connection: connection.execute(query).scalars().all()) == ["new"]
            assert account.id not in room.service.presence
            room.service.alive = lambda: {"one", "new"}
            await room.service._mourn()
            assert account.id in room.service.presence, "once it is known that the process lives, its people are here"

    run(main())
