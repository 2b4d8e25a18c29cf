"""The client's side of a WebSocket, by hand: a load must cost less than what it loads.

No compression is offered. Frames are masked with a key of zeros, which RFC 6455 allows and which leaves the text as it is; the
server unmasks it like any other.
"""

from __future__ import annotations

import socket
from base64 import b64encode
from os import urandom

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
READ = 16_384
PATIENCE = 30.0


class ConnectionFailed(Exception):
    """The server did not open a WebSocket, or closed one."""


def frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """One whole message from a client."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | opcode, 0x80 | size)) + b"\0\0\0\0" + payload
    return bytes((0x80 | opcode, 0x80 | 126)) + size.to_bytes(2) + b"\0\0\0\0" + payload


def split(received: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """The whole messages of a server, each with its opcode, and what is left over."""
    messages, start, end = [], 0, len(received)
    while end - start >= 2:
        size, body = received[start + 1], start + 2
        if size == 126:
            size, body = int.from_bytes(received[start + 2 : start + 4]), start + 4
        elif size == 127:
            size, body = int.from_bytes(received[start + 2 : start + 10]), start + 10
        if body + size > end:
            break
        messages.append((received[start] & 15, received[body : body + size]))
        start = body + size
    return messages, received[start:]


class Wire:
    """One open socket and the part of a message that has come so far."""

    __slots__ = ("closed", "rest", "socket")

    def __init__(self, address: tuple[str, int], path: str, headers: dict[str, str]) -> None:
        self.socket = socket.create_connection(address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.closed = False
        self.rest = self._upgraded(path, {"Host": "%s:%d" % address, **headers})  # noqa: UP031  # the pair at once
        self.socket.setblocking(False)

    def _upgraded(self, path: str, headers: dict[str, str]) -> bytes:
        """Asks for a WebSocket; gives what came after the answer."""
        lines = [f"GET {path} HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
        lines += [
            f"Sec-WebSocket-Key: {b64encode(urandom(16)).decode()}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            if not (more := self.socket.recv(READ)):
                break
            answer += more
        head, _, rest = answer.partition(b"\r\n\r\n")
        if b" 101 " not in head[:16]:
            raise ConnectionFailed(
                f"no WebSocket at {path}: {head[:200].decode(errors='replace')} {rest[:300].decode(errors='replace')}"
            )
        return rest

    def send(self, whole: bytes) -> None:
        """Sends one frame at once. A server that lets kilobytes pile up is not serving: that is an error here."""
        if self.socket.send(whole) != len(whole):
            raise ConnectionFailed("the server does not read")

    def receive(self) -> list[tuple[int, bytes]]:
        """What has come; nothing more comes after a socket is `closed`."""
        try:
            received = self.socket.recv(READ)
        except ConnectionError:
            received = b""
        if not received:
            self.closed = True
            return []
        return self.messages(received)

    def messages(self, received: bytes) -> list[tuple[int, bytes]]:
        """The messages that these bytes complete."""
        messages, self.rest = split(self.rest + received if self.rest else received)
        return messages
