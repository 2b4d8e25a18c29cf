"""The application: one ASGI callable that joins the socket, the HTTP API and the web client."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.di import Provide
from litestar.types import ASGIApp, ControllerRouterHandler, Guard, Message, Receive, Send

from zashiki.server import logs
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.http import document, identity
from zashiki.server.http.authority import Companion, House
from zashiki.server.http.fixed import Fixed
from zashiki.server.http.games import Games
from zashiki.server.http.headers import with_headers
from zashiki.server.http.hosts import Hosts, host_of
from zashiki.server.http.leagues import LeagueOfTable, Leagues
from zashiki.server.http.problems import EXCEPTION_HANDLERS, send_refusal, turn_away
from zashiki.server.http.push import Push
from zashiki.server.http.puzzles import PuzzleDoors
from zashiki.server.http.record import Leaderboards, MyBoards, MyRecord
from zashiki.server.http.replays import Replays
from zashiki.server.http.seeing import Health, Lookout, Seeing
from zashiki.server.http.site import Site
from zashiki.server.http.strict import BODY_LIMIT, StrictRequest
from zashiki.server.http.tables import MyTables, Tables
from zashiki.server.metrics import Metrics
from zashiki.server.push import Pusher
from zashiki.server.records import Records
from zashiki.server.settings import Settings
from zashiki.server.tournaments import Tournaments

SOCKET = "/socket"
API = "/api/"
SEEING = frozenset({"/healthz", "/readyz", "/metrics"})
CONTROLLERS: tuple[ControllerRouterHandler, ...] = (
    *(Games, Tables, MyTables, Replays, PuzzleDoors, MyRecord, Leaderboards, Leagues, LeagueOfTable),
    *identity.CONTROLLERS,
    *(MyBoards, Push, Seeing),
)
"""Everything that HTTP answers to, besides the web client's files."""
DEPENDENCIES = (
    *("house", "owner", "records", "tournaments", "pusher", "health", "metrics", "lookout"),
    *("identity", "anybody", "newcomer", "me", "browser"),
)
"""What controllers may ask for by name."""

Who = Callable[[Request[Any, Any, Any], int | None], Awaitable[Account]]
Hook = Callable[[], AbstractAsyncContextManager[None]]

_log = logging.getLogger("zashiki.http")


def create_app(
    *,
    settings: Settings,
    house: House,
    socket: ASGIApp,
    who: Who,
    records: Records,
    tournaments: Tournaments,
    pusher: Pusher,
    health: Health,
    metrics: Metrics,
    site: Site | None = None,
    controllers: Sequence[ControllerRouterHandler] = (),
    dependencies: Mapping[str, Provide] | None = None,
    guards: Sequence[Guard] = (),
    lifespan: Sequence[Hook] = (),
) -> Entrance:
    """The application. `who` knows whose request it is, or for which companion; `guards` are asked before each over HTTP."""

    async def account(request: Request[Any, Any, Any], companion: Companion = None) -> Account:
        found = await who(request, companion)
        logs.about(account=found.id)
        return found

    async def owner(request: Request[Any, Any, Any]) -> Account:
        return await account(request)

    given: dict[str, Any] = {
        "house": house,
        "records": records,
        "tournaments": tournaments,
        "pusher": pusher,
        "health": health,
        "metrics": metrics,
        "lookout": Lookout(settings.metrics_token, behind_proxy=settings.behind_proxy),
    }
    made = api(
        (*CONTROLLERS, *controllers),
        {
            **(dependencies or {}),
            **{name: _provide(value) for name, value in given.items()},
            "account": Provide(account),
            "owner": Provide(owner),
        },
        guards=guards,
        lifespan=lifespan,
    )
    secure = (settings.public_url or "").startswith("https://")
    return Entrance(made, site or Site(), socket, hosts=Hosts.of(settings), metrics=metrics, secure=secure)


