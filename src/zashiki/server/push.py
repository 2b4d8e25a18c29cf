"""Web push: "your turn" for whoever is not looking, and nothing that the rules hide.

Where to send comes from browsers, so it is not trusted: only https, only public addresses, and the very address that was checked
is the one that is connected to. No redirect is followed and little of the answer is read.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import ipaddress
import logging
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from zashiki.server import schema
from zashiki.server.errors import Refused
from zashiki.server.limits import Limits
from zashiki.server.store import Store, now_ms

TIMEOUT_S = 10.0
TTL_S = 86_400
THREADS = 2
WAITING = 1_000
"""Notifications that may wait; more are dropped, for the title and the badge will do."""
PER_ACCOUNT = 10
"""Subscriptions of one account; the oldest make room."""
LONGEST_ENDPOINT = 1_024
CONTACT = "mailto:zashiki@localhost"
GONE = (404, 410)

_log = logging.getLogger("zashiki.push")


class VapidKeys(Protocol):
    """Who we are to push services; made at the first start."""

    @property
    def vapid_private_key(self) -> str:
        """A PEM."""

    @property
    def vapid_public_key(self) -> str:
        """The point, in base64url."""


class Place(NamedTuple):
    """Where a push service is: the address that was checked, and what it is called."""

    address: str
    host: str
    port: int
    path: str
    secure: bool


class _Subscription(NamedTuple):
    id: int
    endpoint: str
    p256dh: str
    auth: str


def check_endpoint(endpoint: str, trusted: frozenset[str] = frozenset()) -> Place:
    """Where an endpoint leads, if it is a public https address; `trusted` (`host:port`) may be anything."""
    refused = Refused("wrong settings", "a push service has a public https address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise refused from None
    host = parts.hostname or ""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    odd = len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint
    if odd or not host or "@" in parts.netloc:
        raise refused
    is_trusted = f"{host}:{port}" in trusted
    if not is_trusted and (parts.scheme != "https" or port != 443):
        raise refused
    addresses = _resolved(host, port)
    if not addresses or not (is_trusted or all(map(is_public, addresses))):
        raise refused
    return Place(addresses[0], host, port, path, parts.scheme == "https")


def _resolved(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(address[4][0]) for address in found]


def is_public(address: str) -> bool:
    """Whether an address is on the open internet, and no other hides in it."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if found.is_multicast or found.is_reserved or not found.is_global:
        return False
    if isinstance(found, ipaddress.IPv4Address):
        return True
    return not (found.ipv4_mapped or found.sixtofour or found.teredo or found in _TRANSLATED)


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


class _Answer(NamedTuple):
    """What pywebpush wants to know of an answer."""

    status_code: int
    reason: str = ""
    text: str = ""
    headers: Mapping[str, str] = {}


