"""What somebody at a table does besides acting, all of it the same in the true world and in the onlooker's own."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.secrecy.worlds import TABLE, Recorded, World
from zashiki.core.layout import SPECTATOR

Doing = Callable[[World], Awaitable[None]]


@dataclass
class Habits:
    """How somebody is connected, and what that person has sent."""

    who: int
    visits: int = 0
    """Each visit is another client, so that no request is taken for an earlier one."""
    late: int = 0
    gone: bool = False
    idle: bool = False
    """Connected, but not looking at the table."""
    slow: bool = False
    sent: list[tuple[str, int, int]] = field(default_factory=list)
    """Actions by the way and number they were sent, to be sent again."""

    def name(self, way: str) -> str:
        return f"{way}{self.visits or ''}"

    def way(self, chance: random.Random) -> str:
        """How the next action is sent."""
        ways = ["http"] if self.gone else ["http", *(self.name(way) for way in ("live", "live", "packed") if not self.slow)]
        return chance.choice(ways)

    def acted(self, truth: World, way: str, number: int) -> None:
        line = truth.lines.get((self.who, way))
        if line is not None:
            self.sent.append((way, line._number, number))

    def leave(self) -> None:
        self.gone, self.idle, self.slow = True, False, False
        self.sent.clear()

    def back(self) -> None:
        self.gone, self.visits = False, self.visits + 1


async def come(world: World, habits: Habits, *, everything: bool) -> None:
    """Connects; with everything, twice and in both formats, and looks."""
    await watch(await world.connect(habits.who, habits.name("live")))
    if everything:
        await watch(await world.connect(habits.who, habits.name("packed"), packed=True))


async def watch(line: Recorded, version: int | None = None) -> None:
    await line.ask(type="watch", table=TABLE, version=version)


def something(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """One thing that the onlooker does; what exactly is decided here, once for both worlds."""
    if habits.gone:
        return chance.choice([_lists, _asks_over_http])(chance, habits, truth)
    return chance.choice(OFTEN * 2 + SELDOM)(chance, habits, truth)


def _looks(chance: random.Random, habits: Habits, truth: World) -> Doing:
    return look(habits, _some_version(chance, habits, truth))


def look(habits: Habits, since: int | None) -> Doing:
    """Looks at the table over HTTP."""
    return lambda world: world.hear(habits.who, "look", world.service.look(world.accounts[habits.who], TABLE, since))


def _some_version(chance: random.Random, habits: Habits, truth: World) -> int | None:
    now = truth.live.table.version(habits.who)
    return chance.choice([None, 0, now, now + 3, -1, max(0, now - chance.randrange(20))])


def _lists(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """My tables, those that wait for me, the open ones, the talk, and the saved match, which is not to be had."""

    async def work(world: World) -> None:
        account, service = world.accounts[habits.who], world.service
        await world.hear(habits.who, "mine", service.tables_of(account, False, None, 5))
        await world.hear(habits.who, "waiting", service.tables_of(account, True, None, 5))
        await world.hear(habits.who, "open", service.open_tables(None, None, 5))
        await world.hear(habits.who, "talk", service.talk_of(account, TABLE))
        if world.live.table.status == "playing":
            await world.hear(habits.who, "saved", service.saved_match(account, TABLE))

    return work


def _asks_over_http(chance: random.Random, habits: Habits, truth: World) -> Doing:
    fields = _wrong(chance, habits, truth)
    return lambda world: world.ask(habits.who, "http", **fields)


def _tries(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """Something that is refused, over the socket."""
    fields, way = _wrong(chance, habits, truth), habits.name("live")
    return lambda world: world.ask(habits.who, way, **fields)


def _wrong(chance: random.Random, habits: Habits, truth: World) -> dict[str, Any]:
    state, words = truth.match.state, truth.match.game.vocabulary
    legal = state.legal(habits.who) if habits.who != SPECTATOR else []
    illegal = [number for number in range(len(words)) if number not in legal]
    act = {"type": "act", "action": chance.choice(illegal)}
    wrong: list[dict[str, Any]] = [
        act,
        act,
        act | {"action": words.to_json(chance.choice(illegal))},
        act | {"action": {"type": "cheat"}},
        act | {"action": len(words) + 7},
        {"type": "act", "action": chance.choice(legal or illegal), "version": 0},
        {"type": "take back", "answer": chance.choice(["agree", "refuse"])},
        {"type": "rematch"},
        {"type": "sit", "seat": 0},
        {"type": "stand"},
        {"type": "start"},
    ]
    return chance.choice(wrong)


def _joins_late(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """Another connection opens, looks from some version on, looks into the lobby, says nonsense, and is gone."""
    version, packed, curious = _some_version(chance, habits, truth), chance.random() < 0.3, chance.random() < 0.3
    habits.late += 1
    way = f"late{habits.late}"

    async def work(world: World) -> None:
        line = await world.connect(habits.who, way, packed=packed)
        await watch(line, version)
        if curious:
            await line.ask(type="lobby")
            await line.ask(type="act", table="b" * 16, action=0)
            await line.ask(type="dance")
            await line.ask(type="unwatch", table=TABLE)
        await world.lines.pop((habits.who, way)).leave()

    return work


def _repeats(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """Sends again what was sent before, a moment or long ago."""
    if not habits.sent:
        return _tries(chance, habits, truth)
    way, request, number = chance.choice(habits.sent)
    if (habits.who, way) not in truth.lines or habits.slow:
        return _tries(chance, habits, truth)
    legal = truth.match.state.legal(habits.who)
    # If it is not remembered any more it must be refused, or the worlds would go different ways.
    action = number if number not in legal else next(n for n in range(len(truth.match.game.vocabulary)) if n not in legal)
    return lambda world: world.ask(habits.who, way, type="act", request=request, action=action)


def _turns_away(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """Stops looking, to be told whose turn it is; or looks again, from what was last seen or from the beginning."""
    habits.idle = not habits.idle
    idle, ways, version = habits.idle, (habits.name("live"), habits.name("packed")), _some_version(chance, habits, truth)

    async def work(world: World) -> None:
        for way in ways:
            if idle:
                await world.lines[habits.who, way].ask(type="unwatch", table=TABLE)
            else:
                await watch(world.lines[habits.who, way], version)

    return _looks(chance, habits, truth) if habits.slow else work


def _slows(chance: random.Random, habits: Habits, truth: World) -> Doing:
    """One connection stops reading, or reads again and is shown the latest."""
    habits.slow = not habits.slow
    slow, way = habits.slow, habits.name("packed")

    async def work(world: World) -> None:
        reading = world.lines[habits.who, way].reading
        if slow:
            reading.clear()
        else:
            reading.set()

    return work


OFTEN = [_looks, _joins_late, _tries, _repeats]
SELDOM = [_lists, _asks_over_http, _tries, _turns_away, _slows]
