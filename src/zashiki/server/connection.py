"""One person's connection: what is sent to it, in order, and what happens when it does not listen.

A message is written at once, without a task of its own. When the socket is full, the rest waits: tables are remembered by name
only and shown in their latest state, everything else is kept in a short queue.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Generator, MutableMapping
from typing import Any

import msgspec

from zashiki.server import messages
from zashiki.server.accounts import Account, Identified
from zashiki.server.doors import Keys
from zashiki.server.errors import Refused
from zashiki.server.wire import BINARY, TEXT, DirectWebSocket

LONGEST_BACKLOG, BIGGEST_BACKLOG = 100, 262_144
"""Messages that a connection may leave waiting, tables not counted, and their bytes."""
PATIENCE_S = 30.0
"""A connection that takes nothing for so long is ended."""

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
encode = msgspec.json.Encoder().encode
logger = logging.getLogger("zashiki.socket")


class Connection:
    """Somebody's open socket. `show_latest` and `gone` are set by whoever keeps it."""

    __slots__ = (
        "__weakref__",
        "_backlog",
        "_closing",
        "_draining",
        "_kept",
        "_missed",
        "_packed",
        "_send",
        "account",
        "client",
        "identified",
        "keys",
        "malformed",
        "show_latest",
        "watching",
        "wire",
    )

    def __init__(self, send: Send, identified: Identified, client: str, *, packed: bool = False) -> None:
        self._send = send
        # uvicorn's `send` is a method of the protocol; any other server's is sent to as ASGI has it.
        wire = getattr(send, "__self__", None)
        self.wire = wire if isinstance(wire, DirectWebSocket) else None
        self.identified = identified
        self.account: Account = identified.account
        self.client = client
        self.keys: Keys = ()
        """What the open socket is counted under."""
        self.watching: set[str] = set()
        self.malformed = 0
        self.show_latest: Callable[[Connection, str], None] = lambda connection, table: None
        self._packed = packed
        self._backlog: list[bytes] = []
        self._kept = 0
        self._missed: dict[str, None] = {}
        self._draining: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether it has ended, or is about to: nothing more is sent."""
        return self._closing

    @property
    def paused(self) -> bool:
        """Whether the socket is full."""
        return self._draining is not None

    def tell(self, message: messages.Message) -> None:
        """Sends a message."""
        self.show(encode(message))

    def done(self, request: int, table: str | None, version: int | None, repeated: bool) -> None:
        """Answers a request that was carried out."""
        self.tell(messages.Done(request=request, table=table, version=version, repeated=repeated))

    def refused(self, request: int | None, table: str | None, refusal: Refused) -> None:
        """Answers a request that was refused."""
        self.tell(
            messages.RefusedMessage(
                request=request,
                table=table,
                code=refusal.code,
                reason=refusal.reason,
                retry_after_ms=refusal.retry_after_ms,
            )
        )

    def show(self, frame: bytes) -> None:
        """Sends a message that is encoded already; a connection that breaks hurts nobody but itself."""
        if self._closing:
            return
        try:
            if self._draining is not None:
                self._keep(frame)
            elif self.wire is not None and self.wire.writable.is_set():
                if self._packed:
                    self.wire.write(*self.encoded(frame))
                else:
                    self.wire.write(frame, TEXT)
            else:
                self._begin(self._send(self._message(frame)))
        except Exception:
            logger.debug("a connection broke while something was sent", exc_info=True)
            self._closing = True

    def _begin(self, sending: Any) -> None:
        """Sends by hand as far as it goes; what must wait becomes a task."""
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        except Exception:  # The other side is gone; `receive` says so too.
            self._closing = True
            return
        self._draining = asyncio.get_running_loop().create_task(self._drain(_Resumed(sending, waits_for)))

    def catch_up(self, table: str) -> None:
        """Remembers to show this table when the socket takes messages again."""
        self._missed[table] = None

    def encoded(self, frame: bytes) -> tuple[bytes, int]:
        """A message as this connection wants it, and the kind of its frame."""
        if self._packed:
            return msgspec.msgpack.encode(msgspec.json.decode(frame)), BINARY
        return frame, TEXT

    def _message(self, frame: bytes) -> dict[str, Any]:
        data, kind = self.encoded(frame)
        return {"type": "websocket.send"} | ({"text": data.decode()} if kind == TEXT else {"bytes": data})

    def _keep(self, frame: bytes) -> None:
        self._kept += len(frame)
        if len(self._backlog) < LONGEST_BACKLOG and self._kept < BIGGEST_BACKLOG:
            self._backlog.append(frame)
        else:
            self.abort()

    async def _drain(self, first: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await first
            while (self._backlog or self._missed) and not self._closing:
                async with asyncio.timeout(PATIENCE_S):
                    await self._drain_some()
        except Exception:  # Too slow, or gone.
            self._closing = True
        finally:
            self._draining = None
        if self._closing:
            await self.close(1008, "too slow")

    async def _drain_some(self) -> None:
        while self._backlog:
            self._kept -= len(self._backlog[0])
            await self._send(self._message(self._backlog.pop(0)))
        missed, self._missed = self._missed, {}
        for table in missed:
            self.show_latest(self, table)

    def stop(self) -> None:
        """The socket is gone: nothing more is sent, and it is let go of."""
        self._closing = True
        if self._draining is not None:
            self._draining.cancel()
        self.wire, self._send = None, _to_nobody

    async def close(self, code: int, reason: str) -> None:
        """Ends the connection."""
        self._closing = True
        try:
            async with asyncio.timeout(1):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
        except TimeoutError:
            self.abort()
        except Exception:  # Gone already.
            return

    def abort(self) -> None:
        """Ends a connection that does not listen, without a word."""
        self._closing = True
        self._backlog, self._missed = [], {}
        if self.wire is not None:
            self.wire.transport.abort()


async def _to_nobody(message: MutableMapping[str, Any]) -> None:
    """Where messages go for a socket that is gone."""


class _Resumed:
    """A coroutine that was begun by hand and waits for something: it can be awaited from here on."""

    def __init__(self, coroutine: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        try:
            yield self._waits_for
        except BaseException:
            self._coroutine.close()
            raise
        return (yield from self._coroutine.__await__())
