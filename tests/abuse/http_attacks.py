"""What can be wrong with what a client sends over HTTP. Each attack gives the bytes of one whole connection."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tests.abuse.attacks import VALUES, Target

HttpAttack = Callable[[random.Random, Target], Iterator[bytes]]

PATHS = (
    "/",
    "/api",
    "/api/me",
    "/api/tables",
    "/api/tables?limit=-1",
    "/api/tables?limit=99999999999999999999&before=x",
    "/api/games",
    "/api/games/nothing/actions",
    "/api/sessions",
    "/api/tokens",
    "/socket",
    "/metrics",
    "/readyz",
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/%00",
    "/api/%ff%fe",
    "/api/tables/" + "x" * 3000,
    "//api//tables",
    "/api/tables/0000000000000000",
    "/api/tables/0000000000000000/talk?before=%00",
    "/api/tables/0000000000000000/match",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "FOO", "get")
COOKIES = ("zashiki=", "zashiki=x", "zashiki=" + "a" * 3000, "zashiki=\x01", ";;;=;", "zashiki=a; zashiki=b")
UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
TOKENS = ("Bearer", "Bearer x", "Bearer " + "y" * 5000, "Basic YTpi", "bearer \xff", "")


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """A request that ends its connection."""
    lines = {"Host": "127.0.0.1", "Connection": "close", "Content-Length": str(len(body)), **headers}
    text = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    return text.encode("latin-1", "replace") + body


def anything(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Any method on any path with any body."""
    while True:
        path = rng.choice(
            [*PATHS, *(f"/api/tables/{table}{end}" for table in target.tables[:3] for end in ("", "/talk", "/match"))]
        )
        body = rng.choice([b"", b"{", b"[]", b"null", rng.randbytes(100), b"x" * 20_000])
        headers = {
            "Content-Type": rng.choice(["application/json", "text/plain", "multipart/form-data", "application/msgpack", ""])
        }
        yield request(rng.choice(METHODS), path, headers, body)


def wrong_tables(rng: random.Random, target: Target) -> Iterator[bytes]:
    """New tables with one thing wrong."""
    while True:
        table: dict[str, Any] = {
            "game": "hanamikoji",
            "seats": 2,
            "settings": {"options": {}, "private": True},
            "bots": {"1": "club"},
        }
        place = rng.choice([table, table["settings"]])
        place[rng.choice([*place, "other"])] = rng.choice(VALUES)
        yield request("POST", "/api/tables", {"Content-Type": "application/json"}, msgspec.json.encode(table))


def strangers(rng: random.Random, target: Target) -> Iterator[bytes]:
    """Cookies and tokens that nobody gave, origins that are not ours."""
    while True:
        headers = rng.choice(
            [
                {"Cookie": rng.choice(COOKIES)},
                {"Authorization": rng.choice(TOKENS)},
                {"Origin": rng.choice(["http://evil.example", "null", "file://", "\x00"])},
                {"X-Forwarded-For": rng.choice(["1.2.3.4", "x" * 1000, "::1"]), "X-Forwarded-Proto": "gopher"},
                {"Host": rng.choice(["evil.example", "", "127.0.0.1:99999"])},
                {"Idempotency-Key": rng.choice(["", "k" * 5000, "\xff"])},
            ]
        )
        yield request(rng.choice(["GET", "POST"]), rng.choice(PATHS), {"Content-Type": "application/json", **headers}, b"{}")


def broken(rng: random.Random, target: Target) -> Iterator[bytes]:
    """What is hardly HTTP."""
    while True:
        yield rng.choice(
            [
                rng.randbytes(300),
                b"GET / HTTP/9.9\r\n\r\n",
                b"GET /\r\n\r\n",
                b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 5000 + b"\r\n",
                b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
                b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{",
                b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{",
                b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
                b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"fffff\r\n" + b"x" * 60_000,
                b"GET /socket HTTP/1.1\r\nHost: x\r\n" + UPGRADE + b"Sec-WebSocket-Version: 99\r\n\r\n",
                b"GET /socket?format=xml HTTP/1.1\r\nHost: x\r\n" + UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n",
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            ]
        )


HTTP_ATTACKS: tuple[HttpAttack, ...] = (anything, wrong_tables, strangers, broken)
