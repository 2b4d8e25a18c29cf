"""Passwords: a name is claimed with one, and somebody signs in with it elsewhere."""

from __future__ import annotations

import asyncio
import base64
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, func, select, update

from zashiki.server.accounts import Accounts, Identified
from zashiki.server.claims import claim_name, lock_account
from zashiki.server.errors import Refused
from zashiki.server.names import clean_name, name_key
from zashiki.server.schema import accounts, passkeys
from zashiki.server.sessions import Entered, check_fresh, end_sessions, enter

SHORTEST, LONGEST = 8, 200
AT_ONCE = 2
"""Hashes computed at the same time; each takes 64 MB and a tenth of a second."""
MOST_WAITING = 50

T = TypeVar("T")


class Passwords:
    """Sets and checks passwords, in threads."""

    def __init__(self, accounts: Accounts, hasher: PasswordHasher | None = None) -> None:
        self._accounts = accounts
        self._hasher = hasher or PasswordHasher()
        self._nobodys = _nobodys_hash(self._hasher)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def claim(self, identified: Identified, name: str, password: str, agent: str) -> Entered:
        """A guest takes a name and a password, and keeps seats and matches: the account is the same, the session is new."""
        if identified.account.kind != "guest":
            raise Refused("forbidden", "you have claimed a name already; you may change it")
        cleaned, account = clean_name(name), identified.account.id
        hashed = await self._hash(_checked(password, cleaned))

        def work(connection: Connection) -> tuple[list[int], Entered]:
            evicted = claim_name(connection, account, cleaned)
            connection.execute(update(accounts).where(accounts.c.id == account).values(password=hashed))
            return evicted, enter(connection, account, identified, agent, leave=True)

        evicted, entered = await self._accounts.change(work, account)
        await self._accounts.announce(evicted)
        return entered

    async def change(self, identified: Identified, password: str, current: str | None, agent: str) -> Entered:
        """Another password, for whoever knows the current one or has just signed in. All other sessions end."""
        if identified.account.kind != "person":
            raise Refused("forbidden", "only somebody with a claimed name has a password")
        account = identified.account.id
        if current is None:
            check_fresh(identified)
        else:
            await self._check(await self._hash_of(account), current)
        hashed = await self._hash(_checked(password, identified.account.name))

        def work(connection: Connection) -> Entered:
            connection.execute(update(accounts).where(accounts.c.id == account).values(password=hashed))
            end_sessions(connection, account)
            return enter(connection, account, identified, agent, leave=True)

        return await self._accounts.change(work, account)

    async def remove(self, identified: Identified) -> None:
        """Signs in with passkeys only from now on."""
        check_fresh(identified)
        account = identified.account.id

        def work(connection: Connection) -> None:
            lock_account(connection, account)
            keys = select(func.count()).select_from(passkeys).where(passkeys.c.account_id == account)
            if not connection.execute(keys).scalar_one():
                raise Refused("last way in", "without a passkey the password is your only way in; add a passkey first")
            connection.execute(update(accounts).where(accounts.c.id == account).values(password=None))

        await self._accounts.change(work, account)

    async def sign_in(self, name: str, password: str, asker: Identified | None, agent: str, *, leave: bool = False) -> Entered:
        """Signs in by name and password. A name that nobody has takes as long to refuse as a wrong password."""
        query = select(accounts.c.id, accounts.c.password).where(
            accounts.c.name_key == name_key(name), accounts.c.kind == "person"
        )
        row = await self._accounts.store.read(lambda connection: connection.execute(query).one_or_none())
        old = row.password if row else None
        await self._check(old, password)
        assert row is not None
        new = await self._hash(_normal(password)) if self._hasher.check_needs_rehash(row.password) else old

        def work(connection: Connection) -> Entered:
            same = (accounts.c.id == row.id) & (accounts.c.password == old)
            if not connection.execute(update(accounts).where(same).values(password=new)).rowcount:
                raise _wrong()
            return enter(connection, row.id, asker, agent, leave=leave)

        return await self._accounts.change(work, row.id, *([asker.account.id] if asker else []))

    async def _check(self, hashed: str | None, password: str) -> None:
        right = await self._in_turn(self._is_right, hashed or self._nobodys, _normal(password[:LONGEST]))
        if not right or hashed is None:
            raise _wrong()

    def _is_right(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _hash(self, password: str) -> str:
        return await self._in_turn(self._hasher.hash, password)

    async def _in_turn(self, function: Callable[..., T], *arguments: str) -> T:
        if self._waiting >= MOST_WAITING:
            raise Refused("unavailable", "too many people sign in just now; come again in a moment", retry_after_ms=3000)
        self._waiting += 1
        try:
            async with self._room:
                return await asyncio.to_thread(function, *arguments)
        finally:
            self._waiting -= 1

    async def _hash_of(self, account: int) -> str | None:
        query = select(accounts.c.password).where(accounts.c.id == account)
        found: str | None = await self._accounts.store.read(lambda connection: connection.execute(query).scalar_one())
        return found


def _checked(password: str, name: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refused("malformed", f"a password has {SHORTEST} to {LONGEST} characters")
    if len(set(password)) < 4 or name_key(password) == name_key(name):
        raise Refused("malformed", "anybody could guess this password; choose one that is not your name and not one key")
    return _normal(password)


def _normal(password: str) -> str:
    """However a keyboard composes its accents."""
    return unicodedata.normalize("NFKC", password)


def _nobodys_hash(hasher: PasswordHasher) -> str:
    """A hash that no password has, as slow to check as the others."""
    salt, hashed = (base64.b64encode(bytes(size)).rstrip(b"=").decode() for size in (hasher.salt_len, hasher.hash_len))
    return f"$argon2id$v=19$m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}${salt}${hashed}"


def _wrong() -> Refused:
    return Refused("wrong credentials", "there is nobody of that name with that password")
