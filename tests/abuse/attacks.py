"""What can be wrong with what a client sends over the socket. Each attack gives the bytes of one message after the other."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import msgspec

from tests.abuse.raw import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, frame, header


class Target(NamedTuple):
    """What an attacker knows: others' tables, an own one, and how its connection writes."""

    tables: list[str]
    own: str
    encoding: str = "json"


Attack = Callable[[random.Random, Target], Iterator[bytes]]

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**53 + 1,
    2**63,
    -(2**63),
    1.5,
    1e308,
    "",
    "x",
    "0",
    "\u0000",
    "𝔘" * 300,
    "' OR 1=1 --",
    "../../etc/passwd",
    [],
    [[]],
    {},
    {"type": "gift"},
    {"type": "gift", "cards": [999]},
    list(range(300)),
    {"a": {"b": {"c": None}}},
)


def valid_messages(rng: random.Random, table: str) -> list[dict[str, Any]]:
    """One of each request, right in form."""
    return [
        {"type": "ping"},
        {"type": "lobby", "on": rng.random() < 0.5},
        {"type": "watch", "table": table, "version": rng.choice([None, 0, 3, 10**6])},
        {"type": "unwatch", "table": table},
        {"type": "sit", "table": table, "seat": rng.choice([None, 0, 1, 7, -1])},
        {"type": "sit", "table": table, "seat": 0, "bot": rng.choice(["club", "beginner", "nobody"])},
        {"type": "stand", "table": table, "seat": rng.choice([None, 0, 1])},
        {"type": "start", "table": table},
        {"type": "act", "table": table, "action": rng.randrange(3000), "version": rng.choice([None, 0, 5])},
        {"type": "act", "table": table, "action": {"type": "gift", "cards": [1, 2, 3]}},
        {"type": "resign", "table": table},
        {"type": "take back", "table": table, "answer": rng.choice(["ask", "agree", "refuse"])},
        {"type": "rematch", "table": table, "agree": rng.random() < 0.5},
        {"type": "close", "table": table},
        {"type": "talk", "table": table, "text": "I see your cards"},
    ]


def written(message: Any, target: Target) -> bytes:
    """A message in a frame, as the connection writes it."""
    if target.encoding == "json":
        return frame(TEXT, msgspec.json.encode(message))
    return frame(BINARY, msgspec.msgpack.encode(message))


