"""Signing in and out. A guest who signs in becomes the account in this browser; what the guest played stays the guest's."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, post
from litestar.params import JSONBody

from zashiki.server.credentials import agent_of, cookie_secret
from zashiki.server.errors import Refused
from zashiki.server.http.asking import AnyRequest, Newcomer, TheIdentity, address_of, session_cookie
from zashiki.server.http.me import MyAccount, Name, signed_in
from zashiki.server.http.origin import place_of
from zashiki.server.http.problems import refusals
from zashiki.server.names import LONGEST_KEY, name_key

Password = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
ENTERING = refusals(401, 403, 404, 409, 413, 415)


class SignIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name and its password. `leave`: as a guest I leave my seats at unfinished tables alone."""

    name: Name
    password: Password
    leave: bool = False


class SignInByCode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name and one of its recovery codes, which is used up."""

    name: Name
    code: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    leave: bool = False


class SignInByPasskey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the browser's `PublicKeyCredential.toJSON()` gave."""

    credential: dict[str, Any]
    leave: bool = False


class PasskeyQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON`."""

    options: dict[str, Any]


class SignInController(Controller):
    """Signing in and out."""

    path = "/api"
    tags = ("sign in",)
    security = ()

    @post("/sign-in", summary="Sign in with a password", responses=ENTERING, status_code=200)
    async def with_password(
        self, request: AnyRequest, identity: TheIdentity, newcomer: Newcomer, data: JSONBody[SignIn]
    ) -> Response[MyAccount]:
        """Signs in by name and password."""
        who = name_key(data.name)[:LONGEST_KEY]
        await identity.limits.spend("sign-ins", address_of(request.scope))
        await identity.limits.spend("sign-ins to a name", who)
        agent = agent_of(request.scope["headers"])
        entered = await identity.passwords.sign_in(data.name, data.password, newcomer, agent, leave=data.leave)
        await identity.limits.forgive("sign-ins to a name", who)
        return await signed_in(request, identity, entered.account, entered.secret)

    @post("/sign-in/recovery", summary="Sign in with a recovery code", responses=ENTERING, status_code=200)
    async def with_code(
        self, request: AnyRequest, identity: TheIdentity, newcomer: Newcomer, data: JSONBody[SignInByCode]
    ) -> Response[MyAccount]:
        """Signs in by name and recovery code. Then set a new password or passkey."""
        await identity.limits.spend("sign-ins", address_of(request.scope))
        agent = agent_of(request.scope["headers"])
        entered = await identity.recovery.sign_in(data.name, data.code, newcomer, agent, leave=data.leave)
        return await signed_in(request, identity, entered.account, entered.secret)

    @post("/sign-in/passkey/options", summary="Begin to sign in with a passkey", responses=refusals(401, 403), status_code=200)
    async def ask_passkey(self, request: AnyRequest, identity: TheIdentity, newcomer: Newcomer) -> PasskeyQuestion:
        """What the browser needs for `navigator.credentials.get`. The answer is good for five minutes, once."""
        place = place_of(request.scope["headers"], identity.settings)
        return PasskeyQuestion(options=identity.passkeys.question(newcomer, place))

    @post("/sign-in/passkey", summary="Sign in with a passkey", responses=ENTERING, status_code=200)
    async def with_passkey(
        self, request: AnyRequest, identity: TheIdentity, newcomer: Newcomer, data: JSONBody[SignInByPasskey]
    ) -> Response[MyAccount]:
        """Signs in with the browser's answer."""
        await identity.limits.spend("sign-ins", address_of(request.scope))
        headers = request.scope["headers"]
        place = place_of(headers, identity.settings)
        entered = await identity.passkeys.sign_in(data.credential, newcomer, place, agent_of(headers), leave=data.leave)
        return await signed_in(request, identity, entered.account, entered.secret)

    @post("/sign-out", summary="Sign out", responses=refusals(401, 403), status_code=204)
    async def sign_out(self, request: AnyRequest, identity: TheIdentity) -> Response[None]:
        """Ends this session. A guest who signs out is gone for good."""
        secret = cookie_secret(request.scope["headers"])
        if secret is None:
            raise Refused("unauthorized", "nobody is signed in here")
        await identity.sessions.sign_out(secret)
        return Response(None, status_code=204, cookies=[session_cookie(request, identity, "")])
