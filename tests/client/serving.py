"""A whole server with its sockets, in a thread, whose tables a test can reach."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvicorn

from tests.server.built import NO_LIMITS
from zashiki.server.building import Building
from zashiki.server.serve import LOOPBACK, bound
from zashiki.server.settings import Settings
from zashiki.server.worker import config


class Served(NamedTuple):
    """Its address, and what is behind it."""

    url: str
    building: Building


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """One on a folder, on a port of its own."""
    with bound(LOOPBACK, 0) as listening:
        port = listening.getsockname()[1]
        settings = Settings(data=folder, limits=NO_LIMITS, port=port)
        building = Building(settings)
        server = uvicorn.Server(config(building.app(), settings))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.01)
            yield Served(f"http://{LOOPBACK}:{port}", building)
        finally:
            server.should_exit = True
            thread.join()
