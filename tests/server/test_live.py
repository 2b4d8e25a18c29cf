"""Kawaii in real time at the table: what everybody does at any moment, and what time does, as events of the log."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from tests.server.room import Clock, Guest, Room, opened, run
from zashiki.bots.bot import WAIT
from zashiki.bots.live import FLOOR_MS
from zashiki.core.layout import CLOCK
from zashiki.games import find
from zashiki.games.kawaii.actions import Claim
from zashiki.games.kawaii.cards import COUNTDOWN_MS, PHOTO_FINISH_MS, THROW_MS
from zashiki.games.kawaii.rules import FLIP
from zashiki.server import schema
from zashiki.server.botroom import Question
from zashiki.server.errors import Refused
from zashiki.server.fold import FLIP_MS
from zashiki.server.log import Kind
from zashiki.server.store import Store


async def begun(room: Room, **settings: Any) -> tuple[list[Guest], str]:
    """Three people at a table where everybody grabs in real time."""
    guests = [await room.guest(f"G{number}") for number in range(3)]
    return guests, await room.table("kawaii", guests, options={"pace": "live"}, **settings)


def words(room: Room, table: str) -> list[tuple[int, str]]:
    """What was done in the match, by whom."""
    match = room.live(table).table.match
    assert match is not None
    return [(move.seat, type(match.game.vocabulary[move.action]).__name__) for move in match.history]


async def act(guest: Guest, table: str, **action: Any) -> dict[str, Any]:
    answer = await guest.ask(type="act", table=table, action=action)
    assert answer["type"] == "state", answer
    return answer


async def flip(room: Room, guests: list[Guest], table: str) -> int:
    """Whoever's turn it is flips; gives the seat."""
    await room.quiet()
    seat = int(guests[0].state(table)["view"]["turn"])
    await act(guests[seat], table, type="flip")
    await room.quiet()
    return seat


def pile(guest: Guest, table: str, owner: int) -> dict[str, Any]:
    """The claim on a pile as it lies now."""
    return {"type": "claim", "pile": owner, "number": guest.state(table)["view"]["pile_number"][owner]}


def test_whoever_dithers_is_flipped_for(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room)
            await room.later(FLIP_MS - 1)
            assert words(room, table) == []
            await room.later(1)
            assert words(room, table) == [(CLOCK, "FlipFor")]
            await guests[0].told(table, "act")
            seat = await flip(room, guests, table)
            assert words(room, table)[-1] == (seat, "Flip")
            await room.later(FLIP_MS - 1)
            assert len(words(room, table)) == 2, "a flip gives the next one the whole time"

    run(main())


