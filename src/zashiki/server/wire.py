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


def unmasked(frame: bytes) -> bytes:
    """What a short masked frame says: its bytes combined with the four of its mask, over and over."""
    size = len(frame) - 6
    mask = (frame[2:6] * (size // 4 + 1))[:size]
    return (int.from_bytes(frame[6:], "little") ^ int.from_bytes(mask, "little")).to_bytes(size, "little")


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A connection that may be listened to directly. Until `listen` is called it is uvicorn's own."""

    _listener: Callable[[bytes, bool], None] | None = None

    def listen(self, listener: Callable[[bytes, bool], None]) -> None:
        """From now on every message goes to `listener`, with whether it is text. The handshake is over and forgotten."""
        self._listener = listener
        self.scope["headers"] = []
        # Cleared, not dropped: the parser's own frame holds the request for as long as the connection lives.
        self.request.headers.clear()
        self.response.headers.clear()

    def data_received(self, data: bytes) -> None:
        """Bytes arrive: mostly one short message, whole, with nothing left over from before."""
        if (
            self._listener is not None
            and 6 < len(data) < 132
            and data[0] in WHOLE
            and len(data) == (data[1] & 127) + 6
            and data[1] & 128
            and not self.conn.reader.buffer
            and not self.frames
            and not self.close_sent
        ):
            self._listener(unmasked(data), data[0] == TEXT)
        else:
            super().data_received(data)

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
        if self.close_sent:
            return
        size = len(data)
        if size < 126:
            head = _SHORT(kind, size)
        elif size < 65536:
            head = _MIDDLE(kind, 126, size)
        else:
            head = _LONG(kind, 127, size)
        self.transport.write(head + data)
