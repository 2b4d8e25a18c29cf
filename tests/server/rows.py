"""Rows for tests: accounts, tables and events with whatever matters in a test, and the rest as it usually is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection

from zashiki.server import schema
from zashiki.server.engine import engine
from zashiki.server.log import Event, Kind
from zashiki.server.settings import TableSettings

T = TypeVar("T")
NOON = 1_800_000_000_000


def committed(url: str, work: Callable[[Connection], T]) -> T:
    """What `work` gives, in a transaction of its own."""
    made = engine(url, writing=True)
    try:
        with made.begin() as connection:
            return work(connection)
    finally:
        made.dispose()


def account(connection: Connection, name: str = "Aki", **columns: Any) -> int:
    """Adds an account; its number."""
    row = {"kind": "guest", "name": name, "created_at": NOON, "seen_at": NOON} | columns
    number: int = connection.execute(schema.accounts.insert().returning(schema.accounts.c.id), row).scalar_one()
    return number


def table(connection: Connection, host: int, name: str = "t", **columns: Any) -> str:
    """Adds a table; its name filled up to the length of a real one."""
    row = {
        "id": name.ljust(16, "-"),
        "game": "hanamikoji",
        "rules": 1,
        "seats": 2,
        "settings": msgspec.to_builtins(TableSettings()),
        "seed": "0" * 31 + "7",
        "listed": True,
        "status": "playing",
        "host_id": host,
        "created_at": NOON,
        "updated_at": NOON,
    }
    row |= columns
    connection.execute(schema.tables.insert(), row)
    return str(row["id"])


def event(table_id: str, number: int, kind: Kind = Kind.ACT, **fields: Any) -> Event:
    """An event; `detail` as what it says."""
    if fields.get("detail") is not None:
        fields["detail"] = msgspec.json.encode(fields["detail"]).decode()
    empty: dict[str, Any] = dict.fromkeys(("seat", "action", "due", "account_id", "request", "detail"))
    return Event(table_id=table_id, number=number, kind=int(kind), **(empty | {"at": NOON, "ticks": NOON} | fields))


def lay(url: str, *names: str) -> list[str]:
    """Adds one table for each name, all of one host."""

    def work(connection: Connection) -> list[str]:
        host = account(connection)
        return [table(connection, host, name) for name in names]

    return committed(url, work)
