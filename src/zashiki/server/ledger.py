"""A table's rows in the store: its log, and what lists must know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, func, or_, select

from zashiki.server import schema
from zashiki.server.errors import Refused
from zashiki.server.log import Event, Kind
from zashiki.server.settings import TableSettings
from zashiki.server.statements import (
    INSERT_EVENT,
    INSERT_PLAYER,
    INSERT_TABLE,
    LEAVE,
    SET_STATUS,
    TOUCH,
    Beside,
    carry_out,
)
from zashiki.server.table import Table


def opened(row: dict[str, Any], events: list[Event]) -> list[Beside]:
    """What is written when a table is opened: its row, its first events, who sits there."""
    table = row | {"settings": msgspec.json.encode(row["settings"]).decode()}
    sitters = [(event, event.content.get("account")) for event in events if event.kind == Kind.SIT]
    players = [{"table_id": event.table_id, "seat": event.seat, "account_id": who} for event, who in sitters if who]
    return [
        (INSERT_TABLE, table),
        *((INSERT_EVENT, event._asdict()) for event in events),
        *((INSERT_PLAYER, player) for player in players),
    ]


def write_table(row: dict[str, Any], events: list[Event], connection: Connection) -> None:
    """A new table with its first events."""
    carry_out(connection, opened(row, events))


def listed(event: Event, status: str | None) -> list[Beside]:
    """What lists must know of an event that gives a table this status; None: the one it had."""
    if status is not None:
        return [(SET_STATUS, {"table": event.table_id, "at": event.at, "now": status})]
    if event.kind not in (Kind.SIT, Kind.STAND):
        return []
    account = event.content.get("account") if event.detail else None
    found: list[Beside] = [
        (TOUCH, {"table": event.table_id, "at": event.at}),
        (LEAVE, {"table": event.table_id, "place": event.seat, "account": account}),
    ]
    if account is not None:
        found.append((INSERT_PLAYER, {"table_id": event.table_id, "seat": event.seat, "account_id": account}))
    return found


def write_event(event: Event, status: str | None, connection: Connection) -> None:
    """An event, and what lists must know of it."""
    carry_out(connection, listed(event, status), [event])


def write_status(table: str, status: str, at: int, connection: Connection) -> None:
    """The status that lists show of a table."""
    carry_out(connection, [(SET_STATUS, {"table": table, "at": at, "now": status})])


def read_events(wanted: str, after: int, connection: Connection) -> list[Event]:
    """The log of a table after a number."""
    columns = schema.events
    query = select(columns).where(columns.c.table_id == wanted, columns.c.number > after).order_by(columns.c.number)
    return [Event(*row) for row in connection.execute(query)]


def read_beginning(wanted: str, connection: Connection) -> list[Event]:
    """The log of a table up to the start of its match."""
    columns = schema.events.c
    begun = select(func.min(columns.number)).where(columns.table_id == wanted, columns.kind == int(Kind.START)).scalar_subquery()
    here = columns.table_id == wanted
    query = select(schema.events).where(here, or_(begun.is_(None), columns.number <= begun)).order_by(columns.number)
    return [Event(*row) for row in connection.execute(query)]


def read_table(wanted: str, connection: Connection) -> tuple[Table, str, int]:
    """A table rebuilt from its log, the status that lists show of it, and when that or its seats last changed."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == wanted)).mappings().one_or_none()
    if row is None:
        raise Refused("unknown table", "there is no such table")
    return folded(row, read_events(wanted, 0, connection)), row["status"], row["updated_at"]


def folded(row: Mapping[Any, Any], events: list[Event], settings: TableSettings | None = None) -> Table:
    """A table from its row and its log; `settings`, where somebody has them already, are those of the row."""
    agreed = settings or settings_of(row["settings"])
    table = Table(row["id"], row["game"], row["seats"], agreed, row["seed"], row["host_id"], row["created_at"])
    if row["rules"] != table.game.version:
        reason = f"this match was played by other rules of {table.game.title}; it can be exported, not shown"
        raise Refused("unknown table", reason)
    table.fold_all(events)
    return table


def settings_of(found: Mapping[str, Any]) -> TableSettings:
    """How a table was set up, as far as this version knows it."""
    # Another version, before or beside this one, may know settings that we do not.
    known = {name: value for name, value in found.items() if name in TableSettings.__struct_fields__}
    return msgspec.convert(known, TableSettings)
