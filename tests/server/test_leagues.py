"""Leagues: from the invitation to the last round, through restarts, with several processes, and without a peek at the cards."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.server.room import Guest, Room, opened, run
from zashiki.server import schema
from zashiki.server.errors import Refused
from zashiki.server.leagues import NewLeague
from zashiki.server.tournaments import LeagueOf, LeagueState

ROUND = {"options": {"rounds": 1}}


async def held(room: Room, guests: list[Guest], **wanted: Any) -> str:
    """A league that these people have joined, the first its host."""
    room.service.tournaments.open = True
    agreed: dict[str, Any] = {"name": "Friday", "game": "hanamikoji", "seats": 2, "size": len(guests), **ROUND}
    tournaments = room.service.tournaments
    league = await tournaments.create(guests[0].account, NewLeague(**(agreed | wanted)))
    for guest in guests[1:]:
        await tournaments.join(guest.account, league)
    return league


async def begun(room: Room, guests: list[Guest], **wanted: Any) -> str:
    league = await held(room, guests, **wanted)
    await room.service.tournaments.start(guests[0].account, league)
    return league


async def give_up(room: Room, league: str, guest: Guest) -> None:
    """Somebody gives up at the table where they are expected."""
    state = await room.service.tournaments.look(guest.account, league)
    assert state.my_table is not None
    await guest.watch(state.my_table)
    await guest.ask(type="resign", table=state.my_table)
    await room.quiet()


async def until(room: Room, guest: Guest, league: str, status: str) -> LeagueState:
    """The league, once it has that status."""
    async with asyncio.timeout(100):
        while (state := await room.service.tournaments.look(guest.account, league)).status != status:
            await asyncio.sleep(0.05)
    return state


def test_whoever_plays_finds_the_way_from_a_table_to_its_league_and_nobody_else_does(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            aki, ben, eve = await room.guest("Aki"), await room.guest("Ben"), await room.guest("Eve")
            league = await begun(room, [aki, ben])
            tournaments = room.service.tournaments
            table = (await tournaments.look(aki.account, league)).my_table
            assert table is not None
            for player in (aki, ben):
                assert await tournaments.league_of(player.account, table) == LeagueOf(league=league, name="Friday")
            assert await tournaments.league_of(eve.account, table) == LeagueOf()
            other = await room.table("hanamikoji", [aki, ben], {})
            assert await tournaments.league_of(aki.account, other) == LeagueOf()

    run(main())


def test_everybody_meets_everybody_and_the_standings_say_who_won(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            guests = [await room.guest(f"G{number}") for number in range(4)]
            league = await begun(room, guests)
            for number in range(1, 4):
                state = await room.service.tournaments.look(guests[0].account, league)
                assert (state.status, state.round, state.rounds) == ("playing", number, 3)
                now = [table for table in state.tables if table.round == number]
                assert sorted(player for table in now for player in table.players) == [1, 2, 3, 4]
                for table in now:  # Whoever came later gives up.
                    await give_up(room, league, guests[max(table.players) - 1])
            state = await until(room, guests[0], league, "over")
            assert [(each.name, each.score) for each in state.players] == [("G0", 3), ("G1", 2), ("G2", 1), ("G3", 0)]
            assert all(table.told for table in state.tables)
            with pytest.raises(Refused, match="has begun"):
                await room.service.tournaments.join(guests[0].account, league)

    run(main())


def test_bots_fill_up_and_play_their_own_tables_to_the_end(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Host")
            league = await begun(room, [host], size=4, bots="beginner")
            for number in range(1, 4):
                while (await room.service.tournaments.look(host.account, league)).round < number:
                    await asyncio.sleep(0.05)
                await give_up(room, league, host)
            state = await until(room, host, league, "over")
            assert [each.bot for each in state.players].count("beginner") == 3
            assert state.players[-1].name == "Host"
            assert len(state.tables) == 6

    run(main())


def test_people_are_called_when_a_round_begins(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            guests = [await room.guest(f"G{number}") for number in range(2)]
            pushed: list[int] = []
            room.service.push_turn = lambda account, table, game: pushed.append(account)
            absent = await room.account("Away")
            league = await held(room, guests, size=4, bots="beginner")
            await room.service.tournaments.join(absent, league)
            await room.service.tournaments.start(guests[0].account, league)
            for guest in guests:
                called = await guest.until(lambda m: m["type"] == "your turn")
                assert called["game"] == "hanamikoji"
            assert pushed == [absent.id]

    run(main())


def test_a_round_is_made_once_whoever_makes_it(postgres_url: str) -> None:
    async def main() -> None:
        async with opened(postgres_url) as one, opened(postgres_url, process="p2") as two:
            guests = [await one.guest(f"G{number}") for number in range(2)]
            league = await begun(one, guests, size=4, bots="beginner", form="swiss", rounds=2)
            two.service.tournaments.open = True
            await asyncio.gather(*(room.service.tournaments.look_after() for room in (one, two) for _ in range(4)))
            count = select(func.count()).select_from(schema.league_tables)
            assert await one.service.store.read(lambda connection: connection.execute(count).scalar_one()) == 2
            state = await two.service.tournaments.look(guests[0].account, league)
            assert state.round == 1

    run(main())


def test_a_league_goes_on_after_a_restart(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            guests = [await room.guest(f"G{number}") for number in range(2)]
            league = await begun(room, guests, form="swiss", rounds=2)
            room.service.bookkeeper.on_written = lambda tables: None  # It ends before the next round is made.
            await give_up(room, league, guests[1])
            accounts = [guest.account for guest in guests]
        async with opened(url, process="p2") as room:
            room.service.tournaments.open = True
            await room.quiet()
            state = await room.service.tournaments.look(accounts[0], league)
            assert (state.round, [each.score for each in state.players]) == (2, [1, 0])
            await give_up(room, league, room.join(accounts[0]))
            assert (await until(room, room.join(accounts[0]), league, "over")).players[0].score == 1

    run(main())


def test_tables_of_a_round_play_the_same_deal_and_nobody_sees_the_others_before_all_are_over(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            guests = [await room.guest(f"G{number}") for number in range(4)]
            league = await begun(room, guests, duplicate=True)
            query = select(schema.tables.c.seed, schema.tables.c.id)
            seeds = await room.service.store.read(lambda connection: connection.execute(query).all())
            assert len({row.seed for row in seeds}) == 1
            state = await room.service.tournaments.look(guests[0].account, league)
            first, second = state.tables
            ours, theirs = [[guests[number - 1] for number in table.players] for table in (first, second)]
            for look in (room.service.look, room.service.saved_match):
                with pytest.raises(Refused):
                    await look(ours[0].account, second.table)
            await give_up(room, league, ours[1])
            for told in (
                room.service.saved_match(ours[0].account, first.table),
                room.service.replay(ours[0].account, first.table, None),
            ):
                with pytest.raises(Refused, match="same cards"):
                    await told
            state = await room.service.tournaments.look(theirs[0].account, league)
            assert [table.scores for table in state.tables] == [None, None]
            assert {each.score for each in state.players} == {0}
            await give_up(room, league, theirs[1])
            state = await room.service.tournaments.look(ours[0].account, league)
            assert state.round == 2
            assert [table.scores is not None for table in state.tables] == [True, True, False, False]
            assert b"steps" in await room.service.replay(ours[0].account, second.table, None)
            query = select(schema.tables.c.seed).distinct()
            assert len(await room.service.store.read(lambda connection: connection.execute(query).all())) == 2

    run(main())


def test_in_a_closed_league_what_is_still_played_stays_secret(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(f"G{number}") for number in range(4)]
            league = await begun(room, guests, duplicate=True)
            state = await room.service.tournaments.look(guests[0].account, league)
            first = state.tables[0]
            loser = guests[first.players[1] - 1]
            await give_up(room, league, loser)
            with pytest.raises(Refused, match="only the host"):
                await room.service.tournaments.close(guests[1].account, league)
            await room.service.tournaments.close(guests[0].account, league)
            with pytest.raises(Refused, match="same cards"):
                await room.service.saved_match(loser.account, first.table)

    run(main())


def test_in_a_league_nobody_is_helped_and_nothing_is_taken_back(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Host")
            league = await begun(room, [host], size=2, bots="beginner")
            table = (await room.service.tournaments.look(host.account, league)).my_table
            assert table is not None
            await host.watch(table)
            await host.state_where(table, lambda m: bool(m["legal"]))
            with pytest.raises(Refused, match="no hints"):
                await room.service.hints(host.account, table)
            assert (await host.ask(type="take back", table=table))["code"] == "nothing to take back"

    run(main())


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"game": "chess"}, "chess"),
        ({"seats": 3}, "2"),
        ({"bots": "grandmaster"}, "level"),
        ({"options": {"rounds": 99}}, "rounds"),
        ({"game": "kimono", "seats": 4, "size": 3, "options": {}}, "4 players at least"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(wanted: dict[str, Any], reason: str, sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Host")
            with pytest.raises(Refused, match=reason):
                await held(room, [host], **{"size": 4, **wanted})

    run(main())


def test_a_league_begins_only_with_enough_people(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(f"G{number}") for number in range(4)]
            few = await held(room, guests[:1], size=4)
            with pytest.raises(Refused, match="let bots fill up"):
                await room.service.tournaments.start(guests[0].account, few)
            odd = await held(room, guests[:3], size=4, duplicate=True)
            with pytest.raises(Refused, match="nobody can rest"):
                await room.service.tournaments.start(guests[0].account, odd)
            kimono = await held(room, guests, game="kimono", seats=3, options={})
            with pytest.raises(Refused, match="cannot be split"):
                await room.service.tournaments.start(guests[0].account, kimono)
            left = await room.service.tournaments.leave(guests[3].account, kimono)
            assert len(left.players) == 3
            assert (await room.service.tournaments.start(guests[0].account, kimono)).status == "playing"

    run(main())


def test_leagues_are_closed_unless_the_host_opens_them(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Host")
            wanted = NewLeague(name="Friday", game="hanamikoji", seats=2)
            with pytest.raises(Refused, match="has not opened leagues"):
                await room.service.tournaments.create(host.account, wanted)
            assert await room.service.tournaments.mine(host.account) == []

    run(main())
