"""uvicorn's WebSocket protocol with short cuts for sockets that live long and carry many small messages.

What arrives is handed to a plain function, and what is sent is written at once; without them every message costs a task's turn
and a coroutine each way. Nor does a task wait for the end of the connection: thousands of them would take more memory than the
tables. Handshake, keepalive, limits and closing stay uvicorn's.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

TEXT, BINARY = WHOLE = 0x81, 0x82
"""The first byte of a frame that is a whole message."""

_SHORT, _MIDDLE, _LONG = struct.Struct("!BB").pack, struct.Struct("!BBH").pack, struct.Struct("!BBQ").pack


def frame_end(data: bytes, start: int) -> int | None:
    """Where a short masked frame ends that begins there; None if it is not all there, or not short."""
    if len(data) - start < 6 or data[start + 1] < 128 or data[start + 1] > 253:
        return None
    end = start + 6 + (data[start + 1] & 127)
    return end if end <= len(data) else None


def unmasked(frame: bytes) -> bytes:
    """What a short masked frame says: its bytes combined with the four of its mask, over and over."""
    size = len(frame) - 6
    mask = (frame[2:6] * (size // 4 + 1))[:size]
    return (int.from_bytes(frame[6:], "little") ^ int.from_bytes(mask, "little")).to_bytes(size, "little")


Listener = Callable[[bytes, bool], None]
Closed = Callable[[], None]


class _Ending:
    """Stands where uvicorn queues what the application is to receive: of a connection that is listened to, only its end."""

    __slots__ = ("_closed", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, closed: Closed) -> None:
        self._loop = loop
        self._closed: Closed | None = closed

    def put_nowait(self, message: Mapping[str, Any]) -> None:
        """The connection has ended, or is about to; it is told once."""
        closed, self._closed = self._closed, None
        if closed is not None:
            self._loop.call_soon(closed)


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A connection that may be listened to directly. Until `listen` is called it is uvicorn's own."""

    _listener: Listener | None = None
    _cut = False
    farewell: tuple[bytes, int] | None = None

    async def run_asgi(self) -> None:
        """Runs the application; a connection that it listens to goes on after it has returned."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("Exception in ASGI application\n")
        if self._listener is None:
            self.send_500_response()  # Unless it has been answered.
            if self.close_timer is None:
                self.transport.close()

    def listen(self, listener: Listener, closed: Closed) -> None:
        """From now on every message goes to `listener`, with whether it is text, and the end to `closed`.

        The handshake is over and forgotten.
        """
        queue, self.queue = self.queue, _Ending(self.loop, closed)  # type: ignore[assignment]
        self._listener = listener
        self._forget_handshake()
        while not queue.empty():  # What came together with the handshake.
            self._hand_over(queue.get_nowait())
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended: whoever listens is let go of, and so is the parser, or they would hold each other."""
        super().connection_lost(exc)
        self._listener = None
        self.conn.parser.close()

    def _hand_over(self, message: Any) -> None:
        if message["type"] != "websocket.receive":
            self.queue.put_nowait(message)
        elif self._listener is not None:
            text = message.get("text")
            self._listener(message["bytes"] if text is None else text.encode(), text is not None)

    def _forget_handshake(self) -> None:
        self.scope["headers"] = []
        # Cleared, not dropped: the parser's own frame holds the request for as long as the connection lives.
        self.request.headers.clear()
        self.response.headers.clear()

    def data_received(self, data: bytes) -> None:
        """Bytes arrive: nearly always whole, short messages. After one that is not, uvicorn reads the connection by itself."""
        start = 0
        while self._listener is not None and not self._cut and not self.close_sent and start < len(data):
            end = frame_end(data, start)
            self._cut = end is None
            if end is not None:
                self._take(data[start:end])
                start = end
        if start < len(data):
            super().data_received(data[start:] if start else data)

    def _take(self, frame: bytes) -> None:
        if frame[0] in WHOLE and not self.frames and self._listener is not None:
            self._listener(unmasked(frame), frame[0] == TEXT)
        else:
            super().data_received(frame)

    def shutdown(self) -> None:
        """The server stops: says goodbye before uvicorn closes the connection."""
        if self.farewell is not None:
            self.write(*self.farewell)
        super().shutdown()

    def send_receive_event_to_app(self) -> None:
        """A message is complete."""
        if self._listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        self._listener(data, self.curr_msg_data_type == "text")

    def write(self, data: bytes, kind: int) -> None:
        """Sends a message in one frame; a connection that is closing sends none."""
        if self.close_sent or self.disconnected:
            return
        size = len(data)
        if size < 126:
            head = _SHORT(kind, size)
        elif size < 65536:
            head = _MIDDLE(kind, 126, size)
        else:
            head = _LONG(kind, 127, size)
        self.transport.write(head + data)
