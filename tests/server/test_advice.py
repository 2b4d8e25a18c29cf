"""Hints and warnings: against bots alone or where the table allows them, from nothing but the own view."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.built import built
from tests.server.room import Guest, Room, opened, run
from tests.server.test_building import table_of
from zashiki import Match
from zashiki.bots.bot import WAIT, Estimate
from zashiki.core.layout import CLOCK
from zashiki.core.state import State
from zashiki.review.looking import BLUNDER
from zashiki.server import advice
from zashiki.server.advice import LONGEST_QUEUE, Warned, consider
from zashiki.server.botroom import Question
from zashiki.server.errors import Refused

ESTIMATES = [Estimate(3, 0.75, 8.5, 100), Estimate(WAIT, 0.5, None, 90)]


def told(views: list[State]) -> Any:
    """Bots that have one opinion, and keep what they were shown."""

    def hints(view: State, seat: int, budget: Any) -> list[Estimate]:
        views.append(view)
        return ESTIMATES

    return hints


async def alone(room: Room, game: str = "hanamikoji") -> tuple[Guest, str]:
    """Somebody whose turn it is, against a bot."""
    aki = await room.guest("Aki")
    table = await room.table(game, [aki], {1: "beginner"})
    await aki.state_where(table, lambda state: bool(state.get("legal")))
    return aki, table


async def refusal(room: Room, guest: Guest, table: str) -> str:
    with pytest.raises(Refused) as caught:
        await room.service.hints(guest.account, table)
    return caught.value.code


def test_hints_come_from_the_own_view_the_best_first(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        views: list[State] = []
        monkeypatch.setattr(advice, "hints", told(views))
        async with opened(sqlite_url) as room:
            aki, table = await alone(room)
            found = await room.service.hints(aki.account, table)
            assert [(hint.action, hint.chance, hint.points) for hint in found.hints] == [(3, 0.75, 8.5), (None, 0.5, None)]
            live = room.live(table).table
            assert live.match is not None
            assert found.version == live.version(0)
            assert [view.to_bytes() for view in views] == [live.match.view(0).to_bytes()]

    run(main())


def test_hints_are_legal_actions_over_http_too(tmp_path: Path) -> None:
    async def main() -> None:
        async with built(tmp_path) as house, house.guest() as client:
            table = await table_of(client, bots={"1": "beginner"}, start=True)
            while not (state := (await client.get(f"/api/tables/{table}")).json()).get("legal"):
                await asyncio.sleep(0.005)
            answer = await client.get(f"/api/tables/{table}/hints")
            hints = answer.json()["hints"]
            assert answer.status_code == 200
            assert 0 < len(hints) <= advice.MOST_HINTS
            assert {hint["action"] for hint in hints} <= set(state["legal"])

    run(main())


def test_among_people_there_are_no_hints(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            people = [await room.guest("Aki"), await room.guest("Ben")]
            table = await room.table("kimono", people, {2: "club"})
            for guest in people:
                assert await refusal(room, guest, table) == "forbidden"
            await people[0].ask(type="resign", table=table)
            assert await refusal(room, people[1], table) == "forbidden"

    run(main())


def test_whoever_has_nothing_to_decide_gets_no_hints(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url, bot_threads=0) as room:
            aki, ben = await room.guest("Aki"), await room.guest("Ben")
            table = await room.table("hanamikoji", [aki], {1: "beginner"})
            waiting = await room.create(aki.account, "hanamikoji")
            assert await refusal(room, ben, table) == "not seated"
            assert await refusal(room, aki, waiting) == "not started"
            legal = aki.state(table).get("legal")
            if legal:
                await aki.ask(type="act", table=table, action=legal[0])
            assert await refusal(room, aki, table) == "not your turn"
            await aki.ask(type="resign", table=table)
            assert await refusal(room, aki, table) == "match over"

    run(main())


def test_who_asks_when_many_wait_is_told_to_come_again(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            aki, table = await alone(room)
            room.service.adviser.room.close()  # Nobody answers any more.
            match = room.live(table).table.match
            assert match is not None
            for _ in range(LONGEST_QUEUE):
                room.service.adviser.room.ask(Question(table, match.view(0), 0, "expert", False, print))
            assert await refusal(room, aki, table) == "too many"

    run(main())


def test_thinking_that_fails_gives_no_hints(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(view: State, seat: int, budget: Any) -> list[Estimate]:
        raise ValueError("no idea")

    async def main() -> None:
        monkeypatch.setattr(advice, "hints", fail)
        async with opened(sqlite_url) as room:
            aki, table = await alone(room)
            assert (await room.service.hints(aki.account, table)).hints == []
            assert "a bot of level master failed" in caplog.text

    run(main())


def test_in_live_kawaii_hints_are_actions_or_waiting() -> None:
    match = Match("kawaii", 3, options={"pace": "live"}, seed=1)
    while len(seats := [seat for seat in match.to_act if seat != CLOCK and len(match.legal_actions(seat)) > 1]) < 2:
        seat = match.to_act[0]
        match.play(seat, match.legal_actions(seat).numbers[0])
    for seat in seats:
        found = consider(Question("t", match.view(seat), seat, "expert", False, print))
        assert {hint.action for hint in found} <= {None, *match.legal_actions(seat).numbers}


def test_a_table_may_agree_on_hints_before_anybody_sits_down(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(advice, "hints", told([]))
        async with opened(sqlite_url) as room:
            people = [await room.guest("Aki"), await room.guest("Ben")]
            table = await room.table("hanamikoji", people, hints=True)
            turn = people[(await people[0].watch(table))["to_act"][0]]
            assert (await people[1].watch(table))["settings"]["hints"] is True
            heard = len(people[0].raw), len(people[1].raw)
            assert (await room.service.hints(turn.account, table)).hints
            assert (len(people[0].raw), len(people[1].raw)) == heard

    run(main())


async def warned(room: Room, guest: Guest, table: str, action: int) -> Warned:
    return await room.service.warning(guest.account, table, action)


def test_only_a_blunder_is_warned_of(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            aki, table = await alone(room, "kasane")  # its first choice is never a single one
            best, other = aki.state(table)["legal"][:2]
            for lost in (BLUNDER - 0.01, BLUNDER + 0.01):
                found = [Estimate(best, 0.6, 4.0, 50), Estimate(other, 0.6 - lost, 2.0, 50)]
                monkeypatch.setattr(advice, "hints", lambda *asked, found=found: found)
                monkeypatch.setattr(advice, "compare", lambda *asked, found=found: found)
                answer = await warned(room, aki, table, other)
                assert (answer.best is not None) == (lost > BLUNDER)
                assert (await warned(room, aki, table, best)).best is None
            assert answer.lost == pytest.approx(BLUNDER + 0.01)
            assert answer.best is not None
            assert answer.best.action == best
            assert answer.best.why.points == 2.0

    run(main())


def test_where_hints_are_not_allowed_nobody_is_warned(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            people = [await room.guest("Aki"), await room.guest("Ben")]
            table = await room.table("hanamikoji", people)
            for guest in people:
                with pytest.raises(Refused, match="against bots alone"):
                    await warned(room, guest, table, 0)

    run(main())


def test_nobody_is_warned_of_what_is_not_legal(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            aki, table = await alone(room)
            illegal = next(action for action in range(508) if action not in aki.state(table)["legal"])
            with pytest.raises(Refused, match="not among your legal actions"):
                await warned(room, aki, table, illegal)

    run(main())
