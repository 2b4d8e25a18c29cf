"""A WebSocket spoken byte by byte, so that everything can be done wrong."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import cast

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(opcode: int, payload: bytes, *, final: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """A frame as a client sends it, if nothing else is asked for."""
    first = (0x80 if final else 0) | reserved << 4 | opcode
    return header(first, len(payload), masked) + (mask(payload) if masked else payload)


def header(first: int, length: int, masked: bool = True) -> bytes:
    """The start of a frame that claims this length."""
    bit = 0x80 if masked else 0
    if length < 126:
        return struct.pack("!BB", first, bit | length)
    if length < 1 << 16:
        return struct.pack("!BBH", first, bit | 126, length)
    return struct.pack("!BBQ", first, bit | 127, length)


def mask(payload: bytes) -> bytes:
    """The payload behind its mask."""
    key = os.urandom(4)
    size = len(payload)
    stream = int.from_bytes((key * (size // 4 + 1))[:size], "big")
    return key + (int.from_bytes(payload, "big") ^ stream).to_bytes(size, "big")


class NotTaken(Exception):
    """The server did not open the socket; the status says why."""


class RawSocket:
    """A socket of which `hear` gets every message. With `reading=False` it never reads again."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._transport = cast(asyncio.Transport, writer.transport)
        self._task: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()

    @classmethod
    async def open(
        cls,
        port: int,
        path: str,
        headers: dict[str, str],
        *,
        hear: Callable[[bytes], None] = lambda message: None,
        reading: bool = True,
        source: str = "127.0.0.1",
    ) -> RawSocket:
        """A socket after its handshake, from that address."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16, local_addr=(source, 0))
        lines = {
            "Host": f"127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            **headers,
        }
        text = f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
        writer.write(text.encode())
        try:
            answer = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, OSError) as error:
            writer.close()
            raise NotTaken("no answer") from error
        if b" 101 " not in answer.split(b"\r\n")[0]:
            writer.close()
            raise NotTaken(answer.split(b"\r\n")[0].decode(errors="replace"))
        made = cls(reader, writer)
        if reading:
            made.read(hear)
        else:
            made._transport.pause_reading()
        return made

    def read(self, hear: Callable[[bytes], None]) -> None:
        """Reads from now on."""
        self._transport.resume_reading()
        self._task = asyncio.create_task(self._read(hear))

    async def send(self, data: bytes) -> bool:
        """Sends bytes as they are; False when the server has had enough."""
        if self.ended.is_set():
            return False
        try:
            self._writer.write(data)
            await self._writer.drain()
        except OSError:
            return False
        return not self.ended.is_set()

    async def close(self) -> None:
        """Goes without a word."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._transport.abort()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def _read(self, hear: Callable[[bytes], None]) -> None:
        try:
            while True:
                opcode, payload = await self._frame()
                if opcode in (TEXT, BINARY, CONTINUATION):
                    hear(payload)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.ended.set()

    async def _frame(self) -> tuple[int, bytes]:
        first, second = await self._reader.readexactly(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", await self._reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", await self._reader.readexactly(8))
        return first & 0xF, await self._reader.readexactly(length)
