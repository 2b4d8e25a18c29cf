"""A server of one's own for a while: on this machine alone, with an empty store that is gone afterwards."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from zashiki.core.errors import ZashikiError
from zashiki.server.building import build_app
from zashiki.server.serve import LOOPBACK, bound
from zashiki.server.settings import Settings
from zashiki.server.worker import config

LOOK_S = 0.01


class DidNotStart(ZashikiError):
    """The server of one's own did not come up."""


@contextmanager
def own_server() -> Iterator[str]:
    """Its address, while it serves from a thread."""
    with tempfile.TemporaryDirectory(prefix="zashiki-") as folder, bound(LOOPBACK, 0) as listening:
        port = listening.getsockname()[1]
        settings = Settings(data=Path(folder), port=port)
        server = uvicorn.Server(config(build_app(settings), settings))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            _wait(server, thread)
            yield f"http://{LOOPBACK}:{port}"
        finally:
            server.should_exit = True
            thread.join()


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    while not server.started:
        if not thread.is_alive():
            raise DidNotStart("a server of one's own did not start: name one that runs with --server")
        time.sleep(LOOK_S)
