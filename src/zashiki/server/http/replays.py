"""Matches told again, over HTTP."""

from __future__ import annotations

import asyncio
import gzip
from typing import Annotated

from litestar import Controller, Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import JSONBody, QueryParameter

from zashiki.core.replay import Eyes
from zashiki.core.saved import SavedMatch
from zashiki.server.http.asking import SECURITY, AnyRequest
from zashiki.server.http.authority import Asker, TheHouse
from zashiki.server.http.fixed import takes_gzip
from zashiki.server.http.problems import refusals
from zashiki.server.replays import Replay

ALL = "all"
PACKING = 6
"""How hard it is compressed: eight megabytes take some fifty milliseconds."""
WhoseEyes = Annotated[
    str,
    QueryParameter(
        pattern="^(all|[0-9])$",
        description="as this seat saw it, or everything",
        examples=[Example("everything", value=ALL), Example("a seat", value="0")],
    ),
]
REPLAY = ResponseSpec(Replay, generate_examples=False, description="the deal and every move")


def eyes_of(word: str) -> Eyes:
    """Whose eyes a word names."""
    return None if word == ALL else int(word)


async def told(request: AnyRequest, replay: bytes) -> Response[bytes]:
    """A replay that is encoded already. It is long and alike, and no secret is left in it: it is sent compressed."""
    headers = {"vary": "accept-encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
        replay = await asyncio.to_thread(gzip.compress, replay, PACKING, mtime=0)
    return Response(replay, media_type="application/json", headers=headers)


class Replays(Controller):
    """Saved matches, told again."""

    path = "/api/replay"
    tags = ("tables",)
    security = SECURITY

    @post("/", summary="Replay a saved match", responses={**refusals(401, 403, 413, 415, 422), 200: REPLAY}, status_code=200)
    async def show(
        self, request: AnyRequest, house: TheHouse, account: Asker, data: JSONBody[SavedMatch], eyes: WhoseEyes = ALL
    ) -> Response[bytes]:
        """A saved match step by step, as one seat saw it or with everything. A file that was damaged or changed is refused."""
        return await told(request, await house.replay_file(account, data, eyes_of(eyes)))
