"""Two processes on one PostgreSQL: any of them serves any table, and one may die."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from tests.server.room import Clock, Guest, Room, opened, run
from tests.server.test_play import play_out
from zashiki import Match
from zashiki.server import messages, schema
from zashiki.server.botroom import Question, think
from zashiki.server.log import Kind
from zashiki.server.news import Listener
from zashiki.server.steward import STEP_IN_MS


@asynccontextmanager
async def both(url: str, **fields: Any) -> AsyncIterator[tuple[Room, Room]]:
    """Two processes that know of each other."""
    living = {"one", "two"}
    async with opened(url, process="one", **fields) as one, opened(url, process="two", **fields) as two:
        for room in (one, two):
            room.service.alive = lambda: set(living)
        yield one, two


def kill(room: Room, other: Room) -> None:
    """As if the process were gone: nothing happens there any more, and the other notices."""
    service = room.service
    service.deadlines.close()
    service.deadlines.set = lambda *arguments: None  # type: ignore[method-assign]
    service.house.after = lambda live, event: None
    service.bots.close()
    other.service._known_alive = frozenset({"one", "two"})
    other.service.alive = lambda: {other.service.store.process}


async def seated(game: str, guests: list[Guest], bots: dict[int, str] | None = None, **settings: Any) -> str:
    """A table at which people of several processes sit, the match begun."""
    bots = bots or {}
    host = guests[0]
    count = len(guests) + len(bots)
    table: str = await host.room.create(host.account, game, seats=count, seat=None, bots=bots, settings=settings)
    for guest in guests:
        await guest.watch(table)
        assert (await guest.ask(type="sit", table=table))["type"] == "state"
    await host.ask(type="start", table=table)
    for guest in guests:
        await guest.state_where(table, lambda m: m["status"] == "playing")
    return table


async def events(room: Room, table: str) -> list[Any]:
    query = select(schema.events).where(schema.events.c.table_id == table).order_by(schema.events.c.number)
    return list(await room.service.store.read(lambda connection: connection.execute(query).all()))


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


def test_a_whole_match_is_played_across_two_processes(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            guests = [await one.guest("Anna"), await two.guest("Ben")]
            eve = await two.guest("Eve")
            table = await seated("hanamikoji", guests)
            await eve.watch(table)
            last = await play_out(guests, table, random.Random(7))
            assert last["status"] == "over"
            other = await guests[1].state_where(table, lambda m: m["status"] == "over")
            assert other["outcome"] == last["outcome"]
            await eve.state_where(table, lambda m: m["status"] == "over")
            log = await events(one, table)
            assert [event.number for event in log] == list(range(1, len(log) + 1))
            match = Match.load(await two.service.saved_match(guests[0].account, table))
            assert match.view(0).to_json() == last["view"]

    run(main())


def test_everybody_is_told_every_event_once_and_in_order(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            guests = [await one.guest("Anna"), await two.guest("Ben")]
            table = await seated("hanamikoji", guests)
            await play_out(guests, table, random.Random(8))
            for guest in guests:
                await guest.state_where(table, lambda m: m["status"] == "over")
                states = [m for m in guest.inbox if m["type"] == "state" and m["table"] == table]
                for before, after in pairwise(states):
                    assert after["since"] == before["version"] or "settings" in after
                    assert len(after["events"]) == after["version"] - after["since"]

    run(main())


def test_secret_votes_from_both_processes_at_once_all_count(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            guests = [await one.guest("A"), await two.guest("B"), await one.guest("C"), await two.guest("D")]
            table = await seated("kimono", guests)
            for _ in range(6):
                await asyncio.gather(*(vote(guest, table) for guest in guests))
                await settled(guests, table)
            log = [event for event in await events(one, table) if event.kind == Kind.ACT]
            assert len(log) >= 12
            Match.load(one_match(one, table).save())
            assert one_match(one, table).save() == one_match(two, table).save()

    async def vote(guest: Guest, table: str) -> None:
        state = guest.state(table)
        if state["legal"]:
            answer = await guest.ask(type="act", table=table, action=state["legal"][0], version=state["version"])
            assert answer["type"] == "state", answer

    async def settled(guests: list[Guest], table: str) -> None:
        newest = (await events(guests[0].room, table))[-1].number

        def has_seen(guest: Guest) -> bool:
            found, state = guest.room.live(table).table, guest.state(table)
            return bool(found.number == newest and state["version"] == found.version(state["seat"]))

        await eventually(lambda: all(map(has_seen, guests)))

    def one_match(room: Room, table: str) -> Match:
        match = room.live(table).table.match
        assert match is not None
        return match

    run(main())


def test_the_same_request_sent_to_both_processes_is_played_once(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            guests = [await one.guest("Anna"), await two.guest("Ben")]
            table = await seated("hanamikoji", guests)
            acting = next(guest for guest in guests if guest.state(table)["legal"])
            rooms = (one, two)
            request = messages.Act(request=1, table=table, action=acting.state(table)["legal"][0])
            await one.service.house.load(table)
            await two.service.house.load(table)
            answers = await asyncio.gather(*(room.service.ask(acting.account, request, "key") for room in rooms))
            assert sorted(answer.repeated for answer in answers) == [False, True]
            assert len([event for event in await events(one, table) if event.kind == Kind.ACT]) == 1
            again = await two.service.ask(acting.account, request, "key")
            assert again.repeated

    run(main())


def test_what_somebody_did_at_one_process_is_known_to_the_other_at_once(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            for room in (one, two):
                await asyncio.to_thread(room.service.store._listener.stop)
            anna, ben = await one.account("Anna"), await one.account("Ben")
            table = await one.create(anna, "hanamikoji")
            await two.service.house.load(table)
            await one.service.ask(ben, messages.Sit(request=0, table=table))
            await two.service.ask(anna, messages.Start(request=0, table=table))
            done = await one.service.ask(ben, messages.Resign(request=0, table=table))
            assert done.version is not None
            assert (await two.service.ask(anna, messages.Rematch(request=0, table=table))).version == done.version + 1
            listen(one)
            listen(two)

    run(main())


def test_a_process_that_hears_nothing_still_decides_nothing_wrong(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            guests = [await one.guest("Anna"), await two.guest("Ben")]
            table = await seated("hanamikoji", guests)
            await asyncio.to_thread(two.service.store._listener.stop)
            acting = next(guest for guest in guests if guest.state(table)["legal"])
            action = acting.state(table)["legal"][0]
            elsewhere = (two if acting.room is one else one).join(acting.account, client="other")
            first = await acting.ask(type="act", table=table, action=action)
            assert first["type"] == "state"
            late = await elsewhere.ask(type="act", table=table, action=action)
            assert late["type"] == "refused"
            assert late["code"] in ("not your turn", "illegal action"), "the log was read before anything was decided"
            assert len([event for event in await events(one, table) if event.kind == Kind.ACT]) == 1
            listen(two)

    run(main())


def listen(room: Room) -> None:
    """A process hears the others again."""
    store = room.service.store
    store._listener = Listener(store.url, store.process, lambda news: store._tell(room.service.heard, news))
    store._listener.start()


def test_a_process_that_heard_nothing_for_a_while_catches_up(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            guests = [await one.guest("Anna"), await one.guest("Ben")]
            table = await seated("hanamikoji", guests)
            eve = await two.guest("Eve")
            before = (await eve.watch(table))["version"]
            await eve.ask(type="lobby")
            await asyncio.to_thread(two.service.store._listener.stop)
            for _ in range(3):
                acting = next(guest for guest in guests if guest.state(table)["legal"])
                await acting.ask(type="act", table=table, action=acting.state(table)["legal"][0])
                await one.quiet()
            opened_meanwhile = await one.create(guests[0].account, "kimono")
            assert eve.state(table)["version"] == before
            listen(two)
            state = await eve.state_where(table, lambda m: m["version"] == before + 3)
            assert len(state["events"]) == 3
            await eve.until(lambda m: m["type"] == "lobby" and any(each["id"] == opened_meanwhile for each in m["tables"]))

    run(main())


def test_bots_are_asked_by_one_process_only(postgres_url: str) -> None:
    async def main() -> None:
        thoughts: list[str] = []

        def thinker(name: str) -> Callable[[Question[int]], int]:
            return lambda asked: thoughts.append(name) or think(asked)  # type: ignore[func-returns-value]

        async with both(postgres_url) as (one, two):
            for room in (one, two):
                room.service.bots._thinker = thinker(room.service.store.process)
            eve, eva = await one.guest("Eve"), await two.guest("Eva")
            bots = dict.fromkeys(range(2), "beginner")
            table = await one.create(eve.account, "kasane", seats=2, seat=None, bots=bots)
            for guest in (eve, eva):
                await guest.watch(table)
            await eve.ask(type="start", table=table)
            for guest in (eve, eva):
                await guest.state_where(table, lambda m: m["status"] == "over")
            moves = len([event for event in await events(one, table) if event.kind == Kind.ACT])
            assert len(thoughts) == moves
            assert set(thoughts) == {"one"}

    run(main())


def test_the_bots_of_a_process_that_died_play_on_at_another(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with both(postgres_url, ticks=clock) as (one, two):
            eva = await two.guest("Eva")
            bots = dict.fromkeys(range(2), "beginner")
            one.service.bots.close()
            table = await one.create(eva.account, "kasane", seats=2, seat=None, bots=bots, start=True)
            await eva.watch(table)
            kill(one, two)
            await two.later(STEP_IN_MS - 1)
            assert eva.state(table)["to_act"]
            assert not any(line["kind"] == "act" for line in eva.state(table)["events"])
            await two.later(1)
            for _ in range(2000):
                if eva.state(table)["status"] == "over":
                    break
                await two.later(10)
            assert eva.state(table)["status"] == "over"

    run(main())


def test_what_a_process_that_died_had_in_memory_is_looked_after_by_another(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with both(postgres_url, ticks=clock) as (one, two):
            anna, ben = await one.guest("Anna"), await one.guest("Ben")
            timed = await one.table("hanamikoji", [anna, ben], clock={"type": "move", "seconds": 60}, absent="decide")
            one.service.bots.close()
            bots = dict.fromkeys(range(2), "beginner")
            watched = await one.create(anna.account, "kasane", seats=2, seat=None, bots=bots, start=True)
            kill(one, two)
            assert timed not in two.service.house.tables
            await two.service._mourn()
            await two.later(60_000)
            assert two.live(timed).table.decided is not None
            for _ in range(2000):
                await two.later(STEP_IN_MS if two.live(watched).table.number < 5 else 10)
                if two.live(watched).table.status == "over":
                    break
            assert two.live(watched).table.status == "over"

    run(main())


def test_whoever_loses_a_process_resumes_at_another_where_they_were(postgres_url: str) -> None:
    async def main() -> None:
        async with both(postgres_url) as (one, two):
            anna, ben = await one.guest("Anna"), await two.guest("Ben")
            table = await seated("hanamikoji", [anna, ben])
            acting = next(guest for guest in (anna, ben) if guest.state(table)["legal"])
            state = await acting.ask(type="act", table=table, action=acting.state(table)["legal"][0], request=900)
            seen = state["version"] - 1
            await one.socket.close()
            assert anna.code == 1012, "the server restarts: come again"
            back = two.join(acting.account)
            again = await back.ask(type="act", table=table, action=state["legal"][0] if state["legal"] else 0, request=900)
            assert again["repeated"] is True, "sent again because no answer came: it had arrived"
            resumed = await back.watch(table, version=seen)
            assert resumed["since"] == seen
            assert len(resumed["events"]) == 1
            assert resumed["version"] == state["version"]

    run(main())


def test_both_processes_time_a_player_out_once(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with both(postgres_url, ticks=clock) as (one, two):
            guests = [await one.guest("Anna"), await two.guest("Ben")]
            table = await seated("hanamikoji", guests, clock={"type": "move", "seconds": 60}, absent="decide")
            for room in (one, two):
                await room.quiet()
            clock.now += 60_000
            one.service.deadlines.ring()
            two.service.deadlines.ring()
            for guest in guests:
                await guest.state_where(table, lambda m: m["status"] == "over")
            for room in (one, two):
                await room.quiet()
            log = await events(one, table)
            assert [event.kind for event in log].count(Kind.TIMEOUT) == 1

    run(main())
