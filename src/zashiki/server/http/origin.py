"""Which pages may speak to us with somebody's cookie: our own, and no others.

A browser says in `Origin` from which page a request comes, and in `Sec-Fetch-Site` how near that page is. Programs say neither;
they carry a token, which no foreign page can send along.
"""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from zashiki.server.credentials import Headers, bearer_token, cookie_secret, header_values
from zashiki.server.errors import Refused
from zashiki.server.passkeys import Place
from zashiki.server.settings import Settings

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host and port."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")


def allowed_origin(headers: Headers, settings: Settings) -> bool:
    """Whether a request comes from one of our pages, or from no page at all."""
    headers = list(headers)
    named = header_values(headers, b"origin")
    if named:
        return len(named) == 1 and _parsed(named[0]) in own_origins(headers, settings)
    return all(site in ("same-origin", "none") for site in header_values(headers, b"sec-fetch-site"))


def check_origin(method: str, headers: Headers, settings: Settings) -> None:
    """Refuses a change that a foreign page may have asked for. What a browser's cookie does must name its page."""
    headers = list(headers)
    if method in SAFE or bearer_token(headers) is not None:
        return
    if not allowed_origin(headers, settings):
        raise _wrong(headers, settings)
    named = header_values(headers, b"origin") or header_values(headers, b"sec-fetch-site")
    if cookie_secret(headers) is not None and not named:
        raise Refused("wrong origin", "a change with a cookie needs the header `Origin`; programs use a token and no cookie")


def origin_guard(settings: Settings) -> Guard:
    """The same for a Litestar application."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        check_origin(str(connection.scope.get("method", "GET")), connection.scope["headers"], settings)

    return guard


def own_origins(headers: Headers, settings: Settings) -> list[Origin]:
    """The origins of our own pages: the public address if there is one, and where this request went, if that is surely us.

    A name that anybody could point at this machine does not count. Its addresses count, `localhost`, and its own name; where
    there is a public address, people elsewhere use that, and only this machine may use another.
    """
    public = public_origin(settings)
    hosts = header_values(headers, b"host")
    named = [origin for scheme in PORTS if (origin := _parsed(f"{scheme}://{hosts[0]}"))] if len(hosts) == 1 else []
    ours = _is_loopback if public else _surely_ours
    return [*([public] if public else []), *(origin for origin in named if ours(origin.host))]


def public_origin(settings: Settings) -> Origin | None:
    """Where people find this server, if the settings say so."""
    return _parsed("://".join(urlsplit(settings.public_url)[:2])) if settings.public_url else None


def place_of(headers: Headers, settings: Settings) -> Place:
    """Where passkeys belong to. Browsers want a name, and nobody in between: https, or this very machine."""
    public = public_origin(settings)
    origins = [public] if public else own_origins(headers, settings)
    fit = [origin for origin in origins if _is_localhost(origin.host) or (public and origin.scheme == "https")]
    if not fit or _is_address(fit[0].host):
        raise Refused("forbidden", "passkeys work at an https address with a name, or at http://localhost; use a password here")
    return Place(fit[0].host, [str(origin) for origin in fit])


def is_secure(scheme: str, settings: Settings) -> bool:
    """Whether people come here over https."""
    return scheme in ("https", "wss") or (settings.public_url or "").startswith("https:")


def _parsed(text: str) -> Origin | None:
    try:
        parts = urlsplit(text)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        return None
    return Origin(parts.scheme, parts.hostname, port)


def _surely_ours(host: str) -> bool:
    return _is_address(host) or _is_localhost(host) or host in _machine_names()


def _is_localhost(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost")


def _is_loopback(host: str) -> bool:
    return _is_localhost(host) or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@lru_cache(1)
def _machine_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({name, f"{name}.local"})


def _wrong(headers: Headers, settings: Settings) -> Refused:
    ours = " or ".join(str(origin) for origin in own_origins(headers, settings))
    if ours:
        return Refused("wrong origin", f"this comes from a page elsewhere; ours are at {ours}")
    return Refused("wrong origin", "this name is not known to be ours; start the server with its public URL, or use its address")
