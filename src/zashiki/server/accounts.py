"""Who somebody is: guests, people with a claimed name, and programs."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, insert, null, select, update

from zashiki.server.claims import free_guest_name, rename
from zashiki.server.credentials import Headers, bearer_token, cookie_secret, digest, new_secret
from zashiki.server.errors import Refused
from zashiki.server.names import clean_name, name_key
from zashiki.server.personal import PersonalData, blank_seats, erase, personal_data, seats_taken
from zashiki.server.schema import accounts, mutes, sessions, tokens
from zashiki.server.secrets import Secrets
from zashiki.server.store import Store, now_ms

T = TypeVar("T")
Finding = Callable[[bytes], Select[Any]]

REMEMBERED = 10_000
REMEMBERED_MS = 60_000
"""How long an account is believed to be as it was; other processes also say when it changes."""
SEEN_EVERY_MS = 5 * 60_000
SESSION_MS = 400 * 86_400_000
"""A session that nobody used for so long is over. Browsers keep no cookie longer."""


NOBODY: frozenset[int] = frozenset()


class Account(msgspec.Struct, frozen=True):
    """Somebody at the server. A guest has a name that others may have too; a person has claimed one; a bot is a program.

    A companion is a guest who plays at the device of another, its owner: `companion_of`.
    """

    id: int
    kind: Literal["guest", "person", "bot"]
    name: str
    muted: frozenset[int] = NOBODY
    companion_of: int | None = None

    @property
    def answerable(self) -> int:
        """Whom limits count for: a companion's owner, otherwise the account itself."""
        return self.id if self.companion_of is None else self.companion_of


class Identified(msgspec.Struct, frozen=True):
    """An account and how it was recognised: by a session, begun at `since`, or by a token."""

    account: Account
    session: int | None
    token: int | None
    since: int


class _Known(msgspec.Struct):
    """What is remembered of somebody who was here a moment ago."""

    identified: Identified
    owner: int | None
    banned: tuple[int, str] | None
    seen_at: int
    believed_until: int
    learned: int = 0
    """How many changes there had been before it was read."""


