"""The queue of what is due when."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.server.room import Clock, run
from zashiki.server.deadlines import Deadlines


def queue() -> tuple[Clock, Deadlines, list[str]]:
    """A clock, a queue that goes by it, and what it has called."""
    clock = Clock(0)
    return clock, Deadlines(clock), []


def test_what_is_due_is_called_in_the_order_of_its_time() -> None:
    async def main() -> None:
        clock, deadlines, called = queue()
        deadlines.set("b", 20, lambda: called.append("b"))
        deadlines.set("a", 10, lambda: called.append("a"))
        deadlines.set("c", 30, lambda: called.append("c"))
        clock.now = 20
        deadlines.ring()
        assert called == ["a", "b"]
        clock.now = 30
        deadlines.ring()
        assert called == ["a", "b", "c"]
        assert len(deadlines) == 0
        deadlines.close()

    run(main())


def test_a_deadline_that_moves_is_called_once_at_its_latest_time() -> None:
    async def main() -> None:
        clock, deadlines, called = queue()
        for due in (10, 50, 30):
            deadlines.set("a", due, lambda due=due: called.append(str(due)))  # type: ignore[misc]
        for clock.now in (10, 29, 30, 50, 60):
            deadlines.ring()
        assert called == ["30"]
        deadlines.close()

    run(main())


def test_a_deadline_that_is_dropped_is_never_called() -> None:
    async def main() -> None:
        clock, deadlines, called = queue()
        deadlines.set("a", 10, lambda: called.append("a"))
        assert "a" in deadlines
        deadlines.drop("a")
        assert "a" not in deadlines
        deadlines.set("b", 10, lambda: called.append("b"))
        clock.now = 10
        deadlines.ring()
        assert called == ["b"]
        deadlines.close()

    run(main())


def test_a_deadline_set_again_after_it_was_dropped_is_called() -> None:
    async def main() -> None:
        clock, deadlines, called = queue()
        deadlines.set("a", 10, lambda: called.append("early"))
        deadlines.drop("a")
        deadlines.set("a", 20, lambda: called.append("late"))
        clock.now = 15
        deadlines.ring()
        assert called == []
        clock.now = 20
        deadlines.ring()
        assert called == ["late"]
        deadlines.close()

    run(main())


def test_one_that_fails_does_not_keep_the_others_from_being_called(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        clock, deadlines, called = queue()

        def fail() -> None:
            raise ValueError("no")

        deadlines.set("a", 10, fail)
        deadlines.set("b", 10, lambda: called.append("b"))
        clock.now = 10
        with caplog.at_level(logging.ERROR):
            deadlines.ring()
        assert called == ["b"]
        deadlines.set("c", 11, lambda: called.append("c"))
        clock.now = 11
        deadlines.ring()
        assert called == ["b", "c"]
        deadlines.close()

    run(main())
    assert "failed" in caplog.text


def test_the_queue_rings_by_itself() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        deadlines = Deadlines(lambda: int(loop.time() * 1000))
        rung = asyncio.Event()
        deadlines.set("late", int(loop.time() * 1000) + 60_000, lambda: None)
        deadlines.set("soon", int(loop.time() * 1000) + 5, rung.set)
        await asyncio.wait_for(rung.wait(), 10)
        deadlines.close()
        assert len(deadlines) == 0

    run(main())


def test_what_is_called_may_set_the_next_deadline() -> None:
    async def main() -> None:
        clock, deadlines, called = queue()

        def again() -> None:
            called.append(str(clock.now))
            deadlines.set("a", clock.now + 10, again)

        deadlines.set("a", 10, again)
        for clock.now in (10, 20, 30):
            deadlines.ring()
        assert called == ["10", "20", "30"]
        deadlines.close()

    run(main())
