"""What is written down of a match that is over, and what is filled in when it was not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sqlalchemy import Connection, delete, func, select, text, update

from tests.server.room import Clock, Guest, Room, opened, run
from tests.server.test_play import play_out
from zashiki import GAMES
from zashiki.server import schema
from zashiki.server.archive import MatchInfo, Wanted
from zashiki.server.records import Records
from zashiki.server.rerating import recompute
from zashiki.server.results import placed

SHORT = {"kohoju": {"target": 10}}


async def matches(room: Room, guest: Guest, **wanted: Any) -> list[MatchInfo]:
    """Somebody's matches, the latest first, once everything is written."""
    await room.quiet()
    return await Records(room.service.store).matches(guest.account, Wanted(**wanted), None, 50)


async def given_up(room: Room, *, bots: dict[int, str] | None = None, **settings: Any) -> tuple[list[Guest], str]:
    """A match of two that the second, or against a bot the first, has given up."""
    guests = [await room.guest(f"G{seat}") for seat in range(1 if bots else 2)]
    table = await room.table("hanamikoji", guests, bots, **settings)
    await guests[-1].ask(type="resign", table=table)
    await guests[0].state_where(table, lambda m: m["status"] == "over")
    return guests, table


def rows(connection: Connection) -> list[tuple[Any, ...]]:
    """Everything that is kept of results, without their numbers."""
    seats = select(*schema.result_seats.c, schema.results.c.table_id).join(schema.results)
    ordered = seats.order_by(schema.results.c.table_id, schema.result_seats.c.seat)
    of_matches = select(schema.results).order_by(schema.results.c.table_id)
    return [tuple(row)[1:] for query in (ordered, of_matches) for row in connection.execute(query)]


def forget(connection: Connection) -> None:
    """As if no result had ever been written."""
    for table in (schema.result_seats, schema.results, schema.ratings):
        connection.execute(delete(table))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_leaves_a_result_that_its_log_gives_again(name: str, sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(f"G{seat}") for seat in range(GAMES[name].seats[0])]
            table = await room.table(name, guests, options=SHORT.get(name, {}))
            last = await play_out(guests, table, random.Random(5))
            (found,) = await matches(room, guests[0])
            assert found.table == table
            assert found.reason == last["outcome"]["reason"]
            assert [seat for seat, each in enumerate(found.seats) if each.place == 1] == last["outcome"]["winners"]
            assert sum(each.share or 0 for each in found.seats) == pytest.approx(1)
            assert found.unrated is None
            assert found.rating is not None
            written = await room.service.store.read(rows)
            await room.service.store.write(forget)
            await room.service.bookkeeper.catch_up()
            assert await room.service.store.read(rows) == written

    run(main())


def test_who_won_is_first_and_the_others_follow_by_points() -> None:
    assert placed([3, 9, 5, 5], [0]) == [1, 2, 3, 3]
    assert placed([7, 7, 2], [0, 1]) == [1, 1, 3]


