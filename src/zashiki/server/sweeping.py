"""What the store says of tables that nobody has in memory: which nobody comes back to, and which something is due at."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from zashiki.server import schema
from zashiki.server.clocks import HOUR_MS

DEAD_MS = 15 * 60_000
"""A table that waits for players is closed when nobody of it has been here for so long,"""
DEAD_PRIVATE_MS = 24 * HOUR_MS
"""or so long if it is reached by a link, which may be in somebody's mail,"""
DEAD_SLOW_MS = 7 * 24 * HOUR_MS
"""or so long if a move may take hours: nobody sits and waits there."""
ABANDONED_MS = 31 * 24 * HOUR_MS
"""A match at which nothing has happened for so long is closed."""


class Waiting(NamedTuple):
    """A table that waits for players: since when, how long it may be left alone, and whose it is."""

    id: str
    since: int
    patience_ms: int
    people: set[int]


def waiting_tables(connection: Connection) -> list[Waiting]:
    """All tables whose match has not begun."""
    tables, players = schema.tables.c, schema.players.c
    query = select(tables.id, tables.updated_at, tables.listed, tables.settings, tables.host_id, players.account_id)
    query = query.outerjoin(schema.players, players.table_id == tables.id).where(tables.status == "waiting")
    found: dict[str, Waiting] = {}
    for row in connection.execute(query):
        table = found.setdefault(row.id, Waiting(row.id, row.updated_at, _patience(row.listed, row.settings), {row.host_id}))
        if row.account_id is not None:
            table.people.add(row.account_id)
    return list(found.values())


def _patience(listed: bool, settings: dict[str, object]) -> int:
    clock = settings.get("clock")
    if isinstance(clock, dict) and clock.get("type") == "move" and clock["seconds"] * 1000 >= HOUR_MS:
        return DEAD_SLOW_MS
    return DEAD_MS if listed else DEAD_PRIVATE_MS


def abandoned_tables(now: int, connection: Connection) -> list[str]:
    """Matches at which nothing has happened for weeks, some at a time."""
    tables, events = schema.tables.c, schema.events.c
    latest = select(func.max(events.at)).where(events.table_id == tables.id).scalar_subquery()
    long_ago = now - ABANDONED_MS
    query = select(tables.id).where(tables.status == "playing", tables.updated_at < long_ago, latest < long_ago)
    return list(connection.execute(query.limit(50)).scalars())


def due_tables(connection: Connection) -> list[tuple[str, int]]:
    """When each match that goes on must be looked at next, the earliest first."""
    tables, events = schema.tables.c, schema.events.c
    last = select(events.due).where(events.table_id == tables.id).order_by(events.number.desc()).limit(1).scalar_subquery()
    rows = connection.execute(select(tables.id, last.label("due")).where(tables.status == "playing"))
    return sorted([(row.id, row.due) for row in rows if row.due is not None], key=lambda each: each[1])
