"""A program that goes to tables: one that it is told, one of its own, or those that are open; and plays match after match."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

from zashiki.client.client import Client
from zashiki.client.player import Player, Say
from zashiki.client.state import State
from zashiki.client.table import Table
from zashiki.core.errors import ZashikiError
from zashiki.games import find
from zashiki.server.errors import Refused
from zashiki.server.messages import TableInfo

AGAIN_S = 300.0
"""How long others may think about another match."""


class WrongLink(ZashikiError):
    """This is neither a table's link nor its id."""


def table_in(link: str) -> str:
    """The id of the table that a link leads to."""
    found = re.fullmatch(r"(?:.*/)?([A-Za-z0-9_-]{16})/?", link.strip())
    if found is None:
        raise WrongLink(f"a table is named by its link or by the 16 signs at the end of it, not by {link[:80]!r}")
    return found[1]


class Visitor:
    """Seats a bot at tables, and says what it does in plain lines. `matches`: after so many it has had enough."""

    def __init__(self, client: Client, bot: str, say: Say, matches: int | None = None) -> None:
        self.client = client
        self.played = 0
        self._bot = bot
        self._say = say
        self._matches = matches

    @property
    def has_enough(self) -> bool:
        """Whether it has played as many matches as it should."""
        return self._matches is not None and self.played >= self._matches

    async def at(self, table: str, seat: int | None = None) -> None:
        """Plays at a table, and at those where the others want to play again."""
        following: str | None = table
        while following and not self.has_enough:
            following = await self._visit(following, seat)
            seat = None

    async def host(self, game: str, against: str | None, **wanted: Any) -> None:
        """Plays at a table of its own, with bots of the house in all other seats or with whoever comes."""
        count = wanted.get("seats") or find(game).seats[0]
        bots = dict.fromkeys(range(1, count), against) if against else {}
        await self.at(await self.client.create(game, bots=bots, start=bool(against), **wanted))

    async def in_lobby(self, game: str | None) -> None:
        """Sits down at open tables with a free seat, one after the other, of that game or of any."""
        known: set[str] = set()
        self._say("waits for open tables")
        async with self.client.lobby() as lobby:
            async for tables in lobby.changes():
                for table in [table for table in tables.values() if self._suits(table, game) and table.id not in known]:
                    known.add(table.id)
                    await self._try(table.id)
                    if self.has_enough:
                        return

    def _suits(self, table: TableInfo, game: str | None) -> bool:
        free = any(seat.account is None and seat.bot is None for seat in table.seats)
        return table.status == "waiting" and free and game in (None, table.game) and table.host != self.client.account

    async def _try(self, table: str) -> None:
        try:
            await self.at(table)
        except Refused as refusal:
            self._say(f"not at table {table}: {refusal.reason}")

    async def _visit(self, table: str, seat: int | None) -> str | None:
        """One match, from sitting down to its result; the table of the next if there is one."""
        async with self.client.sit(table, seat) as place:
            self._say(f"sits in seat {place.state.seat} of {place.state.game} at {self._link(table)}")
            if not await self._started(place):
                return None
            await Player(place, self._bot, self._say).play()
            self.played += 1
            self._say(_result(place.state))
            return None if self.has_enough else await self._again(place)

    def _link(self, table: str) -> str:
        http = self.client.http
        return f"{'https' if http.secure else 'http'}://{http.place}{http.folder}/table/{table}"

    async def _started(self, place: Table) -> bool:
        """Waits until the match begins; a host begins it."""
        try:
            async for state in place.states():
                if state.seat is None or state.match_over:
                    self._say("has no seat here any more" if state.seat is None else f"the table is {state.status}")
                    return False
                if state.status == "playing":
                    await self._come_back(place, state)
                    return True
                await self._start_if_full(place, state)
        except asyncio.CancelledError:
            await self._leave(place)
            raise
        return False

    async def _come_back(self, place: Table, state: State) -> None:
        if state.seat is not None and state.seats[state.seat].away:
            await place.sit(state.seat)

    async def _start_if_full(self, place: Table, state: State) -> None:
        if state.host == self.client.account and all(seat.account or seat.bot for seat in state.seats):
            with suppress(Refused):  # somebody stood up in this moment, or it has begun
                await place.start()

    async def _leave(self, place: Table) -> None:
        """Frees the seat of a match that has not begun, and closes one's own table."""
        with suppress(Refused, TimeoutError):
            if place.state.host == self.client.account:
                await place.close()
            else:
                await place.stand()

    async def _again(self, place: Table) -> str | None:
        """The next table, if all want to play again."""
        try:
            await place.rematch()
            async with asyncio.timeout(AGAIN_S):
                async for state in place.states():
                    if state.next or state.status == "closed" or any(line.kind == "no rematch" for line in place.log):
                        return state.next
        except (Refused, TimeoutError):
            pass
        return None


def _result(state: State) -> str:
    """How a match has ended, in a line."""
    if state.outcome is None:
        return "the match was broken off"
    points = ", ".join(f"{seat.name}: {sum(parts)}" for seat, parts in zip(state.seats, state.scores, strict=False))
    return f"{'won' if state.seat in state.outcome.winners else 'lost'} ({state.outcome.reason}); points: {points}"
