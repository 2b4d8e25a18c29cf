"""What one connection may cost the others: its bytes are taken in small portions, and what no honest client sends ends it.

uvicorn parses whatever has arrived in one go, up to a quarter of a megabyte, and answers pings whether or not anybody reads the
answers. So one connection could hold up all others for half a second, and fill the memory.
"""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from zashiki.server.wire import DirectWebSocket

PORTION = 4096
"""Bytes that are parsed before others have their turn; no honest message is as long."""
MOST_PIECES = 64
"""Frames of one message."""
MOST_CONTROL_FRAMES = 50
"""Pings and pongs of one connection within a period; browsers send none of their own."""
PERIOD_S = 10.0
LAST_BYTES = 65_536
"""What a connection may still send after we have closed it."""

POLICY = 1008


class GuardedWebSocket(DirectWebSocket):
    """A connection that gets its share and no more."""

    _waiting = b""
    _control_frames = 0
    _period_ends = 0.0
    _bytes_after_close = 0

    def data_received(self, data: bytes) -> None:
        """Takes bytes, a portion now and the rest in the next turns; meanwhile nothing more is read."""
        if self.close_sent:
            self._bytes_after_close += len(data)
            if self._bytes_after_close > LAST_BYTES:
                self.transport.abort()
                return
        if self._waiting:
            self._waiting += data
        elif len(data) > PORTION or not self.writable.is_set():
            self._waiting = data
            self._take_portion()
        else:
            super().data_received(data)

    def _take_portion(self) -> None:
        if not self._waiting or not self.writable.is_set():
            return
        portion, self._waiting = self._waiting[:PORTION], self._waiting[PORTION:]
        if self.transport.is_closing():
            self._waiting = b""
            return
        WebSocketsSansIOProtocol.data_received(self, portion)  # the short cut is for frames that come alone
        if self._waiting:
            self.transport.pause_reading()
            self.loop.call_soon(self._take_portion)
        else:
            self._read_again()

    def _read_again(self) -> None:
        if not self._waiting and not self.read_paused and self.writable.is_set() and not self.transport.is_closing():
            self.transport.resume_reading()

    def pause_writing(self) -> None:
        """The other side does not read: then we do not either, or our answers would pile up."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._waiting:
            self.loop.call_soon(self._take_portion)
        else:
            self._read_again()

    def handle_ping(self) -> None:
        """Answers it, if they are not too many."""
        if self._is_too_much():
            self._end("too many")
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Takes it, if they are not too many."""
        if self._is_too_much():
            self._end("too many")
        else:
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Another piece of a message."""
        if len(self.frames) >= MOST_PIECES:
            self._end("malformed")
        else:
            super().handle_cont(event)

    def _is_too_much(self) -> bool:
        now = self.loop.time()
        if now > self._period_ends:
            self._control_frames, self._period_ends = 0, now + PERIOD_S
        self._control_frames += 1
        return self._control_frames > MOST_CONTROL_FRAMES

    def _end(self, reason: str) -> None:
        """Ends the connection at once."""
        self._waiting = b""
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.fail(POLICY, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
