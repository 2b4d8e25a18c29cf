"""My programs: bot accounts and their tokens."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post
from litestar.params import JSONBody

from zashiki.server.http.asking import IN_A_BROWSER, Browser, Number, TheIdentity
from zashiki.server.http.me import Name
from zashiki.server.http.problems import refusals
from zashiki.server.tokens import BotInfo, NewToken


class NewBot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot's name; like a claimed one it has one bearer."""

    name: Name


class NewTokenLabel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to call the token, so that I know it in the list."""

    label: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class BotList(msgspec.Struct, frozen=True, kw_only=True):
    """My bots and their tokens."""

    bots: list[BotInfo]


class BotsController(Controller):
    """Programs play as bots, which everybody sees at the table. A token acts for its bot; it is shown once."""

    path = "/api/me/bots"
    tags = ("programs",)
    security = IN_A_BROWSER

    @get("/", summary="My bots", responses=refusals(401, 403))
    async def list_mine(self, identity: TheIdentity, browser: Browser) -> BotList:
        """My bots and their tokens."""
        return BotList(bots=await identity.programs.listed(browser))

    @post("/", summary="Make a bot", responses=refusals(401, 403, 404, 409, 413, 415))
    async def make(self, identity: TheIdentity, browser: Browser, data: JSONBody[NewBot]) -> BotInfo:
        """Makes a bot account that belongs to me. I need a claimed name."""
        await identity.limits.spend("bots", browser.account.id)
        return await identity.programs.create(browser, data.name)

    @delete("/{bot:int}", summary="Remove a bot", responses=refusals(401, 403, 404))
    async def remove(self, identity: TheIdentity, browser: Browser, bot: Number) -> None:
        """Erases a bot with its tokens; what it played stays."""
        await identity.programs.remove(browser, bot)

    @post("/{bot:int}/tokens", summary="Make a token", responses=refusals(401, 403, 404, 413, 415))
    async def make_token(self, identity: TheIdentity, browser: Browser, bot: Number, data: JSONBody[NewTokenLabel]) -> NewToken:
        """A token for a program, shown this once: `Authorization: Bearer …`."""
        await identity.limits.spend("bots", browser.account.id)
        return await identity.programs.new_token(browser, bot, data.label)

    @delete("/{bot:int}/tokens/{token:int}", summary="Revoke a token", responses=refusals(401, 403, 404))
    async def revoke(self, identity: TheIdentity, browser: Browser, bot: Number, token: Number) -> None:
        """The token is good no more, at once."""
        await identity.programs.revoke(browser, bot, token)
