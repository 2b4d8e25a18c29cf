"""What is said at the tables: stored with them, told to whoever looks, except to those who have muted the speaker."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from zashiki.server import messages, schema
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.messages import TalkLine
from zashiki.server.store import unavailable

ATTEMPTS = 5


class Talking:
    """The talk of one house's tables."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._told: dict[str, int] = {}
        """The last line that each table in memory was told."""

    async def say(self, account: Account, table: str, text: str, key: str | None) -> TalkLine:
        """Stores a line and tells it; the same key again is the same line."""
        live = await self.house.load(table)
        self.house.may_look(live.table, account)
        cleaned = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not cleaned:
            raise Refused("malformed", "there is nothing to say in that")
        line = await self._written(partial(_write, table, account, cleaned, key, self.house.clock()), f"talk:{table}")
        await self.heard(table)
        return line

    async def _written(self, work: Callable[[StoreConnection], TalkLine], news: str) -> TalkLine:
        """Two processes may choose the same number: one of them chooses again."""
        for _ in range(ATTEMPTS):
            try:
                return await self.house.store.write(work, news=[news])
            except IntegrityError:
                continue
        raise unavailable()

    async def heard(self, table: str) -> None:
        """Somebody has said something: whoever looks is told."""
        live = self.house.tables.get(table)
        if live is None or not live.watchers:
            self._told.pop(table, None)
            return
        after = self._told.get(table, -1)
        lines = await self.house.store.read(partial(read_talk, table, after, None, 50, ()))
        if after < 0:
            lines = lines[-1:]
        for line in lines:
            if line.number > self._told.get(table, -1):
                self._told[table] = line.number
                self._tell(live, line)

    def _tell(self, live: LiveTable, line: TalkLine) -> None:
        for watcher in list(live.watchers):
            if line.account not in watcher.account.muted:
                watcher.tell(line)

    async def lines(self, account: Account, table: str, before: int | None, limit: int) -> list[TalkLine]:
        """The latest lines before a number, those of muted people left out."""
        live = await self.house.load(table)
        self.house.may_look(live.table, account)
        return await self.house.store.read(partial(read_talk, table, -1, before, limit, account.muted))

    def tidy(self) -> None:
        """Forgets tables that have left the memory."""
        for table in [table for table in self._told if table not in self.house.tables]:
            del self._told[table]


def _write(table: str, account: Account, text: str, key: str | None, at: int, connection: StoreConnection) -> TalkLine:
    columns = schema.talk.c
    if key is not None:
        query = select(schema.talk).where(columns.table_id == table, columns.request == key)
        row = connection.execute(query).one_or_none()
        if row is not None:
            return _line(row)
    last = connection.execute(select(func.max(columns.number)).where(columns.table_id == table)).scalar()
    values = {
        "table_id": table,
        "number": (last or 0) + 1,
        "account_id": account.id,
        "name": account.name,
        "at": at,
        "text": text,
        "request": key,
    }
    connection.execute(insert(schema.talk), [values])
    return messages.TalkLine(table=table, number=(last or 0) + 1, account=account.id, name=account.name, at=at, text=text)


def read_talk(
    table: str, after: int, before: int | None, limit: int, muted: Collection[int], connection: StoreConnection
) -> list[TalkLine]:
    """The latest lines of a table between two numbers, in order, without those of muted people."""
    columns = schema.talk.c
    query = select(schema.talk).where(columns.table_id == table, columns.number > after)
    if before is not None:
        query = query.where(columns.number < before)
    if muted:
        query = query.where(columns.account_id.not_in(muted))
    rows = connection.execute(query.order_by(columns.number.desc()).limit(limit)).all()
    return [_line(row) for row in reversed(rows)]


def _line(row: Any) -> TalkLine:

    return TalkLine(table=row.table_id, number=row.number, account=row.account_id, name=row.name, at=row.at, text=row.text)
