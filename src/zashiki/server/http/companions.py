"""My companions: people who play at my device."""

from __future__ import annotations

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.params import JSONBody

from zashiki.server.companions import CompanionInfo
from zashiki.server.http.asking import IN_A_BROWSER, AnyRequest, Browser, Number, TheIdentity, address_of
from zashiki.server.http.me import Name
from zashiki.server.http.problems import refusals


class NewCompanion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A companion's name; others may have it too, unless somebody has claimed it."""

    name: Name


class CompanionList(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays at my device."""

    companions: list[CompanionInfo]


class CompanionsController(Controller):
    """Several people at one device: each has a seat. `companion` in a query says for whom I ask; limits count for me."""

    path = "/api/me/companions"
    tags = ("me",)
    security = IN_A_BROWSER

    @get("/", summary="My companions", responses=refusals(401, 403))
    async def list_mine(self, identity: TheIdentity, browser: Browser) -> CompanionList:
        """Who plays at my device."""
        return CompanionList(companions=await identity.companions.listed(browser))

    @post("/", summary="Add a companion", responses=refusals(401, 403, 409, 413, 415))
    async def make(
        self, request: AnyRequest, identity: TheIdentity, browser: Browser, data: JSONBody[NewCompanion]
    ) -> CompanionInfo:
        """Somebody else plays at my device too: five at most. For the address it counts like another guest."""
        await identity.limits.spend("guests", address_of(request.scope))
        return await identity.companions.create(browser, data.name)

    @patch("/{companion:int}", summary="Rename a companion", responses=refusals(401, 403, 404, 409, 413, 415))
    async def rename(
        self, identity: TheIdentity, browser: Browser, companion: Number, data: JSONBody[NewCompanion]
    ) -> CompanionInfo:
        """Gives a companion another name."""
        await identity.limits.spend("renames", browser.account.id)
        return await identity.companions.rename(browser, companion, data.name)

    @delete("/{companion:int}", summary="Remove a companion", responses=refusals(401, 403, 404))
    async def remove(self, identity: TheIdentity, browser: Browser, companion: Number) -> None:
        """Erases a companion; what was played stays, without the name."""
        await identity.companions.remove(browser, companion)
