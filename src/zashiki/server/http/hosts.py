"""Under which names the server answers.

A page of somebody else can point its own name at our address (DNS rebinding) and would then speak to us as if it were ours. Its
requests bear its name, so names that are not ours are refused. An address in digits cannot be pointed anywhere.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from zashiki.server.settings import Settings

LOOPBACK_NAME = "localhost"


class Hosts:
    """The names that are ours."""

    def __init__(self, names: Iterable[str] = (), *, any_address: bool = False) -> None:
        self.names = frozenset(name.lower().rstrip(".") for name in names)
        self.any_address = any_address

    @classmethod
    def of(cls, settings: Settings) -> Hosts:
        """Loopback, and the public name; open to the network also every address and this machine's own names."""
        names = [name for name in (urlsplit(settings.public_url or "").hostname, settings.host) if name]
        opened = not _is_loopback(settings.host)
        if opened:
            machine = socket.gethostname()
            names += [machine, f"{machine.partition('.')[0]}.local"]
        return cls(names, any_address=opened)

    def allows(self, host: str) -> bool:
        """Whether a Host header names us; the port does not matter."""
        name = _without_port(host)
        if name is None:
            return False
        if name in self.names or name == LOOPBACK_NAME or name.endswith("." + LOOPBACK_NAME):
            return True
        return _is_loopback(name) or (self.any_address and _address(name) is not None)


def host_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The one Host header of a request; empty if there is none or more than one."""
    found = [value for name, value in headers if name == b"host"]
    return found[0].decode("latin-1") if len(found) == 1 else ""


def _without_port(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.path or parts.query or parts.fragment or "@" in parts.netloc or not parts.hostname:
        return None
    return parts.hostname.lower().rstrip(".")


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    if name.lower() == LOOPBACK_NAME:
        return True
    address = _address(name)
    return address is not None and address.is_loopback
