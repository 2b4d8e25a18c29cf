"""What an administrator does beside a running server, which notices: PostgreSQL tells it, a SQLite file it looks at by itself."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, func, select
from sqlalchemy.exc import IntegrityError

from zashiki.core.errors import ZashikiError
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.match import REVEALED, told
from zashiki.server import migrate
from zashiki.server.accounts import Accounts
from zashiki.server.ledger import read_table, write_event
from zashiki.server.log import Event, Kind
from zashiki.server.names import name_key
from zashiki.server.personal import PersonalData
from zashiki.server.rerating import recompute
from zashiki.server.schema import accounts, events, players, service, tables
from zashiki.server.secrets import new_secrets
from zashiki.server.store import Store, now_ms
from zashiki.server.table import Line, Sitter, Table

ATTEMPTS = 20
"""How often an event is tried that loses against the server."""
FOR_EVER = 253_402_300_799_000
"""The last moment of the year 9999."""
DAY_MS = 86_400_000


class NotLikeThat(ZashikiError):
    """The administrator has asked for something that cannot be."""


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list. `people`: who sits there, bots of the house not counted."""

    id: str
    game: str
    status: str
    private: bool
    seats: int
    people: list[str]
    host: int
    created_at: int
    updated_at: int


class TableSheet(msgspec.Struct, frozen=True, kw_only=True):
    """All about one table. `seed` only with secrets."""

    id: str
    game: str
    rules: int
    status: str
    host: int
    created_at: int
    settings: dict[str, Any]
    seats: list[Sitter | None]
    outcome: str | None
    log: list[str]
    seed: str | None = None


class AccountRow(msgspec.Struct, frozen=True, kw_only=True):
    """An account in a list."""

    id: int
    kind: str
    name: str
    owner: int | None
    created_at: int
    seen_at: int
    banned_until: int | None
    ban_reason: str | None
    erased_at: int | None


