"""The lists of tables: open ones, shown to the lobby as they change, and somebody's own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection as StoreConnection
from sqlalchemy import select

from zashiki.server import messages, schema
from zashiki.server.accounts import Account
from zashiki.server.archive import seats_of
from zashiki.server.connection import Connection
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.ledger import folded, read_beginning, read_table, settings_of
from zashiki.server.live import LiveTable
from zashiki.server.messages import SeatInfo, TableInfo
from zashiki.server.pictures import table_info
from zashiki.server.table import Table

READ_AGAIN_S = 1.0
SHOWN = 200
"""So many open tables are pushed to the lobby, the newest; pages over HTTP have them all."""


class Lobby:
    """The open tables as this process knows them, and who looks at the list."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.watchers: set[Connection] = set()
        self._open: dict[str, TableInfo] | None = None
        self._missed: set[str] = set()
        """Tables that have changed while the list was being read, or are to be read again."""
        self._reading = False
        self._forgotten = 0

    async def enter(self, connection: Connection, request: int) -> None:
        """Shows somebody the open tables, now and as they change."""
        self.watchers.add(connection)
        try:
            if self._open is None:
                await self._read_list()
        except Refused:
            self.leave(connection)
            raise
        connection.tell(messages.LobbyMessage(request=request, tables=list((self._open or {}).values())))

    async def _read_list(self) -> None:
        forgotten = -1
        while self._open is None and forgotten != self._forgotten:
            # What was read before everything was forgotten is not kept, nor what nobody looks at any more.
            forgotten = self._forgotten
            found = await self.open_tables(None, None, SHOWN)
            if self._open is None and self.watchers and forgotten == self._forgotten:
                self._open = {info.id: info for info in found}
                self._read_missed()

    def leave(self, connection: Connection) -> None:
        """Shows them no more; nobody there, nothing is kept."""
        self.watchers.discard(connection)
        if not self.watchers:
            self._open = None
            self._missed.clear()

    def changed(self, live: LiveTable) -> None:
        """A table in memory has changed its seats or status."""
        if self._open is not None:
            self._update(live.table.id, _listed(live.table, live.table.shown_at))
        elif self.watchers:
            self._missed.add(live.table.id)

    def heard(self, table: str) -> None:
        """Another process has changed a table."""
        if self.watchers and table not in self.house.tables:
            self._missed.add(table)
            self._read_missed()

    def _read_missed(self) -> None:
        if self._missed and self._open is not None and not self._reading:
            self._reading = True
            self.house.spawn(self._read())

    async def _read(self) -> None:
        """One after the other, so that nothing older is shown after something newer."""
        try:
            while self._missed and self._open is not None:
                table = self._missed.pop()
                info = await self._read_one(table)
                live = self.house.tables.get(table)
                self._update(table, _listed(live.table, live.table.shown_at) if live else info)
        finally:
            self._reading = False

    async def _read_one(self, table: str) -> TableInfo | None:
        try:
            folded, _, updated_at = await self.house.store.read(partial(read_table, table))
        except Refused as refusal:
            if refusal.code == "unavailable":
                return (self._open or {}).get(table)
            return None
        return _listed(folded, updated_at)

    def forget(self) -> None:
        """Anything may have changed: the list is read again and shown anew."""
        self._open = None
        self._forgotten += 1
        if self.watchers:
            self.house.spawn(self._show_anew())

    async def _show_anew(self) -> None:
        while self.watchers:
            try:
                await self._read_list()
                break
            except Refused:
                await asyncio.sleep(READ_AGAIN_S)
        for connection in list(self.watchers):
            connection.tell(messages.LobbyMessage(tables=list((self._open or {}).values())))

    def _update(self, table: str, info: TableInfo | None) -> None:
        if self._open is None or (info is None and table not in self._open) or self._open.get(table) == info:
            return
        if info is None:
            del self._open[table]
            change = messages.LobbyChange(gone=table)
        else:
            self._open[table] = info
            change = messages.LobbyChange(table=info)
        for connection in list(self.watchers):
            connection.tell(change)

    async def open_tables(self, game: str | None, before: tuple[int, str] | None, limit: int) -> list[TableInfo]:
        """Open tables, the newest first; `before` is where the last page ended."""
        return await self.house.store.read(partial(_read_open, game, before, limit))

    async def tables_of(self, account: Account, waiting: bool, before: tuple[int, str] | None, limit: int) -> list[TableInfo]:
        """Somebody's tables, those changed last first; `waiting`: only those that wait for this person."""
        return await self.house.store.read(partial(_read_mine, account.id, waiting, before, limit))


