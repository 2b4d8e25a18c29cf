"""The web client's files, and the plain page until there are any."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.server.http_house import TABLE, app, call
from zashiki.server.http.fixed import Fixed
from zashiki.server.http.site import PLAIN, Site


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>built</title>")
    (tmp_path / "assets" / "index-3f2a.js").write_text("export {};" * 500)
    (tmp_path / "favicon.svg").write_text("<svg/>")
    (tmp_path.parent / "secret.txt").write_text("not for the web")
    return tmp_path


def test_until_the_client_is_built_a_plain_page_says_that_the_server_runs() -> None:
    page = call(app(site=Site(Path("nowhere"))), "GET", "/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "/api/openapi.json" in page.text


def test_the_plain_page_lives_by_our_own_policy() -> None:
    text = (PLAIN / "index.html").read_text("utf-8")
    for forbidden in ("<script", "style=", "<style", "http://", "https://", "onclick"):
        assert forbidden not in text


def test_every_file_that_the_plain_page_needs_is_there() -> None:
    application = app(site=Site(Path("nowhere")))
    assert call(application, "GET", "/plain.css").headers["content-type"] == "text/css; charset=utf-8"
    assert call(application, "GET", "/plain.svg").headers["content-type"] == "image/svg+xml"


def test_the_plain_page_stands_for_no_other_page() -> None:
    assert call(app(site=Site(Path("nowhere"))), "GET", f"/table/{TABLE}").status_code == 404


def test_a_page_of_the_client_is_its_index(built: Path) -> None:
    application = app(site=Site(built))
    for path in ("/", "/index.html", f"/table/{TABLE}", "/settings"):
        page = call(application, "GET", path)
        assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
        assert "built" in page.text


def test_a_file_that_was_built_anew_meanwhile_is_not_found(built: Path) -> None:
    application = app(site=Site(built))
    assert call(application, "GET", "/").status_code == 200
    (built / "assets" / "index-3f2a.js").unlink()
    assert call(application, "GET", "/assets/index-3f2a.js").status_code == 404


def test_what_has_its_digest_in_its_name_is_kept_for_ever(built: Path) -> None:
    asset = call(app(site=Site(built)), "GET", "/assets/index-3f2a.js")
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-type"] == "text/javascript; charset=utf-8"
    assert call(app(site=Site(built)), "GET", "/favicon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/missing.js",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "//etc/passwd.txt",
        "/assets%00.js",
    ],
)
def test_no_path_leads_outside(built: Path, path: str) -> None:
    answer = call(app(site=Site(built)), "GET", path)
    assert answer.status_code == 404
    assert "not for the web" not in answer.text


def test_a_file_is_compressed_for_whoever_can_unpack_it(built: Path) -> None:
    application = app(site=Site(built))
    packed = call(application, "GET", "/assets/index-3f2a.js", headers={"accept-encoding": "br, gzip;q=0.5"})
    plain = call(application, "GET", "/assets/index-3f2a.js", headers={"accept-encoding": "gzip;q=0"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.text == plain.text
    assert "accept-encoding" in plain.headers["vary"]


def test_what_the_browser_still_has_is_not_sent_again(built: Path) -> None:
    application = app(site=Site(built))
    tag = call(application, "GET", "/").headers["etag"]
    assert call(application, "GET", "/", headers={"if-none-match": f'"other", {tag}'}).status_code == 304
    assert call(application, "GET", "/", headers={"if-none-match": '"other"'}).status_code == 200


def test_a_head_has_no_body(built: Path) -> None:
    answer = call(app(site=Site(built)), "HEAD", "/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 0


def test_the_same_body_is_packed_the_same() -> None:
    body = b"a card " * 1_000
    one, other = Fixed(body, "text/plain"), Fixed(body, "text/plain")
    assert one.packed is not None
    assert one.packed == other.packed
    assert gzip.decompress(one.packed) == body


def test_pictures_are_not_packed_again() -> None:
    assert Fixed(b"\x00" * 5_000, "image/png").packed is None
