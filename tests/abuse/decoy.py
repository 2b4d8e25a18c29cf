"""A server that refuses everything without listening: attackers who attack it instead cost the rest of the machine as much."""

from __future__ import annotations

import asyncio
from contextlib import suppress

ANSWER = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"

_refused = (
    b'{"type":"refused","request":7,"code":"malformed","reason":"this is no request: Object missing required field `type`"}'
)
REFUSAL = bytes((0x81, len(_refused))) + _refused


async def open_decoy() -> int:
    """Opens it in this process, for as long as that lives; gives its port."""
    server = await asyncio.start_server(_listen, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    return port


async def _listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        request = await reader.readuntil(b"\r\n\r\n")
        if b"upgrade: websocket" not in request.lower():
            writer.write(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        writer.write(ANSWER)
        while await reader.read(65536):
            writer.write(REFUSAL)
            await writer.drain()
    writer.close()
