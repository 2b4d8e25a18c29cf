"""uvicorn's WebSocket protocol with two short cuts for sockets that carry many small messages.

What arrives is handed to a plain function, and what is sent is written at once; without them every message costs a task's turn
and a coroutine each way. Handshake, keepalive, limits and closing stay uvicorn's.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

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


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A connection that may be listened to directly. Until `listen` is called it is uvicorn's own."""

    _listener: Callable[[bytes, bool], None] | None = None
    _cut = False
    farewell: tuple[bytes, int] | None = None

    def listen(self, listener: Callable[[bytes, bool], None]) -> None:
        """From now on every message goes to `listener`, with whether it is text. The handshake is over and forgotten."""
        self._listener = listener
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
