"""Who is here. A dropped socket is not a person who left, and a person who left has not lost yet: three things, three delays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import delete, insert, select

from zashiki.server import messages, schema
from zashiki.server.connection import Connection
from zashiki.server.deadlines import Deadlines
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.log import Kind
from zashiki.server.steward import Steward

LEFT_AFTER_MS = 10_000
"""So long after the last socket has closed, the others see that somebody is not here."""


class Presence:
    """The people connected to this process, and those the store says are connected to others."""

    def __init__(self, house: House, steward: Steward, deadlines: Deadlines) -> None:
        self.house = house
        self.steward = steward
        self.deadlines = deadlines
        self.here: dict[int, set[Connection]] = {}
        self.elsewhere: set[int] = set()
        self._noted: set[int] = set()

    def __contains__(self, account: int | None) -> bool:
        return account in self.here or account in self._noted or account in self.elsewhere

    def connected(self, connection: Connection) -> None:
        """Somebody has opened a socket."""
        account = connection.account.id
        self.here.setdefault(account, set()).add(connection)
        self.deadlines.drop(("left", account))
        if account not in self._noted:
            self._noted.add(account)
            self.house.spawn(self._note(account, here=True))

    def disconnected(self, connection: Connection) -> None:
        """A socket has closed; the person may be back in a moment."""
        account = connection.account.id
        sockets = self.here.get(account, set())
        sockets.discard(connection)
        if not sockets:
            self.here.pop(account, None)
            due = self.house.ticks() + LEFT_AFTER_MS
            self.deadlines.set(("left", account), due, partial(self._left, account))

    def _left(self, account: int) -> None:
        if account not in self.here and account in self._noted:
            self._noted.discard(account)
            self.house.spawn(self._note(account, here=False))
            self.changed(account)

    async def _note(self, account: int, *, here: bool) -> None:
        process, rows = self.house.store.process, schema.presences
        mine = (rows.c.account_id == account) & (rows.c.process == process)
        row = {"account_id": account, "process": process, "at": self.house.clock()}

        def work(connection: StoreConnection) -> None:
            connection.execute(delete(rows).where(mine))
            if here:
                connection.execute(insert(rows), [row])

        try:
            await self.house.store.write_apart(work, news=[f"present:{account}"])
        except Refused:
            return

    async def look_elsewhere(self, account: int | None, alive: Iterable[str]) -> None:
        """Asks the store who is connected to other processes."""
        rows, process = schema.presences.c, self.house.store.process
        query = select(rows.account_id, rows.process).where(rows.process != process)
        if account is not None:
            query = query.where(rows.account_id == account)
        living = set(alive)
        found = await self.house.store.read(lambda connection: connection.execute(query).all())
        now = {row.account_id for row in found if row.process in living}
        before = self.elsewhere if account is None else self.elsewhere & {account}
        self.elsewhere = (self.elsewhere - before) | now
        for changed in before ^ now:
            self.changed(changed)

    async def forget_the_dead(self, alive: Iterable[str]) -> None:
        """Drops what dead processes said of who is connected to them."""
        rows = schema.presences
        query = delete(rows).where(rows.c.process.not_in([*alive, self.house.store.process]))
        await self.house.store.write_apart(lambda connection: connection.execute(query).rowcount)

    def attend(self, live: LiveTable) -> None:
        """A table was loaded or its seats have changed: whoever is missing is expected from now on."""
        self.show(live)
        for seat, sitter in enumerate(live.table.seats):
            if sitter and sitter.account is not None and ("gone", live.table.id, seat) not in self.deadlines:
                self._expect(live, seat, sitter.account)

    def changed(self, account: int) -> None:
        """Somebody has come or gone: the tables at which that person sits are told."""
        for live in list(self.house.tables.values()):
            seat = live.table.seat_of(account)
            if seat is not None:
                self.show(live)
                self._expect(live, seat, account)

    def show(self, live: LiveTable) -> None:
        """Tells a table's watchers whose people are connected, if that has changed."""
        seats = {seat for seat, sitter in enumerate(live.table.seats) if sitter and sitter.account in self}
        if seats != live.present:
            live.present = seats
            message = messages.Present(table=live.table.id, seats=sorted(seats))
            for watcher in live.watchers:
                watcher.tell(message)

    def _expect(self, live: LiveTable, seat: int, account: int) -> None:
        """Whoever is not back in time is played by a bot, or the match is decided, as the table has it."""
        key = ("gone", live.table.id, seat)
        if account in self:
            self.deadlines.drop(key)
        elif live.table.status == "playing" and not live.table.clocks.by_correspondence:
            due = self.house.ticks() + live.table.settings.grace_seconds * 1000 - LEFT_AFTER_MS
            self.deadlines.set(key, due, partial(self._gone, live.table.id, seat, account))

    def _gone(self, table: str, seat: int, account: int) -> None:
        live = self.house.tables.get(table)
        if live is None or live.table.status != "playing" or account in self:
            return
        sitter = live.table.seats[seat]
        if sitter is None or sitter.account != account or not sitter.plays:
            return
        if not self._others_wait(live, seat):
            return
        if not self.steward.write(live, Kind.GONE, seat):
            again = partial(self._gone, table, seat, account)
            self.deadlines.set(("gone", table, seat), self.house.ticks() + 50, again)

    def _others_wait(self, live: LiveTable, seat: int) -> bool:
        """Nobody is hurried by bots: somebody else must be here."""
        sitters = [sitter for other, sitter in enumerate(live.table.seats) if other != seat]
        return any(sitter and sitter.account in self for sitter in sitters)
