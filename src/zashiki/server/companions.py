"""Companions: people who play at somebody else's device. Each has a seat and a name, and no way in but through the owner."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, func, insert, select

from zashiki.server.accounts import Account, Accounts, Identified, companions_of
from zashiki.server.claims import lock_account, take_name
from zashiki.server.errors import Refused
from zashiki.server.names import clean_name
from zashiki.server.schema import accounts
from zashiki.server.store import now_ms

MOST_COMPANIONS = 5


class CompanionInfo(msgspec.Struct, frozen=True):
    """Somebody who plays at my device."""

    id: int
    name: str
    created_at: int


class Companions:
    """The companions of people."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def create(self, owner: Identified, name: str) -> CompanionInfo:
        """One more; names may be shared as among guests."""
        cleaned, person = clean_name(name), owner.account.id

        def work(connection: Connection) -> CompanionInfo:
            lock_account(connection, person)
            if _count(connection, person) >= MOST_COMPANIONS:
                raise Refused("too many", f"a person has at most {MOST_COMPANIONS} companions; remove one first")
            return _new_companion(connection, person, cleaned)

        return await self._accounts.change(work)

    async def listed(self, owner: Identified) -> list[CompanionInfo]:
        """All of somebody's, in the order in which they came."""
        mine = select(accounts).where(*companions_of(owner.account.id)).order_by(accounts.c.id)
        rows = await self._accounts.store.read(lambda connection: connection.execute(mine).all())
        return [CompanionInfo(row.id, row.name, row.created_at) for row in rows]

    async def rename(self, owner: Identified, companion: int, name: str) -> CompanionInfo:
        """Gives one another name."""
        found = await self._mine(owner, companion)
        renamed = await self._accounts.rename(Account(companion, "guest", found.name), name)
        return msgspec.structs.replace(found, name=renamed.name)

    async def remove(self, owner: Identified, companion: int) -> None:
        """Erases one. What was played stays, without the name."""
        await self._mine(owner, companion)
        await self._accounts.erase(companion)

    async def _mine(self, owner: Identified, companion: int) -> CompanionInfo:
        for found in await self.listed(owner):
            if found.id == companion:
                return found
        raise Refused("not found", f"you have no companion {companion}")


def _count(connection: Connection, person: int) -> int:
    return connection.execute(select(func.count()).select_from(accounts).where(*companions_of(person))).scalar_one()


def _new_companion(connection: Connection, person: int, name: str) -> CompanionInfo:
    now = now_ms()
    row = {"kind": "guest", "name": name, "owner_id": person, "created_at": now, "seen_at": now}
    number: int = connection.execute(insert(accounts).values(row).returning(accounts.c.id)).scalar_one()
    take_name(connection, number, name, "guest")
    return CompanionInfo(number, name, now)