class _Line:
    """Takes the place of a session of `requests`: posts to the place that was checked, within a time that ends."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.ends = time.monotonic() + TIMEOUT_S

    def post(self, endpoint: str, data: bytes, headers: Mapping[str, Any], timeout: float | None = None) -> _Answer:
        """Sends a message; back comes the status."""
        host = self.place.host if self.place.port in (80, 443) else f"{self.place.host}:{self.place.port}"
        lines = [f"POST {self.place.path} HTTP/1.1", f"Host: {host}", "Connection: close", f"Content-Length: {len(data)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        with self._connected() as stream:
            stream.settimeout(self._left())
            stream.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + data)
            return _Answer(self._status(stream))

    def _connected(self) -> socket.socket:
        plain = socket.create_connection((self.place.address, self.place.port), timeout=self._left())
        if not self.place.secure:
            return plain
        try:
            return ssl.create_default_context().wrap_socket(plain, server_hostname=self.place.host)
        except BaseException:
            plain.close()
            raise

    def _left(self) -> float:
        return max(0.001, self.ends - time.monotonic())

    def _status(self, stream: socket.socket) -> int:
        """The status of an answer; the rest of it is not read."""
        read = b""
        while b"\r\n" not in read and len(read) < 1_000:
            stream.settimeout(self._left())
            more = stream.recv(1_000)
            if not more:
                break
            read += more
        words = read.split(b"\r\n")[0].split()
        if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
            raise OSError("the push service does not speak HTTP")
        return int(words[1])


class Pusher:
    """Keeps subscriptions and sends notifications, in threads of its own."""

    def __init__(
        self,
        store: Store,
        keys: VapidKeys,
        *,
        contact: str | None = None,
        trusted: frozenset[str] = frozenset(),
        counted: Callable[[str], None] = lambda result: None,
        limits: Limits | None = None,
    ) -> None:
        self.public_key = keys.vapid_public_key
        self._store = store
        self._private_key = keys.vapid_private_key
        self._contact = contact or CONTACT
        self._trusted = trusted
        self._counted = counted
        self._limits = limits
        self._threads = ThreadPoolExecutor(THREADS, "push")
        self._sending: dict[tuple[int, str], asyncio.Task[None]] = {}

    async def subscribe(self, account_id: int, endpoint: str, p256dh: str, auth: str) -> None:
        """Sends to this browser from now on; what it was subscribed to before, it is no more."""
        check_keys(p256dh, auth)
        if self._limits:
            await self._limits.spend("subscriptions", account_id)
        await asyncio.get_running_loop().run_in_executor(self._threads, check_endpoint, endpoint, self._trusted)
        row = {"account_id": account_id, "endpoint": endpoint, "p256dh": p256dh, "auth": auth, "created_at": now_ms()}

        def work(connection: Connection) -> None:
            kept = schema.push_subscriptions
            connection.execute(delete(kept).where(kept.c.endpoint == endpoint))
            connection.execute(insert(kept), [row])
            newest = select(kept.c.id).where(kept.c.account_id == account_id).order_by(kept.c.id.desc()).limit(PER_ACCOUNT)
            connection.execute(delete(kept).where(kept.c.account_id == account_id, kept.c.id.not_in(newest)))

        await self._store.write(work)

    async def unsubscribe(self, account_id: int, endpoint: str) -> None:
        """Sends to this browser no more."""
        kept = schema.push_subscriptions
        mine = (kept.c.account_id == account_id) & (kept.c.endpoint == endpoint)
        await self._store.write(lambda connection: connection.execute(delete(kept).where(mine)) and None)

    async def subscriptions(self, account_id: int) -> int:
        """How many browsers of an account are sent to."""
        kept = schema.push_subscriptions
        counted = select(func.count()).where(kept.c.account_id == account_id)
        return await self._store.read(lambda connection: connection.execute(counted).scalar_one())

    def your_turn(self, account_id: int, table_id: str, game: str) -> None:
        """Tells an account's browsers that a table waits; returns at once."""
        key = account_id, table_id
        if key in self._sending:
            return
        if len(self._sending) >= WAITING:
            self._counted("dropped")
            return
        task = asyncio.get_running_loop().create_task(self._tell(account_id, table_id, game))
        self._sending[key] = task
        task.add_done_callback(lambda _: self._sending.pop(key, None))

    async def close(self) -> None:
        """Waits for what is being sent."""
        await asyncio.gather(*self._sending.values(), return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown)

    async def _tell(self, account_id: int, table_id: str, game: str) -> None:
        kept = schema.push_subscriptions
        wanted = select(kept.c.id, kept.c.endpoint, kept.c.p256dh, kept.c.auth).where(kept.c.account_id == account_id)
        try:
            rows = await self._store.read(lambda connection: connection.execute(wanted).all())
            body = msgspec.json.encode({"type": "your turn", "table": table_id, "game": game})
            loop = asyncio.get_running_loop()
            found = [_Subscription(*row) for row in rows]
            results = await asyncio.gather(
                *(loop.run_in_executor(self._threads, self._send, each, body, topic(table_id)) for each in found)
            )
            dead = [each.id for each, result in zip(found, results, strict=True) if result == "gone"]
            if dead:
                await self._store.write(lambda connection: connection.execute(delete(kept).where(kept.c.id.in_(dead))) and None)
        except Refused as refused:
            _log.warning("a notification was not sent: %s", refused)
            results = ["failed"]
        for result in results:
            self._counted(result)

    def _send(self, to: _Subscription, body: bytes, about: str) -> str:
        """In a thread: how one notification fared."""
        # Its imports take a third of a second, and many servers never send one.
        from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types
        from pywebpush import WebPushException, webpush  # type: ignore[import-untyped]  # nor does it

        try:
            webpush(
                {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}},
                body,
                vapid_private_key=Vapid.from_pem(self._private_key.encode()),
                vapid_claims={"sub": self._contact},
                ttl=TTL_S,
                headers={"Topic": about, "Urgency": "normal", "Content-Type": "application/octet-stream"},
                requests_session=_Line(check_endpoint(to.endpoint, self._trusted)),
            )
        except WebPushException as error:
            if error.status_code in GONE:
                return "gone"
            _log.warning("a push service answered %s", error.status_code)
            return "failed"
        except (Refused, OSError, ValueError) as error:
            _log.warning("a push service cannot be reached: %s", type(error).__name__)
            return "failed"
        return "sent"


def topic(table_id: str) -> str:
    """What replaces an older notification that still waits: one a table, and it does not tell which."""
    return base64.urlsafe_b64encode(hashlib.sha256(table_id.encode()).digest()[:24]).decode()


def check_keys(p256dh: str, auth: str) -> None:
    """Refuses keys that nobody could encrypt to."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        if len(_bytes(auth)) == 16:
            return
    except ValueError:
        pass
    raise Refused("wrong settings", "p256dh is a point of P-256 and auth has 16 bytes, both in base64url")


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
