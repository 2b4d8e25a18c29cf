"""The service's own time: it stops while nobody is there, is the same for all, and never runs backwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.server.databases import opened
from tests.server.rows import NOON, committed
from zashiki.server import service_time
from zashiki.server.schema import processes, service
from zashiki.server.service_time import SILENCE_MS, STALE_MS, ServiceTime

HOUR = 3_600_000


class Clocks:
    """A clock on the wall, which can be set, and a steady one, both moved by hand."""

    def __init__(self) -> None:
        self.wall_ms = NOON
        self.steady_ms = 5_000

    def wall(self) -> int:
        return self.wall_ms

    def steady(self) -> int:
        return self.steady_ms

    def run(self, milliseconds: int) -> None:
        """Time passes."""
        self.wall_ms += milliseconds
        self.steady_ms += milliseconds


@asynccontextmanager
async def started(url: str, clocks: Clocks, process: str = "one") -> AsyncIterator[ServiceTime]:
    """A process that has started, and is killed at the end of the block."""
    async with opened(url, process=process) as store:
        time = ServiceTime(store, process, f"http://{process}", wall=clocks.wall, steady=clocks.steady)
        await time.start()
        yield time


async def live(time: ServiceTime, clocks: Clocks, seconds: int) -> None:
    """A process that beats every second."""
    for _ in range(seconds):
        clocks.run(1_000)
        await time.beat()


def down(url: str) -> int:
    return int(committed(url, lambda connection: connection.execute(service.select()).one().down_ms))


def test_time_runs_with_the_wall_while_somebody_is_there(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks) as time:
            assert time.ticks() == NOON
            await live(time, clocks, 10)
            clocks.run(700)
            assert time.ticks() == NOON + 10_700
        assert down(url) == 0

    asyncio.run(main())


def test_time_stands_still_while_nobody_is_there(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks) as time:
            await live(time, clocks, 10)
        clocks.run(HOUR)
        async with started(url, clocks, "two") as time:
            assert time.ticks() == NOON + 10_000 + SILENCE_MS
            await live(time, clocks, 10)
            assert time.ticks() == NOON + 20_000 + SILENCE_MS

    asyncio.run(main())


def test_a_short_silence_counts(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks):
            pass
        clocks.run(SILENCE_MS)
        async with started(url, clocks, "two") as time:
            assert time.ticks() == NOON + SILENCE_MS

    asyncio.run(main())


def test_several_that_start_together_count_the_silence_once(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks):
            pass
        clocks.run(HOUR)
        async with opened(url, process="a") as a, opened(url, process="b") as b, opened(url, process="c") as c:
            times = [ServiceTime(store, store.process, wall=clocks.wall, steady=clocks.steady) for store in (a, b, c)]
            await asyncio.gather(*(time.start() for time in times))
            assert {time.ticks() for time in times} == {NOON + SILENCE_MS}
        assert down(url) == HOUR - SILENCE_MS

    asyncio.run(main())


def test_the_first_of_all_processes_may_be_several(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with opened(url, process="a") as a, opened(url, process="b") as b:
            times = [ServiceTime(store, store.process, wall=clocks.wall, steady=clocks.steady) for store in (a, b)]
            await asyncio.gather(*(time.start() for time in times))
            assert {time.ticks() for time in times} == {NOON}

    asyncio.run(main())


def test_time_stands_still_while_the_store_is_away_and_goes_on_from_there(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks) as time:
            clocks.run(HOUR)
            assert time.ticks() == NOON + SILENCE_MS
            await time.beat()
            assert time.ticks() == NOON + SILENCE_MS
            clocks.run(700)
            assert time.ticks() == NOON + SILENCE_MS + 700

    asyncio.run(main())


def test_a_clock_that_is_set_back_does_not_turn_time_back(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks) as time:
            await live(time, clocks, 10)
            clocks.wall_ms -= HOUR
            assert time.ticks() == NOON + 10_000
            await live(time, clocks, 10)
            assert time.ticks() == NOON + 20_000

    asyncio.run(main())


def test_a_clock_that_is_set_back_while_nobody_is_there_gives_no_time_twice(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks) as time:
            await live(time, clocks, 10)
        clocks.wall_ms -= HOUR
        async with started(url, clocks, "two") as time:
            assert time.ticks() == NOON + 10_000
            await live(time, clocks, 5)
            assert time.ticks() == NOON + 15_000

    asyncio.run(main())


def test_a_clock_that_is_set_forward_is_taken_for_a_silence(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks) as time:
            clocks.run(1_000)
            clocks.wall_ms += HOUR
            await time.beat()
            assert time.ticks() == NOON + SILENCE_MS

    asyncio.run(main())


def test_a_process_that_is_not_heard_of_is_dead(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks, "one") as one, started(url, clocks, "two") as two:
            await one.beat()
            assert one.alive() == two.alive() == {"one", "two"}
            assert one.address("two") == "http://two"
            await live(one, clocks, STALE_MS // 1_000)
            assert one.alive() == {"one", "two"}
            await live(one, clocks, 1)
            assert one.alive() == {"one"}
            assert one.address("two") is None
            await two.beat()
            await one.beat()
            assert one.alive() == {"one", "two"}

    asyncio.run(main())


def test_a_process_that_stops_is_gone_at_once(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks, "one") as one, started(url, clocks, "two") as two:
            clocks.run(900)
            await two.stop()
            await one.beat()
            assert one.alive() == {"one"}
        row = committed(url, lambda connection: connection.execute(service.select()).one())
        assert row.beat == NOON + 900

    asyncio.run(main())


def test_processes_that_died_long_ago_are_forgotten(url: str) -> None:
    async def main() -> None:
        clocks = Clocks()
        async with started(url, clocks, "one"):
            clocks.run(2 * HOUR)
        async with started(url, clocks, "two"):
            assert committed(url, lambda connection: connection.execute(processes.select()).one().id) == "two"

    asyncio.run(main())


def test_it_beats_by_itself(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_time, "BEAT_S", 0.001)

    async def main() -> None:
        clocks = Clocks()
        async with started(sqlite_url, clocks) as time:
            beating = asyncio.create_task(time.keep_beating())
            clocks.run(1_000)
            async with asyncio.timeout(10):
                while committed(sqlite_url, lambda connection: connection.execute(service.select()).one()).beat == NOON:
                    await asyncio.sleep(0.01)
            beating.cancel()

    asyncio.run(main())