def test_the_tables_clock_says_how_long_one_may_dither(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            _, table = await begun(room, clock={"type": "move", "seconds": 5})
            await room.later(5_000)
            assert words(room, table) == [(CLOCK, "FlipFor")]
            _, other = await begun(room, clock={"type": "bank", "seconds": 600})
            await room.later(FLIP_MS)
            assert words(room, other) == [(CLOCK, "FlipFor")]
            assert not any(sitter and sitter.away for sitter in room.live(other).table.seats)

    run(main())


def test_a_claim_is_settled_when_the_photo_finish_closes(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room)
            owner = await flip(room, guests, table)
            version = guests[1].state(table)["version"]
            await act(guests[0], table, **pile(guests[0], table, owner))
            await room.later(PHOTO_FINISH_MS - 1)
            assert guests[1].state(table)["version"] == version, "nobody is told that somebody has claimed"
            await room.later(1)
            assert words(room, table)[-1] == (CLOCK, "ClosePhotoFinish")
            state = await guests[1].state_where(table, lambda m: m["version"] > version)
            assert state["view"]["taker"][owner] == 0

    run(main())


def test_two_who_claim_together_throw_for_it_and_time_throws_for_the_slow(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room)
            owner = await flip(room, guests, table)
            for guest in guests[:2]:
                await act(guest, table, **pile(guest, table, owner))
            await room.later(PHOTO_FINISH_MS)
            assert guests[2].state(table)["view"]["contested"][owner] == 0b11
            await act(guests[0], table, type="throw", pile=owner, sign="rock")
            await room.later(THROW_MS - 1)
            assert words(room, table)[-1] == (0, "Throw")
            await room.later(1)
            assert words(room, table)[-1] == (CLOCK, "ThrowFor")

    run(main())


def test_a_claim_that_comes_after_the_photo_finish_comes_too_late(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room)
            owner = await flip(room, guests, table)
            late = pile(guests[1], table, owner)
            await act(guests[0], table, **pile(guests[0], table, owner))
            await room.later(PHOTO_FINISH_MS)
            answer = await guests[1].ask(type="act", table=table, action=late)
            assert answer["code"] in ("illegal action", "not your turn")

    run(main())


async def to_the_countdown(room: Room, guests: list[Guest], table: str) -> None:
    """Flips every card of a round."""
    while guests[0].state(table)["view"]["turn"] >= 0:
        await flip(room, guests, table)


def test_after_the_last_flip_a_countdown_ends_the_round(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room)
            await to_the_countdown(room, guests, table)
            assert guests[0].state(table)["view"]["round_number"] == 1
            await room.later(COUNTDOWN_MS - 1)
            assert guests[0].state(table)["view"]["round_number"] == 1
            await room.later(1)
            assert words(room, table)[-1] == (CLOCK, "CloseRound")
            assert guests[0].state(table)["view"]["round_number"] == 2

    run(main())


def test_what_time_did_is_in_the_log_as_an_event(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            _, table = await begun(room)
            await room.later(FLIP_MS)
            query = select(schema.events).where(schema.events.c.table_id == table).order_by(schema.events.c.number.desc())
            row: Any = await room.service.store.read(lambda connection: connection.execute(query).first())
            assert (row.kind, row.seat, row.account_id) == (Kind.ACT, CLOCK, None)
            assert row.ticks == clock.now

    run(main())


def test_a_restart_in_the_middle_of_a_photo_finish_goes_on(url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(url, ticks=clock) as room:
            guests, table = await begun(room)
            owner = await flip(room, guests, table)
            await act(guests[0], table, **pile(guests[0], table, owner))
            await room.later(PHOTO_FINISH_MS // 2)
        async with opened(url, ticks=clock) as room:
            await room.later(0)
            await room.later(PHOTO_FINISH_MS - 1)
            assert words(room, table)[-1] == (0, "Claim"), "claims on their way have their time again"
            await room.later(1)
            assert words(room, table)[-1] == (CLOCK, "ClosePhotoFinish")
            await room.later(FLIP_MS)
            assert words(room, table)[-1] == (CLOCK, "FlipFor"), "time goes on"

    run(main())


def test_what_time_could_not_write_is_written_when_the_store_is_back(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room)
            owner = await flip(room, guests, table)
            await act(guests[0], table, **pile(guests[0], table, owner))
            await room.quiet()

            def lose(store: Store, row: Any, done: Any, *_: Any) -> None:
                done(Refused("unavailable", "not now"))

            with monkeypatch.context() as patch:
                patch.setattr(Store, "append", lose)
                await room.later(PHOTO_FINISH_MS)
            assert words(room, table)[-1] == (0, "Claim")
            await room.later(1_000)
            await room.later(PHOTO_FINISH_MS)
            assert words(room, table)[-1] == (CLOCK, "ClosePhotoFinish")

    run(main())


class Bots:
    """The bots of a room, which take the first of the wanted actions that they can, else wait."""

    def __init__(self, room: Room, *wanted: int) -> None:
        self.room = room
        self.wanted = wanted
        self.questions: list[Question[int]] = []
        room.service.bots._thinker = self._think

    def _think(self, question: Question[int]) -> int:
        self.questions.append(question)
        return next((action for action in question.view.legal(question.seat) if action in self.wanted), WAIT)

    async def decided(self, table: str, seat: int) -> None:
        """Waits until the bot has decided and only its reaction time runs."""
        while ("bot", table, seat) not in self.room.service.deadlines:
            await asyncio.sleep(0.001)

    async def rested(self, table: str, seat: int) -> None:
        """Lets time pass until the bot has nothing in mind."""
        while seat in self.room.live(table).thinking:
            await self.decided(table, seat)
            await self.room.later(100)

    async def beside(self, guests: list[Guest], flips: int) -> str:
        """A table at which a bot sits in seat 2 and time has flipped some cards; the bot has seen them all."""
        table = await self.room.table("kawaii", guests, bots={2: "expert"}, options={"pace": "live"})
        while len(words(self.room, table)) < flips:
            await self.room.later(100)
        await self.rested(table, 2)
        assert len(words(self.room, table)) == flips
        return table


def test_a_bot_acts_no_sooner_than_a_person_could(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            bots = Bots(room, FLIP)
            eve = await room.guest("Eve")
            seats, settings = dict.fromkeys(range(3), "expert"), {"options": {"pace": "live"}}
            table = await room.create(eve.account, "kawaii", seats=3, seat=None, bots=seats, settings=settings, start=True)
            (starter,) = room.live(table).table.hands()
            await bots.decided(table, starter)
            await room.later(FLOOR_MS - 1)
            assert words(room, table) == []
            while not words(room, table):
                await room.later(20)
            assert words(room, table) == [(starter, "Flip")]

    run(main())


def test_a_bot_looks_again_when_it_could_see_a_change_and_not_for_what_is_hidden(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            bots = Bots(room)
            guests = [await room.guest(f"G{number}") for number in range(2)]
            table = await bots.beside(guests, flips=3)
            looked = len(bots.questions)
            await act(guests[0], table, **pile(guests[0], table, 1))
            await room.later(PHOTO_FINISH_MS - 1)
            assert len(bots.questions) == looked
            await room.later(1)
            await bots.decided(table, 2)
            assert len(bots.questions) == looked + 1
            assert bots.questions[-1].view.record.taker[1] == 0

    run(main())


def test_a_bot_whose_pile_is_gone_when_it_reaches_for_it_looks_again(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            bots = Bots(room)
            guests = [await room.guest(f"G{number}") for number in range(2)]
            table = await bots.beside(guests, flips=3)
            wanted = pile(guests[0], table, 1)
            bots.wanted = (find("kawaii").vocabulary.number(Claim(wanted["pile"], wanted["number"])),)
            looked = len(bots.questions)
            await act(guests[1], table, **pile(guests[1], table, 0))
            await room.later(PHOTO_FINISH_MS)
            await bots.decided(table, 2)
            await act(guests[0], table, **wanted)
            await room.later(PHOTO_FINISH_MS)
            assert len(bots.questions) == looked + 1
            while len(bots.questions) == looked + 1:
                await room.later(20)
            assert bots.questions[-1].view.record.taker[1] == 0
            assert [seat for seat, word in words(room, table) if word == "Claim"] == [1, 0]

    run(main())


def test_people_at_two_processes_grab_at_one_table(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with (
            opened(postgres_url, process="one", ticks=clock) as one,
            opened(postgres_url, process="two", ticks=clock) as two,
        ):
            guests = [await one.guest("A"), await two.guest("B"), await one.guest("C")]
            table = await one.create(guests[0].account, "kawaii", seats=3, settings={"options": {"pace": "live"}}, seat=None)
            for guest in guests:
                await guest.watch(table)
                assert (await guest.ask(type="sit", table=table))["type"] == "state"
            await guests[0].ask(type="start", table=table)
            for guest in guests:
                await guest.state_where(table, lambda m: m["status"] == "playing")
            owner = int(guests[0].state(table)["view"]["turn"])
            await act(guests[owner], table, type="flip")
            for guest in guests:
                await guest.state_where(table, lambda m: m["view"]["pile_size"][owner] == 1)
            numbers = [guest.send(type="act", table=table, action=pile(guest, table, owner)) for guest in guests[:2]]
            for guest, number in zip(guests, numbers, strict=False):
                answer = await guest.until(lambda m, n=number: m.get("request") == n)  # type: ignore[misc]
                assert answer["type"] == "state", answer
            await two.quiet()
            clock.now += PHOTO_FINISH_MS
            one.service.deadlines.ring()
            two.service.deadlines.ring()
            for guest in guests:
                state = await guest.state_where(table, lambda m: bool(m["view"]["contested"][owner]))
                assert state["view"]["contested"][owner] == 0b11
            assert [each for each in words(one, table) if each[0] == CLOCK] == [(CLOCK, "ClosePhotoFinish")]

    run(main())
