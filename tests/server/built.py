"""The whole server of one process: visited by browsers without a network, or served on loopback from a thread."""

from __future__ import annotations

import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import uvicorn

from tests.server.room import Guest
from zashiki.server.accounts import Account
from zashiki.server.building import Building
from zashiki.server.settings import Settings

PAGE = "http://localhost:8000"
NO_LIMITS = 1e6


class Visited:
    """A building whose doors are open."""

    def __init__(self, building: Building) -> None:
        self.building = building
        self.app: Any = building.app()

    @asynccontextmanager
    async def browser(self, page: str = PAGE, address: str = "127.0.0.1") -> AsyncIterator[httpx.AsyncClient]:
        """A browser that shows one of our pages."""
        transport = httpx.ASGITransport(self.app, client=(address, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=page, headers={"origin": page}) as client:
            yield client

    def socket(
        self,
        client: httpx.AsyncClient | None = None,
        *,
        host: str = "localhost:8000",
        page: str = PAGE,
        token: str | None = None,
        packed: bool = False,
        query: str = "client=c",
    ) -> Guest:
        """A socket that a browser's page opens, or a program with its token."""
        headers = [(b"host", host.encode())]
        if token is not None:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        if client is not None:
            headers += [(b"origin", page.encode()), (b"cookie", f"zashiki={client.cookies['zashiki']}".encode())]
        asked = query + ("&format=msgpack" if packed else "")
        scope = {"path": "/socket", "headers": headers, "client": ("127.0.0.1", 50_000), "query_string": asked.encode()}
        return Guest(SimpleNamespace(socket=self.app), Account(0, "guest", ""), packed=packed, scope=scope)

    @asynccontextmanager
    async def guest(self, name: str | None = None, **visit: Any) -> AsyncIterator[httpx.AsyncClient]:
        """A browser with a guest before it."""
        async with self.browser(**visit) as client:
            (await client.get("/api/me")).raise_for_status()
            if name is not None:
                (await client.patch("/api/me", json={"name": name})).raise_for_status()
            yield client

    @asynccontextmanager
    async def person(self, name: str, **visit: Any) -> AsyncIterator[httpx.AsyncClient]:
        """A browser in which somebody with a claimed name is signed in."""
        async with self.guest(**visit) as client:
            claimed = {"name": name, "password": "a fine password"}
            (await client.post("/api/me/password", json=claimed)).raise_for_status()
            yield client


@asynccontextmanager
async def built(folder: Path, database: str | None = None, *, limits: float = NO_LIMITS, **more: Any) -> AsyncIterator[Visited]:
    """A building on a folder, open in this block."""
    building = Building(Settings(data=folder, database=database, limits=limits, **more))
    async with building.open():
        yield Visited(building)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The same on a port of its own, served from a thread; its address."""
    building = Building(Settings(data=folder, limits=NO_LIMITS, leaderboards=True, leagues=True))
    config = uvicorn.Config(building.app(), lifespan="on", ws="none", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
