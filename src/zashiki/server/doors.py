"""How many sockets may be open at once, at one process, for an account and for an address."""

from __future__ import annotations

from collections import Counter

from zashiki.server.errors import Refused
from zashiki.server.limits import address_key

OF_AN_ACCOUNT = 20
OF_AN_ADDRESS = 200
"""A school or a household may share one."""
AGAIN_MS = 10_000

Keys = tuple[tuple[str, str], ...]


class Doors:
    """Counts open sockets. `multiplier` raises the limits, for benches."""

    def __init__(self, multiplier: float = 1) -> None:
        self._most = {"account": max(1, int(OF_AN_ACCOUNT * multiplier)), "address": max(1, int(OF_AN_ADDRESS * multiplier))}
        self._open: Counter[tuple[str, str]] = Counter()

    def enter(self, account: int, address: str) -> Keys:
        """Counts one socket, or refuses it; gives what it is counted under."""
        keys = ("account", str(account)), ("address", address_key(address))
        for kind, who in keys:
            if self._open.get((kind, who), 0) >= self._most[kind]:
                reason = f"too many open sockets: there may be {self._most[kind]} for each {kind}; close some"
                raise Refused("too many", reason, retry_after_ms=AGAIN_MS)
        self._open.update(keys)
        return keys

    def leave(self, keys: Keys) -> None:
        """The socket has closed."""
        for key in keys:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
