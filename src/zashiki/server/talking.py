"""What is said at the tables: stored with them, told to whoever looks, except to those who have muted the speaker."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import case, func, insert, null, select
from sqlalchemy.exc import IntegrityError

from zashiki.server import messages, schema
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.messages import TalkLine
from zashiki.server.store import unavailable

ATTEMPTS = 5
RECENT_MS = 10_000
"""Of a table that nobody looked at so far, whoever looks now is told what was said in the last moments."""
JOINERS = "\u200c\u200d"
"""Not printable by themselves, but some scripts and pictures are written with them."""


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
        cleaned = clean(text)
        line = await self._written(partial(_write, table, account, cleaned, key, self.house.clock()), f"talk:{table}")
        self._told.setdefault(table, line.number - 1)
        await self._tell_news(table)
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
        """Somebody has said something at another process: whoever looks is told."""
        try:
            await self._tell_news(table)
        except Refused:
            return

    async def _tell_news(self, table: str) -> None:
        live = self.house.tables.get(table)
        if live is None or not live.watchers:
            self._told.pop(table, None)
            return
        after = self._told.get(table, -1)
        lines = await self.house.store.read(partial(read_talk, table, after, None, 50, ()))
        if after < 0:
            lines = [line for line in lines if line.at > self.house.clock() - RECENT_MS]
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


def clean(text: str) -> str:
    """A line as it is stored: without control characters, on one line, with something to be seen in it."""
    printable = "".join(c if c.isprintable() or c in JOINERS else " " for c in text)
    cleaned = " ".join(printable.split())
    if not cleaned.strip(JOINERS + " "):
        raise Refused("malformed", "there is nothing to say in that")
    return cleaned


def _write(table: str, account: Account, text: str, key: str | None, at: int, connection: StoreConnection) -> TalkLine:
    columns = schema.talk.c
    # In one question, so that what another process adds in between is seen by both answers or by none.
    mine = func.max(case((columns.request == key, columns.number))) if key is not None else null()
    here = columns.table_id == table
    last, repeated = connection.execute(select(func.max(columns.number), mine).where(here)).one()
    if repeated is not None:
        return _line(connection.execute(select(schema.talk).where(here, columns.number == repeated)).one())
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
