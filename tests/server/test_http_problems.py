"""Every error is a problem, and none tells what is not the asker's business."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, get_args

import httpx
import pytest
from litestar.exceptions import HTTPException

from tests.server.http_house import COOKIE, TABLE, FakeHouse, app, call
from zashiki.server.errors import Code, Refused
from zashiki.server.http.problems import as_refused, headers, problem

ACT = f"/api/tables/{TABLE}/act"
JSON = {**COOKIE, "content-type": "application/json"}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["status"] == answer.status_code
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_makes_a_problem(code: Code) -> None:
    refused = Refused(code, "a reason", retry_after_ms=1)
    made = problem(refused)
    assert (made.code, made.status, made.detail) == (code, refused.status, "a reason")
    assert headers(refused)["retry-after"] == "1"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"null",
        b"[]",
        b'{"action": "7"}',
        b'{"action": 7, "more": 1}',
        b'{"action": {"type": 1}, "version": 1.5}',
        b'{"action": ' + b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b"}",
        b'{"action": {"type": "\xff"}}',
        b'{"action": {"type": "\\ud800"}}',
    ],
    ids=["cut off", "null", "array", "text for a number", "unknown field", "fraction", "deep", "not UTF-8", "half a character"],
)
def test_a_malformed_body_is_refused(body: bytes) -> None:
    assert refusal(call(app(), "POST", ACT, content=body, headers=JSON)) == (400, "malformed")


def test_a_missing_body_is_refused() -> None:
    answer = call(app(), "POST", ACT)
    assert refusal(answer) == (400, "malformed")
    assert "needs a body" in answer.json()["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""])
def test_a_body_that_does_not_say_that_it_is_json_is_refused(kind: str) -> None:
    answer = call(app(), "POST", ACT, content=b'{"action": 1}', headers={**COOKIE, "content-type": kind})
    assert refusal(answer) == (415, "wrong content type")


def test_a_charset_of_utf_8_may_be_named() -> None:
    sent = {**COOKIE, "content-type": "application/json; charset=UTF-8"}
    assert call(app(), "POST", ACT, content=b'{"action": 1}', headers=sent).status_code == 200


def test_a_body_of_more_than_64_kib_is_refused() -> None:
    assert refusal(call(app(), "POST", ACT, content=b" " * 65_537, headers=JSON)) == (413, "too large")


def test_a_body_that_hides_its_length_is_refused_as_soon_as_it_is_too_long() -> None:
    sent = 0

    async def main() -> httpx.Response:
        async def chunks() -> Any:
            nonlocal sent
            for _ in range(1_000):
                sent += 1
                yield b" " * 8_192

        transport = httpx.ASGITransport(app())
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
            return await browser.post(ACT, content=chunks(), headers=JSON)

    assert refusal(asyncio.run(main())) == (413, "too large")
    assert sent < 20


@pytest.mark.parametrize("path", ["/api/nothing", "/api/tables/a/b/c", "/api", "/api/", "/socket", "/missing.js"])
def test_an_unknown_address_is_a_problem(path: str) -> None:
    assert refusal(call(app(), "GET", path)) == (404, "not found")


@pytest.mark.parametrize(
    ("method", "path"), [("DELETE", "/api/tables"), ("PUT", "/api/games"), ("POST", "/"), ("BREW", "/api/games")]
)
def test_a_wrong_method_is_a_problem_that_names_the_right_ones(method: str, path: str) -> None:
    answer = call(app(), method, path)
    assert refusal(answer) == (405, "wrong method")
    assert "GET" in answer.headers["allow"]


def test_of_a_mistake_of_ours_nothing_is_told(caplog: pytest.LogCaptureFixture) -> None:
    house = FakeHouse()
    house.broken = RuntimeError("the seed is 1234")
    with caplog.at_level(logging.ERROR):
        answer = call(app(house), "POST", f"/api/tables/{TABLE}/start")
    assert refusal(answer) == (500, "broken")
    assert "seed" not in answer.text
    assert "RuntimeError" in caplog.text


def test_an_unreachable_store_is_unavailable_and_says_when_to_come_back() -> None:
    house = FakeHouse()
    house.broken = Refused("unavailable", "the server cannot reach its store just now; nothing was changed", retry_after_ms=1000)
    answer = call(app(house), "POST", f"/api/tables/{TABLE}/start")
    assert refusal(answer) == (503, "unavailable")
    assert answer.headers["retry-after"] == "1"


def test_an_unexpected_status_is_still_a_problem() -> None:
    assert as_refused(HTTPException(status_code=418)).code == "malformed"
    assert as_refused(HTTPException(status_code=502)).code == "broken"


def test_a_client_does_not_get_its_own_long_words_back() -> None:
    body = b'{"action": 1, "' + b"x" * 60_000 + b'": 1}'
    answer = call(app(), "POST", ACT, content=body, headers=JSON)
    assert len(answer.text) < 1_000
