"""Honest tables: two people each, who play on and note how long it takes until the other sees a move."""

from __future__ import annotations

import asyncio
import random
import time
from typing import NamedTuple

from zashiki.client import Client, Refused, Table

SETTINGS = {"spectators": False, "private": True, "grace_seconds": 86_400}
OPEN = {"spectators": True, "private": False, "grace_seconds": 86_400}


class Moment(NamedTuple):
    """When a move was sent, and how long until the other had seen it, in seconds."""

    at: float
    took: float


class HonestTable:
    """Two people who play match after match."""

    def __init__(self, people: list[Client], rng: random.Random, *, pause: float, watched: bool = False) -> None:
        self._people = people
        self._rng = rng
        self._pause = pause
        self._settings = OPEN if watched else SETTINGS
        self.watched = watched
        self.id = ""
        self.moments: list[Moment] = []
        self.wrong: list[str] = []

    async def open(self) -> None:
        """Makes the first table."""
        self.id = await self._people[0].create("hanamikoji", settings=self._settings)

    async def play(self) -> None:
        """Plays until cancelled: at the table, then at the next."""
        while True:
            async with self._people[0].sit(self.id) as one, self._people[1].sit(self.id) as other:
                if one.state.status == "waiting":
                    await one.start()
                await self._match([one, other])
                self.id = await self._again(one, other)

    async def _match(self, seats: list[Table]) -> None:
        while not seats[0].state.match_over:
            await asyncio.sleep(self._rng.uniform(0, 2 * self._pause))
            for mover, watcher in (seats, seats[::-1]):
                if mover.state.my_turn:
                    await self._move(mover, watcher)
                    break

    async def _move(self, mover: Table, watcher: Table) -> None:
        before, began = watcher.version, time.perf_counter()
        try:
            done = await mover.act(self._rng.choice(mover.state.legal))
        except Refused as refusal:
            self.wrong.append(f"{refusal.code}: {refusal.reason}")
            return
        await watcher.shown(before + 1)
        self.moments.append(Moment(began, time.perf_counter() - began))
        await mover.shown(done.version or 0)

    async def _again(self, one: Table, other: Table) -> str:
        await asyncio.gather(one.rematch(), other.rematch())
        await one.client.within(one.signal.until(lambda: one.state.next is not None))
        assert one.state.next is not None
        return one.state.next
