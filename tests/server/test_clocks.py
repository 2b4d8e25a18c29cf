"""Time at the table: clocks of every kind, what happens when one runs out, restarts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.server.room import Clock, Guest, Room, opened, run
from zashiki.server.clocks import WELCOME_S, SeatClocks
from zashiki.server.service_time import ServiceTime
from zashiki.server.settings import DAY, BankClock, MoveClock, NoClock
from zashiki.server.store import Store

MINUTE = {"type": "move", "seconds": 60}
BANK = {"type": "bank", "seconds": 100, "increment": 10}


async def begun(room: Room, count: int = 2, game: str = "hanamikoji", **settings: Any) -> tuple[list[Guest], str]:
    """People at a table, the match begun."""
    guests = [await room.guest(f"G{number}") for number in range(count)]
    return guests, await room.table(game, guests, **settings)


def acting(table: str, guests: list[Guest]) -> Guest:
    """Whoever is to act."""
    return next(guest for guest in guests if guest.state(table)["legal"])


async def act(guest: Guest, table: str) -> dict[str, Any]:
    """The first legal action."""
    answer = await guest.ask(type="act", table=table, action=guest.state(table)["legal"][0])
    assert answer["type"] == "state", answer
    return answer


@asynccontextmanager
async def serving(url: str, wall: Clock) -> AsyncIterator[tuple[Room, ServiceTime]]:
    """A room in the service's own time."""
    store = Store(url, process="beats")
    time = ServiceTime(store, "beats", wall=wall, steady=wall)
    async with opened(url, ticks=time.ticks, clock=wall) as room:
        store.open()
        await time.start()
        try:
            yield room, time
        finally:
            await time.stop()
            await store.close()


# The clocks by themselves


def test_without_a_clock_nothing_is_ever_due() -> None:
    clocks = SeatClocks(NoClock(), 2)
    assert clocks.left == []
    assert clocks.soonest(0) is None
    assert clocks.deadline() is None


def test_time_for_a_move_begins_anew_with_each_decision() -> None:
    clocks = SeatClocks(MoveClock(60), 2)
    clocks.settle(None, 0b01, 0)
    assert clocks.deadline() == (60_000, 0)
    clocks.settle(0, 0b10, 50_000)
    assert clocks.deadline() == (110_000, 1)
    clocks.settle(1, 0b01, 60_000)
    assert clocks.left_at(60_000) == [60_000, 60_000]
    assert clocks.left_at(70_000) == [50_000, 60_000]


def test_a_second_decision_in_a_row_has_its_own_time() -> None:
    clocks = SeatClocks(MoveClock(60), 2)
    clocks.settle(None, 0b01, 0)
    clocks.settle(0, 0b01, 40_000)
    assert clocks.deadline() == (100_000, 0)


def test_a_bank_is_spent_and_grows_with_each_decision() -> None:
    clocks = SeatClocks(BankClock(100, 10), 2)
    clocks.settle(None, 0b01, 0)
    clocks.settle(0, 0b10, 30_000)
    assert clocks.left == [80_000, 100_000]
    clocks.settle(1, 0b01, 40_000)
    assert clocks.left == [80_000, 100_000]
    assert clocks.deadline() == (120_000, 0)


def test_a_bank_does_not_grow_when_somebody_else_ended_the_decision() -> None:
    clocks = SeatClocks(BankClock(100, 10), 2)
    clocks.settle(None, 0b01, 0)
    clocks.settle(None, 0b00, 30_000)
    assert clocks.left == [70_000, 100_000]


def test_several_who_decide_at_once_each_have_their_own_time() -> None:
    clocks = SeatClocks(BankClock(100), 3)
    clocks.settle(None, 0b111, 0)
    clocks.settle(1, 0b101, 10_000)
    clocks.settle(0, 0b100, 25_000)
    assert clocks.left_at(30_000) == [75_000, 90_000, 70_000]
    assert clocks.deadline() == (100_000, 2)


def test_all_whose_time_is_up_in_one_moment_are_named() -> None:
    clocks = SeatClocks(MoveClock(60), 3)
    clocks.settle(None, 0b101, 0)
    assert clocks.up_at(59_999) == []
    assert clocks.up_at(60_000) == [0, 2]


