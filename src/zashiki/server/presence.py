"""Who is here. A dropped socket is not a person who left, and a person who left has not lost yet: three things, three delays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from zashiki.server import messages
from zashiki.server.attendance import Attendance
from zashiki.server.connection import Connection
from zashiki.server.deadlines import Deadlines
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.log import Kind
from zashiki.server.steward import Steward

LEFT_AFTER_MS = 10_000
"""So long after the last socket has closed, the others see that somebody is not here."""
POLLED_MS = 30_000
"""Whoever asks over HTTP is here for so long."""
AGAIN_MS = 500


class Presence:
    """The people connected to this process, and those the store says are connected to others."""

    def __init__(self, house: House, steward: Steward, deadlines: Deadlines) -> None:
        self.house = house
        self.steward = steward
        self.deadlines = deadlines
        self.here: dict[int, set[Connection]] = {}
        self._attendance = Attendance(house, deadlines, self.changed)
        self._tables: dict[int, set[str]] = {}
        """The tables in memory at which each account sits,"""
        self._seated: dict[str, set[int]] = {}
        """and the same the other way round."""
        house.on_forget = self._forget

    def __contains__(self, account: int | None) -> bool:
        return account in self.here or account in self._attendance

    def connected(self, connection: Connection) -> None:
        """Somebody has opened a socket."""
        account = connection.account.id
        self.here.setdefault(account, set()).add(connection)
        self._arrive(account)

    def disconnected(self, connection: Connection) -> None:
        """A socket has closed; the person may be back in a moment."""
        account = connection.account.id
        sockets = self.here.get(account, set())
        sockets.discard(connection)
        if not sockets:
            self.here.pop(account, None)
            self._leave_after(account, LEFT_AFTER_MS)

    def seen(self, account: int) -> None:
        """Somebody asks for something without a socket: here, but not for long."""
        if account not in self.here:
            self._arrive(account)
            self._leave_after(account, POLLED_MS)

    def _arrive(self, account: int) -> None:
        self.deadlines.drop(("left", account))
        if self._attendance.arrive(account):
            self.changed(account)

    def _leave_after(self, account: int, delay_ms: int) -> None:
        self.deadlines.set(("left", account), self.house.ticks() + delay_ms, partial(self._left, account))

    def _left(self, account: int) -> None:
        if account not in self.here and self._attendance.leave(account):
            self.changed(account)

    async def look_elsewhere(self, account: int | None, alive: Iterable[str]) -> None:
        """Asks the store who is connected to other processes; None: everybody."""
        await self._attendance.look_elsewhere(account, alive)

    async def forget_the_dead(self, alive: Iterable[str]) -> None:
        """Drops what dead processes said of who is connected to them."""
        await self._attendance.forget_the_dead(alive)

    # Their tables

    def attend(self, live: LiveTable) -> None:
        """A table was loaded or its seats have changed: whoever is missing is expected from now on."""
        self._note_seats(live)
        self.show(live)
        self._expect_missing(live)

    def changed(self, account: int) -> None:
        """Somebody has come or gone: the tables at which that person sits are told."""
        for table in list(self._tables.get(account, ())):
            live = self.house.tables.get(table)
            seat = live.table.seat_of(account) if live else None
            if live is not None and seat is not None:
                self.show(live)
                self._expect(live, seat, live.table.settings.grace_seconds * 1000 - LEFT_AFTER_MS)
                # Now somebody may wait for those who have been away while nobody did.
                self._expect_missing(live)

    def _note_seats(self, live: LiveTable) -> None:
        table, accounts = live.table.id, set(live.table.places)
        before = self._seated.get(table, set())
        if accounts != before:
            self._seated[table] = accounts
            for account in accounts - before:
                self._tables.setdefault(account, set()).add(table)
            self._leave_table(table, before - accounts)

    def _forget(self, live: LiveTable) -> None:
        self._leave_table(live.table.id, self._seated.pop(live.table.id, set()))

    def _leave_table(self, table: str, accounts: Iterable[int]) -> None:
        for account in accounts:
            self._tables[account].discard(table)
            if not self._tables[account]:
                del self._tables[account]

    def show(self, live: LiveTable) -> None:
        """Tells a table's watchers whose people are connected, if that has changed."""
        seats = {seat for seat, sitter in enumerate(live.table.seats) if sitter and sitter.account in self}
        if seats != live.present:
            live.present = seats
            message = messages.Present(table=live.table.id, seats=sorted(seats))
            for watcher in live.watchers:
                watcher.tell(message)

    # Whoever does not come back

    def _expect_missing(self, live: LiveTable) -> None:
        for seat in range(len(live.table.seats)):
            if ("gone", live.table.id, seat) not in self.deadlines:
                self._expect(live, seat, live.table.settings.grace_seconds * 1000)

    def _expect(self, live: LiveTable, seat: int, grace_ms: int) -> None:
        """Whoever is not back in time is played by a bot, or the match is decided, as the table has it."""
        table, sitter = live.table, live.table.seats[seat]
        key = ("gone", table.id, seat)
        if sitter is None or not sitter.plays or sitter.account in self:
            self.deadlines.drop(key)
        elif table.status == "playing" and not table.clocks.by_correspondence:
            self.deadlines.set(key, self.house.ticks() + grace_ms, partial(self._gone, table.id, seat, sitter.account))

    def _gone(self, table: str, seat: int, account: int | None) -> None:
        live = self.house.tables.get(table)
        if live is None or live.table.status != "playing" or account in self:
            return
        sitter = live.table.seats[seat]
        if sitter is None or sitter.account != account or not sitter.plays or not self._others_wait(live, seat):
            return
        if not self.steward.write(live, Kind.GONE, seat):
            again = partial(self._gone, table, seat, account)
            self.deadlines.set(("gone", table, seat), self.house.ticks() + AGAIN_MS, again)

    def _others_wait(self, live: LiveTable, seat: int) -> bool:
        """Nobody is hurried by bots: somebody else must be here who has not given up."""
        others = [sitter for other, sitter in enumerate(live.table.seats) if other != seat]
        return any(sitter and sitter.is_person and sitter.account in self for sitter in others)
