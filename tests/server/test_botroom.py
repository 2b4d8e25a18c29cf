"""Where bots think: fairly, bounded, watched, and never in the event loop."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from tests.server.room import Passing, Room, opened, run
from zashiki import Match
from zashiki.bots.bot import WAIT
from zashiki.server.botroom import BotRoom, Question, any_action, think
from zashiki.server.log import Kind

VIEW = Match("hanamikoji", seed=1).view(0)
SEAT = next(seat for seat in range(2) if VIEW.to_act() >> seat & 1)


@asynccontextmanager
async def room_for(thinker: Callable[[Question[int]], int], threads: int = 1, slack_s: float = 30) -> AsyncIterator[BotRoom[int]]:
    """An open room whose bots think like that."""
    room = BotRoom(threads, thinker, any_action, slack_s)
    room.open()
    try:
        yield room
    finally:
        room.close()


def question(table: str, answer: Callable[[int], None], *, may_wait: bool = False) -> Question[int]:
    """What a bot is asked."""
    return Question(table, Match("hanamikoji", seed=1).view(SEAT), SEAT, "beginner", may_wait, answer)


async def asked(room: BotRoom[int], table: str = "t", *, may_wait: bool = False) -> int:
    """A bot's answer."""
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    room.ask(question(table, future.set_result, may_wait=may_wait))
    return await asyncio.wait_for(future, 30)


def test_a_bot_answers_with_a_legal_action_from_another_thread() -> None:
    async def main() -> None:
        threads = []

        def thinker(asked: Question[int]) -> int:
            threads.append(threading.current_thread())
            return think(asked)

        async with room_for(thinker) as room:
            assert await asked(room) in question("t", print).view.legal(SEAT)
        assert threads != [threading.main_thread()]

    run(main())


