"""Recovery codes: ten words on paper, each good for signing in once when everything else is lost."""

from __future__ import annotations

from secrets import choice

from sqlalchemy import Connection, delete, func, insert, select, update

from zashiki.server.accounts import Accounts, Identified
from zashiki.server.claims import lock_account
from zashiki.server.credentials import digest
from zashiki.server.errors import Refused
from zashiki.server.names import name_key
from zashiki.server.schema import accounts, recovery_codes
from zashiki.server.sessions import Entered, check_fresh, enter
from zashiki.server.store import now_ms

CODES = 10
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""No letter that looks like a digit."""
GROUPS, GROUP = 4, 4


class Recovery:
    """Makes and takes recovery codes."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def renew(self, identified: Identified) -> list[str]:
        """New codes, to be shown once; those before are good no more."""
        if identified.account.kind != "person":
            raise Refused("forbidden", "recovery codes are for a claimed name; claim yours first")
        check_fresh(identified)
        account = identified.account.id
        codes = [_new_code() for _ in range(CODES)]

        def work(connection: Connection) -> None:
            lock_account(connection, account)
            connection.execute(delete(recovery_codes).where(recovery_codes.c.account_id == account))
            connection.execute(insert(recovery_codes), [{"hash": _hash(code), "account_id": account} for code in codes])

        await self._accounts.change(work, account)
        return codes

    async def left(self, account: int) -> int:
        """How many are not used yet."""
        unused = recovery_codes.c.account_id == account, recovery_codes.c.used_at.is_(None)
        query = select(func.count()).select_from(recovery_codes).where(*unused)
        return await self._accounts.store.read(lambda connection: connection.execute(query).scalar_one())

    async def sign_in(self, name: str, code: str, asker: Identified | None, agent: str, *, leave: bool = False) -> Entered:
        """Signs in by name and code, and crosses the code out."""
        owner = select(recovery_codes.c.account_id).join(accounts)
        fits = recovery_codes.c.hash == _hash(code), accounts.c.name_key == name_key(name), accounts.c.kind == "person"
        account = await self._accounts.store.read(lambda connection: connection.execute(owner.where(*fits)).scalar())
        if account is None:
            raise _wrong()

        def work(connection: Connection) -> Entered:
            unused = recovery_codes.c.hash == _hash(code), recovery_codes.c.used_at.is_(None)
            if not connection.execute(update(recovery_codes).where(*unused).values(used_at=now_ms())).rowcount:
                raise _wrong()
            return enter(connection, account, asker, agent, leave=leave)

        return await self._accounts.change(work, account, *([asker.account.id] if asker else []))


def _new_code() -> str:
    return "-".join("".join(choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))


def _hash(code: str) -> bytes:
    """However somebody types it."""
    letters = code.lower().replace("o", "0").replace("i", "1").replace("l", "1")
    return digest("recovery " + "".join(letter for letter in letters if letter in ALPHABET))


def _wrong() -> Refused:
    return Refused("wrong credentials", "there is nobody of that name with that unused code")