class Accounts:
    """All accounts.

    `on_change` hears of every account that this process has changed, and is waited for; `on_rewrite` of every table's log.
    """

    def __init__(self, store: Store, secrets: Secrets) -> None:
        self.store = store
        self.secrets = secrets
        self.on_change: Callable[[int], Awaitable[None]] = _to_nobody
        self.on_rewrite: Callable[[str], None] = lambda table: None
        self._known: OrderedDict[tuple[Finding, bytes], _Known] = OrderedDict()
        self._changes = self._all_changed = 0
        self._changed: dict[int, int] = {}

    async def guest(self, agent: str) -> tuple[Account, str]:
        """A new guest, and the secret for the cookie."""
        return await self.store.write_apart(lambda connection: _new_guest(connection, agent))

    async def identify(self, headers: Headers) -> Account | None:
        """Whose cookie or token this is; nobody's if there is none or the session is over. A wrong token is refused."""
        identified = await self.who(headers)
        return None if identified is None else identified.account

    async def who(self, headers: Headers) -> Identified | None:
        """The same, with the session or token."""
        token = bearer_token(headers)
        if token is not None:
            known = await self._recognise(_find_token, digest(token))
            if known is None:
                raise Refused("unauthorized", "no such token; `Authorization: Bearer …` needs one that was not revoked")
            return known
        secret = cookie_secret(headers)
        return None if secret is None else await self._recognise(_find_session, digest(secret))

    async def again(self, identified: Identified) -> Identified | None:
        """The same account as it is now; nobody if the session or token has ended."""
        query = (
            _TOKEN.where(tokens.c.id == identified.token)
            if identified.token
            else _SESSION.where(sessions.c.id == identified.session)
        )
        known = await self.store.read(lambda connection: _look_up(connection, query))
        if known is None:
            return None
        found = _unless_banned(known)
        return found if identified.account.companion_of is None else await self._find_companion(found, identified.account.id)

    async def companion(self, owner: Identified, companion: int) -> Identified:
        """A companion, for whom only its owner asks; it is recognised by the owner's session."""
        found = await self._find_companion(owner, companion)
        if found is None:
            raise Refused("forbidden", f"you have no companion {companion}; GET /api/me/companions names yours")
        return found

    async def _find_companion(self, owner: Identified, companion: int) -> Identified | None:
        account = await self.store.read(lambda connection: _load_companion(connection, owner.account, companion))
        return None if account is None else msgspec.structs.replace(owner, account=account)

    async def get(self, account: int) -> Account | None:
        """The account of that number."""
        return await self.store.read(lambda connection: load_account(connection, account))

    def forget(self, account: int | None = None) -> None:
        """Believes no more what it knew of an account and its programs, or of all: something has changed."""
        self._changes += 1
        if account is None or len(self._changed) >= REMEMBERED:
            self._all_changed = self._changes
            self._changed.clear()
            self._known.clear()
        else:
            self._changed[account] = self._changes

    async def change(self, work: Callable[[Connection], T], *changed: int) -> T:
        """Writes, and tells everybody which accounts are not as they were."""
        result = await self.store.write_apart(work, [f"account:{account}" for account in changed])
        await self._tell(changed)
        return result

    async def rename(self, account: Account, name: str) -> Account:
        """Gives another name: a guest any that is not claimed, others one that nobody has."""
        cleaned = clean_name(name)
        evicted = await self.change(lambda connection: rename(connection, account.id, cleaned), account.id)
        await self.announce(evicted)
        return msgspec.structs.replace(account, name=cleaned)

    async def announce(self, changed: list[int]) -> None:
        """Tells everybody of accounts that were changed by the way."""
        if changed:
            await self.change(lambda connection: None, *changed)

    async def erase(self, account: int) -> None:
        """Erases the personal data of an account, and of its programs and companions."""
        erased = await self.change(lambda connection: erase(connection, account), account)
        lines = await self.store.read(lambda connection: seats_taken(connection, erased))
        if lines:
            tables = {line["of"] for line in lines}
            await self.store.write_apart(lambda connection: blank_seats(connection, lines), [f"rewritten:{it}" for it in tables])
            for table in tables:
                self.on_rewrite(table)
        await self.announce(erased)

    async def export(self, account: int) -> PersonalData:
        """A copy of everything that is known about an account."""
        return await self.store.read(lambda connection: personal_data(connection, account))

    async def ban(self, account: int, until: int, reason: str) -> None:
        """Keeps an account, its programs and its companions out until that moment."""
        await self._set(account, banned_until=until, ban_reason=reason)

    async def unban(self, account: int) -> None:
        """Lets it in again."""
        await self._set(account, banned_until=None, ban_reason=None)

    async def _set(self, account: int, **values: Any) -> None:
        changing = update(accounts).where(accounts.c.id == account).values(**values)
        theirs = select(accounts.c.id).where(accounts.c.owner_id == account, accounts.c.erased_at.is_(None))
        owned = await self.store.read(lambda connection: connection.execute(theirs).scalars().all())
        if not await self.change(lambda connection: connection.execute(changing).rowcount, account, *owned):
            raise Refused("not found", f"there is no account {account}")

    async def _tell(self, changed: tuple[int, ...]) -> None:
        for account in changed:
            self.forget(account)
        await asyncio.gather(*(self.on_change(account) for account in changed))

    async def _recognise(self, find: Finding, hashed: bytes) -> Identified | None:
        known = self._known.get((find, hashed))
        if known is None or not self._is_good(known):
            known = await self._learn(find, hashed)
        if known is None:
            return None
        identified = _unless_banned(known)
        await self._see(known)
        return identified

    def _is_good(self, known: _Known) -> bool:
        changed = self._changed.get
        last = max(self._all_changed, changed(known.identified.account.id, 0), changed(known.owner or 0, 0))
        return known.learned >= last and known.believed_until >= now_ms()

    def tidy(self) -> None:
        """Forgets those who were not here for so long that they would be looked up again anyway."""
        now = now_ms()
        while self._known and next(iter(self._known.values())).believed_until < now:
            self._known.popitem(last=False)

    async def _learn(self, find: Finding, hashed: bytes) -> _Known | None:
        # Counted before reading: what changes meanwhile may be missing in what we read.
        learned = self._changes
        known = await self.store.read(lambda connection: _look_up(connection, find(hashed)))
        self._known.pop((find, hashed), None)
        if known is not None:
            known.learned = learned
            self._known[find, hashed] = known
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return known

    async def _see(self, known: _Known) -> None:
        now = now_ms()
        if now - known.seen_at < SEEN_EVERY_MS:
            return
        known.seen_at = now
        with suppress(Refused):  # not worth refusing anything for
            await self.store.write_apart(lambda connection: _note_seen(connection, known.identified, now))


async def _to_nobody(account: int) -> None:
    """Nobody wants to hear of changes."""


