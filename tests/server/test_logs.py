"""Logs say what happened to whom, and no secret ever stands in them."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.http_house import SECRET, TABLE, FakeHouse, app, call
from zashiki.server import logs
from zashiki.server.opening import drawn
from zashiki.server.redaction import looks_random, mark, redacted

SEED = "0123456789abcdef0123456789abcdef"
PASSWORD = "correct-horse"


@pytest.fixture(params=["json", "text"])
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Everything that is logged meanwhile."""
    root, level = logging.getLogger(), logging.getLogger().level
    stream = io.StringIO()
    handler = logs.configure(request.param, stream=stream, level=logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def whole(stream: io.StringIO) -> str:
    return stream.getvalue()


@pytest.mark.parametrize("written", ["json"], indirect=True)
def test_a_request_is_one_line_that_names_it_its_account_and_its_table(written: io.StringIO) -> None:
    answer = call(app(), "POST", f"/api/tables/{TABLE}/start")
    (line,) = [line for line in lines(written) if line["message"] == "request"]
    assert line["request"] == answer.headers["x-request-id"]
    assert (line["account"], line["table"]) == (7, mark(TABLE))
    assert (line["method"], line["path"], line["status"]) == ("POST", f"/api/tables/{mark(TABLE)}/start", 200)
    assert line["level"] == "info"


@pytest.mark.parametrize("written", ["json"], indirect=True)
def test_a_line_written_meanwhile_knows_what_it_is_about(written: io.StringIO) -> None:
    async def one(account: int) -> None:
        logs.begin()
        logs.about(account=account, table=TABLE)
        await asyncio.sleep(0)
        logging.getLogger("zashiki.test").info("halfway")

    async def main() -> None:
        await asyncio.gather(one(1), one(2))

    asyncio.run(main())
    halfway = [line for line in lines(written) if line["message"] == "halfway"]
    assert [(line["account"], line["table"]) for line in halfway] == [(1, mark(TABLE)), (2, mark(TABLE))]


@pytest.mark.parametrize("written", ["text"], indirect=True)
def test_text_is_for_people(written: io.StringIO) -> None:
    logging.getLogger("zashiki.test").warning("three cards are missing", extra={"table": "~00000000"})
    assert "warning three cards are missing  [table=~00000000]" in whole(written)


def test_nobody_can_write_a_line_of_their_own(written: io.StringIO) -> None:
    call(app(), "GET", "/api/%0A12:00:00%20info%20forged")
    logging.getLogger("zashiki.test").info("said: %s", "hello\n12:00:00 info forged")
    assert not any(line.startswith("12:00:00") for line in whole(written).splitlines())


@pytest.mark.parametrize(
    ("method", "path", "request_"),
    [
        ("GET", f"/api/tables/{TABLE}", {"headers": {"cookie": f"a=1; zashiki={SECRET}"}}),
        ("GET", f"/api/tables/{TABLE}", {"headers": {"authorization": f"Bearer {SECRET}"}}),
        ("GET", f"/socket?client={SECRET}&token={SECRET}", {}),
        ("GET", f"/api/tables?after={SECRET}", {}),
        ("GET", f"/table/{TABLE}", {}),
        ("POST", f"/api/tables/{TABLE}/talk", {"json": {"password": PASSWORD, "seed": SEED}}),
        ("POST", f"/api/tables/{TABLE}/act", {"content": f'{{"password": "{PASSWORD}'.encode()}),
    ],
    ids=["cookie", "token", "socket", "cursor", "link", "body", "cut body"],
)
def test_a_planted_secret_never_reaches_the_log(written: io.StringIO, method: str, path: str, request_: dict[str, Any]) -> None:
    call(app(), method, path, **request_)
    text = whole(written)
    assert text
    for secret in (SECRET, PASSWORD, SEED, TABLE):
        assert secret not in text


@pytest.mark.parametrize(
    "leak",
    [
        f"session {SECRET} is unknown",
        f"headers: [(b'cookie', b'zashiki={SECRET}')]",
        f"(psycopg.Error) insert failed [SQL: INSERT INTO tables] [parameters: ('{TABLE}', '{SEED}', '{SECRET}')]",
        f"Match(game='kimono', seed='{SEED}')",
        f"seed={int(SEED, 16)}",
        f"dealt from {int(SEED, 16)}",
        f"table {TABLE} could not be folded",
        f'bad body {{"name": "Aiko", "password": "{PASSWORD}"}}',
        f"password={PASSWORD}",
        f"Authorization: Bearer {SECRET}",
        f"https://push.example.org/send/{SECRET}?token={SECRET}",
        f"postgresql://zashiki:{PASSWORD}@db.example.org/zashiki",
        "-----BEGIN PRIVATE KEY-----\ncorrect-horse\n-----END PRIVATE KEY-----",
    ],
)
def test_not_even_our_own_mistakes_write_a_secret(written: io.StringIO, leak: str) -> None:
    house = FakeHouse()
    try:
        raise ValueError(leak)
    except ValueError as error:
        house.broken = RuntimeError(leak)
        house.broken.__cause__ = error
    assert call(app(house), "GET", f"/api/tables/{TABLE}").status_code == 500
    logging.getLogger("elsewhere").error("%s: %r", leak, {"password": PASSWORD, "token": SECRET})
    text = whole(written)
    assert "RuntimeError" in text
    for secret in (SECRET, PASSWORD, SEED, TABLE, str(int(SEED, 16))):
        assert secret not in text


def test_what_uvicorn_says_of_a_socket_has_no_query(written: io.StringIO) -> None:
    uvicorn = logging.getLogger("uvicorn.error")
    uvicorn.warning('%s - "WebSocket %s" [accepted]', "127.0.0.1:5000", f"/socket?client={SECRET}&format=json")
    assert SECRET not in whole(written)
    assert "/socket?" in whole(written)


def test_uvicorns_own_access_log_is_silent(written: io.StringIO) -> None:
    logging.getLogger("uvicorn.access").info('%s - "%s %s HTTP/%s" %d', "127.0.0.1", "GET", f"/x?{SECRET}", "1.1", 200)
    assert whole(written) == ""


def test_configuring_twice_writes_once(written: io.StringIO) -> None:
    again = logs.configure("json", stream=written)
    logging.getLogger("zashiki.test").warning("once")
    logging.getLogger().removeHandler(again)
    assert whole(written).count("once") == 1


@pytest.mark.parametrize(
    "words",
    [
        "the host closes the table before its match",
        "ConnectionRefusedError: [Errno 111] Connection refused",
        'File "src/zashiki/server/connection.py", line 12, in _read_open_tables_before',
        "started in 1.25 s with 2 workers on 127.0.0.1:8000",
        "IncompatibleProtocolVersion",
        "GET /api/games/hanamikoji/actions 200",
    ],
)
def test_ordinary_words_stay(words: str) -> None:
    assert redacted(words) == words


def test_a_table_is_known_by_its_mark_alone() -> None:
    assert redacted(f"/api/tables/{TABLE}/sit and table:{TABLE}") == f"/api/tables/{mark(TABLE)}/sit and table:{mark(TABLE)}"
    assert mark(TABLE) != mark(TABLE[::-1])


def test_every_table_id_looks_random() -> None:
    assert all(looks_random(drawn()[1]) for _ in range(300))
    assert looks_random("abcdefghijklmnop")


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(st.binary(min_size=18, max_size=48), st.sampled_from(["", "said ", "x=", "'", "(b'"]))
def test_whatever_was_drawn_at_random_is_struck_out(content: bytes, before: str) -> None:
    import base64
    import hashlib

    drawn = base64.urlsafe_b64encode(hashlib.sha512(content).digest()[: len(content)]).decode()
    assert drawn.rstrip("=") not in redacted(before + drawn)
