"""Being told that it is one's turn: a browser subscribes and unsubscribes."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, SkipValidation

from zashiki.server.http.asking import SECURITY
from zashiki.server.http.authority import Owner
from zashiki.server.http.problems import refusals
from zashiki.server.push import LONGEST_ENDPOINT, Pusher

ThePusher = NamedDependency[SkipValidation[Pusher]]
Endpoint = Annotated[
    str,
    msgspec.Meta(min_length=1, max_length=LONGEST_ENDPOINT, pattern="^[!-~]+$", description="where the push service listens"),
]


class SubscriptionKeys(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser can decrypt, in base64url."""

    p256dh: Annotated[str, msgspec.Meta(min_length=80, max_length=120)]
    auth: Annotated[str, msgspec.Meta(min_length=20, max_length=40)]


class Subscription(msgspec.Struct, frozen=True, kw_only=True):
    """A browser's `PushSubscription`, as its `toJSON()` gives it."""

    endpoint: Endpoint
    keys: SubscriptionKeys


class Unsubscription(msgspec.Struct, frozen=True, kw_only=True):
    """Where not to send any more."""

    endpoint: Endpoint


class PushInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The `applicationServerKey` to subscribe with, and how many browsers of this account are subscribed."""

    public_key: str
    subscriptions: int


class Push(Controller):
    """Notifications say that a table waits, and which game it is; nothing else."""

    path = "/api/push"
    tags = ("notifications",)
    security = SECURITY

    @get("/", summary="What to subscribe with", responses=refusals(401, 403))
    async def show(self, pusher: ThePusher, owner: Owner) -> PushInfo:
        """The server's public key."""
        return PushInfo(public_key=pusher.public_key, subscriptions=await pusher.subscriptions(owner.id))

    @post("/subscribe", summary="Tell this browser", responses=refusals(401, 403, 413, 415, 422), status_code=204)
    async def subscribe(self, pusher: ThePusher, owner: Owner, data: JSONBody[Subscription]) -> None:
        """Tells this browser from now on when a table waits. The push service must have a public https address."""
        await pusher.subscribe(owner.id, data.endpoint, data.keys.p256dh, data.keys.auth)

    @post("/unsubscribe", summary="Tell this browser no more", responses=refusals(401, 403, 413, 415), status_code=204)
    async def unsubscribe(self, pusher: ThePusher, owner: Owner, data: JSONBody[Unsubscription]) -> None:
        """Tells this browser nothing more."""
        await pusher.unsubscribe(owner.id, data.endpoint)
