"""While choices are secret nobody can tell them apart: two servers, the same cards, other choices of the others.

Nothing is led here, as it is where hidden cards are compared: tables leave the memory and are read from their logs, clocks run,
people ask to take back.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.secrecy import onlooking
from tests.secrecy.twins import alike
from tests.secrecy.worlds import TABLE, World, no_chance, opened_world
from tests.server.room import Clock
from zashiki.core.layout import SEALED, SPECTATOR
from zashiki.core.match import Match
from zashiki.games.kawaii.cards import PHOTO_FINISH_MS

MOMENTS = 4
"""So many open choices are compared in a match."""


class Two:
    """Two worlds with the same people and the same cards."""

    def __init__(self, game: str, seats: int, options: dict[str, Any], seed: int) -> None:
        self.game, self.seats, self.options = game, seats, options
        self.chance = random.Random(f"{game} {seats} {options} {seed}")
        self.clock = Clock()
        self.worlds: list[World] = []

    async def open(self, stack: AsyncExitStack, folder: Path) -> None:
        settings = {"options": self.options, "clock": {"type": "move", "seconds": 86_400}, "grace_seconds": 2_000_000}
        for name in ("one", "two"):
            stack.enter_context(no_chance(self.clock))
            world = await stack.enter_async_context(opened_world(folder, name, self.clock, self.seats))
            await world.people({})
            await world.create(self.game, settings, {})
            for who in (SPECTATOR, *range(self.seats)):
                await onlooking.watch(await world.connect(who, "live"))
            for seat in range(self.seats):
                await world.ask(seat, "live", type="sit", seat=seat)
            await world.ask(0, "live", type="start")
            self.worlds.append(world)

    async def both(self, work: Callable[[World], Awaitable[None]]) -> None:
        for world in self.worlds:
            await work(world)
            await world.settle()

    async def act(self, seat: int, one: int | None, two: int | None) -> None:
        """A seat does this in one world and that in the other, or nothing."""
        for world, number in zip(self.worlds, (one, two), strict=True):
            if number is not None:
                await world.act(seat, "http", number)

    @property
    def match(self) -> Match:
        return self.worlds[0].match

    def same(self, *viewers: int) -> bool:
        one, two = self.worlds
        return all(one.tapes[who] == two.tapes[who] for who in viewers)

    async def pry(self, who: int) -> None:
        """Somebody tries everything to find out."""
        habits = onlooking.Habits(who)
        doings = [onlooking._wrong(self.chance, habits, self.worlds[0]) for _ in range(6)]
        lists = onlooking._lists(self.chance, habits, self.worlds[0])

        async def work(world: World) -> None:
            for fields in doings:
                await world.ask(who, "live", **fields)
            await onlooking.look(habits, 0)(world)
            await lists(world)

        await self.both(work)


def played(play: Callable[[Two], Awaitable[None]], *arguments: Any) -> None:
    async def main() -> None:
        with tempfile.TemporaryDirectory(prefix="zashiki-secrecy-") as folder:
            async with AsyncExitStack() as stack:
                two = Two(*arguments)
                await two.open(stack, Path(folder))
                await play(two)

    asyncio.run(asyncio.wait_for(main(), 120))


def other_choice(match: Match, seat: int, number: int) -> int | None:
    """A legal action of a seat that is secret and looks the same as another one."""
    legal = match.state.legal(seat)
    return next((other for other in alike(match.game.id).get(number, []) if other != number and other in legal), None)


def stays_secret(match: Match, seat: int, number: int) -> bool:
    after = match.copy()
    after.play(seat, number)
    return after.game.vocabulary[number].secrecy == "hidden" or after.state.sealed(seat, number) == SEALED


SECRETS = [("kimono", 3, {}), ("kimono", 5, {}), ("kawaii", 3, {}), ("kawaii", 4, {"stacked": True}), ("hanamikoji", 2, {})]


@pytest.mark.parametrize(("game", "seats", "options"), SECRETS)
def test_nobody_can_tell_what_another_has_chosen_in_secret(game: str, seats: int, options: dict[str, Any]) -> None:
    """They play the same until somebody may choose in secret; there they choose differently, and the others pry."""

    async def play(two: Two) -> None:
        for _ in range(400):
            seat = two.chance.choice(two.match.to_act)
            legal = two.match.state.legal(seat)
            secret = [number for number in legal if other_choice(two.match, seat, number) is not None]
            number = two.chance.choice(secret or legal)
            other = other_choice(two.match, seat, number)
            if other is not None and two.chance.random() < 0.4 and stays_secret(two.match, seat, number):
                await _choose_in_secret(two, seat, number, other)
                return
            await two.act(seat, number, number)
            assert two.same(*range(-1, seats))
        raise AssertionError("nobody could choose in secret")

    for seed in range(MOMENTS):
        played(play, game, seats, options, seed)


async def _choose_in_secret(two: Two, seat: int, number: int, other: int) -> None:
    viewers = [who for who in range(-1, two.seats) if who != seat]
    two.clock.now += 700
    await two.act(seat, number, other)
    assert not two.same(seat)
    for who in viewers:
        await two.pry(who)
    await two.both(_forgotten)
    for who in viewers:
        await two.pry(who)
    asker = two.chance.choice([who for who in viewers if who >= 0])
    await two.both(lambda world: world.ask(asker, "live", type="take back"))
    assert two.same(*viewers)


async def _forgotten(world: World) -> None:
    """The table leaves the memory and is read from its log."""
    del world.service.house.tables[TABLE]
    await world.service.house.load(TABLE)


def _claims(match: Match, seat: int) -> list[int]:
    words = match.game.vocabulary
    return [number for number in match.state.legal(seat) if type(words[number]).__name__ == "Claim"]


async def _until_a_claim_is_open_to(two: Two, seat: int, piles: int) -> None:
    """Cards are flipped until a seat can choose among so many piles."""
    while len(_claims(two.match, seat)) < piles:
        turn = int(two.match.state.record.turn)
        flip = next(n for n in two.match.state.legal(turn) if type(two.match.game.vocabulary[n]).__name__ == "Flip")
        await two.act(turn, flip, flip)


@pytest.mark.parametrize("seats", [3, 5])
def test_a_claim_and_no_claim_are_the_same_until_the_photo_finish_closes(seats: int) -> None:
    async def play(two: Two) -> None:
        seat = two.chance.randrange(seats)
        await _until_a_claim_is_open_to(two, seat, 2)
        viewers = [who for who in range(-1, seats) if who != seat]
        await two.act(seat, _claims(two.match, seat)[0], None)
        for _ in range(PHOTO_FINISH_MS // 15):
            two.clock.now += 14
            await two.both(_rung)
            for who in viewers:
                await two.pry(who)
            assert two.same(*viewers)
        asker = two.chance.choice([who for who in viewers if who >= 0])
        await two.both(lambda world: world.ask(asker, "live", type="take back"))
        assert two.same(*viewers)
        two.clock.now += PHOTO_FINISH_MS
        await two.both(_rung)
        assert not any(two.same(who) for who in viewers), "the claim is shown in the end"

    for seed in range(2):
        played(play, "kawaii", seats, {"pace": "live"}, seed)


async def _rung(world: World) -> None:
    world.ring()


def test_two_claims_and_one_are_the_same_to_whoever_made_neither() -> None:
    """Also when they come at other times, by other people and for other piles, until the first photo finish closes."""

    async def play(two: Two) -> None:
        await _until_a_claim_is_open_to(two, 0, 2)
        first, second = _claims(two.match, 0)[:2]
        two.clock.now += 50
        await two.act(0, first, None)
        two.clock.now += 40
        await two.act(1, second, first)
        two.clock.now += 30
        await two.act(0, None, second)
        for _ in range(5):
            two.clock.now += 10
            await two.both(_rung)
            await two.pry(2)
            await two.pry(SPECTATOR)
            assert two.same(2, SPECTATOR)

    played(play, "kawaii", 3, {"pace": "live"}, 0)


def test_where_time_acts_taking_back_is_refused_whatever_has_happened() -> None:
    async def play(two: Two) -> None:
        await _until_a_claim_is_open_to(two, 0, 2)
        claim = _claims(two.match, 0)[0]
        await two.act(0, claim, claim)
        await two.act(1, claim, None)
        await two.both(lambda world: world.ask(0, "live", type="take back"))
        assert two.same(0)
        assert two.worlds[0].lines[0, "live"].inbox[-1]["code"] == "nothing to take back"

    played(play, "kawaii", 3, {"pace": "live"}, 0)
