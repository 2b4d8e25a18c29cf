"""Who is here, as the store tells it to all processes: each writes down its own people and reads those of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import partial

from sqlalchemy import Connection, delete, insert, select

from zashiki.server import schema
from zashiki.server.deadlines import Deadlines
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.service_time import STALE_MS

AGAIN_MS = 1_000
MANY = 500
"""Rather than asking for so many people one asks for everybody."""

ROWS = schema.presences


class Attendance:
    """The people of this process and of the others. Many who come or go together are written and read together."""

    def __init__(self, house: House, deadlines: Deadlines, changed: Callable[[int], None]) -> None:
        self._house = house
        self._deadlines = deadlines
        self._changed = changed
        self._ours: set[int] = set()
        self._elsewhere: set[int] = set()
        self._unwritten: set[int] = set()
        self._unread: set[int | None] = set()
        self._alive: Set[str] = frozenset()
        self._writing = self._reading = False

    def __contains__(self, account: int | None) -> bool:
        return account in self._ours or account in self._elsewhere

    def arrive(self, account: int) -> bool:
        """Somebody is here; whether that is new."""
        if account in self._ours:
            return False
        self._ours.add(account)
        self._write_down([account])
        return True

    def leave(self, account: int) -> bool:
        """Somebody is here no more; whether that is new."""
        if account not in self._ours:
            return False
        self._ours.discard(account)
        self._write_down([account])
        return True

    def _write_down(self, accounts: Iterable[int]) -> None:
        self._unwritten.update(accounts)
        if self._unwritten and not self._writing:
            self._writing = True
            self._house.spawn(self._write())

    async def _write(self) -> None:
        store = self._house.store
        try:
            while self._unwritten:
                accounts, self._unwritten = self._unwritten, set()
                work = partial(_write, store.process, accounts, accounts & self._ours, self._house.clock())
                try:
                    await store.write_apart(work, news=[f"present:{account}" for account in sorted(accounts)])
                except Refused:
                    again = partial(self._write_down, accounts)
                    self._deadlines.set(("attendance", "write"), self._house.ticks() + AGAIN_MS, again)
                    self._unwritten |= accounts
                    return
        finally:
            self._writing = False

    async def look_elsewhere(self, account: int | None, alive: Iterable[str]) -> None:
        """Asks the store who is connected to other living processes; None: everybody."""
        self._alive = frozenset(alive)
        self._unread.add(account)
        if self._reading:
            return
        self._reading = True
        try:
            while self._unread:
                wanted, self._unread = self._unread, set()
                try:
                    await self._read(wanted)
                except Refused:
                    self._unread |= wanted
                    self._deadlines.set(("attendance", "read"), self._house.ticks() + AGAIN_MS, self._look_again)
                    return
        finally:
            self._reading = False

    def _look_again(self) -> None:
        self._house.spawn(self.look_elsewhere(next(iter(self._unread), None), self._alive))

    async def _read(self, wanted: set[int | None]) -> None:
        query = select(ROWS.c.account_id, ROWS.c.process).where(ROWS.c.process != self._house.store.process)
        everybody = None in wanted or len(wanted) > MANY
        if not everybody:
            query = query.where(ROWS.c.account_id.in_(wanted))
        found = await self._house.store.read(lambda connection: connection.execute(query).all())
        now = {row.account_id for row in found if row.process in self._alive}
        before = self._elsewhere if everybody else self._elsewhere & wanted
        self._elsewhere = (self._elsewhere - before) | now
        for account in before ^ now:
            self._changed(account)

    async def forget_the_dead(self, alive: Iterable[str]) -> None:
        """Drops what dead processes said. One that has only just begun to live may be known to the store alone."""
        living = select(schema.processes.c.id).where(schema.processes.c.beat >= self._house.clock() - STALE_MS)
        known = ROWS.c.process.in_([*alive, self._house.store.process])
        query = delete(ROWS).where(~known, ROWS.c.process.not_in(living))
        await self._house.store.write_apart(lambda connection: connection.execute(query).rowcount)


def _write(process: str, accounts: set[int], here: set[int], at: int, connection: Connection) -> None:
    connection.execute(delete(ROWS).where(ROWS.c.process == process, ROWS.c.account_id.in_(accounts)))
    if here:
        connection.execute(insert(ROWS), [{"account_id": each, "process": process, "at": at} for each in sorted(here)])