def test_a_bot_that_fails_is_replaced_by_a_legal_action(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        rescued = asyncio.Event()

        def fail(asked: Question[int]) -> int:
            raise ValueError("no idea")

        async with room_for(fail) as room:
            room.rescued = rescued.set
            assert await asked(room) in question("t", print).view.legal(SEAT)
            assert await asked(room) in question("t", print).view.legal(SEAT), "the thread is still there"
            assert await asked(room, may_wait=True) == WAIT, "where nobody must act, nothing is done"
            await asyncio.wait_for(rescued.wait(), 10)

    with caplog.at_level(logging.ERROR):
        run(main())
    assert "failed at hanamikoji" in caplog.text


def test_a_bot_that_hangs_is_given_up_and_its_thread_replaced(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        release = threading.Event()
        hanging = True

        def thinker(asked: Question[int]) -> int:
            if hanging:
                release.wait(30)
            return asked.view.legal(SEAT)[0]

        async with room_for(thinker, slack_s=-0.19) as room:
            assert await asked(room) in question("t", print).view.legal(SEAT)
            hanging = False
            assert await asked(room, "other") == question("t", print).view.legal(SEAT)[0]
            release.set()
            assert await asked(room) == question("t", print).view.legal(SEAT)[0]

    with caplog.at_level(logging.WARNING):
        run(main())
    assert "too slow" in caplog.text


def test_an_answer_that_comes_too_late_is_not_given_twice() -> None:
    async def main() -> None:
        release = threading.Event()
        answers: list[int] = []

        def thinker(asked: Question[int]) -> int:
            release.wait(30)
            return asked.view.legal(SEAT)[-1]

        async with room_for(thinker, slack_s=-0.19) as room:
            room.ask(question("t", answers.append))
            while not answers:
                await asyncio.sleep(0.001)
            release.set()
            await asked(room)
            assert len(answers) == 1
            assert room.thinking == 0

    run(main())


def test_a_table_with_many_bots_does_not_keep_another_waiting() -> None:
    async def main() -> None:
        gate, order = threading.Event(), []

        def thinker(asked: Question[int]) -> int:
            gate.wait(30)
            order.append(asked.table)
            return asked.view.legal(SEAT)[0]

        done = asyncio.Semaphore(0)
        async with room_for(thinker) as room:
            for _ in range(5):
                room.ask(question("busy", lambda action: done.release()))
            room.ask(question("calm", lambda action: done.release()))
            gate.set()
            for _ in range(6):
                await asyncio.wait_for(done.acquire(), 30)
        assert order.index("calm") <= 2
        assert order.count("busy") == 5

    run(main())


def test_no_more_bots_think_at_once_than_there_are_threads() -> None:
    async def main() -> None:
        lock, gate = threading.Lock(), threading.Event()
        thinking, most = 0, 0

        def thinker(asked: Question[int]) -> int:
            nonlocal thinking, most
            with lock:
                thinking += 1
                most = max(most, thinking)
            gate.wait(30)
            with lock:
                thinking -= 1
            return asked.view.legal(SEAT)[0]

        done = asyncio.Semaphore(0)
        async with room_for(thinker, threads=2) as room:
            for number in range(8):
                room.ask(question(str(number), lambda action: done.release()))
            while room.thinking < 2:
                await asyncio.sleep(0.001)
            assert room.waiting == 6
            gate.set()
            for _ in range(8):
                await asyncio.wait_for(done.acquire(), 30)
            assert room.waiting == room.thinking == 0
        assert most == 2

    run(main())


def test_the_event_loop_turns_while_a_bot_thinks() -> None:
    async def main() -> None:
        turns, gate = 0, threading.Event()

        def thinker(asked: Question[int]) -> int:
            gate.wait(30)
            return asked.view.legal(SEAT)[0]

        async with room_for(thinker) as room:
            answer = asyncio.get_running_loop().create_task(asked(room))
            for _ in range(100):
                await asyncio.sleep(0)
                turns += 1
            assert not answer.done()
            gate.set()
            await answer
        assert turns == 100

    run(main())


def test_a_closed_room_asks_nobody_any_more() -> None:
    async def main() -> None:
        async with room_for(lambda asked: asked.view.legal(SEAT)[0]) as room:
            await asked(room)
        room.ask(question("t", lambda action: pytest.fail("nobody should answer")))
        await asyncio.sleep(0.02)

    run(main())


# At the tables


async def over(room: Room, table: str) -> None:
    """Waits for the end of a match, with time passing faster than it does."""
    for _ in range(100_000):
        live = await room.service.house.load(table)
        if live.table.status != "playing":
            return
        assert isinstance(room.clock, Passing)
        room.clock.now += 100
        room.service.deadlines.ring()
        await asyncio.sleep(0.001)
    raise AssertionError("the bots did not come to an end")


def test_a_table_of_bots_is_played_to_its_end_before_a_spectator(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            eve = await room.guest("Eve")
            bots = dict.fromkeys(range(3), "beginner")
            table = await room.create(eve.account, "kasane", seats=3, seat=None, bots=bots, start=True)
            await eve.watch(table)
            state = await eve.state_where(table, lambda m: m["status"] == "over")
            assert state["outcome"]["winners"]

    run(main())


def test_bots_go_on_after_a_restart_without_anybody_looking(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            eve = await room.guest("Eve")
            bots = dict.fromkeys(range(2), "beginner")
            table = await room.create(eve.account, "kasane", seats=2, seat=None, bots=bots, start=True)
            while room.live(table).table.number < 8:
                await asyncio.sleep(0.001)
        async with opened(url, ticks=Passing()) as room:
            await over(room, table)

    run(main())


@pytest.mark.parametrize("way", ["fails", "hangs", "cheats"])
def test_the_match_goes_on_whatever_a_bot_does(way: str, sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        release = threading.Event()

        def thinker(asked: Question[int]) -> int:
            if way == "fails":
                raise ValueError("no idea")
            if way == "hangs":
                release.wait(30)
            return 10**6

        async with opened(sqlite_url) as room:
            bots = room.service.bots
            if way == "cheats":
                answers = iter(range(3))
                bots._thinker = lambda asked: 10**6 if next(answers, None) is not None else think(asked)
            else:
                bots._thinker, bots._slack = thinker, -0.19
            eve = await room.guest("Eve")
            table = await room.create(eve.account, "hanamikoji", seat=None, bots={0: "beginner", 1: "beginner"}, start=True)
            await eve.watch(table)
            await eve.state_where(table, lambda m: m["version"] >= 8)
            release.set()

    with caplog.at_level(logging.CRITICAL):
        run(main())


def test_bots_play_live_kawaii_to_its_end_and_what_time_does_is_in_the_log(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url, ticks=Passing()) as room:
            eve = await room.guest("Eve")
            bots = dict.fromkeys(range(3), "beginner")
            settings = {"options": {"pace": "live"}}
            table = await room.create(eve.account, "kawaii", seats=3, seat=None, bots=bots, settings=settings, start=True)
            began = room.service.house.ticks()
            await over(room, table)
            match = room.live(table).table.match
            assert match is not None
            assert match.over
            assert room.service.house.ticks() - began < 30 * 60_000, "no match lasts longer than an evening"
            words = {match.game.vocabulary[move.action].words().split()[0] for move in match.history}
            assert {"flips", "claims", "closes"} <= words
            assert all(line.kind == Kind.ACT for line in room.live(table).table.lines[4:])

    run(main())
