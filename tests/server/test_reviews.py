"""Reviews on the server: for players, after the match, made once, kept, shared by a key."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.server.room import Guest, Room, opened, run
from zashiki.core.match import Match
from zashiki.review.reckoning import reckon
from zashiki.review.report import FORMAT, Review
from zashiki.server import leagues, reviews, schema
from zashiki.server.errors import Refused
from zashiki.server.personal import erase
from zashiki.server.reviews import ReviewState

Progress = Callable[[float], None]


def found_in(match: Match, winners: Sequence[int] | None) -> Review:
    """A review that says nothing of any decision."""
    seats = [reckon([], seat, match, winners or [0], decided=True) for seat in range(match.seats)]
    return Review(
        format=FORMAT,
        game=match.game.id,
        rules=match.game.version,
        level="expert",
        moves=len(match.history),
        seats=seats,
        decisions=[],
    )


class Quick:
    """A reviewer that is ready at once, or when it is let go on, and counts."""

    def __init__(self, room: Room, *, held: bool = False) -> None:
        self.made: list[Sequence[int] | None] = []
        self.go_on = threading.Event()
        if not held:
            self.go_on.set()
        room.service.reviewer.review = self

    def __call__(self, match: Match, winners: Sequence[int] | None, progress: Progress) -> Review:
        progress(0.5)
        assert self.go_on.wait(20)
        self.made.append(winners)
        return found_in(match, winners)


async def over(room: Room, *guests: Guest) -> str:
    """A table whose match the first has given up."""
    table = await room.table("hanamikoji", list(guests), {1: "beginner"} if len(guests) == 1 else {})
    await guests[0].ask(type="resign", table=table)
    return table


async def asked(room: Room, guest: Guest, table: str, key: str | None = None, *, start: bool = False) -> ReviewState:
    return await room.service.review(guest.account, table, key, start=start)


async def ready(room: Room, guest: Guest, table: str) -> ReviewState:
    """Starts a review and waits for it."""
    found = await asked(room, guest, table, start=True)
    while found.state != "ready":
        await asyncio.sleep(0.005)
        found = await asked(room, guest, table)
    return found


async def refusal(room: Room, guest: Guest, table: str, key: str | None = None, *, start: bool = False) -> str:
    with pytest.raises(Refused) as caught:
        await asked(room, guest, table, key, start=start)
    return caught.value.code


def test_a_review_is_made_once_and_kept(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            quick, aki = Quick(room), await room.guest("Aki")
            table = await over(room, aki)
            assert (await asked(room, aki, table)).state == "none"
            first = await ready(room, aki, table)
            assert first.review is not None
            assert await asked(room, aki, table, start=True) == first
            assert quick.made == [(1,)]

    run(main())


def test_only_players_and_holders_of_the_key_read_it(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            Quick(room)
            aki, ben, eve = await room.guest("Aki"), await room.guest("Ben"), await room.guest("Eve")
            table = await over(room, aki, ben)
            assert await refusal(room, eve, table, start=True) == "forbidden"
            share = (await ready(room, aki, table)).share
            assert (await asked(room, ben, table)).state == "ready"
            assert (await asked(room, eve, table, share)).state == "ready"
            assert await refusal(room, eve, table) == "forbidden"
            assert await refusal(room, eve, table, "guessed") == "forbidden"

    run(main())


def test_nothing_is_reviewed_while_the_match_goes_on(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url, bot_threads=0) as room:
            quick, aki, ben = Quick(room), await room.guest("Aki"), await room.guest("Ben")
            table = await room.table("hanamikoji", [aki, ben], {})
            for guest in (aki, ben):
                assert await refusal(room, guest, table, start=True) == "not over"
                assert await refusal(room, guest, table) == "not over"
            assert quick.made == []

    run(main())


def test_nobody_at_the_table_is_told_of_a_review(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            Quick(room)
            aki, ben = await room.guest("Aki"), await room.guest("Ben")
            table, playing = await over(room, aki, ben), await room.table("hanamikoji", [aki, ben], {})
            await aki.watch(playing)
            heard = len(aki.raw), len(ben.raw)
            await ready(room, aki, table)
            assert (len(aki.raw), len(ben.raw)) == heard

    run(main())


def test_while_others_of_a_league_play_the_same_cards_a_review_waits(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            Quick(room)
            aki = await room.guest("Aki")
            table = await over(room, aki)
            with monkeypatch.context() as round_goes_on:
                round_goes_on.setattr(leagues, "held_back", lambda table, connection: True)
                assert await refusal(room, aki, table, start=True) == "not over"
            assert (await ready(room, aki, table)).state == "ready"

    run(main())


def test_one_match_is_reviewed_at_a_time_and_the_queue_is_short(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(reviews, "LONGEST_QUEUE", 1)
        async with opened(sqlite_url) as room:
            quick, aki = Quick(room, held=True), await room.guest("Aki")
            tables = [await over(room, aki) for _ in range(3)]
            await asked(room, aki, tables[0], start=True)
            while (working := await asked(room, aki, tables[0])).progress < 0.5:
                await asyncio.sleep(0.005)
            assert working.state == "working"
            waiting = await asked(room, aki, tables[1], start=True)
            assert (waiting.state, waiting.ahead) == ("waiting", 1)
            assert (await asked(room, aki, tables[1], start=True)).state == "waiting"
            assert await refusal(room, aki, tables[2], start=True) == "too many"
            quick.go_on.set()
            await ready(room, aki, tables[1])
            assert len(quick.made) == 2

    run(main())


def test_a_review_that_fails_can_be_asked_for_again(sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail(match: Match, winners: Sequence[int] | None, progress: Progress) -> Review:
        raise ValueError("no idea")

    async def main() -> None:
        async with opened(sqlite_url) as room:
            room.service.reviewer.review, aki = fail, await room.guest("Aki")
            table = await over(room, aki)
            await asked(room, aki, table, start=True)
            while (await asked(room, aki, table)).state != "none":
                await asyncio.sleep(0.005)
            assert "could not be reviewed" in caplog.text
            Quick(room)
            assert (await ready(room, aki, table)).state == "ready"

    run(main())


def kept(room: Room) -> Any:
    return room.service.store.read(
        lambda connection: connection.execute(select(func.count()).select_from(schema.reviews)).scalar()
    )


def test_reviews_go_with_the_account_and_with_the_table(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            Quick(room)
            aki, ben = await room.guest("Aki"), await room.guest("Ben")
            tables = [await over(room, aki), await over(room, ben)]
            for guest, table in zip((aki, ben), tables, strict=True):
                await ready(room, guest, table)
            await room.service.store.write(lambda connection: erase(connection, aki.account.id))
            assert await kept(room) == 1
            await room.service.store.write(
                lambda connection: connection.execute(schema.tables.delete().where(schema.tables.c.id == tables[1])).rowcount
            )
            assert await kept(room) == 0

    run(main())
