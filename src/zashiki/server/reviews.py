"""Matches reviewed on request, once they are over: one at a time, beside everything else, and kept."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, insert, select
from sqlalchemy.exc import IntegrityError

from zashiki.core.match import Match
from zashiki.review.reckoning import review
from zashiki.review.report import FORMAT, Review
from zashiki.server import schema
from zashiki.server.botroom import step_back
from zashiki.server.errors import Refused
from zashiki.server.store import Store, now_ms

LONGEST_QUEUE = 12
"""Matches that may wait for the one reviewer of this process: five minutes at most."""
AGAIN_MS = 60_000
KEY_BYTES = 12

logger = logging.getLogger("zashiki.reviews")


class ReviewState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a review is. `ahead`: matches that come first. `share`: what lets others read it, for the players.

    `none`: nobody has asked for one, or it came to nothing.
    """

    state: Literal["none", "waiting", "working", "ready"]
    progress: float = 0.0
    ahead: int = 0
    share: str | None = None
    review: Review | None = None


class Wanted(NamedTuple):
    """A match that waits to be reviewed. `winners`: where the table has decided."""

    match: Match
    winners: Sequence[int] | None


class Closing(Exception):
    """The server stops: a review is not worth waiting for."""


class Reviewer:
    """One thread that gives way to everything else, and a short queue."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: OrderedDict[str, Wanted] = OrderedDict()
        self._working: str | None = None
        self._progress = 0.0
        self._lock = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.review: Callable[[Match, Sequence[int] | None, Callable[[float], None]], Review] = review

    def open(self) -> None:
        """Begins to work."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="reviewer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Works no more; what is under way is given up."""
        with self._lock:
            self._closing = True
            self._waiting.clear()
            self._lock.notify_all()

    def ask(self, table: str, wanted: Wanted) -> None:
        """Puts a match into the queue, unless it is there already."""
        with self._lock:
            if table == self._working or table in self._waiting:
                return
            if len(self._waiting) >= LONGEST_QUEUE:
                raise Refused("too many", "too many matches wait to be reviewed", retry_after_ms=AGAIN_MS)
            self._waiting[table] = wanted
            self._lock.notify()

    def state(self, table: str) -> ReviewState:
        """How far the review of a table is, if it is not kept yet."""
        with self._lock:
            if table == self._working:
                return ReviewState(state="working", progress=round(self._progress, 3))
            if table in self._waiting:
                return ReviewState(state="waiting", ahead=list(self._waiting).index(table) + (self._working is not None))
        return ReviewState(state="none")

    async def kept(self, table: str) -> tuple[str, Review] | None:
        """The review of a table and the key to it; None where there is none that can still be read."""
        row = await self._store.read(partial(_find, table))
        if row is None:
            return None
        found = await asyncio.to_thread(_unpacked, row.content)
        return None if found is None else (row.key, found)

    def _work(self) -> None:
        step_back()
        while (taken := self._next()) is not None:
            table, wanted = taken
            try:
                content = _packed(self.review(wanted.match, wanted.winners, self._go_on))
            except Closing:
                return
            except Exception:
                logger.exception("a match of %s could not be reviewed", wanted.match.game.id)
                self._has_worked(table)
                continue
            self._call(self._keep, table, content)

    def _next(self) -> tuple[str, Wanted] | None:
        with self._lock:
            while (not self._waiting or self._working is not None) and not self._closing:
                self._lock.wait()
            if self._closing:
                return None
            table, wanted = self._waiting.popitem(last=False)
            self._working, self._progress = table, 0.0
            return table, wanted

    def _go_on(self, share: float) -> None:
        self._progress = share
        if self._closing:
            raise Closing

    def _call(self, function: Callable[[str, bytes], None], table: str, content: bytes) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # The loop may be gone by now.
            self._loop.call_soon_threadsafe(function, table, content)

    def _keep(self, table: str, content: bytes) -> None:
        assert self._loop is not None
        self._keeping = self._loop.create_task(self._store_it(table, content))

    async def _store_it(self, table: str, content: bytes) -> None:
        """Until it is on disk the review counts as under way: whoever asks meanwhile does not start another."""
        try:
            await self._store.write(partial(_add, table, content))
        except Refused:
            logger.warning("a review could not be kept: the store is away")
        finally:
            self._has_worked(table)

    def _has_worked(self, table: str) -> None:
        with self._lock:
            self._working = None
            self._lock.notify_all()


def _packed(found: Review) -> bytes:
    return zlib.compress(msgspec.json.encode(found), 6)


def _unpacked(content: bytes) -> Review | None:
    """What was kept; None for one of an earlier format, which is made anew."""
    plain = zlib.decompress(content)
    with suppress(msgspec.ValidationError):
        found = msgspec.json.decode(plain, type=Review)
        return found if found.format == FORMAT else None
    return None


def _find(table: str, connection: Connection) -> Row[Any, Any] | None:
    columns = schema.reviews.c
    return connection.execute(select(columns.key, columns.content).where(columns.table_id == table)).one_or_none()


def _add(table: str, content: bytes, connection: Connection) -> None:
    """Keeps it under a new key; one of another process or an earlier format makes room."""
    connection.execute(schema.reviews.delete().where(schema.reviews.c.table_id == table))
    row = {"table_id": table, "key": secrets.token_urlsafe(KEY_BYTES), "at": now_ms(), "content": content}
    with suppress(IntegrityError):  # The table itself may be gone.
        connection.execute(insert(schema.reviews), row)