def check_ban(row: Row[Any]) -> None:
    """Refuses a banned account."""
    if row.banned_until is not None and row.banned_until > now_ms():
        raise _banned(row.banned_until, row.ban_reason or "")


def load_account(connection: Connection, account: int) -> Account | None:
    """The account of that number, with whom it has muted."""
    row = connection.execute(select(accounts).where(accounts.c.id == account)).one_or_none()
    return None if row is None else Account(row.id, row.kind, row.name, _muted(connection, account))


def companions_of(owner: int) -> tuple[ColumnElement[bool], ...]:
    """Which accounts are somebody's companions."""
    return accounts.c.owner_id == owner, accounts.c.kind == "guest", accounts.c.erased_at.is_(None)


def _load_companion(connection: Connection, owner: Account, companion: int) -> Account | None:
    row = connection.execute(select(accounts).where(accounts.c.id == companion, *companions_of(owner.id))).one_or_none()
    if row is None:
        return None
    check_ban(row)
    # At one device everybody hears the same.
    return Account(row.id, row.kind, row.name, owner.muted, owner.id)


def _new_guest(connection: Connection, agent: str) -> tuple[Account, str]:
    secret, now, name = new_secret(), now_ms(), free_guest_name(connection)
    values = {"kind": "guest", "name": name, "name_key": name_key(name), "created_at": now, "seen_at": now}
    number: int = connection.execute(insert(accounts).values(values).returning(accounts.c.id)).scalar_one()
    session = {"account_id": number, "hash": digest(secret), "agent": agent, "created_at": now, "seen_at": now}
    connection.execute(insert(sessions).values(session))
    return Account(number, "guest", name), secret


_OWNER = accounts.alias("owner")
_PERSON: tuple[ColumnElement[Any], ...] = (
    accounts.c.id,
    accounts.c.kind,
    accounts.c.name,
    accounts.c.owner_id,
    accounts.c.banned_until,
    accounts.c.ban_reason,
    _OWNER.c.banned_until.label("owner_banned_until"),
    _OWNER.c.ban_reason.label("owner_ban_reason"),
)
_FROM = accounts.outerjoin(_OWNER, _OWNER.c.id == accounts.c.owner_id)
_SESSION = select(
    *_PERSON, sessions.c.id.label("session"), null().label("token"), sessions.c.created_at.label("since"), sessions.c.seen_at
).select_from(_FROM.join(sessions, sessions.c.account_id == accounts.c.id))
_TOKEN = select(
    *_PERSON, null().label("session"), tokens.c.id.label("token"), tokens.c.created_at.label("since"), tokens.c.seen_at
).select_from(_FROM.join(tokens, tokens.c.account_id == accounts.c.id))


def _find_session(hashed: bytes) -> Select[Any]:
    return _SESSION.where(sessions.c.hash == hashed, sessions.c.seen_at > now_ms() - SESSION_MS)


def _find_token(hashed: bytes) -> Select[Any]:
    return _TOKEN.where(tokens.c.hash == hashed)


def _look_up(connection: Connection, query: Select[Any]) -> _Known | None:
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    account = Account(row.id, row.kind, row.name, _muted(connection, row.id))
    bans = [(row.banned_until, row.ban_reason), (row.owner_banned_until, row.owner_ban_reason)]
    return _Known(
        identified=Identified(account, row.session, row.token, row.since),
        owner=row.owner_id,
        banned=max(((until, reason or "") for until, reason in bans if until is not None), default=None),
        seen_at=row.seen_at or 0,
        believed_until=now_ms() + REMEMBERED_MS,
    )


def _muted(connection: Connection, account: int) -> frozenset[int]:
    found = frozenset(connection.execute(select(mutes.c.muted_id).where(mutes.c.account_id == account)).scalars())
    return found or NOBODY  # The same for thousands of people.


def _unless_banned(known: _Known) -> Identified:
    if known.banned is not None and known.banned[0] > now_ms():
        raise _banned(*known.banned)
    return known.identified


def _banned(until: int, reason: str) -> Refused:
    when = datetime.fromtimestamp(min(until, 253_402_300_799_000) / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Refused("banned", f"this account is kept out until {when}{f': {reason}' if reason else ''}")


def _note_seen(connection: Connection, identified: Identified, now: int) -> None:
    connection.execute(update(accounts).where(accounts.c.id == identified.account.id).values(seen_at=now))
    if identified.session:
        connection.execute(update(sessions).where(sessions.c.id == identified.session).values(seen_at=now))
    else:
        connection.execute(update(tokens).where(tokens.c.id == identified.token).values(seen_at=now))
