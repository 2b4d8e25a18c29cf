"""Seeing inside: is it alive, is it ready, and what does it measure."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import SkipValidation
from sqlalchemy import text

from zashiki.server.errors import Refused
from zashiki.server.http.problems import refusals
from zashiki.server.metrics import MEDIA_TYPE, Metrics
from zashiki.server.store import Store

CHECK_TIMEOUT_S = 3.0
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")

Check = Callable[[], Awaitable[None]]
_log = logging.getLogger("zashiki.health")


class Alive(msgspec.Struct, frozen=True, kw_only=True):
    """The process answers."""

    alive: bool = True


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether requests can be served, and each thing that this needs."""

    ready: bool
    checks: dict[str, bool]


class Health:
    """What must hold for this process to be sent requests: its checks pass, and it is not going down."""

    def __init__(self, checks: Mapping[str, Check] | None = None) -> None:
        self.checks = dict(checks or {})
        self.stopping = False

    async def readiness(self) -> Readiness:
        """All checks, at the same time."""
        passed = await asyncio.gather(*(_passes(name, check) for name, check in self.checks.items()))
        found = {"running": not self.stopping, **dict(zip(self.checks, passed, strict=True))}
        return Readiness(ready=all(found.values()), checks=found)


async def _passes(name: str, check: Check) -> bool:
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_S):
            await check()
    except Exception as error:
        _log.warning("not ready: %s: %s", name, error)
        return False
    return True


def reachable(store: Store) -> Check:
    """The store answers."""

    async def check() -> None:
        await store.read(lambda connection: connection.execute(text("SELECT 1")).scalar_one())

    return check


def migrated(store: Store, head: str) -> Check:
    """The store's schema is the newest that we know."""

    async def check() -> None:
        found = await store.read(lambda connection: connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
        if found != head:
            raise RuntimeError(f"the schema is at {found}, not at {head}: run `zashiki migrate`")

    return check


class Lookout:
    """Who may read the measures: whoever has the token; without one, whoever sits at this machine and came through no proxy."""

    def __init__(self, token: str | None = None, *, behind_proxy: bool = False) -> None:
        self.token = token
        self.behind_proxy = behind_proxy

    def check(self, request: Request[Any, Any, Any]) -> None:
        """Refuses everybody else."""
        if self.token is not None:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            if hmac.compare_digest(given.encode(), self.token.encode()):
                return
        elif not self.behind_proxy and _from_here(request):
            return
        raise Refused("forbidden", "measures are told to this machine itself, or to whoever sends the token of the settings")


def _from_here(request: Request[Any, Any, Any]) -> bool:
    client = request.scope.get("client")
    if client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


_NOT_READY = ResponseSpec(Readiness, generate_examples=False, description="not now")
_MEASURES = ResponseSpec(str, generate_examples=False, description="as Prometheus reads it", media_type="text/plain")


class Seeing(Controller):
    """For whoever runs the server."""

    path = "/"
    tags = ("running",)

    @get("/healthz", summary="Is it alive?", responses=refusals())
    async def alive(self) -> Alive:
        """Whether the process answers at all; nothing else is looked at."""
        return Alive()

    @get("/readyz", summary="Is it ready?", responses={**refusals(), 503: _NOT_READY})
    async def ready(self, health: NamedDependency[SkipValidation[Health]]) -> Response[Readiness]:
        """Whether requests can be served: the store is reachable and of our version, and the server is not going down."""
        found = await health.readiness()
        return Response(found, status_code=200 if found.ready else 503)

    @get("/metrics", summary="Measures for Prometheus", responses={**refusals(403), 200: _MEASURES})
    async def measures(
        self,
        request: Request[Any, Any, Any],
        metrics: NamedDependency[SkipValidation[Metrics]],
        lookout: NamedDependency[SkipValidation[Lookout]],
    ) -> Response[bytes]:
        """Of this process: connections, tables, actions, latencies, the store, bots, notifications."""
        lookout.check(request)
        return Response(metrics.text(), media_type=MEDIA_TYPE)
