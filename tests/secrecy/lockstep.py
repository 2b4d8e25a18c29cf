"""A whole match in the true world and, step by step, in a twin world for each onlooker, who must receive the same in both."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection, select

from tests.secrecy import onlooking
from tests.secrecy.twins import Twin, TwinMatch
from tests.secrecy.worlds import IDLER, Tape, World, no_chance, opened_world
from tests.server.room import Clock
from zashiki.core.layout import SPECTATOR
from zashiki.core.match import Match, Move
from zashiki.server import connection, fold, lobby, schema, steward
from zashiki.server.errors import Refused
from zashiki.server.log import Event
from zashiki.server.presence import Presence
from zashiki.server.steward import Steward
from zashiki.server.table import Table

LEFT_MS = 11_000


class Difference(AssertionError):
    """Somebody can tell two worlds apart."""


@dataclass(frozen=True)
class Sitting:
    """A match to be played: `steps` at most, then all agree to abandon it. `onlookers`: how many of the seats are compared."""

    game: str
    seats: int
    options: dict[str, Any] = field(default_factory=dict)
    clock: dict[str, Any] = field(default_factory=lambda: {"type": "none"})
    bots: dict[int, str] = field(default_factory=dict)
    steps: int = 150
    onlookers: int = 6

    def __str__(self) -> str:
        chosen = "".join(f"-{name}={value}" for name, value in self.options.items())
        return f"{self.game}-{self.seats}{chosen}-{self.clock['type']}{'-bots' if self.bots else ''}"

    @property
    def settings(self) -> dict[str, Any]:
        return {"options": self.options, "clock": self.clock, "grace_seconds": 2_000_000}


class Lockstep:
    """The true world, and the twin of each onlooker. What is public happens in all, what somebody does alone in two."""

    def __init__(self, sitting: Sitting, seed: int) -> None:
        self.sitting = sitting
        self.chance = random.Random(f"{sitting} {seed}")
        self.clock = Clock()
        self.truth: World
        self._begins: Twin | None = None
        """In whose world a match begins now."""
        self.twins: dict[int, Twin] = {}
        self.compared = 0
        self.resigned: int | None = None
        self._checked: dict[tuple[int, int, str], int] = {}
        self.habits: dict[int, onlooking.Habits] = {}

    @property
    def worlds(self) -> list[World]:
        return [self.truth, *(twin.world for twin in self.twins.values())]

    @property
    def persons(self) -> list[int]:
        return [seat for seat in range(self.sitting.seats) if seat not in self.sitting.bots]

    async def run(self, folder: Path) -> int:
        """Plays it all; gives how many messages were compared."""
        async with AsyncExitStack() as stack:
            stack.enter_context(no_chance(self.clock))
            stack.enter_context(self._led())
            await self._open(stack, folder)
            await self._sit_down()
            for _ in range(self.sitting.steps):
                if self.truth.match.over:
                    break
                await self._step()
            await self._end()
        return self.compared

    # Setting the table

    async def _open(self, stack: AsyncExitStack, folder: Path) -> None:
        seats = self.sitting.seats

        async def world(name: str) -> World:
            made = await stack.enter_async_context(opened_world(folder, name, self.clock, seats))
            await made.people(self.sitting.bots)
            await made.connect(IDLER, "lobby")
            await made.lines[IDLER, "lobby"].ask(type="lobby")
            await made.create(self.sitting.game, self.sitting.settings, self.sitting.bots)
            await made.settle()
            return made

        self.truth = await world("truth")
        seated = self.chance.sample(self.persons, min(self.sitting.onlookers, len(self.persons)))
        for who in (SPECTATOR, *seated):
            self.twins[who] = Twin(await world(f"twin{who}"), who, self.chance.getrandbits(32))
            self.habits[who] = onlooking.Habits(who)

    @contextmanager
    def _led(self) -> Iterator[None]:
        """In a twin's world the match is a twin, also where lists would read it from the log."""

        def deal(*arguments: Any, seed: str, **fields: Any) -> Match:
            truth = [*self.truth.service.house.tables.values()][-1].table.match
            return self._begins.deal(truth) if self._begins and truth else Match(*arguments, seed=seed, **fields)

        def remembered(wanted: str, store: Connection) -> tuple[Table, str, int]:
            row = store.execute(select(schema.tables).where(schema.tables.c.id == wanted)).mappings().one_or_none()
            if row is None:
                raise Refused("unknown table", "there is no such table")
            tables = [each for world in self.worlds for each in world.service.house.tables.values()]
            return next(each.table for each in tables if each.table.seed == row["seed"]), row["status"], row["updated_at"]

        is_last = fold.Fold._is_last

        def led_to_the_end(table: Table, event: Event) -> bool:
            led = table.match.led if isinstance(table.match, TwinMatch) else None
            return led[0].to_act() == 0 if led else is_last(table, event)

        with ExitStack() as stack:
            stack.enter_context(patch.object(fold, "Match", deal))
            stack.enter_context(patch.object(fold.Fold, "_is_last", led_to_the_end))
            stack.enter_context(patch.object(lobby, "read_table", remembered))
            stack.enter_context(patch.object(connection, "PATIENCE_S", 3600.0))
            stack.enter_context(patch.object(steward, "IDLE_S", 3600.0))
            # Whoever asks over HTTP is seen to be here, whatever is asked; the script asks in some worlds only.
            stack.enter_context(patch.object(Presence, "seen", lambda self, account: None))
            # Time acts when the script says so.
            stack.enter_context(patch.object(Steward, "_set_time", lambda self, live: None))
            yield

    async def _sit_down(self) -> None:
        for who in (SPECTATOR, *self.persons):
            await self._everywhere(lambda world, who=who: self._come(world, who))  # type: ignore[misc]
        for seat in self.persons:
            await self._everywhere(lambda world, seat=seat: world.ask(seat, "live", type="sit", seat=seat))  # type: ignore[misc]
        await self._begin(lambda world: world.ask(self.persons[0], "live", type="start"))
        self._check()

    async def _begin(self, work: Callable[[World], Awaitable[None]]) -> None:
        """Something by which a match begins happens in every world, in the true one first."""
        for begins in (None, *self.twins.values()):
            self._begins = begins
            world = begins.world if begins else self.truth
            await work(world)
            await world.settle()
        self._begins = None

    async def _come(self, world: World, who: int) -> None:
        """Somebody connects: whoever is compared here with all there is, the others with what must be."""
        compared = world is self.truth or (who in self.twins and world is self.twins[who].world)
        if who in self.habits:
            await onlooking.come(world, self.habits[who], everything=compared)
        else:
            await onlooking.come(world, onlooking.Habits(who), everything=False)

    async def _everywhere(self, work: Callable[[World], Awaitable[None]]) -> None:
        """Something that everybody may know happens in every world."""
        await asyncio.gather(*(work(world) for world in self.worlds))
        await asyncio.gather(*(world.settle() for world in self.worlds))

    async def _alone(self, who: int, work: Callable[[World], Awaitable[None]]) -> None:
        """Something that concerns nobody else happens in the true world and in the onlooker's."""
        for world in (self.truth, self.twins[who].world):
            await work(world)
            await world.settle()

    # Playing

    async def _step(self) -> None:
        self.clock.now += self.chance.randrange(5, 2500)
        for world in self.worlds:
            world.ring()
        await self._act()
        self._check()
        for twin in self.twins.values():
            if self.chance.random() < 0.3:
                await self._whisper(twin)
            if self.chance.random() < 0.4:
                twin.become(twin.permuted(self.truth.match.state))
        for who in self.twins:
            if self.chance.random() < 0.5 and not self.truth.match.over:
                await self._alone(who, onlooking.something(self.chance, self.habits[who], self.truth))
        if self.chance.random() < 0.08:
            await self._something_public()
        self._check()

    async def _act(self) -> None:
        truth = self.truth.match
        seat = self.chance.choice(truth.to_act)
        move = Move(seat, self.chance.choice(truth.state.legal(seat)))
        after = truth.copy()
        after.play(*move)
        way = self.habits[seat].way(self.chance) if seat in self.habits else "live"
        moves = [(twin, twin.lead(truth, after, move)) for twin in self.twins.values()]
        here = [self.truth.act(seat, way, move.action)]
        there = [twin.world.act(seat, way if seat == twin.who else "http", made) for twin, made in moves if made is not None]
        await asyncio.gather(*here, *there)
        if seat in self.habits:
            self.habits[seat].acted(self.truth, way, move.action)

    async def _whisper(self, twin: Twin) -> None:
        move = twin.whisper(self.truth.match) if self.sitting.options.get("pace") == "live" else None
        if move is not None:
            await twin.world.act(move.seat, "http", move.action)

    async def _something_public(self) -> None:
        who = self.chance.choice([SPECTATOR, *self.persons])
        habits = self.habits.get(who)
        if who in self.persons and self._may_resign() and self.chance.random() < 0.2:
            self.resigned = who
            await self._everywhere(lambda world: world.ask(who, "http", type="resign"))
        elif habits is None or self.chance.random() < 0.5:
            text = f"I have {self.chance.randrange(100)} ideas"
            await self._everywhere(lambda world: world.ask(who, "http", type="talk", text=text))
        elif habits.gone:
            habits.back()
            await self._everywhere(lambda world: self._come(world, who))
        else:
            habits.leave()
            await self._everywhere(lambda world: world.disconnect(who))
            self.clock.now += LEFT_MS
            for world in self.worlds:
                world.ring()
            await asyncio.gather(*(world.settle() for world in self.worlds))

    def _may_resign(self) -> bool:
        """One of many may, where a bot can take over in the script's own time."""
        return self.resigned is None and len(self.persons) > 2 and not self.truth.match.game.timed

    async def _end(self) -> None:
        kind, after = ("rematch", "over") if self.truth.match.over else ("close", "closed")
        for who in self.twins:
            await self._alone(who, onlooking.look(self.habits[who], None))
        for seat in self.persons:
            await self._begin(lambda world, seat=seat: world.ask(seat, "http", type=kind))  # type: ignore[misc]
        for who in self.twins:
            await self._alone(who, onlooking.look(self.habits[who], 0))
        self._check()
        assert self.truth.live.table.status == after
        assert kind == "close" or self.truth.live.table.next, "everybody wanted to play again"

    def _check(self) -> None:
        """Whoever looks on has received the same in both worlds, by every way in the same order."""
        for who, twin in self.twins.items():
            for each in (who, IDLER):
                self._compare(each, twin.who, self.truth.tapes[each], twin.world.tapes[each])

    def _compare(self, who: int, twin: int, true: Tape, other: Tape) -> None:
        for way in true.keys() | other.keys():
            start = self._checked.get((who, twin, way), 0)
            said, heard = true[way][start:], other[way][start:]
            for a, b in zip_longest(said, heard):
                if a != b:
                    lines = len(self.truth.match.log)
                    raise Difference(f"{self.sitting}: {who} by {way}, after {lines} lines: {_first_difference(a, b)}")
            self._checked[who, twin, way] = start + len(said)
            self.compared += len(said)


def _first_difference(a: bytes | None, b: bytes | None) -> str:
    if a is None or b is None:
        return f"only one world says {(a or b or b'').decode()[:400]}"
    place = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return "\n".join(each[max(0, place - 150) : place + 100].decode() for each in (a, b))


def compare(sitting: Sitting, seed: int) -> int:
    """Plays a match in all its worlds; gives how many messages were compared, or raises `Difference`."""
    with tempfile.TemporaryDirectory(prefix="zashiki-secrecy-") as folder:
        return asyncio.run(asyncio.wait_for(Lockstep(sitting, seed).run(Path(folder)), 600))
