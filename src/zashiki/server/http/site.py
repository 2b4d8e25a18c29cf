"""The web client's files; until it is built, a plain page that says that the server runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from litestar.types import Receive, Send

import zashiki
from zashiki.server.errors import Refused
from zashiki.server.http.fixed import ASK_AGAIN, FOREVER, Fixed
from zashiki.server.http.problems import send_refusal

WEB = Path(zashiki.__file__).parent / "web"
PLAIN = Path(__file__).parent / "plain"

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
HASHED = "assets/"
"""What lies here has its digest in its name."""


class Site:
    """The files of a folder, read once: a path is looked up among their names, so that none leads outside."""

    def __init__(self, folder: Path | None = None) -> None:
        built = folder or WEB
        self.is_built = (built / "index.html").is_file()
        self.folder = built if self.is_built else PLAIN

    @cached_property
    def files(self) -> dict[str, Callable[[], Fixed]]:
        """The files by path."""
        found = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        return {"/" + path.relative_to(self.folder).as_posix(): _read_once(path, self.folder) for path in found}

    def find(self, path: str) -> Fixed | None:
        """The file at a path. A page of the client (`/table/…`) has none: the client itself shows it."""
        read = self.files.get("/index.html" if path == "/" else path)
        if read is None and self.is_built and "." not in path.rpartition("/")[2]:
            read = self.files["/index.html"]
        try:
            return read() if read else None
        except FileNotFoundError:  # Built anew since the server started: whoever has the old page loads it again.
            return None

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["method"] not in ("GET", "HEAD"):
            refused = Refused("wrong method", "files can only be read: GET or HEAD")
            return await send_refusal(refused, send, more=[(b"allow", b"GET, HEAD")])
        found = self.find(scope["path"])
        if found is None:
            return await send_refusal(Refused("not found", "there is nothing at this address"), send)
        status, headers, body = found.answer(scope["headers"])
        named = [(name.encode(), value.encode()) for name, value in headers.items()]
        named.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": named})
        return await send({"type": "http.response.body", "body": body, "more_body": False})


def _read_once(path: Path, folder: Path) -> Callable[[], Fixed]:
    kept: list[Fixed] = []

    def read() -> Fixed:
        if not kept:
            media_type = MEDIA_TYPES.get(path.suffix.lower(), "application/octet-stream")
            hashed = path.relative_to(folder).as_posix().startswith(HASHED)
            kept.append(Fixed(path.read_bytes(), media_type, FOREVER if hashed else ASK_AGAIN))
        return kept[0]

    return read
