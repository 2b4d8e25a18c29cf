"""How the application is put together: hooks, guards, and controllers of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import get
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation

from tests.server.http_house import TABLE, app, call
from zashiki.server.errors import Refused


def test_hooks_run_when_the_server_starts_and_stops() -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def hook() -> AsyncIterator[None]:
        seen.append("opened")
        yield
        seen.append("closed")

    async def main() -> None:
        came: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        for kind in ("startup", "shutdown"):
            came.put_nowait({"type": f"lifespan.{kind}"})

        async def send(message: dict[str, Any]) -> None:
            seen.append(message["type"])

        await app(lifespan=[hook])({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, came.get, send)

    asyncio.run(main())
    assert seen == ["opened", "lifespan.startup.complete", "closed", "lifespan.shutdown.complete"]


def test_guards_are_asked_before_every_request_over_http() -> None:
    def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        raise Refused("too many", "20 requests a second, and you have made them", retry_after_ms=500)

    application = app(guards=[guard])
    for path in ("/api/games", f"/api/tables/{TABLE}", "/api/openapi.json"):
        answer = call(application, "GET", path)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")


@get("/api/weather", summary="The weather")
async def weather(sky: NamedDependency[SkipValidation[str]]) -> dict[str, str]:
    """How it is outside."""
    return {"sky": sky}


def test_controllers_of_others_are_answered_and_documented() -> None:
    given = {"sky": Provide(lambda: "clear", sync_to_thread=False)}
    application = app(controllers=[weather], dependencies=given)
    assert call(application, "GET", "/api/weather").json() == {"sky": "clear"}
    assert "/api/weather" in call(application, "GET", "/api/openapi.json").json()["paths"]
