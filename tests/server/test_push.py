"""Web push against a push service of our own on loopback, which decrypts what it gets."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import insert, select

from tests.server.http_house import COOKIE, FakePusher, app, call
from zashiki.server import push, schema
from zashiki.server.errors import Refused
from zashiki.server.push import LONGEST_ENDPOINT, PER_ACCOUNT, Pusher, check_endpoint, check_keys, is_public, topic
from zashiki.server.store import Store

AIKO, BEN = 1, 2
TABLE = "abcdefghij234567"
POINT = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


def text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Keys:
    """Keys as the server's secrets have them."""

    def __init__(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        form = serialization.PrivateFormat.PKCS8
        self.vapid_private_key = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()
        self.vapid_public_key = text(key.public_key().public_bytes(*POINT))


class Browser:
    """Somebody's browser: it alone can read what is pushed to it."""

    def __init__(self, service: PushService, name: str = "aiko") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"sixteen bytes ok"
        self.endpoint = f"http://127.0.0.1:{service.port}/send/{name}?device=1"
        self.p256dh = text(self._key.public_key().public_bytes(*POINT))
        self.auth = text(self._auth)

    def read(self, body: bytes) -> Any:
        import http_ece  # type: ignore[import-untyped]  # it ships no types

        return json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"))


class Pushed(NamedTuple):
    """A request that the push service got."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService(HTTPServer):
    """A push service that keeps what it gets and answers as it is told."""

    def __init__(self) -> None:
        self.got: list[Pushed] = []
        self.status = 201
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port = self.server_address[1]
        self.trusted = frozenset({f"127.0.0.1:{self.port}"})


class _Handler(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(Pushed(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        self.send_response(self.server.status)
        self.send_header("location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        pass


@pytest.fixture
def service() -> Iterator[PushService]:
    found = PushService()
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


def pushing(
    url: str, work: Callable[[Pusher, Store], Awaitable[None]], *, trusted: frozenset[str] = frozenset()
) -> tuple[list[str], list[str]]:
    """Runs something with a pusher; what it counted, and the endpoints left in the store."""
    counted: list[str] = []
    left: list[str] = []

    async def main() -> None:
        store = Store(url)
        store.open()
        row = {"kind": "guest", "created_at": 0, "seen_at": 0}
        people = [{**row, "id": AIKO, "name": "Aiko"}, {**row, "id": BEN, "name": "Ben"}]
        await store.write(lambda connection: connection.execute(insert(schema.accounts), people) and None)
        pusher = Pusher(store, Keys(), trusted=trusted, counted=counted.append)
        try:
            await work(pusher, store)
        finally:
            await pusher.close()
            endpoints = select(schema.push_subscriptions.c.endpoint).order_by(schema.push_subscriptions.c.id)
            left.extend(await store.read(lambda connection: connection.execute(endpoints).scalars().all()))
            await store.close()

    asyncio.run(main())
    return counted, left


async def told(pusher: Pusher, account: int = AIKO, table: str = TABLE) -> None:
    pusher.your_turn(account, table, "kimono")
    await asyncio.gather(*pusher._sending.values())


def test_only_the_table_and_the_game_are_pushed_and_only_the_browser_can_read_it(sqlite_url: str, service: PushService) -> None:
    browser = Browser(service)

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, browser.endpoint, browser.p256dh, browser.auth)
        await told(pusher)

    counted, _ = pushing(sqlite_url, work, trusted=service.trusted)
    (got,) = service.got
    assert browser.read(got.body) == {"type": "your turn", "table": TABLE, "game": "kimono"}
    assert TABLE.encode() not in got.body
    assert counted == ["sent"]
    assert got.path == "/send/aiko?device=1"


def test_the_push_service_hears_who_sends_how_long_to_keep_it_and_what_it_replaces(sqlite_url: str, service: PushService) -> None:
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types

    browser = Browser(service)

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, browser.endpoint, browser.p256dh, browser.auth)
        await told(pusher)

    pushing(sqlite_url, work, trusted=service.trusted)
    (got,) = service.got
    assert Vapid.verify(got.headers["authorization"])
    assert got.headers["ttl"] == "86400"
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["topic"] == topic(TABLE)
    assert TABLE not in str(got.headers)


def test_a_topic_is_what_push_services_allow_and_tables_have_their_own() -> None:
    assert len(topic(TABLE)) == 32
    assert topic(TABLE).replace("-", "").replace("_", "").isalnum()
    assert topic(TABLE) != topic("abcdefghij234566")


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_subscription_is_forgotten(sqlite_url: str, service: PushService, status: int) -> None:
    dead, living = Browser(service, "dead"), Browser(service, "living")
    service.status = status

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, dead.endpoint, dead.p256dh, dead.auth)
        await pusher.subscribe(BEN, living.endpoint, living.p256dh, living.auth)
        await told(pusher)

    counted, left = pushing(sqlite_url, work, trusted=service.trusted)
    assert (counted, left) == (["gone"], [living.endpoint])


@pytest.mark.parametrize("status", [301, 307, 400, 413, 429, 500])
def test_any_other_failure_is_counted_and_no_redirect_followed(sqlite_url: str, service: PushService, status: int) -> None:
    browser = Browser(service)
    service.status = status

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, browser.endpoint, browser.p256dh, browser.auth)
        await told(pusher)

    counted, left = pushing(sqlite_url, work, trusted=service.trusted)
    assert (counted, left, len(service.got)) == (["failed"], [browser.endpoint], 1)


def test_a_push_service_that_never_answers_is_given_up(
    sqlite_url: str, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "TIMEOUT_S", 0.05)
    deaf = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{deaf.getsockname()[1]}"
    browser = Browser(service)

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, f"http://{address}/send", browser.p256dh, browser.auth)
        await told(pusher)

    counted, _ = pushing(sqlite_url, work, trusted=frozenset({address}))
    deaf.close()
    assert counted == ["failed"]


def test_every_browser_of_an_account_is_told_and_nobody_elses(sqlite_url: str, service: PushService) -> None:
    browsers = [Browser(service, name) for name in ("phone", "laptop", "bens")]

    async def work(pusher: Pusher, store: Store) -> None:
        for account, browser in zip((AIKO, AIKO, BEN), browsers, strict=True):
            await pusher.subscribe(account, browser.endpoint, browser.p256dh, browser.auth)
        await told(pusher)

    counted, _ = pushing(sqlite_url, work, trusted=service.trusted)
    assert counted == ["sent", "sent"]
    assert sorted(got.path for got in service.got) == ["/send/laptop?device=1", "/send/phone?device=1"]


def test_what_is_being_sent_is_not_sent_twice_and_too_much_is_dropped(
    sqlite_url: str, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "WAITING", 2)
    browser = Browser(service)

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, browser.endpoint, browser.p256dh, browser.auth)
        for table in (TABLE, TABLE, "abcdefghij234566", "abcdefghij234565"):
            pusher.your_turn(AIKO, table, "kimono")

    counted, _ = pushing(sqlite_url, work, trusted=service.trusted)
    assert sorted(counted) == ["dropped", "sent", "sent"]


def test_a_browser_belongs_to_whoever_subscribed_it_last_and_only_they_can_end_it(sqlite_url: str, service: PushService) -> None:
    browser = Browser(service)

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, browser.endpoint, browser.p256dh, browser.auth)
        await pusher.subscribe(BEN, browser.endpoint, browser.p256dh, browser.auth)
        assert [await pusher.subscriptions(account) for account in (AIKO, BEN)] == [0, 1]
        await pusher.unsubscribe(AIKO, browser.endpoint)
        assert await pusher.subscriptions(BEN) == 1
        await pusher.unsubscribe(BEN, browser.endpoint)

    assert pushing(sqlite_url, work, trusted=service.trusted)[1] == []


def test_the_oldest_subscriptions_make_room(sqlite_url: str, service: PushService) -> None:
    browsers = [Browser(service, str(number)) for number in range(PER_ACCOUNT + 2)]

    async def work(pusher: Pusher, store: Store) -> None:
        for browser in browsers:
            await pusher.subscribe(AIKO, browser.endpoint, browser.p256dh, browser.auth)

    assert pushing(sqlite_url, work, trusted=service.trusted)[1] == [browser.endpoint for browser in browsers[2:]]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://93.184.216.34/send",
        "https://93.184.216.34:8443/send",
        "https://127.0.0.1/send",
        "https://localhost/send",
        "https://10.1.2.3/send",
        "https://192.168.1.1/send",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/send",
        "https://0.0.0.0/send",
        "https://2130706433/send",
        "https://0x7f.1/send",
        "https://[::1]/send",
        "https://[::ffff:10.0.0.1]/send",
        "https://[fd00::1]/send",
        "https://[fe80::1]/send",
        "https://[64:ff9b::a00:1]/send",
        "https://[2002:a00:1::]/send",
        "https://user@93.184.216.34/send",
        "https:///send",
        "file:///etc/passwd",
        "gopher://93.184.216.34:443/",
        "https://93.184.216.34/send\r\nX-Evil: 1",
        "https://93.184.216.34/send two",
        "https://93.184.216.34/ä",
        "https://nothing.invalid/send",
        "https://[::1/send",
        "https://93.184.216.34:99999/",
        "https://93.184.216.34/" + "x" * LONGEST_ENDPOINT,
        "",
    ],
)
def test_what_is_no_public_https_address_is_refused(endpoint: str) -> None:
    with pytest.raises(Refused) as refused:
        check_endpoint(endpoint)
    assert refused.value.code == "wrong settings"


def test_a_public_address_is_taken_with_its_path() -> None:
    place = check_endpoint("https://93.184.216.34/send/abc?x=1")
    assert (place.address, place.port, place.path, place.secure) == ("93.184.216.34", 443, "/send/abc?x=1", True)


def test_a_name_that_also_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "_resolved", lambda host, port: ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(Refused):
        check_endpoint("https://push.example.org/send")


def test_what_leads_inside_by_the_time_of_sending_is_not_sent(
    sqlite_url: str, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(service)
    addresses = [["93.184.216.34"], ["127.0.0.1"]]
    monkeypatch.setattr(push, "_resolved", lambda host, port: addresses.pop(0))

    async def work(pusher: Pusher, store: Store) -> None:
        await pusher.subscribe(AIKO, "https://rebound.example.org/send", browser.p256dh, browser.auth)
        await told(pusher)

    counted, _ = pushing(sqlite_url, work)
    assert (counted, service.got) == (["failed"], [])


def test_only_the_open_internet_is_public() -> None:
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1::1")
    assert not is_public("224.0.0.1")
    assert not is_public("fe80::1%eth0")
    assert not is_public("nonsense")


@pytest.mark.parametrize(("p256dh", "auth"), [("A" * 87, "A" * 22), ("B" + "A" * 86, "A" * 22), ("?" * 87, "A" * 22), ("", "")])
def test_keys_to_which_nobody_could_encrypt_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(Refused):
        check_keys(p256dh, auth)


def test_the_pusher_and_the_browser_agree_over_http() -> None:
    pusher = FakePusher()
    application = app(pusher=pusher)
    assert call(application, "GET", "/api/push").json() == {"public_key": "BPublicKey", "subscriptions": 0}
    body = {"endpoint": "https://push.example.org/1", "expirationTime": None, "keys": {"p256dh": "B" * 87, "auth": "A" * 22}}
    assert call(application, "POST", "/api/push/subscribe", json=body, headers=COOKIE).status_code == 204
    assert pusher.subscribed == ["https://push.example.org/1"]
    assert call(application, "POST", "/api/push/unsubscribe", json={"endpoint": body["endpoint"]}).status_code == 204
    assert pusher.subscribed == []
    assert call(application, "POST", "/api/push/subscribe", json=body, headers={}).status_code == 401
