"""The statements of every moment at a table: their texts are made once, and the driver itself carries them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, update

from zashiki.server import schema
from zashiki.server.engine import by_driver

INSERT_TABLE, INSERT_EVENT, INSERT_PLAYER = (insert(table) for table in (schema.tables, schema.events, schema.players))
_HERE = schema.tables.c.id == bindparam("table")
TOUCH = update(schema.tables).values(updated_at=bindparam("at")).where(_HERE)
SET_STATUS = update(schema.tables).values(updated_at=bindparam("at"), status=bindparam("now")).where(_HERE)
_PLAYERS = schema.players.c
LEAVE = delete(schema.players).where(
    _PLAYERS.table_id == bindparam("table"),
    (_PLAYERS.seat == bindparam("place")) | (_PLAYERS.account_id == bindparam("account")),
)
ORDER = (INSERT_TABLE, INSERT_EVENT, TOUCH, SET_STATUS, LEAVE, INSERT_PLAYER)
"""Rows come after those that they refer to, and whoever sits down leaves the old seat first."""

Row = tuple[Any, ...]
Beside = tuple[Any, dict[str, Any]]
"""A statement and its values, to be carried out together with an event."""


class Text(NamedTuple):
    """A statement as a driver takes it, and which values it wants in which order."""

    text: str
    names: tuple[str, ...]

    def row(self, values: dict[str, Any]) -> Row:
        """The values as the driver takes them."""
        return tuple([values[name] for name in self.names])


_DIALECTS: dict[str, Any] = {}


def text_of(dialect: Any, statement: Any) -> Text:
    """A statement in the words of a database."""
    _DIALECTS.setdefault(dialect.name, dialect)
    return _text(dialect.name, statement)


@cache
def _text(dialect: str, statement: Any) -> Text:
    made = statement.compile(dialect=_DIALECTS[dialect])
    return Text(str(made), tuple(made.positiontup))


def gathered(dialect: Any, beside: Iterable[Beside], events: Sequence[Row] = ()) -> list[tuple[Any, list[Row]]]:
    """Statements with all their rows, in the order in which they must be carried out; `events` are rows already."""
    found: dict[Any, list[Row]] = {INSERT_EVENT: list(events)} if events else {}
    for statement, values in beside:
        found.setdefault(statement, []).append(text_of(dialect, statement).row(values))
    return [(statement, found[statement]) for statement in ORDER if statement in found]


def carry_out(connection: Connection, beside: Iterable[Beside], events: Sequence[Row] = ()) -> None:
    """Executes statements with values that need no conversion."""
    for statement, rows in gathered(connection.dialect, beside, events):
        by_driver(connection, text_of(connection.dialect, statement).text, rows)
