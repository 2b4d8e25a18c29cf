"""A server that speaks our messages and plays a game of nothing: ten moves, any of three, seats taking turns.

The WebSocket is that of the `websockets` library, so that our own client's side is held against somebody else's.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

MOVES = 10


class StubTable:
    """Who sits there, who looks, and how many moves were made."""

    def __init__(self, name: str, host: int) -> None:
        self.name, self.host = name, host
        self.seats: list[int] = []
        self.watching: list[Connection] = []
        self.version, self.moves, self.playing = 0, 0, False
        self.rematch: set[int] = set()
        self.next: str | None = None

    def state(self, account: int, **more: Any) -> dict[str, Any]:
        """What somebody is told."""
        seat = self.seats.index(account) if account in self.seats else None
        over = self.moves == MOVES
        turn = self.playing and not over and seat == self.moves % 2
        return {
            "type": "state",
            "table": self.name,
            "version": self.version,
            "status": "over" if over else "playing" if self.playing else "waiting",
            "seat": seat,
            "seats": [{"account": each} for each in self.seats] + [{}] * (2 - len(self.seats)),
            "legal": [4, 5, 6] if turn else [],
            "decision": self.version,
            "next": self.next,
            **more,
        }


class StubServer:
    """The accounts, the tables, and one answer a request."""

    def __init__(self) -> None:
        self.tables: dict[str, StubTable] = {}
        self.accounts: dict[str, int] = {}
        self.refusing = False

    def guest(self) -> str:
        """A new cookie."""
        cookie = f"zashiki=guest{len(self.accounts) + 1}"
        self.accounts[cookie] = len(self.accounts) + 1
        return cookie

    def table(self, host: int) -> StubTable:
        """A new table."""
        table = StubTable(f"table{len(self.tables):011}", host)
        self.tables[table.name] = table
        return table

    def take(self, connection: Connection, request: dict[str, Any]) -> None:
        """Carries one request out, answers it, and tells everybody who looks."""
        if self.refusing and request["type"] == "act":
            connection.tell({"type": "refused", "request": request["request"], "code": "unavailable", "reason": "not now"})
            return
        table = self.tables[request["table"]]
        getattr(self, f"_{request['type']}")(connection, table, request)
        if request["type"] in ("watch", "unwatch"):
            return
        table.version += 1
        for each in table.watching:
            each.tell(table.state(each.account, **({"request": request["request"]} if each is connection else {})))
        if connection not in table.watching:
            connection.tell({"type": "done", "request": request["request"]})

    def _watch(self, connection: Connection, table: StubTable, request: dict[str, Any]) -> None:
        table.watching.append(connection)
        connection.tell(table.state(connection.account, request=request["request"], game="nothing", host=table.host))

    def _unwatch(self, connection: Connection, table: StubTable, request: dict[str, Any]) -> None:
        table.watching.remove(connection)
        connection.tell({"type": "done", "request": request["request"]})

    def _sit(self, connection: Connection, table: StubTable, request: dict[str, Any]) -> None:
        table.seats.append(connection.account)

    def _start(self, connection: Connection, table: StubTable, request: dict[str, Any]) -> None:
        assert connection.account == table.host
        assert len(table.seats) == 2
        table.playing = True

    def _act(self, connection: Connection, table: StubTable, request: dict[str, Any]) -> None:
        assert table.seats[table.moves % 2] == connection.account
        assert request["action"] in (4, 5, 6)
        assert request["version"] == table.version
        table.moves += 1

    def _rematch(self, connection: Connection, table: StubTable, request: dict[str, Any]) -> None:
        table.rematch.add(connection.account)
        if len(table.rematch) == 2:
            following = self.table(table.host)
            following.seats, following.playing = table.seats, True
            table.next = following.name


class Connection(asyncio.Protocol):
    """HTTP in its simplest form until somebody asks for a WebSocket."""

    def __init__(self, server: StubServer) -> None:
        self._server = server
        self._socket: ServerProtocol | None = None
        self._asked = b""
        self.account = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps what can be written to."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """A piece of an HTTP request, or of what a WebSocket says."""
        if self._socket is None and not data.startswith(b"GET /socket"):
            self._asked += data
            head, ended, body = self._asked.partition(b"\r\n\r\n")
            if ended and (body or head.startswith(b"GET")):
                self._asked = b""
                self._respond(head.decode().split("\r\n"))
            return
        if self._socket is None:
            self._socket = ServerProtocol()
        self._socket.receive_data(data)
        for event in self._socket.events_received():
            if isinstance(event, Request):
                self._welcome(event)
            elif isinstance(event, Frame) and event.opcode == Opcode.TEXT:
                self._server.take(self, json.loads(bytes(event.data)))
        self._flush()

    def _welcome(self, request: Request) -> None:
        assert self._socket
        self.account = self._server.accounts[request.headers["Cookie"]]
        self._socket.send_response(self._socket.accept(request))
        self.tell({"type": "welcome", "protocol": 1, "account": self.account, "name": "", "kind": "guest", "now": 0})

    def tell(self, message: dict[str, Any]) -> None:
        """Sends one message, unless nobody is there any more."""
        if self._socket and not self._transport.is_closing():
            self._socket.send_text(json.dumps(message).encode())
            self._flush()

    def _flush(self) -> None:
        assert self._socket
        for data in self._socket.data_to_send():
            self._transport.write(data)

    def _respond(self, head: list[str]) -> None:
        headers, body, status = "", "{}", 200
        if head[0].startswith("GET /api/me"):
            headers = f"Set-Cookie: {self._server.guest()}; HttpOnly\r\n"
        elif head[0].startswith("POST /api/tables"):
            cookie = next(line.removeprefix("Cookie: ") for line in head if line.startswith("Cookie: "))
            status, body = 201, json.dumps({"table": self._server.table(self._server.accounts[cookie]).name})
        self._transport.write(f"HTTP/1.1 {status} OK\r\nContent-Length: {len(body)}\r\n{headers}\r\n{body}".encode())


async def _serve(server: StubServer, port: int, ready: threading.Event, stopped: asyncio.Event) -> None:
    serving = await asyncio.get_running_loop().create_server(lambda: Connection(server), "127.0.0.1", port)
    ready.set()
    await stopped.wait()
    serving.close()


@contextmanager
def stub_server(port: int) -> Iterator[StubServer]:
    """The stub in a thread of its own."""
    server, ready, loop = StubServer(), threading.Event(), asyncio.new_event_loop()
    stopped = asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(_serve(server, port, ready, stopped),))
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(10)
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


if __name__ == "__main__":
    asyncio.run(_serve(StubServer(), int(sys.argv[1]), threading.Event(), asyncio.Event()))
