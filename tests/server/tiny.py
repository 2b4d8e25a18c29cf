"""A very small application for the tests of `zashiki serve`: it tells its process, and notes how it ends."""

from __future__ import annotations

import os
from typing import Any

from zashiki.server.settings import Settings


def create(settings: Settings, *, address: str) -> Any:
    """An application that does not start if there is a file `broken` in the data folder."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await _live(settings, receive, send)
        elif scope["type"] == "websocket":
            await _echo(receive, send)
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            body = f"{os.getpid()} {address} {scope['client'][0]}".encode()
            await send({"type": "http.response.body", "body": body})

    return application


async def _live(settings: Settings, receive: Any, send: Any) -> None:
    await receive()
    broken = settings.data / "broken"
    if broken.exists():
        broken.write_text("tried")
        await send({"type": "lifespan.startup.failed", "message": "broken"})
        return
    await send({"type": "lifespan.startup.complete"})
    await receive()
    (settings.data / f"ended-{os.getpid()}").touch()
    await send({"type": "lifespan.shutdown.complete"})


async def _echo(receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})
