"""Sessions: the browsers in which somebody is signed in."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, or_, select

from zashiki.server.accounts import SESSION_MS, Accounts, Identified, check_ban, companions_of
from zashiki.server.claims import lock_account
from zashiki.server.credentials import digest, new_secret
from zashiki.server.errors import Refused
from zashiki.server.schema import accounts, players, sessions, tables
from zashiki.server.store import now_ms

MOST_SESSIONS = 50
FRESH_MS = 30 * 60_000
"""How long after signing in somebody may change how to sign in."""


class SessionInfo(msgspec.Struct, frozen=True):
    """A session in a list; `current`: the one that asks."""

    id: int
    agent: str
    created_at: int
    seen_at: int
    current: bool


class Entered(msgspec.Struct, frozen=True):
    """Somebody has just signed in: the account, and the secret of the new session."""

    account: int
    secret: str


class Sessions:
    """Somebody's sessions, seen from one of them."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def listed(self, identified: Identified) -> list[SessionInfo]:
        """All of them, the latest first."""
        mine = select(sessions).where(sessions.c.account_id == identified.account.id).order_by(sessions.c.seen_at.desc())
        rows = await self._accounts.store.read(lambda connection: connection.execute(mine).all())
        return [SessionInfo(row.id, row.agent, row.created_at, row.seen_at, row.id == identified.session) for row in rows]

    async def end(self, identified: Identified, session: int) -> None:
        """Ends one."""
        mine = (sessions.c.account_id == identified.account.id) & (sessions.c.id == session)
        ended = await self._accounts.change(lambda it: it.execute(delete(sessions).where(mine)).rowcount, identified.account.id)
        if not ended:
            raise Refused("not found", f"there is no session {session} of yours")

    async def end_others(self, identified: Identified) -> None:
        """Ends all but the one that asks."""
        account = identified.account.id
        await self._accounts.change(lambda connection: end_sessions(connection, account, identified.session), account)

    async def sweep(self) -> None:
        """Forgets sessions that nobody has used for more than a year; once a day is enough."""
        over = delete(sessions).where(sessions.c.seen_at < now_ms() - SESSION_MS)
        await self._accounts.change(lambda connection: connection.execute(over).rowcount)

    async def sign_out(self, secret: str) -> None:
        """Ends the session of this secret, if there is one."""
        mine = sessions.c.hash == digest(secret)
        find = select(sessions.c.account_id).where(mine)
        account = await self._accounts.store.read(lambda connection: connection.execute(find).scalar())
        if account is not None:
            await self._accounts.change(lambda connection: connection.execute(delete(sessions).where(mine)).rowcount, account)


def check_fresh(identified: Identified) -> None:
    """Refuses somebody who signed in long ago: whoever finds an open browser shall not take over the account."""
    if now_ms() - identified.since > FRESH_MS:
        raise Refused("sign in again", "you signed in long ago; sign in again, then change how you do")


def open_session(connection: Connection, account: int, agent: str) -> str:
    """A new session and its secret; the oldest make room."""
    secret, now = new_secret(), now_ms()
    row = {"account_id": account, "hash": digest(secret), "agent": agent, "created_at": now, "seen_at": now}
    connection.execute(insert(sessions).values(row))
    order = sessions.c.seen_at.desc(), sessions.c.id.desc()
    old = select(sessions.c.id).where(sessions.c.account_id == account).order_by(*order).offset(MOST_SESSIONS)
    too_many = connection.execute(old).scalars().all()
    if too_many:
        connection.execute(delete(sessions).where(sessions.c.id.in_(too_many)))
    return secret


def end_sessions(connection: Connection, account: int, but: int | None = None) -> None:
    """Ends all sessions of an account, but one if it is named."""
    connection.execute(delete(sessions).where(sessions.c.account_id == account, sessions.c.id != (but or 0)))


def enter(connection: Connection, account: int, asker: Identified | None, agent: str, *, leave: bool) -> Entered:
    """Signs somebody in whose word or key was right. The secret is a new one: whoever knew the old one knows nothing.

    A guest who signs in becomes that account in this browser. What the guest played stays the guest's: so the guest must
    finish first, or say that those seats may be left alone.
    """
    check_ban(lock_account(connection, account))
    if asker is not None:
        if asker.account.kind == "guest" and not leave:
            _check_not_seated(connection, asker.account.id)
        connection.execute(delete(sessions).where(sessions.c.id == asker.session))
    return Entered(account, open_session(connection, account, agent))


def _check_not_seated(connection: Connection, guest: int) -> None:
    mine = select(accounts.c.id).where(or_(accounts.c.id == guest, and_(*companions_of(guest))))
    unfinished = (
        select(func.count())
        .select_from(players.join(tables))
        .where(players.c.account_id.in_(mine), tables.c.status.in_(("waiting", "playing")))
    )
    seats = connection.execute(unfinished).scalar_one()
    if seats:
        raise Refused(
            "still seated",
            f"as a guest you sit at {seats} unfinished table{'s' if seats > 1 else ''}, and that seat stays the guest's; "
            "finish first, or sign in with `leave` to leave it",
        )
