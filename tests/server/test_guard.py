"""One connection gets its share of the server and no more."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from tests.abuse.raw import CLOSE, CONTINUATION, PING, PONG, TEXT, RawSocket, frame
from zashiki.server.guard import MOST_CONTROL_FRAMES, MOST_PIECES, PORTION, GuardedWebSocket
from zashiki.server.wire import TEXT as WHOLE_TEXT


class Echo:
    """Sends back what it gets; `direct`, without ASGI between."""

    def __init__(self, *, direct: bool) -> None:
        self.direct = direct
        self.heard = 0
        self.closed = asyncio.Event()

    def _closed(self) -> None:
        assert not self.closed.is_set(), "it is told once"
        self.closed.set()

    async def __call__(self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        if self.direct:
            wire: GuardedWebSocket = send.__self__  # type: ignore[attr-defined] # uvicorn's is a method
            wire.listen(lambda data, is_text: self._answer(wire, data), self._closed)
            return
        while (message := await receive())["type"] == "websocket.receive":
            self.heard += 1
            await send({"type": "websocket.send", "text": message["text"]})

    def _answer(self, wire: GuardedWebSocket, data: bytes) -> None:
        self.heard += 1
        wire.write(data, WHOLE_TEXT)


@asynccontextmanager
async def serving(app: Echo) -> AsyncIterator[int]:
    config = uvicorn.Config(app, port=0, ws=GuardedWebSocket, lifespan="off", log_config=None, timeout_graceful_shutdown=1)
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        await server.shutdown()


Test = Callable[[Echo, RawSocket, list[bytes]], Awaitable[None]]


def with_echo(test: Test, *, direct: bool = True, reading: bool = True) -> None:
    async def main() -> None:
        app, heard = Echo(direct=direct), list[bytes]()
        async with serving(app) as port:
            socket = await RawSocket.open(port, "/", {}, hear=heard.append, reading=reading)
            try:
                await test(app, socket, heard)
            finally:
                await socket.close()

    asyncio.run(main())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


both_ways = pytest.mark.parametrize("direct", [True, False])


@both_ways
def test_many_messages_at_once_arrive_whole_and_in_order(direct: bool) -> None:
    messages = [b"%04d" % number + b"x" * (number * 7 % 3000) for number in range(300)]

    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        await socket.send(b"".join(frame(TEXT, message) for message in messages))
        await until(lambda: len(heard) == len(messages))
        assert heard == messages

    with_echo(test, direct=direct)


@pytest.mark.parametrize("last_words", [frame(CLOSE, b"\x03\xe8"), b""], ids=["a frame that says so", "the line is cut"])
def test_the_end_of_a_connection_is_told_once_however_it_comes(last_words: bytes) -> None:
    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        await socket.send(frame(TEXT, b"hello"))
        await until(lambda: heard == [b"hello"])
        assert not app.closed.is_set()
        await socket.send(last_words)
        await socket.close()
        await asyncio.wait_for(app.closed.wait(), 10)
        await asyncio.sleep(0.05)

    with_echo(test)


class Slow(Echo):
    """Takes its time before it lets anybody in."""

    async def __call__(self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        await asyncio.sleep(0.2)
        await super().__call__(scope, receive, send)


@both_ways
def test_what_comes_before_somebody_is_let_in_is_heard(direct: bool) -> None:
    async def main() -> None:
        async with serving(Slow(direct=direct)) as port, asyncio.timeout(10):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            writer.write(f"{head}Sec-WebSocket-Key: {b64encode(bytes(16)).decode()}\r\n\r\n".encode())
            await asyncio.sleep(0.1)
            for words in (b"early", b"later"):
                writer.write(frame(TEXT, words))
                await reader.readuntil(words)
            writer.close()
            await writer.wait_closed()

    asyncio.run(main())


@both_ways
def test_who_does_not_read_is_not_read(direct: bool) -> None:
    count, message = 100_000, frame(TEXT, b"x" * 1000)

    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(socket.send(message * count), 1)
        assert app.heard < count

    with_echo(test, direct=direct, reading=False)


def test_reading_goes_on_when_the_other_side_reads_again() -> None:
    count = 10_000

    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        sending = asyncio.create_task(socket.send(frame(TEXT, b"x" * 1000) * count))
        await asyncio.sleep(0.2)
        socket.read(heard.append)
        assert await sending
        await until(lambda: len(heard) == count)

    with_echo(test, reading=False)


def test_a_message_in_some_pieces_is_one_message() -> None:
    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        pieces = b"".join(frame(CONTINUATION, b"b", final=False) for _ in range(MOST_PIECES - 2))
        await socket.send(frame(TEXT, b"a", final=False) + pieces + frame(CONTINUATION, b"c"))
        await until(lambda: bool(heard))
        assert heard == [b"a" + b"b" * (MOST_PIECES - 2) + b"c"]

    with_echo(test)


def test_a_message_in_too_many_pieces_ends_the_connection() -> None:
    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        await socket.send(frame(TEXT, b"", final=False) + frame(CONTINUATION, b"", final=False) * MOST_PIECES)
        await asyncio.wait_for(socket.ended.wait(), 10)
        assert heard == []

    with_echo(test)


@pytest.mark.parametrize("opcode", [PING, PONG])
def test_some_pings_are_fine_and_many_end_the_connection(opcode: int) -> None:
    async def test(app: Echo, socket: RawSocket, heard: list[bytes]) -> None:
        await socket.send(frame(opcode, b"x") * MOST_CONTROL_FRAMES + frame(TEXT, b"still here"))
        await until(lambda: heard == [b"still here"])
        await socket.send(frame(opcode, b"x") * PORTION)
        await asyncio.wait_for(socket.ended.wait(), 10)

    with_echo(test)
