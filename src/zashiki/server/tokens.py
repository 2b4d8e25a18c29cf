"""Programs: bot accounts that a person owns, and the tokens that act for them."""

from __future__ import annotations

from collections import defaultdict

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from zashiki.server.accounts import Accounts, Identified
from zashiki.server.claims import lock_account, take_name
from zashiki.server.credentials import TOKEN_PREFIX, digest, new_secret
from zashiki.server.errors import Refused
from zashiki.server.names import clean_label, clean_name
from zashiki.server.schema import accounts, tokens
from zashiki.server.store import now_ms

MOST_BOTS = 10
MOST_TOKENS = 10


class TokenInfo(msgspec.Struct, frozen=True):
    """A token in a list; what it is was shown once and is not known any more."""

    id: int
    label: str
    created_at: int
    seen_at: int | None


class NewToken(msgspec.Struct, frozen=True):
    """A token, shown this once."""

    id: int
    token: str


class BotInfo(msgspec.Struct, frozen=True):
    """A bot account and its tokens."""

    id: int
    name: str
    created_at: int
    tokens: list[TokenInfo]


class Programs:
    """The programs of people."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def create(self, owner: Identified, name: str) -> BotInfo:
        """A new bot account with a name of its own."""
        _check_person(owner)
        cleaned, person = clean_name(name), owner.account.id

        def work(connection: Connection) -> tuple[BotInfo, list[int]]:
            lock_account(connection, person)
            if _count_bots(connection, person) >= MOST_BOTS:
                raise Refused("too many", f"a person has at most {MOST_BOTS} bots; remove one first")
            return _new_bot(connection, person, cleaned)

        bot, evicted = await self._accounts.change(work)
        await self._accounts.announce(evicted)
        return bot

    async def listed(self, owner: Identified) -> list[BotInfo]:
        """All bots of a person."""
        person = owner.account.id
        bots = select(accounts).where(*_bots_of(person)).order_by(accounts.c.id)
        theirs = select(tokens).join(accounts).where(accounts.c.owner_id == person).order_by(tokens.c.id)

        def work(connection: Connection) -> list[BotInfo]:
            found: defaultdict[int, list[TokenInfo]] = defaultdict(list)
            for row in connection.execute(theirs):
                found[row.account_id].append(TokenInfo(row.id, row.label, row.created_at, row.seen_at))
            return [BotInfo(row.id, row.name, row.created_at, found[row.id]) for row in connection.execute(bots)]

        return await self._accounts.store.read(work)

    async def remove(self, owner: Identified, bot: int) -> None:
        """Ends a bot: its tokens, its name. What it played stays."""
        await self._accounts.store.read(lambda connection: _check_owner(connection, owner, bot))
        await self._accounts.erase(bot)

    async def new_token(self, owner: Identified, bot: int, label: str) -> NewToken:
        """One more token for a bot."""
        token = TOKEN_PREFIX + new_secret()

        def work(connection: Connection) -> int:
            _check_owner(connection, owner, bot)
            lock_account(connection, bot)
            if _count_tokens(connection, bot) >= MOST_TOKENS:
                raise Refused("too many", f"a bot has at most {MOST_TOKENS} tokens; revoke one first")
            row = {"account_id": bot, "hash": digest(token), "label": clean_label(label), "created_at": now_ms()}
            number: int = connection.execute(insert(tokens).values(row).returning(tokens.c.id)).scalar_one()
            return number

        return NewToken(await self._accounts.change(work), token)

    async def revoke(self, owner: Identified, bot: int, token: int) -> None:
        """A token is good no more, at once."""

        def work(connection: Connection) -> None:
            _check_owner(connection, owner, bot)
            if not connection.execute(delete(tokens).where(tokens.c.account_id == bot, tokens.c.id == token)).rowcount:
                raise Refused("not found", f"this bot has no token {token}")

        await self._accounts.change(work, bot)


def _bots_of(owner: int) -> tuple[ColumnElement[bool], ...]:
    return accounts.c.owner_id == owner, accounts.c.kind == "bot", accounts.c.erased_at.is_(None)


def _check_person(owner: Identified) -> None:
    if owner.account.kind != "person":
        raise Refused("forbidden", "bots belong to people with a claimed name; claim yours first")


def _check_owner(connection: Connection, owner: Identified, bot: int) -> None:
    mine = select(accounts.c.id).where(accounts.c.id == bot, *_bots_of(owner.account.id))
    if not connection.execute(mine).first():
        raise Refused("not found", f"you have no bot {bot}")


def _count_bots(connection: Connection, person: int) -> int:
    return connection.execute(select(func.count()).select_from(accounts).where(*_bots_of(person))).scalar_one()


def _count_tokens(connection: Connection, bot: int) -> int:
    return connection.execute(select(func.count()).select_from(tokens).where(tokens.c.account_id == bot)).scalar_one()


def _new_bot(connection: Connection, person: int, name: str) -> tuple[BotInfo, list[int]]:
    now = now_ms()
    row = {"kind": "bot", "name": name, "owner_id": person, "created_at": now, "seen_at": now}
    number: int = connection.execute(insert(accounts).values(row).returning(accounts.c.id)).scalar_one()
    evicted = take_name(connection, number, name, "bot")
    return BotInfo(number, name, now, []), evicted
