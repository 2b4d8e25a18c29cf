from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import func, select

from tests.server.people import World, play, world
from zashiki.server import limits as module
from zashiki.server.errors import Refused
from zashiki.server.limits import RULES, Limits, address_key, spend_once
from zashiki.server.schema import limits

HOUR_MS = 3_600_000
MANY = {rule.name: rule.many for rule in RULES}


class Clock:
    """The time as the limits see it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_750_000_000_000 // HOUR_MS * HOUR_MS
        monkeypatch.setattr(module, "now_ms", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def _spend_all(limits: Limits, who: str | int = "203.0.113.7") -> None:
    for _ in range(MANY["guests"]):
        await limits.spend("guests", who)


def _spend_now(limits: Limits, times: int, who: str | int = 7) -> int:
    """How many of so many are let through."""
    for spent in range(times):
        try:
            limits.spend_now("messages", who)
        except Refused:
            return spent
    return times


def test_the_rule_says_what_was_exceeded_and_when_to_come_back(url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        clock.now += 20 * 60_000
        await _spend_all(world.limits)
        with pytest.raises(Refused) as refused:
            await world.limits.spend("guests", "203.0.113.7")
        assert refused.value.code == "too many"
        assert refused.value.reason == "too many new guests: there may be 60 in 1 hour for each address; come again in 40 minutes"
        assert refused.value.retry_after_ms == 40 * 60_000

    play(url, story)


def test_when_the_time_is_over_it_counts_from_nothing(url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        await _spend_all(world.limits)
        clock.now += HOUR_MS
        await _spend_all(world.limits)
        with pytest.raises(Refused):
            await world.limits.spend("guests", "203.0.113.7")

    play(url, story)


def test_others_are_not_hindered(sqlite_url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        await _spend_all(world.limits)
        await world.limits.spend("guests", "203.0.113.8")
        await world.limits.spend("sign-ins", "203.0.113.7")

    play(sqlite_url, story)


def test_the_count_is_exact_over_processes(url: str, clock: Clock) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:
            tries = [people.limits.spend("guests", "203.0.113.7") for _ in range(50) for people in (one, two)]
            results = await asyncio.gather(*tries, return_exceptions=True)
            assert sum(result is None for result in results) == MANY["guests"]
            assert all(result is None or isinstance(result, Refused) for result in results)

    asyncio.run(main())


def test_processes_that_count_the_same_people_crosswise_do_not_wait_for_each_other(url: str, clock: Clock) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:
            there, back = range(6), range(5, -1, -1)
            tries = [
                people.limits.spend("renames", account)
                for _ in range(8)
                for people, accounts in ((one, there), (two, back))
                for account in accounts
            ]
            results = await asyncio.gather(*tries, return_exceptions=True)
            assert {result.code for result in results if isinstance(result, Refused)} == {"too many"}
            assert sum(result is None for result in results) == 6 * MANY["renames"]

    asyncio.run(main())


def test_who_has_spent_everything_costs_the_store_nothing_more(
    sqlite_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(world: World) -> None:
        await _spend_all(world.limits)
        for _ in range(2):
            with pytest.raises(Refused):
                await world.limits.spend("guests", "203.0.113.7")
            monkeypatch.setattr(world.store, "write", None)
        monkeypatch.undo()

    play(sqlite_url, story)


def test_success_can_be_forgiven(url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        for _ in range(2):
            for _ in range(MANY["sign-ins to a name"]):
                await world.limits.spend("sign-ins to a name", "aiko")
            with pytest.raises(Refused, match="each name"):
                await world.limits.spend("sign-ins to a name", "aiko")
            await world.limits.forgive("sign-ins to a name", "aiko")

    play(url, story)


def test_a_bench_may_raise_all_rules(sqlite_url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        limits = Limits(world.store, multiplier=10)
        assert _spend_now(limits, 20 * MANY["messages"]) == 10 * MANY["messages"]

    play(sqlite_url, story)


def test_loopback_is_counted_like_everybody(sqlite_url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        await _spend_all(world.limits, "127.0.0.1")
        with pytest.raises(Refused):
            await world.limits.spend("guests", "127.0.0.1")

    play(sqlite_url, story)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("testclient", "'testclient'"),
        ("\x00" * 100, "'" + "\\x00" * 14 + "\\x0"),
    ],
)
def test_an_address_is_counted_as_its_network(address: str, key: str) -> None:
    assert address_key(address) == key


def test_hot_paths_are_counted_in_memory(sqlite_url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        assert _spend_now(world.limits, 1000) == MANY["messages"]
        with pytest.raises(Refused, match="messages on the socket: there may be 400 in 10 seconds for each account") as refused:
            world.limits.spend_now("messages", 7)
        assert refused.value.retry_after_ms == 10_000
        assert _spend_now(world.limits, 5, who=8) == 5
        clock.now += 10_000
        assert _spend_now(world.limits, 1000) == MANY["messages"]

    play(sqlite_url, story)


def test_processes_hear_of_each_others_counts_when_they_compare(url: str, clock: Clock) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:
            assert _spend_now(one.limits, 300) == 300
            await one.limits.sync()
            assert _spend_now(two.limits, 50) == 50
            await two.limits.sync()
            assert _spend_now(two.limits, 1000) == 50
            assert _spend_now(one.limits, 20) == 20
            await one.limits.sync()
            await two.limits.sync()
            assert _spend_now(one.limits, 1000) == 30
            assert _spend_now(two.limits, 1000) == 0

    asyncio.run(main())


def test_what_was_spent_while_the_store_was_away_is_told_later(
    sqlite_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(world: World) -> None:
        _spend_now(world.limits, 300)

        async def away(work: object, news: object) -> None:
            _spend_now(world.limits, 50)
            raise Refused("unavailable", "away")

        with monkeypatch.context() as broken:
            broken.setattr(world.store, "write", away)
            with pytest.raises(Refused):
                await world.limits.sync()
        assert _spend_now(world.limits, 20) == 20
        await world.limits.sync()
        other = Limits(world.store)
        assert _spend_now(other, 30) == 30
        await other.sync()
        assert _spend_now(other, 10) == 0

    play(sqlite_url, story)


def test_people_who_do_little_cost_the_store_nothing(sqlite_url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        _spend_now(world.limits, MANY["messages"] // module.SHARE - 1)
        await world.limits.sync()
        assert (
            await world.store.read(lambda connection: connection.execute(select(func.count()).select_from(limits)).scalar()) == 0
        )

    play(sqlite_url, story)


def test_a_process_that_is_alone_asks_nobody(sqlite_url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        alone = Limits(world.store, alone=True)
        assert _spend_now(alone, 1000) == MANY["messages"]
        await alone.sync()
        assert (
            await world.store.read(lambda connection: connection.execute(select(func.count()).select_from(limits)).scalar()) == 0
        )

    play(sqlite_url, story)


def test_old_counts_are_swept(url: str, clock: Clock) -> None:
    async def story(world: World) -> None:
        await world.limits.spend("guests", "203.0.113.7")
        clock.now += 2 * HOUR_MS
        await world.limits.spend("guests", "203.0.113.8")
        await world.limits.sweep()
        rows = await world.store.read(lambda connection: connection.execute(select(limits.c.key)).scalars().all())
        assert list(rows) == ["guests:203.0.113.8"]

    play(url, story)


def test_only_so_many_are_counted_in_memory(sqlite_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COUNTED", 10)

    async def story(world: World) -> None:
        for account in range(100):
            world.limits.spend_now("messages", account)
        assert len(world.limits._windows["messages"].counts) == 10

    play(sqlite_url, story)


def test_comparing_goes_on_by_itself_and_survives_a_store_that_is_away(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SYNC_S", 0.001)
    monkeypatch.setattr(module, "SWEEP_S", 0.002)
    happened: list[str] = []

    class Watched(Limits):
        async def sync(self) -> None:
            happened.append("sync")
            if len(happened) < 3:
                raise Refused("unavailable", "away")

        async def sweep(self) -> None:
            happened.append("sweep")

    async def story(world: World) -> None:
        running = asyncio.create_task(Watched(world.store).run())
        patience = time.monotonic() + 10
        while "sweep" not in happened and time.monotonic() < patience:
            await asyncio.sleep(0.001)
        running.cancel()
        assert happened[:3] == ["sync"] * 3
        assert "sweep" in happened

    play(sqlite_url, story)


def test_a_thing_of_one_use_is_used_once_by_all_processes(url: str) -> None:
    async def main() -> None:
        async with world(url, process="one") as one, world(url, process="two") as two:
            tries = [
                people.store.write(lambda connection: spend_once(connection, "it", 2**50))
                for _ in range(4)
                for people in (one, two)
            ]
            assert sum(await asyncio.gather(*tries)) == 1

    asyncio.run(main())