def random_bytes(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Noise, as text and as bytes."""
    while True:
        yield frame(rng.choice([TEXT, BINARY]), rng.randbytes(rng.choice([0, 1, 5, 50, 2000])))


def random_json(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Right JSON that is no message."""
    while True:
        yield written(rng.choice(VALUES), target)


def wrong_tags(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Messages of no type, of an unknown one, or of one that only the server sends."""
    tags: list[Any] = [
        "welcome",
        "state",
        "done",
        "refused",
        "goodbye",
        "",
        "Ping",
        "ping ",
        "take_back",
        None,
        1,
        [],
        {"type": "ping"},
    ]
    for number in count():
        yield written({"type": rng.choice(tags), "request": number, "table": rng.choice(target.tables)}, target)
        yield written({"request": number}, target)


def wrong_types(rng: random.Random, target: Target) -> Iterator[bytes]:
    """A right message with one field of another type, or without it."""
    for number in count():
        message = {"request": number, **rng.choice(valid_messages(rng, rng.choice(target.tables)))}
        field = rng.choice(list(message))
        if rng.random() < 0.2:
            del message[field]
        else:
            message[field] = rng.choice(VALUES)
        yield written(message, target)


def unknown_fields(rng: random.Random, target: Target) -> Iterator[bytes]:
    """A right message that says more."""
    for number in count():
        message = rng.choice(valid_messages(rng, rng.choice(target.tables)))
        yield written({"request": number, **message, rng.choice(["seat", "account", "admin", "token", "x" * 200]): 1}, target)


def huge(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Far too much."""
    for number in count():
        text = "x" * rng.choice([301, 10_000, 100_000])
        yield written({"type": "talk", "request": number, "table": target.own, "text": text}, target)
        yield frame(TEXT, b'{"type":"ping","request":1' + b" " * 70_000 + b"}")
        yield frame(TEXT, b"9" * 50_000)
        yield header(0x81, rng.choice([1 << 40, 1 << 62, 1 << 20])) + rng.randbytes(100)


def deep(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Nested further than anybody would."""
    for number in count():
        depth = rng.choice([200, 2_000, 15_000])
        opening, closing = rng.choice([(b"[", b"]"), (b'{"a":', b"}")])
        nested = opening * depth + b"1" + closing * depth
        act = b'{"type":"act","request":%d,"table":"%s","action":' % (number, target.own.encode())
        yield frame(TEXT, act + nested + b"}")
        yield frame(BINARY, b"\x91" * depth)
        yield frame(TEXT, opening * depth)


def repeated(rng: random.Random, target: Target) -> Iterator[bytes]:
    """The same again and again, under the same number."""
    while True:
        message = written({"request": 1, **rng.choice(valid_messages(rng, rng.choice([target.own, *target.tables])))}, target)
        for _ in range(20):
            yield message


def out_of_order(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Right messages at the own table in any order, with numbers that jump."""
    while True:
        yield written(
            {"request": rng.choice([0, 2**53, rng.randrange(100)]), **rng.choice(valid_messages(rng, target.own))}, target
        )


def others_tables(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Whatever one may ask, at tables where one has no seat."""
    for number in count():
        yield written({"request": number, **rng.choice(valid_messages(rng, rng.choice(target.tables)))}, target)


def unknown_tables(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Tables that there are not."""
    names = ["0" * 16, "' OR 1=1 -- abcd", "../../../etc/pas", "\u0000" * 16, "🂡" * 16, "%", ""]
    for number in count():
        table = rng.choice([*names, "".join(rng.choices("abcdefghijklmnop", k=16))])
        yield written({"request": number, **rng.choice(valid_messages(rng, table))}, target)


def mixed_up(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Text where bytes are expected and bytes where text is."""
    for number in count():
        message = {"request": number, **rng.choice(valid_messages(rng, target.own))}
        yield frame(BINARY, msgspec.json.encode(message))
        yield frame(TEXT, msgspec.msgpack.encode(message))
        yield frame(BINARY, msgspec.msgpack.encode(message))
        yield frame(TEXT, msgspec.json.encode(message))


def fragmented(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Messages in pieces of a byte, pieces without a start, starts without an end."""
    for number in count():
        text = msgspec.json.encode({"type": "ping", "request": number})
        pieces = [frame(CONTINUATION, text[i : i + 1], final=i == len(text) - 1) for i in range(1, len(text))]
        yield frame(TEXT, text[:1], final=False) + b"".join(pieces)
        yield frame(TEXT, text[:1], final=False) + frame(PING, b"between") + b"".join(pieces)
        yield rng.choice(
            [
                frame(CONTINUATION, text),
                frame(TEXT, text, final=False) + frame(TEXT, text),
                frame(TEXT, b"", final=False) * 200,
                frame(TEXT, text, final=False) + frame(CONTINUATION, b"x" * 900, final=False) * 300,
            ]
        )


def control_frames(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Floods of pings, and control frames as they must not be."""
    while True:
        yield frame(PING, rng.randbytes(rng.randrange(126))) * 50
        yield frame(PONG, b"nobody asked") * 50
        yield rng.choice(
            [
                frame(PING, b"x" * 126),
                frame(PING, b"x", final=False),
                frame(CLOSE, b"\x00"),
                frame(CLOSE, b"\x03\xe7 no such code"),
                frame(CLOSE, b"\x03\xe8" + b"\xff" * 20),
                frame(rng.choice([3, 4, 7, 11, 15]), b"reserved"),
                frame(TEXT, b"{}", reserved=rng.randrange(1, 8)),
                frame(TEXT, b"{}", masked=False),
                rng.randbytes(200),
            ]
        )


def flooding(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Right messages, far too many of them."""
    for number in count():
        kinds = ["ping", "lobby", "watch", "unwatch", "talk"]
        messages = {message["type"]: message for message in valid_messages(rng, target.own)}
        yield written({"request": number, **messages[rng.choice(kinds)]}, target)


ATTACKS: tuple[Attack, ...] = (
    random_bytes,
    random_json,
    wrong_tags,
    wrong_types,
    unknown_fields,
    huge,
    deep,
    repeated,
    out_of_order,
    others_tables,
    unknown_tables,
    mixed_up,
    fragmented,
    control_frames,
    flooding,
)
