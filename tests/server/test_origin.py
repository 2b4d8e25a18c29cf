from __future__ import annotations

import socket
from pathlib import Path

import pytest

from zashiki.server.errors import Refused
from zashiki.server.http.origin import allowed_origin, check_origin, is_secure, place_of
from zashiki.server.settings import Settings

AT_HOME = Settings(data=Path("/nowhere"))
PUBLIC = Settings(data=Path("/nowhere"), public_url="https://cards.example/")


def _headers(**named: str) -> list[tuple[bytes, bytes]]:
    return [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()]


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("localhost:8000", "http://localhost:8000"),
        ("LOCALHOST:8000", "http://localhost:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("192.168.1.5", "http://192.168.1.5"),
        ("192.168.1.5", "https://192.168.1.5"),
        ("192.168.1.5", "http://192.168.1.5:80"),
        ("203.0.113.9:8000", "http://203.0.113.9:8000"),
        ("zashiki.localhost:8000", "http://zashiki.localhost:8000"),
        (f"{socket.gethostname()}:8000", f"http://{socket.gethostname()}:8000"),
        (f"{socket.gethostname()}.local:8000", f"http://{socket.gethostname()}.local:8000"),
    ],
)
def test_our_own_pages_are_allowed(host: str, origin: str) -> None:
    assert allowed_origin(_headers(host=host, origin=origin), AT_HOME)


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:9000"),  # another server on this machine
        ("127.0.0.1:8000", "http://127.0.0.1"),
        ("127.0.0.1:8000", "http://localhost:8000"),
        ("localhost:8000", "http://evil.example"),
        ("localhost:8000", "null"),
        ("localhost:8000", ""),
        ("localhost:8000", "http://localhost:8000.evil.example"),
        ("localhost:8000", "http://localhost:8000@evil.example"),
        ("localhost:8000", "http://localhost:8000/"),
        ("localhost:8000", "http://localhost:99999"),
        ("localhost:8000", "file://localhost:8000"),
        ("evil.example:8000", "http://evil.example:8000"),  # a name that somebody pointed at us
        ("localhost.evil.example", "http://localhost.evil.example"),
        ("127.0.0.1.evil.example", "http://127.0.0.1.evil.example"),
        ("", "http://localhost:8000"),
        ("localhost:8000/x", "http://localhost:8000"),
        ("[::1", "http://[::1"),
    ],
)
def test_pages_elsewhere_are_not(host: str, origin: str) -> None:
    assert not allowed_origin(_headers(host=host, origin=origin), AT_HOME)


def test_two_origins_or_two_hosts_are_one_too_many() -> None:
    good = _headers(host="localhost:8000", origin="http://localhost:8000")
    assert not allowed_origin([*good, (b"origin", b"http://localhost:8000")], AT_HOME)
    assert not allowed_origin([*good, (b"host", b"localhost:8000")], AT_HOME)


@pytest.mark.parametrize("host", ["cards.example", "127.0.0.1:8000", "evil.example", ""])
def test_the_public_address_is_ours_whatever_the_proxy_calls_us(host: str) -> None:
    assert allowed_origin(_headers(host=host, origin="https://cards.example"), PUBLIC)
    assert allowed_origin(_headers(host=host, origin="https://cards.example:443"), PUBLIC)


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("cards.example", "http://cards.example"),
        ("cards.example", "https://cards.example:8443"),
        ("cards.example", "https://www.cards.example"),
        ("evil.example", "https://evil.example"),
        ("192.168.1.5:8000", "http://192.168.1.5:8000"),
    ],
)
def test_where_there_is_a_public_address_others_do_not_count(host: str, origin: str) -> None:
    assert not allowed_origin(_headers(host=host, origin=origin), PUBLIC)


def test_on_the_machine_itself_one_may_look_past_the_proxy() -> None:
    assert allowed_origin(_headers(host="127.0.0.1:8000", origin="http://127.0.0.1:8000"), PUBLIC)


@pytest.mark.parametrize(
    ("site", "allowed"), [("same-origin", True), ("none", True), ("same-site", False), ("cross-site", False)]
)
def test_without_an_origin_the_browsers_other_word_counts(site: str, allowed: bool) -> None:
    assert allowed_origin(_headers(host="localhost:8000", sec_fetch_site=site), AT_HOME) is allowed


def test_a_program_comes_from_no_page() -> None:
    assert allowed_origin(_headers(host="anything"), AT_HOME)


def test_reading_is_not_checked() -> None:
    check_origin("GET", _headers(host="localhost:8000", origin="http://evil.example", cookie="zashiki=x"), AT_HOME)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_change_from_a_page_elsewhere_is_refused_with_or_without_a_cookie(method: str) -> None:
    elsewhere = _headers(host="localhost:8000", origin="http://evil.example")
    for headers in (elsewhere, [*elsewhere, (b"cookie", b"zashiki=x")]):
        with pytest.raises(Refused, match="http://localhost:8000") as refused:
            check_origin(method, headers, AT_HOME)
        assert refused.value.code == "wrong origin"


def test_a_change_with_a_cookie_must_say_where_it_comes_from() -> None:
    with pytest.raises(Refused, match="needs the header `Origin`"):
        check_origin("POST", _headers(host="localhost:8000", cookie="a=1; zashiki=x"), AT_HOME)
    check_origin("POST", _headers(host="localhost:8000", cookie="zashiki=x", origin="http://localhost:8000"), AT_HOME)
    check_origin("POST", _headers(host="localhost:8000", cookie="zashiki=x", sec_fetch_site="same-origin"), AT_HOME)
    check_origin("POST", _headers(host="localhost:8000", cookie="other=x"), AT_HOME)
    check_origin("POST", _headers(host="localhost:8000"), AT_HOME)


def test_a_token_speaks_for_itself() -> None:
    check_origin("POST", _headers(host="localhost:8000", origin="http://evil.example", authorization="Bearer x"), AT_HOME)


def test_a_name_that_is_not_known_to_be_ours_is_explained() -> None:
    with pytest.raises(Refused, match="public URL"):
        check_origin("POST", _headers(host="cards.example", origin="https://cards.example"), AT_HOME)


def test_passkeys_belong_to_the_public_name_or_to_localhost() -> None:
    assert place_of(_headers(host="127.0.0.1:8000"), PUBLIC) == ("cards.example", ["https://cards.example"])
    assert place_of(_headers(host="localhost:8000"), AT_HOME) == (
        "localhost",
        ["http://localhost:8000", "https://localhost:8000"],
    )


@pytest.mark.parametrize(
    ("host", "public_url"),
    [
        ("127.0.0.1:8000", None),
        ("192.168.1.5", None),
        ("evil.example", None),
        (socket.gethostname(), None),
        ("localhost", "http://cards.example"),
        ("localhost", "https://203.0.113.9"),
    ],
)
def test_where_browsers_allow_no_passkeys_a_password_is_suggested(host: str, public_url: str | None) -> None:
    with pytest.raises(Refused, match="use a password here"):
        place_of(_headers(host=host), Settings(data=Path("/nowhere"), public_url=public_url))


def test_cookies_are_for_tls_only_where_people_come_by_tls() -> None:
    assert is_secure("http", PUBLIC)
    assert is_secure("https", AT_HOME)
    assert not is_secure("http", AT_HOME)
