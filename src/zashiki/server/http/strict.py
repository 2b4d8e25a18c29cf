"""Requests are read strictly: the body is JSON and says so, and every value has exactly the type that is documented."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request
from litestar.types import Empty

from zashiki.server.errors import Refused

BODY_LIMIT = 64 * 1024


class StrictRequest(Request[Any, Any, Any]):
    """Litestar's request, whose body becomes the structure that the handler's `data` asks for, or a refusal."""

    async def json(self) -> Any:
        """The body, decoded."""
        if self._json is Empty:
            self._check_content_type()
            wanted = self.route_handler.parsed_fn_signature.parameters["data"].annotation
            self._json = decoded(await self.body(), wanted)
        return self._json

    def _check_content_type(self) -> None:
        kind, parameters = self.content_type
        if kind != "application/json" or parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise Refused("wrong content type", "send the body as application/json, in UTF-8")


def decoded(body: bytes, wanted: Any) -> Any:
    """JSON as a structure."""
    try:
        return _decoder(wanted).decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused("malformed", f"the body is not as documented: {error}") from None


@lru_cache(maxsize=256)
def _decoder(wanted: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(wanted)