class Desk:
    """The administrator's desk: an open store, and everything that can be done from there."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._accounts = Accounts(store, new_secrets())  # nothing is signed here, so any will do

    async def tables(
        self, *, status: str | None = None, game: str | None = None, account: int | None = None, limit: int = 50
    ) -> list[TableRow]:
        """Tables, the latest changed first."""
        wanted: list[ColumnElement[bool]] = []
        if status:
            wanted.append(tables.c.status == status)
        if game:
            wanted.append(tables.c.game == game)
        if account is not None:
            sits = select(players.c.table_id).where(players.c.account_id == account)
            wanted.append(tables.c.id.in_(sits) | (tables.c.host_id == account))
        return await self.store.read(lambda connection: _list_tables(connection, wanted, limit))

    async def table(self, table_id: str, *, show_secrets: bool = False) -> TableSheet:
        """One table with its log, as a spectator was told it; with secrets, everything."""
        table, status, _ = await self.store.read(lambda connection: read_table(table_id, connection))
        return _sheet(table, status, show_secrets=show_secrets)

    async def close(self, table_id: str, reason: str | None = None) -> None:
        """Closes a table; whoever sits there sees why."""
        news = [f"table:{table_id}", f"lobby:{table_id}"]
        for _ in range(ATTEMPTS):
            try:
                return await self.store.write(lambda connection: _close(connection, table_id, reason), news)
            except IntegrityError:  # the server has just written that number
                continue
        raise NotLikeThat(f"table {table_id} is too busy to be closed: try again")

    async def accounts(self, text: str = "", *, banned: bool = False, limit: int = 50) -> list[AccountRow]:
        """Accounts whose name contains the text, or that are banned; the latest seen first."""
        query = select(accounts).order_by(accounts.c.seen_at.desc(), accounts.c.id).limit(limit)
        if text:
            query = query.where(func.lower(accounts.c.name).contains(text.lower(), autoescape=True))
        if banned:
            query = query.where(accounts.c.banned_until > now_ms())
        rows = await self.store.read(lambda connection: connection.execute(query).all())
        return [_account(row) for row in rows]

    async def find(self, who: str) -> AccountRow:
        """The one account of that number or name."""
        if who.isdecimal():
            wanted = accounts.c.id == int(who)
        else:
            wanted = accounts.c.name_key == name_key(who)
        rows = await self.store.read(lambda connection: connection.execute(select(accounts).where(wanted)).all())
        if len(rows) == 1:
            return _account(rows[0])
        if not rows:
            raise NotLikeThat(f"nobody is called {who!r}; `zashiki admin accounts` lists who there is")
        numbers = ", ".join(str(row.id) for row in rows[:10])
        raise NotLikeThat(f"{len(rows)} guests are called {who!r}, name one by number: {numbers}")

    async def ban(self, account: int, days: float | None = None, reason: str = "") -> int:
        """Keeps an account out, for some days or for ever; until when."""
        until = FOR_EVER if days is None else now_ms() + int(days * DAY_MS)
        await self._accounts.ban(account, until, reason)
        return until

    async def unban(self, account: int) -> None:
        """Lets it in again."""
        await self._accounts.unban(account)

    async def personal_data(self, account: int) -> PersonalData:
        """A copy of everything that is known about an account."""
        return await self._accounts.export(account)

    async def erase(self, account: int) -> None:
        """Erases the personal data of an account and of its programs. Matches stay, without a name."""
        await self._accounts.erase(account)

    async def recompute_ratings(self) -> int:
        """Works all ratings out again from the results; how many results count."""
        return await self.store.write_apart(recompute)


@asynccontextmanager
async def desk(url: str) -> AsyncIterator[Desk]:
    """A desk at a store that has our schema."""
    store = Store(url, process=f"admin-{secrets.token_hex(4)}")
    store.open()
    try:
        await store.read(lambda connection: migrate.check(connection, current=True))
        yield Desk(store)
    finally:
        await store.close()


def _list_tables(connection: Connection, wanted: Iterable[ColumnElement[bool]], limit: int) -> list[TableRow]:
    query = select(tables).where(*wanted).order_by(tables.c.updated_at.desc(), tables.c.id).limit(limit)
    rows = connection.execute(query).all()
    sitting = select(players.c.table_id, accounts.c.name).join(accounts, accounts.c.id == players.c.account_id)
    sitting = sitting.where(players.c.table_id.in_([row.id for row in rows])).order_by(players.c.seat)
    people: dict[str, list[str]] = {}
    for table_id, name in connection.execute(sitting):
        people.setdefault(table_id, []).append(name)
    return [
        TableRow(
            id=row.id,
            game=row.game,
            status=row.status,
            private=not row.listed,
            seats=row.seats,
            people=people.get(row.id, []),
            host=row.host_id,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]


def _close(connection: Connection, table_id: str, reason: str | None) -> None:
    status = connection.execute(select(tables.c.status).where(tables.c.id == table_id)).scalar()
    if status is None:
        raise NotLikeThat(f"there is no table {table_id}; `zashiki admin tables` lists them")
    if status in ("over", "closed"):
        raise NotLikeThat(f"table {table_id} is {status} already")
    last = select(func.max(events.c.number), func.max(events.c.ticks)).where(events.c.table_id == table_id)
    number, ticks = connection.execute(last).one()
    now, down = now_ms(), connection.execute(select(service.c.down_ms)).scalar() or 0
    words = "closed by the administrator" + (f": {reason}" if reason else "")
    event = Event(
        table_id=table_id,
        number=(number or 0) + 1,
        kind=Kind.CLOSE,
        seat=None,
        action=None,
        at=now,
        ticks=max(ticks or 0, now - down),
        due=None,
        account_id=None,
        request=None,
        detail=msgspec.json.encode({"reason": words}).decode(),
    )
    write_event(event, "closed", connection)


def _sheet(table: Table, status: str, *, show_secrets: bool) -> TableSheet:
    winners = table.decided and " and ".join(_who(table, seat) for seat in table.decided.winners)
    lines = (_words(table, line, show_secrets=show_secrets) for line in table.lines)
    return TableSheet(
        id=table.id,
        game=table.game.id,
        rules=table.game.version,
        status=status,
        host=table.host,
        created_at=table.created_at,
        settings=msgspec.to_builtins(table.settings),
        seats=table.seats,
        outcome=f"{winners}: {table.decided.reason}" if table.decided else None,
        log=[line for line in lines if line],
        seed=table.seed if show_secrets else None,
    )


def _words(table: Table, line: Line, *, show_secrets: bool) -> str | None:
    """A line as a sentence; None: a spectator is not told of it."""
    if line.entry is None:
        reason = msgspec.json.decode(line.detail) if line.detail else {}
        rest = reason.get("name") or reason.get("reason") or reason.get("table") or ""
        return f"{_who(table, line.seat)} {Kind(line.kind).word}{f': {rest}' if rest else ''}"
    if show_secrets:
        if line.entry.kind == REVEALED:
            return None  # it stands further up
        action = table.game.vocabulary[line.entry.action]
        return f"{_who(table, line.seat)} {action.words()}"
    event = told(table.game, SPECTATOR, line.entry)
    return event and f"{_who(table, event.seat)} {event.action.words()}{' (shown now)' if event.revealed else ''}"


def _who(table: Table, seat: int | None) -> str:
    if seat is None:
        return "The table:"
    return "The clock" if seat == CLOCK else f"Seat {seat}"


def _account(row: Row[Any]) -> AccountRow:
    return AccountRow(
        id=row.id,
        kind=row.kind,
        name=row.name,
        owner=row.owner_id,
        created_at=row.created_at,
        seen_at=row.seen_at,
        banned_until=row.banned_until,
        ban_reason=row.ban_reason,
        erased_at=row.erased_at,
    )
