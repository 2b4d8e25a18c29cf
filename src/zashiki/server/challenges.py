"""Challenges for passkeys: signed by us, good for a few minutes, for one purpose, one account and one use.

Nothing is stored when one is given out. What was used is remembered until it would have ended: counters would not do, because
passkeys that several devices share do not count.
"""

from __future__ import annotations

import hmac
import struct
from secrets import token_bytes
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from zashiki.server.errors import Refused
from zashiki.server.limits import spend_once
from zashiki.server.secrets import Secrets
from zashiki.server.store import now_ms

LIFE_MS = 5 * 60_000
NONCE = 16
HEAD = struct.calcsize(">Q") + NONCE

Purpose = Literal["register", "sign in"]


class Challenge(NamedTuple):
    """One that we have given out."""

    content: bytes
    ends_at: int

    def use(self, connection: Connection) -> None:
        """Uses it up."""
        if not spend_once(connection, f"challenge:{self.content[:HEAD].hex()}", self.ends_at):
            raise Refused("wrong credentials", "this answer of a passkey was used before; begin again")


def new_challenge(secrets: Secrets, purpose: Purpose, account: int, about: str = "") -> Challenge:
    """A fresh one for an account (0: nobody yet), about something such as the name to be claimed."""
    ends_at = now_ms() + LIFE_MS
    head = struct.pack(">Q", ends_at) + token_bytes(NONCE)
    return Challenge(head + _signature(secrets, purpose, account, about, head), ends_at)


def check_challenge(secrets: Secrets, content: bytes, purpose: Purpose, account: int, about: str = "") -> Challenge:
    """The challenge, if we gave it out for just this and it is not too late."""
    head, signature = content[:HEAD], content[HEAD:]
    if len(head) < HEAD or not hmac.compare_digest(signature, _signature(secrets, purpose, account, about, head)):
        raise Refused("wrong credentials", "this passkey answers a question that we did not ask you; begin again")
    (ends_at,) = struct.unpack(">Q", head[:8])
    if ends_at < now_ms():
        raise Refused("wrong credentials", "that took too long; begin again")
    return Challenge(content, ends_at)


def _signature(secrets: Secrets, purpose: Purpose, account: int, about: str, head: bytes) -> bytes:
    return secrets.sign(f"challenge to {purpose}", struct.pack(">Q", account) + head + about.encode())
