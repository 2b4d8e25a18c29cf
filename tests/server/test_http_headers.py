"""Every answer bears the strict headers, and the server answers only under its own names."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.http_house import TABLE, FakeHouse, app, call
from zashiki.server.http.hosts import Hosts, host_of
from zashiki.server.settings import Settings

PATHS = [
    "/",
    "/plain.css",
    "/missing",
    "/api/games",
    f"/api/tables/{TABLE}",
    "/api/nothing",
    "/healthz",
    "/metrics",
    "/api/openapi.json",
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_dressed(path: str) -> None:
    found = call(app(), "GET", path).headers
    policy = dict(part.split(" ", 1) for part in found["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in found["content-security-policy"]
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "same-origin"
    assert "camera=()" in found["permissions-policy"]
    assert found["cross-origin-opener-policy"] == found["cross-origin-resource-policy"] == "same-origin"
    assert len(found.get_list("cache-control")) == 1
    assert "strict-transport-security" not in found
    assert "server" not in found


def test_our_own_mistakes_are_dressed_too() -> None:
    house = FakeHouse()
    house.broken = RuntimeError()
    answer = call(app(house), "GET", f"/api/tables/{TABLE}")
    assert answer.status_code == 500
    assert "content-security-policy" in answer.headers


def test_what_is_personal_is_kept_nowhere_and_what_is_everybodys_may_be() -> None:
    application = app()
    assert call(application, "GET", "/api/my/tables").headers["cache-control"] == "no-store"
    assert "max-age" in call(application, "GET", "/api/games/kimono/actions").headers["cache-control"]


def test_behind_tls_the_browser_is_told_to_stay_there() -> None:
    application = app(settings={"public_url": "https://play.example.org"})
    assert "max-age" in call(application, "GET", "/api/games").headers["strict-transport-security"]


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1", "127.9.9.9:1", "[::1]:8000", "a.localhost"]
)
def test_loopback_is_always_ours(host: str) -> None:
    assert Hosts().allows(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil@localhost",
        "localhost/x",
        "192.168.1.5",
        "[::2]",
        "[",
        "a:b",
    ],
)
def test_other_names_are_not_ours(host: str) -> None:
    assert not Hosts().allows(host)


def test_open_to_the_house_every_address_is_ours_but_no_strange_name() -> None:
    hosts = Hosts.of(Settings(data=Path("unused"), host="0.0.0.0"))
    assert hosts.allows("192.168.1.5:8000")
    assert hosts.allows("[fe80::1]:8000")
    assert not hosts.allows("rebound.evil.example:8000")


def test_the_public_name_is_ours() -> None:
    hosts = Hosts.of(Settings(data=Path("unused"), public_url="https://Play.example.org/"))
    assert hosts.allows("play.example.org")
    assert not hosts.allows("example.org")


def test_two_hosts_are_no_host() -> None:
    assert host_of([(b"host", b"localhost"), (b"host", b"evil.example")]) == ""


@pytest.mark.parametrize("path", ["/", "/api/games", "/healthz"])
def test_a_rebound_name_is_refused_everywhere(path: str) -> None:
    answer = call(app(), "GET", path, headers={"host": "rebound.evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (421, "wrong host")


def connect(path: str, host: str) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": path, "headers": [(b"host", host.encode())], "query_string": b"client=1"}
    asyncio.run(app()(scope, receive, send))
    return sent


def test_the_socket_is_handed_on_as_it_is() -> None:
    assert [message["type"] for message in connect("/socket", "localhost")][:2] == ["websocket.accept", "websocket.send"]


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [("/socket", "rebound.evil.example", 421), ("/other", "localhost", 404), ("/api/games", "localhost", 404)],
)
def test_other_sockets_are_turned_away_before_they_open(path: str, host: str, status: int) -> None:
    start, body = connect(path, host)
    assert (start["type"], start["status"]) == ("websocket.http.response.start", status)
    assert body["type"] == "websocket.http.response.body"
    assert dict(start["headers"])[b"x-frame-options"] == b"DENY"