def _listed(table: Table, updated_at: int) -> TableInfo | None:
    """A table as the lobby shows it, if it does: one can sit down there, or look on."""
    is_open = table.status == "waiting" or (table.status == "playing" and table.settings.spectators)
    return table_info(table, updated_at) if is_open and not table.settings.private else None


def _read_open(game: str | None, before: tuple[int, str] | None, limit: int, connection: StoreConnection) -> list[TableInfo]:
    found: list[TableInfo] = []
    while len(found) < limit:
        page = _page_of_open(game, before, limit, connection)
        found += filter(None, (_read_listed(row, connection) for row in page))
        if len(page) < limit:
            break
        before = (page[-1]["created_at"], page[-1]["id"])
    return found[:limit]


def _page_of_open(
    game: str | None, before: tuple[int, str] | None, limit: int, connection: StoreConnection
) -> Sequence[Mapping[Any, Any]]:
    columns = schema.tables.c
    query = select(schema.tables).where(columns.status.in_(("waiting", "playing")), columns.listed)
    if game is not None:
        query = query.where(columns.game == game)
    if before is not None:
        at, last = before
        query = query.where((columns.created_at < at) | ((columns.created_at == at) & (columns.id < last)))
    query = query.order_by(columns.created_at.desc(), columns.id.desc()).limit(limit)
    return connection.execute(query).mappings().all()


def _read_listed(row: Mapping[Any, Any], connection: StoreConnection) -> TableInfo | None:
    """A table of the list; of a match under way only how it began is read, for lists do not tell how it goes."""
    try:
        return _listed(folded(row, read_beginning(row["id"], connection)), row["updated_at"])
    except Refused:
        return None


def _read_mine(
    account: int, waiting: bool, before: tuple[int, str] | None, limit: int, connection: StoreConnection
) -> list[TableInfo]:
    """Somebody's tables; where only those count that wait, whether they do shows when they are folded."""
    found: list[TableInfo] = []
    while len(found) < limit:
        page = _page_of_mine(account, waiting, before, limit, connection)
        infos = _infos(page, account, connection)
        found += [info for info in infos if info.waits_for_me or not waiting]
        if len(page) < limit:
            break
        before = (page[-1].updated_at, page[-1].id)
    return found[:limit]


def _page_of_mine(
    account: int, waiting: bool, before: tuple[int, str] | None, limit: int, connection: StoreConnection
) -> Sequence[Any]:
    columns, players = schema.tables.c, schema.players.c
    query = select(schema.tables).join(schema.players, players.table_id == columns.id)
    query = query.where(players.account_id == account)
    if waiting:
        query = query.where(columns.status == "playing")
    if before is not None:
        at, last = before
        query = query.where((columns.updated_at < at) | ((columns.updated_at == at) & (columns.id < last)))
    return connection.execute(query.order_by(columns.updated_at.desc(), columns.id.desc()).limit(limit)).all()


def _infos(page: Sequence[Any], account: int, connection: StoreConnection) -> Iterable[TableInfo]:
    """Tables of one's own: of those that are over the results are read, the others are folded."""
    ended = {row.id: row for row in page if row.status == "over"}
    seats = seats_of(list(ended), connection) if ended else {}
    for row in page:
        found = _ended(row, seats[row.id]) if row.id in seats else _folded(row.id, account, connection)
        if found is not None:
            yield found


def _ended(row: Any, seats: list[SeatInfo]) -> TableInfo:
    return TableInfo(
        id=row.id,
        game=row.game,
        status=row.status,
        seats=seats,
        settings=msgspec.to_builtins(settings_of(row.settings)),
        host=row.host_id,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _folded(table_id: str, account: int, connection: StoreConnection) -> TableInfo | None:
    try:
        table, _, updated_at = read_table(table_id, connection)
    except Refused:
        return None
    seat = table.seat_of(account)
    return table_info(table, updated_at, waits_for_me=seat is not None and table.waits_for(seat))
