"""The few requests that are not made over the socket, with the standard library in a thread."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from zashiki.client.backoff import Backoff
from zashiki.server.errors import STATUS, Code, Refused

AGENT = "zashiki-client"
LATER = (STATUS["too many"], STATUS["unavailable"])
"""What is asked again, when the answer says it may be."""


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    body: bytes
    cookies: list[str]
    retry_after: float


class Http:
    """Requests to one server, as one person: a token's, or a guest's whose cookie is kept."""

    def __init__(
        self, url: str, *, token: str | None, cookies: dict[str, str] | None, timeout: float, patient: bool = True
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a server's address looks like http://127.0.0.1:8000, not {url!r}")
        self.host, self.port, self.secure = parts.hostname, parts.port, parts.scheme == "https"
        self.folder = parts.path.rstrip("/")
        self.token = token
        self.cookies = dict(cookies or {})
        self.timeout = timeout
        self.patient = patient

    @property
    def place(self) -> str:
        """Host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def socket_address(self) -> str:
        """The same server's address for sockets."""
        return f"{'wss' if self.secure else 'ws'}://{self.place}{self.folder}"

    def headers(self) -> dict[str, str]:
        """What says who we are. Whoever comes with a cookie, as browsers do, must also say from which page."""
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        if not self.cookies:
            return {}
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "Origin": f"{'https' if self.secure else 'http'}://{self.place}"}

    def keep(self, cookies: Iterable[str]) -> None:
        """Takes the cookies that the server gives."""
        for cookie in cookies:
            try:
                self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(cookie).items()})
            except CookieError:
                continue

    async def request(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> bytes:
        """The answer's body. Goes on trying while the server cannot be reached, and raises `Refused` if it refuses."""
        data = None if body is None else msgspec.json.encode(body)
        extra = {"Idempotency-Key": key} if key else {}
        backoff = Backoff()
        async with asyncio.timeout(self.timeout) as patience:
            while True:
                wait = backoff.next()
                try:
                    answer = await asyncio.to_thread(self._send, method, path, data, extra)
                except (OSError, http.client.HTTPException):
                    pass  # it may be restarting
                else:
                    self.keep(answer.cookies)
                    if answer.status < 400:
                        return answer.body
                    refused = refusal(answer.status, answer.body, answer.retry_after)
                    wait = max(wait, (refused.retry_after_ms or 0) / 1000)
                    end = asyncio.get_running_loop().time() + wait
                    if answer.status not in LATER or not self.patient or end > (patience.when() or 0):
                        raise refused
                await asyncio.sleep(wait)

    def _send(self, method: str, path: str, data: bytes | None, extra: dict[str, str]) -> Answer:
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=self.timeout)
        headers = {"User-Agent": AGENT, "Accept": "application/json", **self.headers(), **extra}
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, self.folder + path, data, headers)
            response = connection.getresponse()
            cookies = response.headers.get_all("Set-Cookie") or []
            return Answer(response.status, response.read(), cookies, seconds(response.headers.get("Retry-After")))
        finally:
            connection.close()


class _Problem(msgspec.Struct):
    """The server's refusal, as problem+json."""

    code: str = ""
    detail: str = ""
    title: str = ""
    retry_after_ms: int | None = None


def refusal(status: int, body: bytes, retry_after: float) -> Refused:
    """The refusal in an answer, even if it comes from a proxy that does not know our words."""
    try:
        problem = msgspec.json.decode(body, type=_Problem)
    except msgspec.MsgspecError:
        problem = _Problem()
    code: Code = next((code for code in STATUS if code == problem.code), _code_of(status))
    reason = problem.detail or problem.title or f"the server answered {status}"
    wait = problem.retry_after_ms if problem.retry_after_ms is not None else int(retry_after * 1000) or None
    return Refused(code, reason, retry_after_ms=wait)


def _code_of(status: int) -> Code:
    return next((code for code, own in STATUS.items() if own == status), "malformed" if status < 500 else "unavailable")


def seconds(text: str | None) -> float:
    """A header that says how long to wait."""
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
