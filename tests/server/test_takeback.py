"""Taking back: free against bots, by consent among people, never past something that was revealed or drawn."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.room import Clock, Guest, Room, opened, run
from zashiki import GAMES, Match
from zashiki.server.botroom import Question
from zashiki.server.errors import Refused
from zashiki.server.takeback import moves_undone

Wanted = Callable[[Match, int, Any], bool]


def position(game: str, wanted: Wanted, seats: int | None = None, **options: Any) -> tuple[Match, int]:
    """A match of random moves up to one that is as wanted, and who made it."""
    for seed in range(40):
        match, chance = Match(game, seats, options=options, seed=seed), random.Random(seed)
        for _ in range(80):
            if match.over:
                break
            seat = chance.choice(match.to_act)
            number = chance.choice(match.legal_actions(seat).numbers)
            before = match.copy()
            match.act(seat, number)
            if wanted(before, seat, match.game.vocabulary[number]):
                return match, seat
    raise AssertionError("no such position was found")


def named(name: str, **fields: Any) -> Wanted:
    """An action of that name and those fields."""

    def wanted(before: Match, seat: int, action: Any) -> bool:
        return type(action).__name__ == name and all(getattr(action, field) == value for field, value in fields.items())

    return wanted


def last_of_all(name: str) -> Wanted:
    """The choice that all others waited for."""
    return lambda before, seat, action: type(action).__name__ == name and len(before.to_act) == 1


def one_of_several(name: str) -> Wanted:
    """A secret choice that others have still to make."""
    return lambda before, seat, action: type(action).__name__ == name and len(before.to_act) > 1


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("kimono", named("Cut")),
        ("kimono", named("PlaceApprentice")),
        ("kimono", one_of_several("Vote")),
        ("kasane", named("Take")),
        ("kawaii", one_of_several("Answer")),
        ("kawaii", one_of_several("Throw")),
        ("kohoju", named("Draw", source="discard pile")),
    ],
)
def test_what_told_nobody_anything_can_be_taken_back_among_people(game: str, wanted: Wanted) -> None:
    match, seat = position(game, wanted)
    assert moves_undone(match, seat, list(range(match.seats))) == 1


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("hanamikoji", named("Secret")),
        ("hanamikoji", named("Gift")),
        ("hanamikoji", named("Competition")),
        ("hanamikoji", named("TradeOff")),
        ("kimono", last_of_all("Vote")),
        ("kawaii", last_of_all("Answer")),
        ("kawaii", last_of_all("Throw")),
        ("kohoju", named("Draw", source="stock")),
    ],
)
def test_what_drew_or_revealed_a_card_stays(game: str, wanted: Wanted) -> None:
    match, seat = position(game, wanted)
    with pytest.raises(Refused, match="drawn or revealed"):
        moves_undone(match, seat, list(range(match.seats)))


def test_in_kasane_a_new_card_at_the_market_ends_it() -> None:
    people = [0, 1]

    def refilled(before: Match, seat: int, action: Any) -> bool:
        after = before.copy()
        after.act(seat, action)
        try:
            moves_undone(after, seat, people)
        except Refused:
            return True
        return False

    match, seat = position("kasane", refilled, 2)
    with pytest.raises(Refused, match="drawn or revealed"):
        moves_undone(match, seat, people)


def test_against_a_bot_only_what_the_person_saw_counts() -> None:
    match, seat = position("hanamikoji", named("Secret"))
    assert moves_undone(match, seat, [seat]) == 1, "the other has drawn a card, but the other is a bot"
    with pytest.raises(Refused):
        moves_undone(match, seat, [0, 1])


def test_what_bots_did_in_between_is_undone_too() -> None:
    match, seat = position("kimono", one_of_several("Vote"))
    bot = match.to_act[0]
    match.act(bot, match.legal_actions(bot).numbers[0])
    if match.to_act:
        assert moves_undone(match, seat, [seat]) == 2


def test_when_a_bot_has_shown_a_card_it_is_too_late() -> None:
    match, seat = position("hanamikoji", named("Gift"))
    other = 1 - seat
    match.act(other, match.legal_actions(other).numbers[0])
    match.act(other, next(number for number in match.legal_actions(other).numbers if "Gift" in _name(match, number)))
    with pytest.raises(Refused, match="drawn or revealed"):
        moves_undone(match, seat, [seat])


def _name(match: Match, number: int) -> str:
    return type(match.game.vocabulary[number]).__name__


@pytest.mark.parametrize("game", GAMES)
def test_whoever_has_done_nothing_has_nothing_to_take_back(game: str) -> None:
    match = Match(game, seed=1)
    with pytest.raises(Refused, match="not done anything"):
        moves_undone(match, 0, [0])


# At the table


async def begun(room: Room, count: int, bots: dict[int, str] | None = None, **settings: Any) -> tuple[list[Guest], str]:
    guests = [await room.guest(f"G{number}") for number in range(count)]
    return guests, await room.table("kimono", guests, bots, **settings)


async def act(guests: list[Guest], table: str) -> Guest:
    """Whoever is to act does so until others are; gives who it was."""
    guest = next(guest for guest in guests if guest.state(table)["legal"])
    while guest.state(table)["legal"]:
        answer = await guest.ask(type="act", table=table, action=guest.state(table)["legal"][0])
        assert answer["type"] == "state"
    return guest


def test_against_bots_it_is_taken_back_at_once(sqlite_url: str) -> None:
    thinking, gate = threading.Event(), threading.Event()

    def is_secret(number: int) -> bool:
        return type(GAMES["hanamikoji"].vocabulary[number]).__name__ == "Secret"

    def thinker(asked: Question[int]) -> int:
        if thinking.is_set():
            gate.wait(30)  # What is taken back is the person's own move alone.
        return next(filter(is_secret, asked.view.legal(asked.seat)))  # Whoever begins, the person then has a free choice.

    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna = await room.guest("Anna")
            room.service.bots._thinker = thinker
            table = await room.table("hanamikoji", [anna], {1: "beginner"})
            before = await anna.state_where(table, lambda m: any(is_secret(number) for number in m["legal"]))
            thinking.set()
            secret = next(number for number in before["legal"] if is_secret(number))
            await anna.ask(type="act", table=table, action=secret)
            after = await anna.ask(type="take back", table=table)
            assert after["type"] == "state", after
            assert after["events"][-1]["kind"] == "take back"
            assert after["view"] == before["view"]
            assert after["legal"] == before["legal"]
            assert after["version"] > before["version"], "the log tells it all"
            gate.set()

    run(main())


def test_among_people_all_must_agree(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests, table = await begun(room, 3)
            asker = await act(guests, table)
            moves = len(room.live(table).table.match.history)  # type: ignore[union-attr]
            others = [guest for guest in guests if guest is not asker]
            asked = await asker.ask(type="take back", table=table)
            assert asked["asked_back"] == asker.state(table)["seat"]
            first = await others[0].ask(type="take back", table=table, answer="agree")
            assert first["events"][-1]["kind"] == "agree back"
            assert "asked_back" in first
            assert "agreed_back" not in asked
            assert first["agreed_back"] == [others[0].state(table)["seat"]]
            last = await others[1].ask(type="take back", table=table, answer="agree")
            assert last["events"][-1]["kind"] == "take back"
            assert "asked_back" not in last
            match = room.live(table).table.match
            assert match is not None
            assert len(match.history) == moves - 1

    run(main())


def test_one_who_refuses_is_enough(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests, table = await begun(room, 3)
            asker = await act(guests, table)
            others = [guest for guest in guests if guest is not asker]
            await asker.ask(type="take back", table=table)
            await others[0].ask(type="take back", table=table, answer="agree")
            state = await others[1].ask(type="take back", table=table, answer="refuse")
            assert state["events"][-1]["kind"] == "refuse back"
            assert "asked_back" not in state
            late = await others[0].ask(type="take back", table=table, answer="agree")
            assert late["code"] == "nothing to answer"

    run(main())


def test_bots_need_not_be_asked(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben = await room.guest("Anna"), await room.guest("Ben")
            table = await room.table("kimono", [anna, ben], {2: "beginner"})
            match = room.live(table).table.match
            assert match is not None
            while not (anna.state(table)["legal"] or ben.state(table)["legal"]):
                await anna.state_where(table, lambda m: bool(m["to_act"]) and m["to_act"] != [2])
                await room.quiet()
            asker = await act([anna, ben], table)
            answer = await asker.ask(type="take back", table=table)
            if answer["type"] == "refused":
                return  # The bot has voted, and all was revealed.
            other = ben if asker is anna else anna
            agreed = await other.ask(type="take back", table=table, answer="agree")
            assert agreed["type"] == "refused" or agreed["events"][-1]["kind"] == "take back"

    run(main())


def test_the_next_action_answers_the_question(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests, table = await begun(room, 3)
            asker = await act(guests, table)
            await asker.ask(type="take back", table=table)
            await room.quiet()
            await act([guest for guest in guests if guest is not asker], table)
            assert room.live(table).table.asked_back is None

    run(main())


def test_nobody_asks_twice_or_answers_the_own_question(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests, table = await begun(room, 3)
            asker = await act(guests, table)
            await asker.ask(type="take back", table=table)
            assert (await asker.ask(type="take back", table=table))["code"] == "nothing to take back"
            assert (await asker.ask(type="take back", table=table, answer="agree"))["code"] == "nothing to answer"
            eve = await room.guest("Eve")
            assert (await eve.ask(type="take back", table=table, answer="agree"))["code"] == "not seated"

    run(main())


def test_past_something_revealed_it_is_refused_at_the_table(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            anna, ben = await room.guest("Anna"), await room.guest("Ben")
            table = await room.table("hanamikoji", [anna, ben])
            asker = await act([anna, ben], table)
            assert (await asker.ask(type="take back", table=table))["code"] == "nothing to take back"

    run(main())


def test_where_everybody_acts_at_any_time_nothing_is_taken_back(sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            guests = [await room.guest(f"G{number}") for number in range(3)]
            table = await room.table("kawaii", guests, options={"pace": "live"})
            flipper = next(guest for guest in guests if guest.state(table)["legal"])
            await flipper.ask(type="act", table=table, action={"type": "flip"})
            answer = await flipper.ask(type="take back", table=table)
            assert answer["code"] == "nothing to take back"
            assert "any time" in answer["reason"]

    run(main())


@pytest.mark.parametrize("limit", [{"type": "move", "seconds": 60}, {"type": "bank", "seconds": 100}])
def test_after_taking_back_the_clock_of_whoever_decides_again_runs(limit: dict[str, Any], sqlite_url: str) -> None:
    async def main() -> None:
        clock = Clock()
        async with opened(sqlite_url, ticks=clock) as room:
            guests, table = await begun(room, 3, clock=limit)
            clock.now += 20_000
            asker = await act(guests, table)
            seat = asker.state(table)["seat"]
            left = asker.state(table)["clock"]["left"][seat]
            await asker.ask(type="take back", table=table)
            clock.now += 10_000
            for other in guests:
                if other is not asker:
                    await other.ask(type="take back", table=table, answer="agree")
            await room.quiet()
            now = asker.state(table)["clock"]
            assert seat in now["running"]
            assert now["left"][seat] == left
            assert all(now["left"][other] == limit["seconds"] * 1000 - 10_000 for other in now["running"] if other != seat)
            assert now["at"] == clock.now

    run(main())


def test_what_was_taken_back_is_taken_back_after_a_restart_too(url: str) -> None:
    async def main() -> None:
        async with opened(url) as room:
            guests, table = await begun(room, 3)
            asker = await act(guests, table)
            await asker.ask(type="take back", table=table)
            for other in guests:
                if other is not asker:
                    await other.ask(type="take back", table=table, answer="agree")
            await room.quiet()
            before = asker.state(table)
        async with opened(url) as room:
            again = await room.join(asker.account).watch(table)
            assert again["view"] == before["view"]
            assert again["version"] == before["version"]

    run(main())
