"""A small world with accounts in it, for the tests about people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from argon2 import PasswordHasher

from zashiki.server.accounts import Account, Accounts, Identified
from zashiki.server.credentials import COOKIE
from zashiki.server.http.asking import Identity
from zashiki.server.limits import Limits
from zashiki.server.secrets import Secrets, new_secrets
from zashiki.server.settings import Settings
from zashiki.server.store import Store

T = TypeVar("T")
SECRETS: Secrets = new_secrets()
QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


class World(Identity):
    """One process of the server, as far as people are concerned."""

    def __init__(self, store: Store, settings: Settings) -> None:
        super().__init__(Accounts(store, SECRETS), Limits(store), settings, QUICK)
        self.store = store

    async def guest(self, name: str | None = None) -> tuple[Identified, str]:
        """A new guest, recognised, and the secret of the cookie."""
        account, secret = await self.accounts.guest("a test")
        if name:
            await self.accounts.rename(account, name)
        return await self.known(secret), secret

    async def person(self, name: str, password: str = "a fine password") -> tuple[Identified, str]:
        """A new person, signed in."""
        guest, _ = await self.guest()
        entered = await self.passwords.claim(guest, name, password, "a test")
        return await self.known(entered.secret), entered.secret

    async def known(self, secret: str) -> Identified:
        """Whose cookie this is."""
        found = await self.accounts.who(cookie(secret))
        assert found is not None
        return found

    def hearing(self) -> list[int]:
        """Which accounts are changed from now on."""
        told: list[int] = []

        async def hear(account: int) -> None:
            told.append(account)

        self.accounts.on_change = hear
        return told

    async def account(self, secret: str) -> Account:
        """The same, without the session."""
        return (await self.known(secret)).account


@asynccontextmanager
async def world(url: str, *, process: str = "one", listens: bool = False, public_url: str | None = None) -> AsyncIterator[World]:
    """A process on this database, for the length of a block."""
    store = Store(url, process=process)
    people = World(store, Settings(data=Path("/nowhere"), public_url=public_url))

    def hear(news: list[str]) -> None:
        for each in news:
            people.accounts.forget(int(each.partition(":")[2]) if each.startswith("account:") else None)

    store.open(hear if listens else None)
    try:
        yield people
    finally:
        await store.close()


def play(url: str, story: Callable[[World], Awaitable[T]]) -> T:
    """Runs a story in a new world."""

    async def main() -> T:
        async with world(url) as people:
            return await story(people)

    return asyncio.run(main())


def cookie(secret: str) -> list[tuple[bytes, bytes]]:
    return [(b"cookie", f"{COOKIE}={secret}".encode())]


def bearer(token: str) -> list[tuple[bytes, bytes]]:
    return [(b"authorization", f"Bearer {token}".encode())]
