"""One socket to the server that comes back by itself when it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.http11 import Response

from zashiki.client.backoff import Backoff
from zashiki.client.http import refusal, seconds

LARGEST_MESSAGE = 4 * 2**20
NOT_AGAIN = ("banned", "signed out", "malformed")
"""Why the server says goodbye to whom it does not want to see again."""
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)
"""What a server, or a proxy before it, answers when it may be better later."""


class Closed(Exception):
    """The connection has ended for good, for this reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the connection to the server has ended: {reason}")
        self.reason = reason


class Connection:
    """Keeps a socket open. `greet` says what to send first on each new one, `hear` takes each message that comes."""

    def __init__(
        self,
        address: str,
        *,
        headers: Callable[[], dict[str, str]],
        shaken: Callable[[Response], None],
        greet: Callable[[], Iterable[str | bytes]],
        hear: Callable[[str | bytes], None],
        backoff: Backoff | None = None,
    ) -> None:
        self.address = address
        self.backoff = backoff or Backoff()
        self.goodbye: str | None = None
        self.opened = 0
        self._headers = headers
        self._shaken = shaken
        self._greet = greet
        self._hear = hear
        self._outgoing: asyncio.Queue[str | bytes] | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a socket now."""
        return self._outgoing is not None

    def send(self, message: str | bytes) -> None:
        """Sends a message if there is a socket; if not, the greeting of the next one must bring it."""
        if self._outgoing is not None:
            self._outgoing.put_nowait(message)

    async def run(self) -> None:
        """Connects again and again; raises `Closed` or `Refused` when the server wants no more of it."""
        while True:
            wait = 0.0
            try:
                await self._once()
            except InvalidStatus as error:
                wait = _retry_after(error.response)
            except (OSError, WebSocketException, TimeoutError):
                pass  # whatever it was, the next attempt tells
            if self.goodbye in NOT_AGAIN:
                raise Closed(self.goodbye or "")
            await asyncio.sleep(max(wait, self.backoff.next()))

    async def _once(self) -> None:
        """One socket, from its opening to its end."""
        async with connect(
            self.address,
            additional_headers=self._headers(),
            compression=None,
            proxy=None,
            max_size=LARGEST_MESSAGE,
            close_timeout=2,
        ) as socket:
            assert socket.response is not None
            self._shaken(socket.response)
            self.goodbye = None
            self.opened += 1
            self._outgoing = asyncio.Queue()
            for message in self._greet():
                self.send(message)
            writer = asyncio.create_task(self._write(socket, self._outgoing))
            try:
                async for message in socket:
                    self._hear(message)
            finally:
                self._outgoing = None
                self.goodbye = self.goodbye or socket.close_reason
                writer.cancel()
                with suppress(asyncio.CancelledError):
                    await writer

    async def _write(self, socket: ClientConnection, outgoing: asyncio.Queue[str | bytes]) -> None:
        with suppress(ConnectionClosed):
            while True:
                await socket.send(await outgoing.get())


def _retry_after(response: Response) -> float:
    """How long a server that does not take us now wants us to wait; raises if it will not take us later either."""
    wait = seconds(response.headers.get("Retry-After"))
    if response.status_code not in TEMPORARY:
        raise refusal(response.status_code, bytes(response.body), wait)
    return wait
