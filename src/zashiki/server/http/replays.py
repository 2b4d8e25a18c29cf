"""Matches told again, over HTTP."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import JSONBody, QueryParameter

from zashiki.core.replay import Eyes
from zashiki.core.saved import SavedMatch
from zashiki.server.http.asking import SECURITY
from zashiki.server.http.authority import Asker, TheHouse
from zashiki.server.http.problems import refusals
from zashiki.server.replays import Replay

ALL = "all"
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


def told(replay: bytes) -> Response[bytes]:
    """A replay that is encoded already."""
    return Response(replay, media_type="application/json")


class Replays(Controller):
    """Saved matches, told again."""

    path = "/api/replay"
    tags = ("tables",)
    security = SECURITY

    @post("/", summary="Replay a saved match", responses={**refusals(401, 403, 413, 415, 422), 200: REPLAY}, status_code=200)
    async def show(self, house: TheHouse, account: Asker, data: JSONBody[SavedMatch], eyes: WhoseEyes = ALL) -> Response[bytes]:
        """A saved match step by step, as one seat saw it or with everything. A file that was damaged or changed is refused."""
        return told(await house.replay_file(account, data, eyes_of(eyes)))
