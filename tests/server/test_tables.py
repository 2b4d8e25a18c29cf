"""A table from its opening to its end: who may do what, and what comes of it."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

from tests.server.room import Guest, Room, opened, run
from zashiki.server import messages, schema
from zashiki.server.errors import Refused
from zashiki.server.log import Kind


async def kinds(room: Room, table: str) -> list[Kind]:
    """What the log says, by its kinds."""
    columns = schema.events.c
    query = select(columns.kind).where(columns.table_id == table).order_by(columns.number)
    rows = await room.service.store.read(lambda connection: connection.execute(query).scalars().all())
    return [Kind(row) for row in rows]


async def pair(room: Room, game: str = "hanamikoji", **settings: Any) -> tuple[Guest, Guest, str]:
    """Two people at a table, the match begun."""
    anna, ben = await room.guest("Anna"), await room.guest("Ben")
    return anna, ben, await room.table(game, [anna, ben], **settings)


def whose_turn(table: str, *guests: Guest) -> tuple[Guest, Guest]:
    """Who is to act, and somebody who is not."""
    acting = next(guest for guest in guests if guest.state(table)["legal"])
    return acting, next(guest for guest in guests if guest is not acting)


async def refusal(asked: Any) -> str:
    """The code of a refusal."""
    answer = await asked
    assert answer["type"] == "refused", answer
    assert answer["reason"]
    return str(answer["code"])


# Opening


def test_a_table_is_opened_as_it_was_wanted(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Hana")
            settings = {
                "options": {"pace": "live", "stacked": True},
                "clock": {"type": "bank", "seconds": 600, "increment": 5},
                "private": True,
                "spectators": False,
                "absent": "decide",
                "stand_in": "beginner",
                "hints": False,
                "strict": True,
                "grace_seconds": 30,
            }
            bots = {1: "beginner", 3: "expert"}
            table = await room.create(host.account, "kawaii", seats=4, settings=settings, bots=bots, seat=2)
            state = await host.watch(table)
            assert state["game"] == "kawaii"
            assert state["settings"] == settings
            assert state["host"] == host.account.id
            assert state["status"] == "waiting"
            names = [seat.get("name") for seat in state["seats"]]
            assert names == [None, "Haru", "Hana", "Yuki"]
            assert [seat.get("bot") for seat in state["seats"]] == [None, "beginner", None, "expert"]

    run(main())


def test_what_is_not_said_is_as_usual(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Hana")
            table = await room.create(host.account, "hanamikoji")
            state = await host.watch(table)
            assert len(state["seats"]) == 2
            assert state["seat"] == 0
            assert state["settings"]["options"] == {"rounds": 20}
            assert state["settings"]["clock"] == {"type": "none"}

    run(main())


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "chess"}, "unknown game"),
        ({"game": "hanamikoji", "seats": 3}, "wrong settings"),
        ({"game": "kimono", "seats": 0}, "wrong settings"),
        ({"game": "hanamikoji", "settings": {"options": {"rounds": 0}}}, "wrong settings"),
        ({"game": "hanamikoji", "settings": {"options": {"colour": "red"}}}, "wrong settings"),
        ({"game": "hanamikoji", "bots": {1: "genius"}}, "wrong settings"),
        ({"game": "hanamikoji", "settings": {"stand_in": "genius"}}, "wrong settings"),
        ({"game": "hanamikoji", "bots": {5: "club"}}, "wrong settings"),
        ({"game": "hanamikoji", "seat": -1}, "wrong settings"),
        ({"game": "hanamikoji", "bots": {0: "club"}}, "seat taken"),
    ],
)
def test_a_table_that_cannot_be_is_refused(wanted: dict[str, Any], code: str, sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.account("Hana")
            with pytest.raises(Refused) as refused:
                await room.service.create(host, msgspec.convert(wanted, messages.NewTable, strict=False))
            assert refused.value.code == code

    run(main())


def test_a_full_table_can_begin_at_once_and_one_with_an_empty_seat_does_not(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Hana")
            full = await room.create(host.account, "hanamikoji", bots={1: "beginner"}, start=True)
            assert (await host.watch(full))["status"] == "playing"
            waiting = await room.create(host.account, "kimono", seats=3, bots={1: "beginner"}, start=True)
            assert (await host.watch(waiting))["status"] == "waiting"

    run(main())


def test_a_table_asked_for_twice_with_one_key_is_one_table(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            room.service.name_for = lambda account, key: f"{account.id:x}-{key}".ljust(16, "-")
            host, other = await room.account("Hana"), await room.account("Ben")
            wanted = messages.NewTable(game="hanamikoji")
            tables = await asyncio.gather(*(room.service.create(host, wanted, "key") for _ in range(3)))
            assert len(set(tables)) == 1
            assert await room.service.create(host, wanted, "other") not in tables
            assert await room.service.create(other, wanted, "key") not in tables
            assert len(await room.service.open_tables(None, None, 10)) == 3

    run(main())


def test_the_seed_is_from_the_system_and_stays_in_the_store(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, _, table = await pair(room)
            other = await room.create(anna.account, "hanamikoji")
            query = select(schema.tables.c.id, schema.tables.c.seed)
            rows = await room.service.store.read(lambda connection: connection.execute(query).all())
            seeds = {row.id: row.seed for row in rows}
            assert seeds[table] != seeds[other]
            assert not any(seeds[table] in str(data) for data in anna.raw)

    run(main())


# Seats


def test_people_join_by_the_link_change_seats_and_stand_up(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben = await room.guest("Hana"), await room.guest("Ben")
            table = await room.create(host.account, "kimono", seats=4, settings={"private": True})
            assert (await ben.watch(table))["seat"] is None
            assert (await ben.ask(type="sit", table=table))["seat"] == 1
            moved = await ben.ask(type="sit", table=table, seat=3)
            assert moved["seat"] == 3
            assert [seat.get("name") for seat in moved["seats"]] == ["Hana", None, None, "Ben"]
            stood = await ben.ask(type="stand", table=table)
            assert stood["seat"] is None
            assert [seat.get("name") for seat in stood["seats"]] == ["Hana", None, None, None]
            query = select(schema.players.c.seat).where(schema.players.c.table_id == table)
            assert await room.service.store.read(lambda connection: connection.execute(query).scalars().all()) == [0]

    run(main())


def test_a_seat_is_refused_that_cannot_be_had(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben, carl = [await room.guest(name) for name in ("Hana", "Ben", "Carl")]
            table = await room.create(host.account, "hanamikoji")
            assert await refusal(ben.ask(type="sit", table=table, seat=0)) == "seat taken"
            assert await refusal(ben.ask(type="sit", table=table, seat=2)) == "malformed"
            assert await refusal(host.ask(type="sit", table=table)) == "seat taken"
            assert await refusal(ben.ask(type="stand", table=table)) == "not seated"
            await ben.ask(type="sit", table=table)
            assert await refusal(carl.ask(type="sit", table=table)) == "table full"
            assert await refusal(host.ask(type="sit", table=table, seat=1)) == "table full"
            assert await refusal(ben.ask(type="stand", table=table, seat=7)) == "not seated"
            assert await refusal(ben.ask(type="sit", table="x" * 16)) == "unknown table"

    run(main())


def test_the_host_seats_bots_and_empties_seats_and_nobody_else_does(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben = await room.guest("Hana"), await room.guest("Ben")
            table = await room.create(host.account, "kimono", seats=3)
            await host.watch(table)
            await ben.ask(type="sit", table=table)
            assert await refusal(ben.ask(type="sit", table=table, seat=2, bot="club")) == "not the host"
            assert await refusal(ben.ask(type="stand", table=table, seat=0)) == "not the host"
            assert await refusal(host.ask(type="sit", table=table, seat=2, bot="genius")) == "wrong settings"
            assert await refusal(host.ask(type="sit", table=table, seat=1, bot="club")) == "seat taken"
            seated = await host.ask(type="sit", table=table, bot="club")
            assert seated["seats"][2] == {"name": "Ren", "bot": "club"}
            assert (await host.ask(type="stand", table=table, seat=2))["seats"][2] == {}
            assert (await host.ask(type="stand", table=table, seat=1))["seats"][1] == {}

    run(main())


def test_a_program_is_marked_at_the_table(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Hana")
            program = room.join(await room.account("Deep Fan", "bot"))
            table = await room.create(host.account, "hanamikoji")
            await program.watch(table)
            state = await program.ask(type="sit", table=table)
            assert state["seats"][1] == {"name": "Deep Fan", "account": program.account.id, "program": True}

    run(main())


def test_only_the_host_begins_and_not_with_an_empty_seat(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben = await room.guest("Hana"), await room.guest("Ben")
            table = await room.create(host.account, "hanamikoji")
            assert await refusal(host.ask(type="start", table=table)) == "not started"
            await ben.ask(type="sit", table=table)
            assert await refusal(ben.ask(type="start", table=table)) == "not the host"
            assert (await host.ask(type="start", table=table))["type"] == "done"
            assert await refusal(host.ask(type="start", table=table)) == "already started"
            assert await refusal(ben.ask(type="stand", table=table)) == "already started"
            assert await refusal((await room.guest("Carl")).ask(type="sit", table=table)) == "already started"

    run(main())


def test_a_host_who_only_watches_begins_too(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben, carl = [await room.guest(name) for name in ("Hana", "Ben", "Carl")]
            table = await room.create(host.account, "hanamikoji", seat=None)
            await host.watch(table)
            await ben.ask(type="sit", table=table)
            await carl.ask(type="sit", table=table)
            state = await host.ask(type="start", table=table)
            assert state["status"] == "playing"
            assert state["seat"] is None
            assert state["legal"] == []

    run(main())


def test_everybody_may_watch_unless_the_table_says_otherwise(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            eve, early = await room.guest("Eve"), await room.guest("Early")
            _, _, watched = await pair(room)
            assert (await eve.watch(watched))["seat"] is None
            anna, ben = await room.guest("Anna"), await room.guest("Ben")
            table = await room.create(anna.account, "hanamikoji", settings={"spectators": False})
            await ben.ask(type="sit", table=table)
            assert (await early.watch(table))["status"] == "waiting"
            await anna.ask(type="start", table=table)
            turned_away = await early.until(lambda message: message["type"] == "refused")
            assert turned_away["code"] == "forbidden"
            assert await refusal(eve.watch(table)) == "forbidden"
            with pytest.raises(Refused, match="nobody may watch"):
                await room.service.look(eve.account, table)

    run(main())


# Acting


def test_an_action_is_shown_to_everybody_as_they_may_know_it(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            eve = await room.guest("Eve")
            await eve.watch(table)
            acting, other = whose_turn(table, anna, ben)
            before = acting.state(table)
            answer = await acting.ask(type="act", table=table, action=before["legal"][0], version=before["version"])
            assert answer["version"] == before["version"] + 1
            for guest in (other, eve):
                seen = await guest.state_where(table, lambda m: m["version"] == answer["version"])
                assert [line["kind"] for line in seen["events"]] == ["act"]
                assert seen["events"][0]["seat"] == acting.state(table)["seat"]

    run(main())


def test_an_action_can_be_said_by_its_number_or_in_words(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            acting, _ = whose_turn(table, anna, ben)
            live = room.live(table)
            assert live.table.match is not None
            action = msgspec.to_builtins(live.table.game.vocabulary[acting.state(table)["legal"][0]])
            assert (await acting.ask(type="act", table=table, action=action))["type"] == "state"

    run(main())


def test_what_may_not_be_done_is_refused_with_its_own_code(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            eve = await room.guest("Eve")
            acting, other = whose_turn(table, anna, ben)
            state = acting.state(table)
            legal = state["legal"]
            illegal = next(number for number in range(1000) if number not in legal)
            act: dict[str, Any] = {"type": "act", "table": table}
            before = room.live(table).table.number
            assert await refusal(acting.ask(**act, action=illegal)) == "illegal action"
            assert await refusal(acting.ask(**act, action=10**9)) == "malformed"
            assert await refusal(acting.ask(**act, action=-1)) == "malformed"
            assert await refusal(acting.ask(**act, action={"type": "dance"})) == "malformed"
            assert await refusal(acting.ask(**act, action=legal[0], version=state["version"] - 1)) == "stale"
            assert await refusal(other.ask(**act, action=legal[0])) == "not your turn"
            assert await refusal(eve.ask(**act, action=legal[0])) == "not seated"
            assert await refusal(acting.ask(**act, action="pass")) == "malformed"
            assert room.live(table).table.number == before

    run(main())


def test_nothing_can_be_done_before_the_start_or_after_the_end(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna = await room.guest("Anna")
            waiting = await room.create(anna.account, "hanamikoji")
            assert await refusal(anna.ask(type="act", table=waiting, action=0)) == "not started"
            assert await refusal(anna.ask(type="resign", table=waiting)) == "not started"
            assert await refusal(anna.ask(type="rematch", table=waiting)) == "not over"
            _, ben, table = await pair(room)
            await ben.ask(type="resign", table=table)
            assert await refusal(ben.ask(type="act", table=table, action=0)) == "match over"
            assert await refusal(ben.ask(type="resign", table=table)) == "match over"
            assert await refusal(ben.ask(type="sit", table=table)) == "already started"

    run(main())


def test_the_same_request_again_is_answered_and_not_played_twice(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, ben, table = await pair(room)
            acting, _ = whose_turn(table, anna, ben)
            action = acting.state(table)["legal"][0]
            first = await acting.ask(type="act", table=table, action=action, request=77)
            again = await acting.ask(type="act", table=table, action=action, request=77)
            assert again["type"] == "done"
            assert again["repeated"] is True
            assert again["version"] == first["version"]
            assert (await kinds(room, table)).count(Kind.ACT) == 1

    run(main())


def test_the_same_request_sent_twice_at_once_is_played_once(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, ben, table = await pair(room)
            acting, _ = whose_turn(table, anna, ben)
            for _ in range(3):
                acting.send(type="act", table=table, action=acting.state(table)["legal"][0], request=5000)
            await acting.ask(type="ping")
            await room.quiet()
            answers = [message for message in acting.inbox if message.get("request") == 5000]
            assert [answer.get("repeated", False) for answer in answers] == [False, True, True]
            assert (await kinds(room, table)).count(Kind.ACT) == 1

    run(main())


def test_the_same_request_after_a_restart_is_known(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, ben, table = await pair(room)
            acting, _ = whose_turn(table, anna, ben)
            action = acting.state(table)["legal"][0]
            await acting.ask(type="act", table=table, action=action, request=77)
        async with opened(url) as room:
            back = room.join(acting.account)
            again = await back.ask(type="act", table=table, action=action, request=77)
            assert again["repeated"] is True
            assert (await kinds(room, table)).count(Kind.ACT) == 1
            assert (await room.service.ask(acting.account, messages.Resign(request=1, table=table), "k")).repeated is False
            assert (await room.service.ask(acting.account, messages.Resign(request=1, table=table), "k")).repeated is True

    run(main())


def test_another_clients_request_of_the_same_number_is_another_request(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            acting, _ = whose_turn(table, anna, ben)
            action = acting.state(table)["legal"][0]
            await acting.ask(type="act", table=table, action=action, request=77)
            phone = room.join(acting.account, client="phone")
            answer = await phone.ask(type="act", table=table, action=action, request=77)
            assert answer["type"] == "refused"

    run(main())


# Giving up


def test_of_two_the_other_wins_when_one_resigns(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            state = await anna.ask(type="resign", table=table)
            assert state["status"] == "over"
            assert state["outcome"] == {"winners": [ben.state(table)["seat"]], "reason": "resigned"}
            assert state["seats"][0]["resigned"] is True
            assert (await ben.state_where(table, lambda m: m["status"] == "over"))["legal"] == []

    run(main())


def test_of_three_the_others_play_on_with_a_bot_in_the_empty_seat(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(name) for name in ("Anna", "Ben", "Carl")]
            table = await room.table("kimono", guests, stand_in="beginner")
            live = room.live(table)
            acting = next(guest for guest in guests if guest.state(table)["legal"])
            seat = acting.state(table)["seat"]
            state = await acting.ask(type="resign", table=table)
            assert state["status"] == "playing"
            assert await refusal(acting.ask(type="act", table=table, action=0)) == "match over"
            assert await refusal(acting.ask(type="sit", table=table)) == "seat taken"
            others = [guest for guest in guests if guest is not acting]
            seen = await others[0].state_where(table, lambda m: any(each["kind"] == "act" for each in m["events"]))
            assert seen["events"][-1]["seat"] == seat
            assert live.table.level_of(seat) == "beginner"

    run(main())


def test_when_the_last_person_resigns_the_bots_have_won(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna = await room.guest("Anna")
            table = await room.table("kimono", [anna], {1: "beginner", 2: "beginner"})
            state = await anna.ask(type="resign", table=table)
            assert state["status"] == "over"
            assert state["outcome"]["reason"] == "resigned"
            assert set(state["outcome"]["winners"]) <= {1, 2}

    run(main())


# Closing


def test_the_host_closes_a_table_before_the_start(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host, ben = await room.guest("Hana"), await room.guest("Ben")
            table = await room.create(host.account, "hanamikoji")
            await ben.watch(table)
            assert await refusal(ben.ask(type="close", table=table)) == "not the host"
            await host.ask(type="close", table=table)
            closed = await ben.state_where(table, lambda m: m["status"] == "closed")
            assert closed["events"][-1]["detail"] == {"reason": "closed by the host"}
            assert await refusal(ben.ask(type="sit", table=table)) == "match over"
            query = select(schema.tables.c.status).where(schema.tables.c.id == table)
            assert await room.service.store.read(lambda connection: connection.execute(query).scalar()) == "closed"

    run(main())


def test_a_match_is_abandoned_when_all_people_say_so(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(name) for name in ("Anna", "Ben")]
            table = await room.table("kimono", guests, {2: "beginner"})
            eve = await room.guest("Eve")
            assert await refusal(eve.ask(type="close", table=table)) == "not seated"
            first = await guests[0].ask(type="close", table=table)
            assert first["status"] == "playing"
            assert first["events"][-1]["kind"] == "abandon"
            assert first["abandoning"] == [0]
            last = await guests[1].ask(type="close", table=table)
            assert last["status"] == "closed"
            assert "outcome" not in last
            assert await refusal(guests[0].ask(type="act", table=table, action=0)) == "match over"

    run(main())


def test_whoever_plays_on_does_not_want_to_abandon_the_match_any_more(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            acting, other = whose_turn(table, anna, ben)
            await acting.ask(type="close", table=table)
            await acting.ask(type="act", table=table, action=acting.state(table)["legal"][0])
            assert "abandoning" not in acting.state(table)
            assert (await other.ask(type="close", table=table))["status"] == "playing"
            assert (await acting.ask(type="close", table=table))["status"] == "closed"

    run(main())


def test_the_saved_match_is_given_when_it_is_over_and_not_before(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await pair(room)
            with pytest.raises(Refused, match="not over"):
                await room.service.saved_match(anna.account, table)
            await ben.ask(type="resign", table=table)
            assert '"hanamikoji"' in await room.service.saved_match(anna.account, table)

    run(main())


def test_a_table_with_settings_of_another_version_is_shown_all_the_same(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            host = await room.guest("Aiko")
            table = await room.create(host.account, "hanamikoji", seats=2, seat=0)
            settings = {"options": {}, "spectators": False, "of_tomorrow": True}
            query = update(schema.tables).where(schema.tables.c.id == table).values(settings=settings)
            await room.service.store.write(lambda connection: connection.execute(query).rowcount)
            del room.service.house.tables[table]
            assert (await host.watch(table))["settings"]["spectators"] is False

    run(main())