def test_whoever_returns_to_an_empty_bank_finds_something_in_it() -> None:
    clocks = SeatClocks(BankClock(100), 2)
    clocks.settle(None, 0b01, 0)
    clocks.settle(None, 0b00, 100_000)
    assert clocks.left[0] == 0
    clocks.welcome(0)
    clocks.welcome(1)
    assert clocks.left == [WELCOME_S * 1000, 100_000]


def test_what_may_be_due_next_is_never_after_what_is() -> None:
    clocks = SeatClocks(BankClock(100, 10), 2)
    clocks.settle(None, 0b01, 0)
    soonest = clocks.soonest(95_000)
    clocks.settle(0, 0b10, 95_000)
    due = clocks.deadline()
    assert soonest is not None
    assert due is not None
    assert soonest <= due[0]


def test_an_hour_for_a_move_is_play_by_correspondence() -> None:
    assert SeatClocks(MoveClock(DAY), 2).by_correspondence
    assert not SeatClocks(MoveClock(300), 2).by_correspondence
    assert not SeatClocks(BankClock(3 * 3600), 2).by_correspondence


# At the table


def test_everybody_sees_the_clocks(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, clock=BANK)
            first = acting(table, guests)
            seat = first.state(table)["seat"]
            assert first.state(table)["clock"] == {"at": clock.now, "left": [100_000, 100_000], "running": [seat]}
            clock.now += 7_000
            state = await act(first, table)
            assert state["clock"]["left"][seat] == 103_000
            assert state["clock"]["left"][1 - seat] == 100_000

    run(main())


@pytest.mark.parametrize("limit", [MINUTE, BANK, {"type": "move", "seconds": 3 * DAY}])
def test_when_time_is_up_a_bot_plays_until_the_person_is_back(limit: dict[str, Any], sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, clock=limit, stand_in="beginner")
            late = acting(table, guests)
            seat = late.state(table)["seat"]
            await room.later(limit["seconds"] * 1000 - 1)
            assert "away" not in late.state(table)["seats"][seat]
            await room.later(1)
            state = await late.told(table, "timeout")
            assert state["status"] == "playing"
            assert state["legal"] == []
            assert state["seats"][seat]["away"] is True
            moved = await late.told(table, "act")
            assert moved["seats"][seat]["away"] is True, "a bot's move does not bring the person back"
            refused = await late.ask(type="act", table=table, action=0)
            assert refused["code"] == "stale"
            back = await late.ask(type="sit", table=table)
            assert "away" not in back["seats"][seat]
            assert back["events"][-1]["kind"] == "return"

    run(main())


@pytest.mark.parametrize("limit", [MINUTE, BANK, {"type": "move", "seconds": 3 * DAY}])
def test_when_time_is_up_the_match_is_decided_if_the_table_wants_that(limit: dict[str, Any], sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, clock=limit, absent="decide")
            late = acting(table, guests)
            await room.later(limit["seconds"] * 1000)
            state = await late.state_where(table, lambda m: m["status"] == "over")
            assert state["outcome"] == {"winners": [1 - state["seat"]], "reason": "time"}

    run(main())


def test_whoever_was_late_is_back_by_looking_at_the_table(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, clock=BANK, stand_in="beginner")
            late = acting(table, guests)
            await room.later(100_000)
            await late.told(table, "timeout")
            start = len(late.inbox)
            seat = (await late.watch(table))["seat"]
            state = await late.told(table, "return", start)
            assert "away" not in state["seats"][seat]
            assert state["clock"]["left"][seat] >= WELCOME_S * 1000, "an empty bank would send the person away again at once"

    run(main())


def test_an_action_in_time_moves_the_deadline(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, clock=MINUTE)
            await room.later(59_000)
            await act(acting(table, guests), table)
            await room.later(59_000)
            assert not any(seat.get("away") for seat in guests[0].state(table)["seats"])
            await room.later(1_000)
            await guests[0].state_where(table, lambda m: any(seat.get("away") for seat in m["seats"]))

    run(main())


