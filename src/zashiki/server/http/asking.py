"""Who asks, for the handlers: from a request to an account, and back to a cookie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from argon2 import PasswordHasher
from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.params import PathParameter, SkipValidation

from zashiki.server.accounts import SESSION_MS, Account, Accounts, Identified
from zashiki.server.companions import Companions
from zashiki.server.credentials import COOKIE
from zashiki.server.errors import Refused
from zashiki.server.http.authority import Companion
from zashiki.server.http.origin import is_secure
from zashiki.server.limits import Limits
from zashiki.server.mutes import Mutes
from zashiki.server.passkeys import Passkeys
from zashiki.server.passwords import Passwords
from zashiki.server.recovery import Recovery
from zashiki.server.sessions import Sessions
from zashiki.server.settings import Settings
from zashiki.server.tokens import Programs

SECURITY: list[dict[str, list[str]]] = [{"cookie": []}, {"token": []}]
IN_A_BROWSER: list[dict[str, list[str]]] = [{"cookie": []}]

Number = Annotated[int, PathParameter(ge=1, le=2**53)]
AnyRequest = Request[Any, Any, Any]


class Identity:
    """Everything that knows people, in one place."""

    def __init__(self, accounts: Accounts, limits: Limits, settings: Settings, hasher: PasswordHasher | None = None) -> None:
        self.accounts = accounts
        self.limits = limits
        self.settings = settings
        self.sessions = Sessions(accounts)
        self.passwords = Passwords(accounts, hasher)
        self.passkeys = Passkeys(accounts)
        self.recovery = Recovery(accounts)
        self.programs = Programs(accounts)
        self.companions = Companions(accounts)
        self.mutes = Mutes(accounts)


TheIdentity = NamedDependency[SkipValidation[Identity]]
Anybody = NamedDependency[SkipValidation[Identified | None]]
"""Whoever asks, if anybody is known."""
Newcomer = NamedDependency[SkipValidation[Identified | None]]
"""The same before signing in: somebody who is banned counts as nobody, so that another person may use the browser."""
Me = NamedDependency[SkipValidation[Identified]]
"""Whoever asks; nobody is refused."""
Browser = NamedDependency[SkipValidation[Identified]]
"""The same, and not a program: what concerns the account itself is done by a person."""


def dependencies(identity: Identity) -> dict[str, Provide]:
    """What handlers may ask for: `identity`, and whoever asks as `anybody`, `newcomer`, `me`, `browser` or `account`."""

    async def anybody(request: AnyRequest) -> Identified | None:
        return await identity.accounts.who(request.scope["headers"])

    async def newcomer(request: AnyRequest) -> Identified | None:
        try:
            return await identity.accounts.who(request.scope["headers"])
        except Refused as refused:
            if refused.code == "banned":
                return None
            raise

    async def me(request: AnyRequest) -> Identified:
        return _somebody(await identity.accounts.who(request.scope["headers"]))

    async def browser(request: AnyRequest) -> Identified:
        found = await me(request)
        if found.session is None:
            raise Refused("forbidden", "a program's token may not do this; its owner may, signed in with a browser")
        return found

    async def account(request: AnyRequest, companion: Companion = None) -> Account:
        found = await me(request)
        return (found if companion is None else await identity.accounts.companion(found, companion)).account

    providers: dict[str, Callable[..., Any]] = {
        "anybody": anybody,
        "newcomer": newcomer,
        "me": me,
        "browser": browser,
        "account": account,
    }
    return {"identity": Provide(lambda: identity, sync_to_thread=False)} | {name: Provide(it) for name, it in providers.items()}


def address_of(scope: Mapping[str, Any]) -> str:
    """Where a request or a connection comes from."""
    client = scope.get("client")
    return client[0] if client else "unknown"


def _somebody(found: Identified | None) -> Identified:
    if found is None:
        raise Refused("unauthorized", "nobody is known by this request; GET /api/me makes a guest, programs send a token")
    return found


def session_cookie(request: AnyRequest, identity: Identity, secret: str) -> Cookie:
    """The cookie that keeps a session; an empty secret ends it."""
    return Cookie(
        key=COOKIE,
        value=secret,
        max_age=SESSION_MS // 1000 if secret else 0,
        httponly=True,
        secure=is_secure(request.scope["scheme"], identity.settings),
        samesite="lax",
    )
