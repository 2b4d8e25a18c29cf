"""Who somebody is: guests, people with a claimed name, and programs."""

from __future__ import annotations

from typing import Literal

import msgspec


class Account(msgspec.Struct, frozen=True):
    """Somebody at the server. A guest has a name that others may have too; a person has claimed one; a bot is a program."""

    id: int
    kind: Literal["guest", "person", "bot"]
    name: str
    muted: frozenset[int] = frozenset()
