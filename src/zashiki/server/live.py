"""A table that this process has in memory, with whoever looks at it."""

from __future__ import annotations

from typing import Any, Protocol

from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.messages import TableRequest
from zashiki.server.pictures import Pictures
from zashiki.server.table import Table


class Asker(Protocol):
    """Whoever sent a request and waits for the answer."""

    account: Account

    def done(self, request: int, table: str, version: int, repeated: bool) -> None:
        """The request was carried out."""

    def refused(self, request: int | None, table: str | None, refusal: Refused) -> None:
        """The request was refused."""


class Watcher(Asker, Protocol):
    """A connection that looks at tables."""

    @property
    def paused(self) -> bool:
        """Whether it does not take what it is sent; it is shown the latest when it does again."""

    def show(self, frame: bytes) -> None:
        """Sends a message that is encoded already."""

    def catch_up(self, table: str) -> None:
        """Remembers to show this table when the connection takes messages again."""


class Watching:
    """How somebody looks at a table: from which seat, and which version was shown last."""

    __slots__ = ("seat", "version")

    def __init__(self, seat: int, version: int) -> None:
        self.seat = seat
        self.version = version


class LiveTable:
    """The table, its watchers, and what is under way. `busy`: an event is being written, everything else waits."""

    __slots__ = (
        "behind",
        "busy",
        "idle_since",
        "ours",
        "pictures",
        "present",
        "queue",
        "rewritten",
        "table",
        "thinking",
        "time",
        "waiting",
        "watchers",
    )

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pictures = Pictures(table)
        self.watchers: dict[Any, Watching] = {}
        # Lists, not deques: they are nearly always empty, and an empty deque is ten times as big.
        self.queue: list[tuple[Asker, TableRequest, str | None, int]] = []
        self.busy = False
        self.behind = False
        """Somebody else has written: the log must be read before anything is decided."""
        self.rewritten = False
        """Lines of the log are not as they were: the whole of it must be read again."""
        self.ours = False
        """This process wrote the last event, so it is the one to ask the bots."""
        self.thinking: set[int] = set()
        self.time: dict[int, tuple[int, ...]] = {}
        self.waiting = 0
        """The seats that have been told it is their turn, as bits."""
        self.present: set[int] = set()
        self.idle_since = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks and nothing is under way."""
        return not (self.watchers or self.busy or self.queue or self.thinking or self.time or self.behind)
