"""Answers that stay the same while the server runs: encoded, compressed and tagged once."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from litestar import Request, Response

WORTH_PACKING = 1024
PACKED = ("text/", "application/json", "application/javascript", "application/vnd.oai", "image/svg", "application/manifest")

ASK_AGAIN = "no-cache"
"""Kept by the browser, and asked for each time whether it is still the same."""
AN_HOUR = "public, max-age=3600"
FOREVER = "public, max-age=31536000, immutable"
"""For what has its digest in its name."""


class Answer(NamedTuple):
    """A status, headers and a body."""

    status: int
    headers: dict[str, str]
    body: bytes


class Fixed:
    """A body that does not change, ready to be sent. Nothing personal may be in it: it is compressed, and others may keep it."""

    def __init__(self, body: bytes, media_type: str, cache: str = ASK_AGAIN) -> None:
        self.body = body
        packs = len(body) >= WORTH_PACKING and media_type.startswith(PACKED)
        self.packed = gzip.compress(body, 9, mtime=0) if packs else None
        self.tag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
        self._headers = {"content-type": media_type, "cache-control": cache, "etag": self.tag, "vary": "accept-encoding"}

    def answer(self, asked: Iterable[tuple[bytes, bytes]]) -> Answer:
        """What to send to a request with these headers."""
        headers = dict(asked)
        if self._known(headers.get(b"if-none-match", b"").decode("latin-1")):
            kept = {name: value for name, value in self._headers.items() if name != "content-type"}
            return Answer(304, kept, b"")
        if self.packed is not None and takes_gzip(headers.get(b"accept-encoding", b"").decode("latin-1")):
            return Answer(200, {**self._headers, "content-encoding": "gzip"}, self.packed)
        return Answer(200, self._headers, self.body)

    def response(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """The same for Litestar."""
        status, headers, body = self.answer(request.scope["headers"])
        kind = self._headers["content-type"].partition(";")[0]  # Litestar adds the charset itself
        rest = {name: value for name, value in headers.items() if name != "content-type"}
        return Response(body, status_code=status, media_type=kind, headers=rest)

    def _known(self, tags: str) -> bool:
        return any(tag.strip() in ("*", self.tag) for tag in tags.split(",")) if tags else False


def takes_gzip(accepted: str) -> bool:
    """Whether somebody who accepts these encodings takes what is compressed."""
    for part in accepted.lower().replace(" ", "").split(","):
        name, _, weight = part.partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False
