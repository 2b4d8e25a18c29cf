"""Lists in pages: `limit` items, and `next`, which is given back as `after` to go on."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from litestar.params import QueryParameter

from zashiki.server.errors import Refused

T = TypeVar("T")

LIMIT = 50
Limit = Annotated[int, QueryParameter(ge=1, le=100, description="how many at most")]
After = Annotated[
    str | None, QueryParameter(max_length=200, description="the `next` of the page before, to go on where it ended")
]


def encoded(position: Any) -> str:
    """A position in a list, as an opaque word."""
    return base64.urlsafe_b64encode(msgspec.json.encode(position)).decode().rstrip("=")


def position(after: str | None, kind: Any) -> Any:
    """The position that a word stands for, of that kind; None for the beginning."""
    if after is None:
        return None
    try:
        text = base64.b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(text, type=kind)
    except (binascii.Error, msgspec.MsgspecError, ValueError, RecursionError):
        raise Refused("malformed", "`after` is the `next` of the page before, and nothing else") from None


def paged(found: list[T], limit: int, place: Callable[[T], Any]) -> tuple[list[T], str | None]:
    """The items of a page and its `next`, out of one more item than asked for."""
    items = found[:limit]
    return items, encoded(place(items[-1])) if len(found) > limit else None
