"""What is said at the tables."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tests.server.room import Clock, Guest, Room, opened, run
from zashiki.server import messages
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.limits import Limits
from zashiki.server.talking import RECENT_MS, clean


def lines(guest: Guest) -> list[str]:
    """What somebody was told, in order."""
    return [message["text"] for message in guest.inbox if message["type"] == "talk"]


def muting(account: Account, muted: int) -> Account:
    """The same account after it has muted somebody."""
    return msgspec.structs.replace(account, muted=frozenset({muted}))


async def say(guest: Guest, table: str, text: str, **fields: Any) -> dict[str, Any]:
    return await guest.ask(type="talk", table=table, text=text, **fields)


async def seated(room: Room) -> tuple[Guest, Guest, str]:
    anna, ben = await room.guest("Anna"), await room.guest("Ben")
    table = await room.create(anna.account, "hanamikoji")
    await anna.watch(table)
    await ben.watch(table)
    return anna, ben, table


def test_a_line_is_told_to_everybody_who_looks_and_stored(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, ben, table = await seated(room)
            assert (await say(anna, table, "Good evening!"))["type"] == "done"
            assert (await say(ben, table, "Hello."))["version"] == 2
            await ben.until(lambda m: m.get("text") == "Hello.")
            assert lines(anna) == lines(ben) == ["Good evening!", "Hello."]
        async with opened(url) as room:
            stored = await room.service.talk_of(anna.account, table)
            assert [(line.number, line.name, line.text) for line in stored] == [
                (1, "Anna", "Good evening!"),
                (2, "Ben", "Hello."),
            ]

    run(main())


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("  two   words ", "two words"),
        ("one\nline\tonly\r", "one line only"),
        ("a\x00b\x1b[31mc\x7f", "a b [31mc"),
        ("turned \u202e round\u200b", "turned round"),
        ("\u2028\u2029x", "x"),
        ("👩\u200d👧 می\u200cخواهم", "👩\u200d👧 می\u200cخواهم"),
        ("x" * messages.TALK_LENGTH, "x" * messages.TALK_LENGTH),
    ],
)
def test_a_line_is_one_line_without_control_characters(said: str, stored: str) -> None:
    assert clean(said) == stored


@pytest.mark.parametrize("said", [" ", "\n\n", "\u200b\u200b", "\u200d \u200c", "\x00"])
def test_a_line_in_which_nothing_is_said_is_refused(said: str) -> None:
    with pytest.raises(Refused, match="nothing to say"):
        clean(said)


def test_a_line_that_is_too_long_or_empty_is_refused(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await seated(room)
            for text in ("", "x" * (messages.TALK_LENGTH + 1), "\n"):
                answer = await say(anna, table, text)
                assert answer["code"] == "malformed"
            await say(anna, table, "x" * messages.TALK_LENGTH)
            await ben.until(lambda m: m["type"] == "talk")
            assert len(lines(ben)) == 1

    run(main())


def test_each_reader_mutes_whom_they_like(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, table = await seated(room)
            await say(ben, table, "buy my fans")
            await anna.until(lambda m: m["type"] == "talk")
            room.accounts[anna.account.id] = muted = muting(anna.account, ben.account.id)
            room.service.on_account(anna.account.id)
            await room.quiet()
            await say(ben, table, "buy my fans now")
            await say(anna, table, "peace at last")
            await ben.until(lambda m: m.get("text") == "peace at last")
            assert lines(anna) == ["buy my fans", "peace at last"]
            assert lines(ben) == ["buy my fans", "buy my fans now", "peace at last"]
            over_http = await room.service.talk_of(muted, table)
            assert [line.text for line in over_http] == ["peace at last"]
            assert len(await room.service.talk_of(ben.account, table)) == 3

    run(main())


def test_the_same_line_sent_again_is_said_once(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            anna, ben, table = await seated(room)
            first = await say(anna, table, "hello", request=50)
            again = await say(anna, table, "hello", request=50)
            assert first["version"] == again["version"] == 1
            talk = messages.Talk(request=0, table=table, text="by HTTP")
            answers = await asyncio.gather(*(room.service.ask(ben.account, talk, "k") for _ in range(3)))
            assert [answer.version for answer in answers] == [2, 2, 2]
            assert len(await room.service.talk_of(anna.account, table)) == 2
            assert (await room.service.ask(anna.account, talk, "k")).version == 3, "another's key is another key"

    run(main())


def test_whoever_talks_too_much_is_told_when_to_go_on(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, _, table = await seated(room)
            room.service.limits = Limits(room.service.store, alone=True)
            answers = [await say(anna, table, "again") for _ in range(50)]
            refused = next(answer for answer in answers if answer["type"] == "refused")
            assert refused["code"] == "too many"
            assert refused["retry_after_ms"] > 0
            assert "talk" in refused["reason"]

    run(main())


def test_lines_are_told_in_pages_the_latest_last(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, _, table = await seated(room)
            for number in range(5):
                await say(anna, table, str(number))
            page = await room.service.talk_of(anna.account, table, None, 2)
            assert [line.text for line in page] == ["3", "4"]
            page = await room.service.talk_of(anna.account, table, page[0].number, 2)
            assert [line.text for line in page] == ["1", "2"]

    run(main())


def test_nobody_speaks_or_listens_at_a_match_that_nobody_may_watch(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben, eve = [await room.guest(name) for name in ("Anna", "Ben", "Eve")]
            table = await room.table("hanamikoji", [anna, ben], spectators=False)
            assert (await say(eve, table, "psst"))["code"] == "forbidden"
            with pytest.raises(Refused, match="nobody may watch"):
                await room.service.talk_of(eve.account, table)
            assert (await say(eve, "x" * 16, "psst"))["code"] == "unknown table"

    run(main())


def test_people_at_two_processes_hear_the_same_in_the_same_order(postgres_url: str) -> None:
    async def main() -> None:
        async with opened(postgres_url, process="one") as one, opened(postgres_url, process="two") as two:
            anna, ben = await one.guest("Anna"), await two.guest("Ben")
            table = await one.create(anna.account, "hanamikoji")
            await anna.watch(table)
            await ben.watch(table)
            said = [say(guest, table, f"{guest.account.name} {number}") for number in range(10) for guest in (anna, ben)]
            answers = await asyncio.gather(*said)
            assert sorted(answer["version"] for answer in answers) == list(range(1, 21))
            for guest in (anna, ben):
                await guest.until(lambda m: m.get("number") == 20)
                assert [m["number"] for m in guest.inbox if m["type"] == "talk"] == list(range(1, 21))
            assert lines(anna) == lines(ben)

    run(main())


def test_whoever_looks_only_now_is_told_what_was_said_a_moment_ago_and_not_the_whole_past(postgres_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with (
            opened(postgres_url, process="one", ticks=clock) as one,
            opened(postgres_url, process="two", ticks=clock) as two,
        ):
            anna, ben = await one.guest("Anna"), await two.guest("Ben")
            table = await one.create(anna.account, "hanamikoji")
            await say(anna, table, "long ago")
            await two.quiet()
            clock.now += RECENT_MS
            await ben.watch(table)
            await say(anna, table, "now")
            await ben.until(lambda m: m.get("text") == "now")
            assert lines(ben) == ["now"]

    run(main())