async def to_the_vote(room: Room, guests: list[Guest], table: str) -> None:
    """Plays Kimono until all vote."""
    match = room.live(table).table.match
    assert match is not None
    while len(match.to_act) < 2:
        await act(acting(table, guests), table)
        await room.quiet()


def test_secret_votes_each_have_their_own_running_time(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, 3, "kimono", clock=MINUTE, stand_in="beginner")
            await to_the_vote(room, guests, table)
            voters = guests[0].state(table)["clock"]["running"]
            assert len(voters) >= 2
            await room.later(30_000)
            quick = next(guest for guest in guests if guest.state(table)["seat"] == voters[0])
            state = await act(quick, table)
            assert state["clock"]["running"] == voters[1:]
            assert state["clock"]["left"][voters[1]] == 30_000
            await room.later(30_000)
            away = await quick.state_where(table, lambda m: bool(m["seats"][voters[1]].get("away")))
            assert "away" not in away["seats"][voters[0]]

    run(main())


def test_when_all_who_vote_are_late_none_of_them_wins_by_it(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, 4, "kimono", clock=MINUTE, absent="decide")
            await to_the_vote(room, guests, table)
            voters = guests[0].state(table)["clock"]["running"]
            await act(next(guest for guest in guests if guest.state(table)["seat"] == voters[0]), table)
            await room.later(60_000)
            state = await guests[0].state_where(table, lambda m: m["status"] == "over")
            assert set(state["outcome"]["winners"]).isdisjoint(voters[1:])

    run(main())


def test_time_does_not_run_for_bots(sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guest = await room.guest("Anna")
            table = await room.table("kimono", [guest], {1: "beginner", 2: "beginner"}, clock=MINUTE)
            assert set(guest.state(table)["clock"]["running"]) <= {0}

    run(main())


# Restarts


def test_a_clock_goes_on_where_it_was_after_a_restart(url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(url, ticks=clock) as room:
            guests, table = await begun(room, clock=BANK, absent="decide")
            clock.now += 40_000
            await act(acting(table, guests), table)
            left = guests[0].state(table)["clock"]["left"]
            clock.now += 20_000
        async with opened(url, ticks=clock) as room:
            back = [room.join(guest.account) for guest in guests]
            for guest in back:
                await guest.watch(table)
            assert back[0].state(table)["clock"]["left"] == left
            await room.later(79_999)
            assert back[0].state(table)["status"] == "playing"
            await room.later(1)
            assert (await back[0].state_where(table, lambda m: m["status"] == "over"))["outcome"]["reason"] == "time"

    run(main())


def test_a_clock_that_nobody_looks_at_after_a_restart_runs_out_too(url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(url, ticks=clock) as room:
            _, table = await begun(room, clock={"type": "move", "seconds": 3 * DAY}, absent="decide")
        async with opened(url, ticks=clock) as room:
            await room.later(DAY * 1000)
            assert table not in room.service.house.tables or room.live(table).table.status == "playing"
            await room.later(2 * DAY * 1000)
            assert room.live(table).table.status == "over"

    run(main())


def test_a_table_that_left_the_memory_is_back_when_its_clock_runs_out(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, clock=MINUTE, absent="decide")
            for guest in guests:
                await guest.leave()
            monkeypatch.setattr("zashiki.server.steward.IDLE_S", -1)
            room.service.steward.tidy()
            room.service.steward.tidy()
            assert table not in room.service.house.tables
            await room.later(60_000)
            assert room.live(table).table.decided is not None

    run(main())


def test_clocks_stand_still_while_the_server_is_down(sqlite_url: str) -> None:
    async def main() -> None:
        wall = Clock()
        async with serving(sqlite_url, wall) as (room, _):
            guests, table = await begun(room, clock=MINUTE, absent="decide")
            wall.now += 2_000
            await room.service.steward.house.load(table)
        wall.now += 3_600_000
        async with serving(sqlite_url, wall) as (room, time):
            guest = room.join(guests[0].account)
            state = await guest.watch(table)
            assert state["status"] == "playing"
            left = room.live(table).table.clocks.left_at(time.ticks())
            assert 50_000 <= min(left) <= 60_000

    run(main())
