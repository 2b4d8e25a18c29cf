"""What a request says about who asks: the cookie's secret or a program's token, read from its headers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from secrets import token_urlsafe

COOKIE = "zashiki"
TOKEN_PREFIX = "zashiki_"
"""So that people and scanners know a token when they see one."""
AGENT_LENGTH = 200

Headers = Iterable[tuple[bytes, bytes]]
"""As ASGI gives them: names in lower case."""


def header_values(headers: Headers, name: bytes) -> list[str]:
    """All values of a header, in order."""
    return [value.decode("latin-1").strip() for key, value in headers if key == name]


def cookie_secret(headers: Headers) -> str | None:
    """The session secret that a browser sends along."""
    for line in header_values(headers, b"cookie"):
        for pair in line.split(";"):
            name, _, value = pair.strip().partition("=")
            if name == COOKIE and value:
                return value.strip('"')
    return None


def bearer_token(headers: Headers) -> str | None:
    """What stands in `Authorization`, where there is one: empty if it is no bearer token."""
    values = header_values(headers, b"authorization")
    if not values:
        return None
    scheme, _, token = values[0].partition(" ")
    return token.strip() if scheme.lower() == "bearer" and len(values) == 1 else ""


def agent_of(headers: Headers) -> str:
    """The browser or program, as it names itself."""
    named = " ".join(header_values(headers, b"user-agent"))
    return "".join(character for character in named if character.isprintable())[:AGENT_LENGTH]


def new_secret() -> str:
    """A secret that nobody guesses."""
    return token_urlsafe(32)


def digest(secret: str) -> bytes:
    """What the store keeps of a secret. Secrets are random and long: a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()