def test_a_result_says_who_gave_up_and_counts_as_lost(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            (anna, ben), _ = await given_up(room)
            (found,) = await matches(room, ben)
            assert (found.reason, found.seat) == ("resigned", 1)
            assert [(seat.place, seat.share, seat.left) for seat in found.seats] == [(1, 1.0, None), (2, 0.0, "resigned")]
            assert [seat.name for seat in found.seats] == ["G0", "G1"]
            assert (await matches(room, anna))[0].rating == 3000 - found.rating  # type: ignore[operator]

    run(main())


def test_thinking_is_counted_in_the_services_own_time(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests = [await room.guest(f"G{seat}") for seat in range(2)]
            table = await room.table("hanamikoji", guests)
            first = next(seat for seat in range(2) if guests[seat].state(table)["legal"])
            state = guests[first].state(table)
            await room.later(4_000)
            await guests[first].ask(type="act", table=table, action=state["legal"][0])
            await guests[0].ask(type="resign", table=table)
            (found,) = await matches(room, guests[first])
            assert (found.decisions, found.seconds) == (1, 4.0)
            assert [seat.first for seat in found.seats] == [seat == first for seat in range(2)]

    run(main())


def test_what_a_crash_left_out_is_filled_in_at_the_next_start(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            await given_up(room)
            await room.quiet()
            written = await room.service.store.read(rows)
            await room.service.store.write(forget)
        async with opened(url, process="p2") as room:
            await room.quiet()
            assert await room.service.store.read(rows) == written

    run(main())


def test_a_running_server_fills_in_what_another_left_out(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            (anna, _), _ = await given_up(room)
            await room.quiet()
            await room.service.store.write(forget)
            await room.service.bookkeeper.look()
            assert await matches(room, anna) == []  # Somebody may be writing it just now.
            await room.later(60_000)
            await room.service.bookkeeper.look()
            assert len(await matches(room, anna)) == 1

    run(main())


def test_two_processes_write_one_result(postgres_url: str) -> None:
    async def main() -> None:
        async with opened(postgres_url) as one, opened(postgres_url, process="p2") as two:
            await given_up(one)
            await two.service.bookkeeper.catch_up()
            await one.quiet()
            count = select(func.count()).select_from(schema.results)
            assert await one.service.store.read(lambda connection: connection.execute(count).scalar_one()) == 1
            matches_rated = select(schema.ratings.c.matches)
            assert set(await one.service.store.read(lambda connection: connection.execute(matches_rated).scalars().all())) == {1}

    run(main())


def test_a_match_by_rules_that_are_not_known_any_more_is_noted_once_and_not_rated(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            (anna, _), table = await given_up(room)
            await room.quiet()
            await room.service.store.write(forget)
            await room.service.store.write(lambda connection: connection.execute(update(schema.tables).values(rules=99)))
            await room.service.bookkeeper.catch_up()
            (found,) = await matches(room, anna)
            assert (found.table, found.reason, found.unrated, found.replayable) == (table, None, "other rules", False)
            assert (await Records(room.service.store).record(anna.account)).games == []
            assert await room.service.tables_of(anna.account, False, None, 5) == []

    run(main())


def test_lists_of_ones_own_tables_are_the_same_with_and_without_results(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            (anna, ben), _ = await given_up(room)
            await given_up(room, bots={1: "beginner"})
            await room.quiet()
            for guest in (anna, ben):
                with_results = await room.service.tables_of(guest.account, False, None, 5)
                await room.service.store.write(forget)
                assert await room.service.tables_of(guest.account, False, None, 5) == with_results
                await room.service.bookkeeper.catch_up()

    run(main())


def test_a_match_with_a_move_taken_back_is_not_rated(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guest = await room.guest("Anna")
            table = await room.table("kimono", [guest], {1: "beginner", 2: "beginner"})
            state = await guest.state_where(table, lambda m: bool(m["legal"]))
            for action in state["legal"]:
                await guest.ask(type="act", table=table, action=action)
                answer = await guest.ask(type="take back", table=table)
                if answer["type"] == "state":
                    break
                state = await guest.state_where(table, lambda m: bool(m["legal"]))
            assert answer["type"] == "state"
            await guest.ask(type="resign", table=table)
            (found,) = await matches(room, guest)
            assert (found.unrated, found.rating) == ("taken back", None)

    run(main())


def test_a_match_with_hints_is_not_rated(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            guest = await room.guest("Anna")
            table = await room.table("hanamikoji", [guest], {1: "beginner"})
            await guest.state_where(table, lambda m: bool(m["legal"]))
            for _ in range(2):
                await room.service.hints(guest.account, table)
            await guest.ask(type="resign", table=table)
            (found,) = await matches(room, guest)
            assert found.unrated == "hints"

    run(main())


def test_whoever_plays_on_both_sides_is_not_rated(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, mika = await room.guest("Anna"), await room.guest("Mika")
            owned = update(schema.accounts).where(schema.accounts.c.id == mika.account.id).values(owner_id=anna.account.id)
            await room.service.store.write(lambda connection: connection.execute(owned))
            table = await room.table("hanamikoji", [anna, mika])
            await mika.ask(type="resign", table=table)
            (found,) = await matches(room, anna)
            assert found.unrated == "same person"

    run(main())


def test_ratings_worked_out_again_are_what_they_were(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, ben = await room.guest("Anna"), await room.guest("Ben")
            for loser in (anna, ben, ben, anna, ben):
                table = await room.table("hanamikoji", [anna, ben])
                await loser.ask(type="resign", table=table)
                await room.quiet()
            kept = select(schema.ratings).order_by(schema.ratings.c.account_id)
            read = room.service.store.read
            before = await read(rows), await read(lambda connection: connection.execute(kept).all())
            assert await room.service.store.write(recompute) == 5
            assert (await read(rows), await read(lambda connection: connection.execute(kept).all())) == before
            assert before[1][0].rating < before[1][1].rating + 200
            await room.service.store.write(lambda connection: connection.execute(text("UPDATE ratings SET rating = 0")))
            await room.service.store.write(recompute)
            assert (await read(rows), await read(lambda connection: connection.execute(kept).all())) == before

    run(main())
