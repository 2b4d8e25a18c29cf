"""Whom somebody does not want to hear."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from zashiki.server.accounts import Account, Accounts
from zashiki.server.claims import lock_account
from zashiki.server.errors import Refused
from zashiki.server.schema import accounts, mutes

MOST_MUTED = 500


class MutedInfo(msgspec.Struct, frozen=True):
    """Somebody who is not heard."""

    account: int
    name: str


class Mutes:
    """Adds to and takes from somebody's list."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def listed(self, reader: Account) -> list[MutedInfo]:
        """Whom the reader does not hear."""
        query = select(accounts.c.id, accounts.c.name).join(mutes, mutes.c.muted_id == accounts.c.id)
        mine = query.where(mutes.c.account_id == reader.id).order_by(accounts.c.id)
        rows = await self._accounts.store.read(lambda connection: connection.execute(mine).all())
        return [MutedInfo(row.id, row.name) for row in rows]

    async def add(self, reader: Account, muted: int) -> None:
        """Hears somebody no more. Twice is once."""
        if muted == reader.id:
            raise Refused("malformed", "you cannot mute yourself")
        await self._accounts.change(lambda connection: _add(connection, reader.id, muted), reader.id)

    async def remove(self, reader: Account, muted: int) -> None:
        """Hears somebody again."""
        gone = delete(mutes).where(mutes.c.account_id == reader.id, mutes.c.muted_id == muted)
        await self._accounts.change(lambda connection: connection.execute(gone).rowcount, reader.id)


def _add(connection: Connection, reader: int, muted: int) -> None:
    lock_account(connection, reader)
    if not connection.execute(select(accounts.c.id).where(accounts.c.id == muted)).first():
        raise Refused("not found", f"there is no account {muted}")
    mine = mutes.c.account_id == reader
    if connection.execute(select(mutes).where(mine, mutes.c.muted_id == muted)).first():
        return
    if connection.execute(select(func.count()).select_from(mutes).where(mine)).scalar_one() >= MOST_MUTED:
        raise Refused("too many", f"you can mute {MOST_MUTED} people at most; unmute somebody first")
    connection.execute(insert(mutes).values(account_id=reader, muted_id=muted))
