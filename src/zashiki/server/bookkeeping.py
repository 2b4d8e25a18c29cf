"""Who keeps the books of a house: results are written beside the tables, and what a crash has left out is filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from sqlalchemy.exc import IntegrityError

from zashiki.server.books import Place, missing, read_result, write_hinted, write_results
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.results import Result, result_of

AT_ONCE = 50
"""So many results are written with one transaction."""
SETTLED_MS = 30_000
"""A match that ended so long ago and has no result was forgotten by whoever should have written it."""
LATELY_MS = 86_400_000
"""While the server runs it looks so far back for forgotten ones; when it starts, at everything."""


class Bookkeeper:
    """Writes the results of one house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.closing = False
        self._waiting: list[Result] = []
        self._writing = False
        self.on_written: Callable[[list[str]], None] = lambda tables: None

    def ended(self, live: LiveTable) -> None:
        """A table has changed: if its match is over and this process wrote that, its result is written too."""
        if live.ours and (result := result_of(live.table)) is not None:
            self._waiting.append(result)
            if not self._writing:
                self._writing = True
                self.house.spawn(self._write_waiting())

    async def _write_waiting(self) -> None:
        """What cannot be written now is found by a later look."""
        try:
            while self._waiting:
                taken, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
                await self._write(taken)
                self.on_written([result.table for result in taken])
        except Refused:
            self._waiting.clear()
        finally:
            self._writing = False

    async def _write(self, found: Sequence[Result]) -> None:
        await self.house.store.write_apart(partial(write_results, found))

    async def note_hint(self, table: str) -> None:
        """Somebody is about to be given a hint: the match will not be rated."""
        with suppress(IntegrityError):  # Another process has just noted it.
            await self.house.store.write_apart(partial(write_hinted, table, self.house.clock()))

    async def look(self) -> None:
        """Fills in what is missing of the last day."""
        await self.catch_up(self.house.clock() - LATELY_MS)

    async def catch_up(self, since: int = 0) -> None:
        """Fills in what is missing since a moment, the oldest first, a few at a time."""
        place: Place = (since, "")
        while not self.closing:
            until = self.house.clock() - SETTLED_MS if since else None
            rows = await self.house.store.read(partial(missing, place, until, AT_ONCE))
            if not rows:
                return
            found = [await self.house.store.read(partial(read_result, row)) for row in rows if not self.closing]
            await self._write([each for each in found if each is not None])
            place = (rows[-1].updated_at, rows[-1].id)
