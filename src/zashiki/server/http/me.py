"""My account: who I am, my name, my sessions, whom I mute, and my data."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Controller, Response, delete, get, patch, put
from litestar.params import JSONBody
from sqlalchemy import Connection, func, select

from zashiki.server.accounts import Identified
from zashiki.server.credentials import agent_of, cookie_secret
from zashiki.server.errors import Refused
from zashiki.server.http.asking import (
    IN_A_BROWSER,
    SECURITY,
    Anybody,
    AnyRequest,
    Browser,
    Identity,
    Me,
    Number,
    TheIdentity,
    address_of,
    session_cookie,
)
from zashiki.server.http.origin import allowed_origin, place_of
from zashiki.server.http.problems import refusals
from zashiki.server.mutes import MutedInfo
from zashiki.server.personal import PersonalData
from zashiki.server.schema import accounts, passkeys, recovery_codes
from zashiki.server.sessions import SessionInfo, check_fresh

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100, description="2 to 24 characters")]


class MyAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An account as its owner sees it: which ways in it has, and whether passkeys work at this address."""

    id: int
    kind: Literal["guest", "person", "bot"]
    name: str
    has_password: bool
    passkeys: int
    recovery_codes: int
    can_use_passkeys: bool
    on_boards: bool = False


class NewName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another name."""

    name: Name


class SessionList(msgspec.Struct, frozen=True, kw_only=True):
    """The browsers in which I am signed in, the latest first."""

    sessions: list[SessionInfo]


class MutedList(msgspec.Struct, frozen=True, kw_only=True):
    """Whom I do not hear."""

    muted: list[MutedInfo]


async def my_account(request: AnyRequest, identity: Identity, account: int) -> MyAccount:
    """An account as its owner sees it."""
    try:
        place_of(request.scope["headers"], identity.settings)
        can_use_passkeys = True
    except Refused:
        can_use_passkeys = False

    def work(connection: Connection) -> MyAccount:
        row = connection.execute(select(accounts).where(accounts.c.id == account)).one()
        keys = select(func.count()).select_from(passkeys).where(passkeys.c.account_id == account)
        unused = recovery_codes.c.account_id == account, recovery_codes.c.used_at.is_(None)
        codes = select(func.count()).select_from(recovery_codes).where(*unused)
        return MyAccount(
            id=row.id,
            kind=row.kind,
            name=row.name,
            has_password=row.password is not None,
            passkeys=connection.execute(keys).scalar_one(),
            recovery_codes=connection.execute(codes).scalar_one(),
            can_use_passkeys=can_use_passkeys,
            on_boards=row.on_boards,
        )

    return await identity.accounts.store.read(work)


async def signed_in(request: AnyRequest, identity: Identity, account: int, secret: str) -> Response[MyAccount]:
    """The account, and the cookie of its new session."""
    return Response(await my_account(request, identity, account), cookies=[session_cookie(request, identity, secret)])


class MyAccountController(Controller):
    """Who I am."""

    path = "/api/me"
    tags = ("me",)
    security = SECURITY

    @get("/", summary="Who I am", responses=refusals(401, 403), security=[*SECURITY, {}])
    async def show(self, request: AnyRequest, identity: TheIdentity, anybody: Anybody) -> Response[MyAccount]:
        """Who I am; at the first visit a new guest, who is known by a cookie from then on."""
        if anybody is None:
            return await _welcome(request, identity)
        secret = cookie_secret(request.scope["headers"])
        if anybody.session and secret:
            return await signed_in(request, identity, anybody.account.id, secret)
        return Response(await my_account(request, identity, anybody.account.id))

    @patch("/", summary="Change my name", responses=refusals(401, 403, 404, 409, 413, 415))
    async def rename(self, request: AnyRequest, identity: TheIdentity, me: Me, data: JSONBody[NewName]) -> MyAccount:
        """Gives me another name. Guests may share one; a claimed name has one bearer, and nobody may look like it."""
        await identity.limits.spend("renames", me.account.id)
        await identity.accounts.rename(me.account, data.name)
        return await my_account(request, identity, me.account.id)

    @delete("/", summary="Erase my account", responses=refusals(401, 403, 404), security=IN_A_BROWSER, status_code=204)
    async def erase(self, request: AnyRequest, identity: TheIdentity, browser: Browser) -> Response[None]:
        """Erases me, my bots, my companions and all personal data. Matches stay without my name, and what I said is blank."""
        _check_known(browser)
        await identity.accounts.erase(browser.account.id)
        return Response(None, status_code=204, cookies=[session_cookie(request, identity, "")])

    @get("/data", summary="A copy of my data", responses=refusals(401, 403))
    async def export(self, identity: TheIdentity, me: Me) -> Response[PersonalData]:
        """Everything that the server knows about me."""
        await identity.limits.spend("exports", me.account.id)
        content = await identity.accounts.export(me.account.id)
        return Response(content, headers={"content-disposition": 'attachment; filename="zashiki.json"'})


class SessionsController(Controller):
    """Where I am signed in."""

    path = "/api/me/sessions"
    tags = ("me",)
    security = IN_A_BROWSER

    @get("/", summary="My sessions", responses=refusals(401, 403))
    async def list_mine(self, identity: TheIdentity, browser: Browser) -> SessionList:
        """The browsers in which I am signed in."""
        return SessionList(sessions=await identity.sessions.listed(browser))

    @delete("/", summary="Sign out elsewhere", responses=refusals(401, 403))
    async def end_others(self, identity: TheIdentity, browser: Browser) -> None:
        """Ends all sessions but this one."""
        await identity.sessions.end_others(browser)

    @delete("/{session:int}", summary="End a session", responses=refusals(401, 403, 404))
    async def end(self, identity: TheIdentity, browser: Browser, session: Number) -> None:
        """Ends one session."""
        await identity.sessions.end(browser, session)


class MutesController(Controller):
    """Whom I do not want to hear."""

    path = "/api/me/mutes"
    tags = ("me",)
    security = SECURITY

    @get("/", summary="Whom I have muted", responses=refusals(401, 403))
    async def list_mine(self, identity: TheIdentity, me: Me) -> MutedList:
        """Whom I do not hear."""
        return MutedList(muted=await identity.mutes.listed(me.account))

    @put("/{muted:int}", summary="Mute somebody", responses=refusals(401, 403, 404), status_code=204)
    async def add(self, identity: TheIdentity, me: Me, muted: Number) -> None:
        """Hears somebody's talk no more, at any table."""
        await identity.mutes.add(me.account, muted)

    @delete("/{muted:int}", summary="Unmute somebody", responses=refusals(401, 403, 404))
    async def remove(self, identity: TheIdentity, me: Me, muted: Number) -> None:
        """Hears somebody again."""
        await identity.mutes.remove(me.account, muted)


async def _welcome(request: AnyRequest, identity: Identity) -> Response[MyAccount]:
    headers = request.scope["headers"]
    if not allowed_origin(headers, identity.settings):
        raise Refused("wrong origin", "a page elsewhere makes no guests here; open this server's own page")
    await identity.limits.spend("guests", address_of(request.scope))
    account, secret = await identity.accounts.guest(agent_of(headers))
    return await signed_in(request, identity, account.id, secret)


def _check_known(browser: Identified) -> None:
    """A guest cannot sign in again to prove anything."""
    if browser.account.kind != "guest":
        check_fresh(browser)
