"""My ways in: password, passkeys and recovery codes. The first of them claims a name."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from zashiki.server.credentials import agent_of
from zashiki.server.errors import Refused
from zashiki.server.http.asking import IN_A_BROWSER, AnyRequest, Browser, TheIdentity, address_of
from zashiki.server.http.me import MyAccount, Name, my_account, signed_in
from zashiki.server.http.origin import place_of
from zashiki.server.http.problems import refusals
from zashiki.server.http.sign_in import PasskeyQuestion, Password
from zashiki.server.names import LONGEST_KEY, name_key
from zashiki.server.passkeys import PasskeyInfo

CHANGING = refusals(401, 403, 404, 409, 413, 415)


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """8 to 200 characters. With it a guest claims `name`, or the present name.

    A person who did not sign in just now also says the `current` one.
    """

    password: Password
    name: Name | None = None
    current: Password | None = None


class NewPasskeyFor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name that a guest claims with the passkey, if not the present one."""

    name: Name | None = None


class NewPasskey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `PublicKeyCredential.toJSON()` gave, what to call the passkey, and the same name as when it was begun."""

    credential: dict[str, Any]
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    name: Name | None = None


class PasskeyList(msgspec.Struct, frozen=True, kw_only=True):
    """My passkeys."""

    passkeys: list[PasskeyInfo]


class RecoveryCodes(msgspec.Struct, frozen=True, kw_only=True):
    """Ten codes, shown this once; each signs me in once."""

    codes: list[str]


class PasswordController(Controller):
    """My password."""

    path = "/api/me/password"
    tags = ("sign in",)
    security = IN_A_BROWSER

    @post("/", summary="Claim a name, or change the password", responses=CHANGING, status_code=200)
    async def set(
        self, request: AnyRequest, identity: TheIdentity, browser: Browser, data: JSONBody[NewPassword]
    ) -> Response[MyAccount]:
        """A guest claims a name and keeps seats and matches; a person gets another password, and all other sessions end."""
        await identity.limits.spend("claims", address_of(request.scope))
        agent, account = agent_of(request.scope["headers"]), browser.account
        if account.kind == "guest":
            entered = await identity.passwords.claim(browser, data.name or account.name, data.password, agent)
        elif data.name is not None:
            raise Refused("malformed", "you have claimed a name already; PATCH /api/me changes it")
        else:
            if data.current is not None:
                await identity.limits.spend("sign-ins to a name", name_key(account.name)[:LONGEST_KEY])
            entered = await identity.passwords.change(browser, data.password, data.current, agent)
        return await signed_in(request, identity, entered.account, entered.secret)

    @delete("/", summary="Remove the password", responses=refusals(401, 403, 409))
    async def remove(self, identity: TheIdentity, browser: Browser) -> None:
        """Only passkeys from now on; there must be one, and I must have signed in just now."""
        await identity.passwords.remove(browser)


class PasskeysController(Controller):
    """My passkeys."""

    path = "/api/me/passkeys"
    tags = ("sign in",)
    security = IN_A_BROWSER

    @get("/", summary="My passkeys", responses=refusals(401, 403))
    async def list_mine(self, identity: TheIdentity, browser: Browser) -> PasskeyList:
        """My passkeys, the oldest first."""
        return PasskeyList(passkeys=await identity.passkeys.listed(browser))

    @post("/options", summary="Begin to add a passkey", responses=CHANGING, status_code=200)
    async def begin(
        self, request: AnyRequest, identity: TheIdentity, browser: Browser, data: JSONBody[NewPasskeyFor | None] = None
    ) -> PasskeyQuestion:
        """What the browser needs for `navigator.credentials.create`. The answer is good for five minutes, once."""
        await identity.limits.spend("claims", address_of(request.scope))
        place = place_of(request.scope["headers"], identity.settings)
        name = data.name if data else None
        return PasskeyQuestion(options=await identity.passkeys.registration(browser, name, place))

    @post("/", summary="Add a passkey", responses=CHANGING, status_code=200)
    async def add(
        self, request: AnyRequest, identity: TheIdentity, browser: Browser, data: JSONBody[NewPasskey]
    ) -> Response[MyAccount]:
        """Keeps the passkey. A guest claims the name with it and keeps seats and matches."""
        await identity.limits.spend("claims", address_of(request.scope))
        headers = request.scope["headers"]
        place, agent = place_of(headers, identity.settings), agent_of(headers)
        entered = await identity.passkeys.register(browser, data.credential, data.label, data.name, place, agent)
        if entered is None:
            return Response(await my_account(request, identity, browser.account.id))
        return await signed_in(request, identity, entered.account, entered.secret)

    @delete("/{passkey:str}", summary="Remove a passkey", responses=refusals(401, 403, 404, 409))
    async def remove(
        self, identity: TheIdentity, browser: Browser, passkey: Annotated[str, PathParameter(min_length=1, max_length=1400)]
    ) -> None:
        """Removes one, but never the last way in; I must have signed in just now."""
        await identity.passkeys.remove(browser, passkey)


class RecoveryController(Controller):
    """My recovery codes."""

    path = "/api/me/recovery-codes"
    tags = ("sign in",)
    security = IN_A_BROWSER

    @post("/", summary="New recovery codes", responses=refusals(401, 403, 404), status_code=200)
    async def renew(self, request: AnyRequest, identity: TheIdentity, browser: Browser) -> RecoveryCodes:
        """Ten new codes; those before are good no more. I must have signed in just now."""
        await identity.limits.spend("claims", address_of(request.scope))
        return RecoveryCodes(codes=await identity.recovery.renew(browser))
