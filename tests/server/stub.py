"""A server that speaks our messages and knows no game: it does what a test of the client tells it, faults included."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

import msgspec
import uvicorn

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

TABLE = "a-table-of-cards"
OTHER = "an-other-table-x"


class Drop(Exception):
    """The connection is lost here."""


class Socket:
    """A connection of the stub."""

    def __init__(self, scope: Scope, send: Send) -> None:
        query = parse_qs(scope["query_string"].decode())
        self.client, self.format = query["client"][0], query["format"][0]
        self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.watching: dict[str, int] = {}
        self._send = send

    async def tell(self, **message: Any) -> None:
        if self.format == "json":
            await self._send({"type": "websocket.send", "text": msgspec.json.encode(message).decode()})
        else:
            await self._send({"type": "websocket.send", "bytes": msgspec.msgpack.encode(message)})

    async def close(self, reason: str = "") -> None:
        await self._send({"type": "websocket.close", "code": 1012, "reason": reason})

    def read(self, event: dict[str, Any]) -> dict[str, Any]:
        decoded: dict[str, Any] = (
            msgspec.json.decode(event["text"]) if self.format == "json" else msgspec.msgpack.decode(event["bytes"])
        )
        return decoded


class Stub:
    """Every table has a log of lines; `act` appends one, whoever acts. `faults` are taken one for each act."""

    def __init__(self) -> None:
        self.logs: dict[str, list[dict[str, Any]]] = {TABLE: [], OTHER: []}
        self.status = "playing"
        self.done: dict[str, int] = {}
        self.received: list[dict[str, Any]] = []
        self.sockets: list[Socket] = []
        self.opened: list[Socket] = []
        self.faults: deque[str] = deque()
        self.refuse_watch: deque[dict[str, Any]] = deque()
        self.reject: deque[tuple[int, dict[str, Any]]] = deque()
        self.http: deque[tuple[int, Any]] = deque()
        self.http_received: list[tuple[str, str, dict[str, str], bytes]] = []
        self.url = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._socket(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        body = (await receive())["body"]
        path = scope["path"] + ("?" + scope["query_string"].decode() if scope["query_string"] else "")
        self.http_received.append((scope["method"], path, headers, body))
        status, answer = self.http.popleft() if self.http else (200, {})
        answer_headers = [(b"content-type", b"application/json")]
        if scope["path"] == "/api/me" and "cookie" not in headers:
            answer_headers.append((b"set-cookie", b"zashiki=a-secret; HttpOnly; Path=/; SameSite=Lax"))
        await send({"type": "http.response.start", "status": status, "headers": answer_headers})
        await send({"type": "http.response.body", "body": msgspec.json.encode(answer)})

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if self.reject:
            status, answer = self.reject.popleft()
            headers = [(b"content-type", b"application/problem+json")]
            await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
            await send({"type": "websocket.http.response.body", "body": msgspec.json.encode(answer)})
            return
        await send({"type": "websocket.accept"})
        socket = Socket(scope, send)
        self.sockets.append(socket)
        self.opened.append(socket)
        try:
            await socket.tell(type="welcome", protocol=1, account=7, name="Aki", kind="guest", now=0)
            while (event := await receive())["type"] == "websocket.receive":
                message = socket.read(event)
                self.received.append(message)
                await self._handle(socket, message)
        except Drop:
            await socket.close()
        finally:
            self.sockets.remove(socket)

    async def _handle(self, socket: Socket, message: dict[str, Any]) -> None:
        match message["type"]:
            case "watch":
                await self._watch(socket, message)
            case "act":
                await self._act(socket, message)
            case "lobby":
                if message["on"]:
                    await socket.tell(type="lobby", request=message["request"], tables=[])
            case "unwatch":
                socket.watching.pop(message["table"], None)
            case "talk" if message["text"] == "not answered":
                pass
            case _:
                await socket.tell(type="done", request=message["request"], version=0)

    async def _watch(self, socket: Socket, message: dict[str, Any]) -> None:
        if self.refuse_watch:
            await socket.tell(type="refused", request=message["request"], **self.refuse_watch.popleft())
            return
        socket.watching[message["table"]] = message["version"] or 0
        constant: dict[str, Any] = {"game": "stub", "settings": {"private": True}, "host": 7}
        await self.show(socket, message["table"], request=message["request"], **constant)

    async def _act(self, socket: Socket, message: dict[str, Any]) -> None:
        fault = self.faults.popleft() if self.faults else ""
        if fault == "drop":
            raise Drop
        if fault.startswith("refuse "):
            code = fault.removeprefix("refuse ")
            later = {"retry_after_ms": 1} if code == "unavailable" else {}
            await socket.tell(type="refused", request=message["request"], code=code, reason="because", **later)
            return
        key, log = f"{socket.client}:{message['request']}", self.logs[message["table"]]
        repeated = key in self.done
        if not repeated:
            self.append(message["table"], message["action"])
            self.done[key] = len(log)
        if fault == "carry out and drop":
            raise Drop
        if repeated or message["table"] not in socket.watching:
            await socket.tell(type="done", request=message["request"], version=self.done[key], repeated=repeated)
        else:
            await self.show(socket, message["table"], request=message["request"])

    def append(self, table: str, action: Any) -> None:
        self.logs[table].append({"kind": "act", "at": 0, "seat": 0, "action": action})

    async def show(self, socket: Socket, table: str, *, since: int | None = None, upto: int | None = None, **more: Any) -> None:
        since = socket.watching.get(table, 0) if since is None else since
        lines = self.logs[table][:upto]
        state = {
            "table": table,
            "version": len(lines),
            "since": since,
            "status": self.status,
            "seat": 0,
            "seats": [{"name": "Aki", "account": 7}],
            "view": {"cards": len(lines)},
            "legal": [1, 2],
            "events": lines[since:],
        }
        socket.watching[table] = len(lines)
        await socket.tell(type="state", **state, **more)


@asynccontextmanager
async def running(stub: Stub) -> AsyncIterator[Stub]:
    """The stub on a port of its own."""
    config = uvicorn.Config(stub, port=0, ws="websockets-sansio", lifespan="off", log_config=None, timeout_graceful_shutdown=1)
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    port = server.servers[0].sockets[0].getsockname()[1]
    stub.url = f"http://127.0.0.1:{port}"
    try:
        yield stub
    finally:
        for socket in list(stub.sockets):
            await socket.close()
        await server.shutdown()
        await asyncio.sleep(0)
