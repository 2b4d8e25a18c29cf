"""Who bears which name: a claimed one belongs to one account, and no guest bears it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, select, text, update

from zashiki.server.errors import Refused
from zashiki.server.names import guest_name, name_key
from zashiki.server.schema import accounts


def claim_name(connection: Connection, account: int, name: str) -> list[int]:
    """Makes a guest a person of that name; returns the guests who had to give it up."""
    if lock_account(connection, account).kind != "guest":
        raise Refused("forbidden", "you have claimed a name already; you may change it")
    return take_name(connection, account, name, "person")


def rename(connection: Connection, account: int, name: str) -> list[int]:
    """Gives an account another name; returns the guests who had to give it up."""
    return take_name(connection, account, name, lock_account(connection, account).kind)


def take_name(connection: Connection, account: int, name: str, kind: str) -> list[int]:
    """Names an account. Of a claimed name there is one: guests who bear it get another; these are returned."""
    key = name_key(name)
    _lock_name(connection, key)
    if connection.execute(_claimed(key).where(accounts.c.id != account)).first():
        raise Refused("name taken", f"{name}, or a name that looks like it, belongs to somebody else; choose another one")
    connection.execute(update(accounts).where(accounts.c.id == account).values(kind=kind, name=name, name_key=key))
    return [] if kind == "guest" else _evict_guests(connection, key)


def lock_account(connection: Connection, account: int) -> Row[Any]:
    """The account's row, kept from other writers until the transaction ends: counts of what it has stay true."""
    row = connection.execute(select(accounts).where(accounts.c.id == account).with_for_update(key_share=True)).one_or_none()
    if row is None or row.erased_at is not None:
        raise Refused("not found", f"there is no account {account}")
    return row


def free_guest_name(connection: Connection) -> str:
    """A name that nobody has claimed."""
    while True:
        name = guest_name()
        if not connection.execute(_claimed(name_key(name))).first():
            return name


def _claimed(key: str) -> Select[tuple[int]]:
    return select(accounts.c.id).where(accounts.c.name_key == key, accounts.c.kind != "guest")


def _lock_name(connection: Connection, key: str) -> None:
    """Lets one at a time take this name; SQLite has one writer anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(4711, hashtext(:key))"), {"key": key})


def _evict_guests(connection: Connection, key: str) -> list[int]:
    bearers = select(accounts.c.id).where(accounts.c.name_key == key, accounts.c.kind == "guest").order_by(accounts.c.id)
    guests = list(connection.execute(bearers).scalars())
    for guest in guests:
        name = free_guest_name(connection)
        connection.execute(update(accounts).where(accounts.c.id == guest).values(name=name, name_key=name_key(name)))
    return guests
