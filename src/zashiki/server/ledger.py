"""A table's rows in the store: its log, and what lists must know of it."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from zashiki.server import schema
from zashiki.server.errors import Refused
from zashiki.server.log import Event, Kind
from zashiki.server.settings import TableSettings
from zashiki.server.table import Table


def write_table(row: dict[str, Any], events: list[Event], connection: Connection) -> None:
    """A new table with its first events."""
    connection.execute(insert(schema.tables), [row])
    if events:
        connection.execute(insert(schema.events), [event._asdict() for event in events])
    players = [event for event in events if event.kind == Kind.SIT and event.content.get("account")]
    for event in players:
        values = {"table_id": event.table_id, "seat": event.seat, "account_id": event.content["account"]}
        connection.execute(insert(schema.players), [values])


def write_event(event: Event, connection: Connection) -> None:
    """The event, and what lists must know of it."""
    connection.execute(insert(schema.events), [event._asdict()])
    tables, players = schema.tables, schema.players
    status = {Kind.START: "playing", Kind.CLOSE: "closed"}.get(Kind(event.kind))
    changed: dict[str, Any] = {"updated_at": event.at} | ({"status": status} if status else {})
    connection.execute(update(tables).where(tables.c.id == event.table_id).values(**changed))
    if event.kind in (Kind.SIT, Kind.STAND):
        here = players.c.table_id == event.table_id
        account = event.content.get("account") if event.detail else None
        connection.execute(delete(players).where(here, (players.c.seat == event.seat) | (players.c.account_id == account)))
        if account is not None:
            values = {"table_id": event.table_id, "seat": event.seat, "account_id": account}
            connection.execute(insert(players), [values])


def read_events(wanted: str, after: int, connection: Connection) -> list[Event]:
    """The log of a table after a number."""
    columns = schema.events
    query = select(columns).where(columns.c.table_id == wanted, columns.c.number > after).order_by(columns.c.number)
    return [Event(*row) for row in connection.execute(query)]


def read_table(wanted: str, connection: Connection) -> tuple[Table, str]:
    """A table rebuilt from its log, and the status that lists show of it."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == wanted)).one_or_none()
    if row is None:
        raise Refused("unknown table", "there is no such table")
    settings = msgspec.convert(row.settings, TableSettings)
    table = Table(row.id, row.game, row.seats, settings, row.seed, row.host_id, row.created_at)
    if row.rules != table.game.version:
        raise Refused(
            "unknown table", f"this match was played by other rules of {table.game.title}; it can be exported, not shown"
        )
    table.fold_all(read_events(wanted, 0, connection))
    return table, row.status
