"""A table's rows in the store: its log, and what lists must know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from zashiki.server import schema
from zashiki.server.engine import by_driver
from zashiki.server.errors import Refused
from zashiki.server.log import Event, Kind
from zashiki.server.settings import TableSettings
from zashiki.server.table import Table

INSERT_TABLE, INSERT_EVENT, INSERT_PLAYER = (insert(table) for table in (schema.tables, schema.events, schema.players))
_HERE = schema.tables.c.id == bindparam("table")
TOUCH = update(schema.tables).values(updated_at=bindparam("at")).where(_HERE)
SET_STATUS = update(schema.tables).values(updated_at=bindparam("at"), status=bindparam("now")).where(_HERE)
_PLAYERS = schema.players.c
LEAVE = delete(schema.players).where(
    _PLAYERS.table_id == bindparam("table"),
    (_PLAYERS.seat == bindparam("place")) | (_PLAYERS.account_id == bindparam("account")),
)


@cache
def _compiled(dialect: str, statement: Any) -> tuple[str, tuple[str, ...]]:
    made = statement.compile(dialect=_DIALECTS[dialect])
    return str(made), tuple(made.positiontup)


_DIALECTS: dict[str, Any] = {}


def carry_out(connection: Connection, statement: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Executes a statement with values that need no conversion; its text is made once."""
    _DIALECTS.setdefault(connection.dialect.name, connection.dialect)
    text, names = _compiled(connection.dialect.name, statement)
    by_driver(connection, text, [tuple(row[name] for name in names) for row in rows])


def write_table(row: dict[str, Any], events: list[Event], connection: Connection) -> None:
    """A new table with its first events."""
    carry_out(connection, INSERT_TABLE, [row | {"settings": msgspec.json.encode(row["settings"]).decode()}])
    if events:
        carry_out(connection, INSERT_EVENT, [event._asdict() for event in events])
    accounts = [(event, event.content.get("account")) for event in events if event.kind == Kind.SIT]
    players = [{"table_id": event.table_id, "seat": event.seat, "account_id": who} for event, who in accounts if who]
    if players:
        carry_out(connection, INSERT_PLAYER, players)


def write_event(event: Event, connection: Connection) -> None:
    """The event, and what lists must know of it."""
    carry_out(connection, INSERT_EVENT, [event._asdict()])
    status = {Kind.START: "playing", Kind.CLOSE: "closed"}.get(Kind(event.kind))
    write_status(event.table_id, status, event.at, connection)
    if event.kind in (Kind.SIT, Kind.STAND):
        account = event.content.get("account") if event.detail else None
        carry_out(connection, LEAVE, [{"table": event.table_id, "place": event.seat, "account": account}])
        if account is not None:
            carry_out(connection, INSERT_PLAYER, [{"table_id": event.table_id, "seat": event.seat, "account_id": account}])


def write_status(table: str, status: str | None, at: int, connection: Connection) -> None:
    """When a table last changed, and its new status if it has one."""
    if status is None:
        carry_out(connection, TOUCH, [{"table": table, "at": at}])
    else:
        carry_out(connection, SET_STATUS, [{"table": table, "at": at, "now": status}])


def read_events(wanted: str, after: int, connection: Connection) -> list[Event]:
    """The log of a table after a number."""
    columns = schema.events
    query = select(columns).where(columns.c.table_id == wanted, columns.c.number > after).order_by(columns.c.number)
    return [Event(*row) for row in connection.execute(query)]


def read_table(wanted: str, connection: Connection) -> tuple[Table, str, int]:
    """A table rebuilt from its log, the status that lists show of it, and when that or its seats last changed."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == wanted)).mappings().one_or_none()
    if row is None:
        raise Refused("unknown table", "there is no such table")
    return folded(row, read_events(wanted, 0, connection)), row["status"], row["updated_at"]


def folded(row: Mapping[Any, Any], events: list[Event]) -> Table:
    """A table from its row and its log."""
    # Another version, before or beside this one, may know settings that we do not.
    known = {name: value for name, value in row["settings"].items() if name in TableSettings.__struct_fields__}
    settings = msgspec.convert(known, TableSettings)
    table = Table(row["id"], row["game"], row["seats"], settings, row["seed"], row["host_id"], row["created_at"])
    if row["rules"] != table.game.version:
        reason = f"this match was played by other rules of {table.game.title}; it can be exported, not shown"
        raise Refused("unknown table", reason)
    table.fold_all(events)
    return table