def api(
    controllers: Sequence[ControllerRouterHandler],
    dependencies: Mapping[str, Provide],
    *,
    guards: Sequence[Guard] = (),
    lifespan: Sequence[Hook] = (),
) -> Litestar:
    """The part that Litestar answers."""
    return Litestar(
        [*controllers, _openapi],
        dependencies=dict(dependencies),
        guards=list(guards),
        lifespan=[_without_app(hook) for hook in lifespan],
        exception_handlers=EXCEPTION_HANDLERS,
        request_class=StrictRequest,
        request_max_body_size=BODY_LIMIT,
        openapi_config=document.CONFIG,
        plugins=[document.Structures()],
        logging_config=None,
    )


def described() -> Litestar:
    """The same with nobody behind it, to be described."""
    return api(CONTROLLERS, {**{name: _provide(None) for name in DEPENDENCIES}, "account": Provide(_nobody)})


async def _nobody(companion: Companion = None) -> None:
    return None


def _provide(value: Any) -> Provide:
    return Provide(lambda: value, sync_to_thread=False)


def _without_app(hook: Hook) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    return lambda app: hook()


@get("/api/openapi.json", include_in_schema=False, sync_to_thread=True)
def _openapi(request: Request[Any, Any, Any]) -> Response[bytes]:
    state = request.app.state
    if "document" not in state:
        state["document"] = Fixed(msgspec.json.encode(document.document(request.app)), document.MEDIA_TYPE)
    made: Fixed = state["document"]
    return made.response(request)


class Entrance:
    """Where every connection comes in: names that are not ours go no further, and every answer is counted, noted and dressed."""

    def __init__(self, api: Litestar, site: Site, socket: ASGIApp, *, hosts: Hosts, metrics: Metrics, secure: bool) -> None:
        self.api = api
        self.hosts = hosts
        self._site = site
        self._socket = socket
        self._metrics = metrics
        self._secure = secure

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answers one connection."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self.api(scope, receive, send)

    async def _connect(self, scope: Any, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if scope["path"] != SOCKET:
            refused = refused or Refused("not found", "the socket is at /socket")
        if refused:
            await receive()
            await turn_away(refused, send)
        else:
            await self._socket(scope, receive, send)

    async def _answer(self, scope: Any, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        subject = logs.begin(scope["headers"])
        noted = _Noted(send, head=scope["method"] == "HEAD")
        secure = self._secure or scope["scheme"] == "https"
        dressed = with_headers(noted, secure=secure, more=((b"x-request-id", subject.request.encode()),))
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        try:
            await self._route(scope, receive, dressed)
        finally:
            self._note(scope, noted, time.perf_counter() - began)

    async def _route(self, scope: Any, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        refused = self._refusal(scope)
        if refused:
            await send_refusal(refused, send)
        elif path.startswith(API) or path in SEEING:
            await self.api(scope, receive, send)
        elif path in (SOCKET, API.rstrip("/")):
            await send_refusal(Refused("not found", "/socket is for WebSockets; /api/openapi.json tells the rest"), send)
        else:
            await self._site(scope, receive, send)

    def _refusal(self, scope: Any) -> Refused | None:
        if not self.hosts.allows(host_of(scope["headers"])):
            return Refused("wrong host", "this server does not answer under that name; its --public-url says which it has")
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length[:20]) > BODY_LIMIT:
            return Refused("too large", "a request's body may have 64 KiB at most")
        return None

    def _note(self, scope: Any, noted: _Noted, seconds: float) -> None:
        route = scope.get("path_template") or ("site" if not scope["path"].startswith(API) else "unknown")
        method = noted.method(scope["method"])
        self._metrics.http(method, route, noted.status, seconds)
        path = scope.get("raw_path") or scope["path"].encode()
        shown = path.decode("latin-1").encode("ascii", "backslashreplace").decode()[:200]
        extra = {"method": method, "path": shown, "status": noted.status, "ms": round(seconds * 1000, 1)}
        _log.info("request", extra=extra)


class _Noted:
    """`send`, remembering the status; to a HEAD only headers are sent."""

    def __init__(self, send: Send, *, head: bool) -> None:
        self._send = send
        self._head = head
        self.status = 500

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif self._head and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)

    def method(self, method: str) -> str:
        """The method as it was asked for, one of those we know."""
        if self._head:
            return "HEAD"
        return method if method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") else "other"
