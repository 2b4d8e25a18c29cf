"""Our side of a WebSocket against somebody else's, and its cutting of bytes into messages."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State

from zashiki.bench.wire import PONG, TEXT, frame, split

SIZES = [0, 1, 125, 126, 127, 65_535]


def from_server(*payloads: bytes) -> bytes:
    """What the `websockets` library sends for these texts."""
    server = Protocol(Side.SERVER, state=State.OPEN)
    for payload in payloads:
        server.send_text(payload)
    return b"".join(server.data_to_send())


@pytest.mark.parametrize("size", SIZES)
def test_a_server_reads_our_frames(size: int) -> None:
    server = Protocol(Side.SERVER, state=State.OPEN)
    server.receive_data(frame(b"x" * size))
    (read,) = server.events_received()
    assert isinstance(read, Frame)
    assert (read.opcode, bytes(read.data)) == (Opcode.TEXT, b"x" * size)


def test_a_pong_is_a_frame_of_its_own_kind() -> None:
    assert frame(b"", PONG)[0] & 15 == PONG


@pytest.mark.parametrize("size", [*SIZES, 65_536, 100_000])
def test_a_message_of_any_size_is_read(size: int) -> None:
    messages, rest = split(from_server(b"y" * size))
    assert messages == [(TEXT, b"y" * size)]
    assert rest == b""


def test_several_messages_that_come_together_are_told_apart() -> None:
    messages, rest = split(from_server(b"one", b"two", b"z" * 300))
    assert [payload for _, payload in messages] == [b"one", b"two", b"z" * 300]
    assert rest == b""


@pytest.mark.parametrize("size", [3, 300, 70_000])
def test_a_message_in_pieces_waits_for_its_end(size: int) -> None:
    whole = from_server(b"z" * size)
    for cut in (1, 2, 3, 5, 9, len(whole) - 1):
        part = whole[: min(cut, len(whole) - 1)]
        assert split(part) == ([], part)
