"""What processes on one PostgreSQL tell each other: which tables, accounts or lists have changed, never what is in them."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable

from sqlalchemy import URL, Connection, text

from zashiki.server.engine import IMPATIENT

EVERYTHING = "*"
"""News that anything may have changed."""
CHANNEL = "zashiki"
NOTIFY = "SELECT pg_notify(%s, %s)"
LONGEST = 7_900
"""Bytes of one notification; PostgreSQL takes fewer than 8,000."""
RETRY_S = 0.5


def announce(connection: Connection, process: str, news: list[str]) -> None:
    """Tells the others when the transaction commits."""
    for payload in packed(process, news):
        connection.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})


def packed(process: str, news: list[str]) -> list[str]:
    """The news in as few notifications as hold them, each once."""
    groups: list[list[str]] = [[]]
    size = start = len(json.dumps([process]))
    for item in dict.fromkeys(news):
        length = len(json.dumps(item)) + 1
        if size + length > LONGEST:
            groups.append([])
            size = start
        groups[-1].append(item)
        size += length
    return [json.dumps([process, *group], separators=(",", ":")) for group in groups if group]


class Listener(threading.Thread):
    """Hears what others announce, and says EVERYTHING when it may have missed something."""

    def __init__(self, url: URL, process: str, tell: Callable[[list[str]], None]) -> None:
        super().__init__(name="store-news", daemon=True)
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._process = process
        self._tell = tell
        self._stopping = False
        self._bell, self._rope = socket.socketpair()
        self.ready = threading.Event()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopping = True
        self._rope.send(b"!")
        self.join()
        self._bell.close()
        self._rope.close()

    def run(self) -> None:
        """Listens until stopped, again and again."""
        import psycopg  # A server on SQLite starts without it.

        while not self._stopping:
            try:
                self._listen()
            except psycopg.Error:
                select.select([self._bell], [], [], RETRY_S)

    def _listen(self) -> None:
        import psycopg

        with psycopg.connect(self._url, autocommit=True, **IMPATIENT) as connection:  # type: ignore[arg-type]
            connection.execute(f"LISTEN {CHANNEL}")
            self.ready.set()
            self._tell([EVERYTHING])
            while not self._stopping:
                select.select([connection.fileno(), self._bell.fileno()], [], [])
                connection.pgconn.consume_input()
                while notice := connection.pgconn.notifies():
                    self._hear(notice.extra)

    def _hear(self, payload: bytes) -> None:
        try:
            process, *news = json.loads(payload)
        except ValueError:
            process, news = "", [EVERYTHING]
        if process != self._process:
            self._tell(news)
