"""What processes on one PostgreSQL tell each other: which tables, accounts or lists have changed, never what is in them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable

import psycopg
from sqlalchemy import URL, Connection, text

CHANNEL = "zashiki"
LONGEST = 7_900
"""Bytes of one notification; PostgreSQL takes fewer than 8,000."""
RETRY_S = 0.5


def announce(connection: Connection, process: str, news: list[str]) -> None:
    """Tells the others when the transaction commits."""
    for payload in _packed(process, news):
        connection.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})


def _packed(process: str, news: list[str]) -> list[str]:
    packed, rest = [], list(dict.fromkeys(news))
    while rest:
        count, size = 0, len(process) + 10
        while count < len(rest) and size + len(rest[count]) + 4 < LONGEST:
            size += len(rest[count]) + 4
            count += 1
        packed.append(json.dumps([process, *rest[:count]], separators=(",", ":")))
        rest = rest[count:]
    return packed


class Listener(threading.Thread):
    """Hears what others announce, and says EVERYTHING when it may have missed something."""

    def __init__(self, url: URL, process: str, tell: Callable[[list[str]], None]) -> None:
        super().__init__(name="store-news", daemon=True)
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._process = process
        self._tell = tell
        self._stopping = False
        self.ready = threading.Event()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopping = True
        self.join()

    def run(self) -> None:
        """Listens until stopped, again and again."""
        while not self._stopping:
            try:
                self._listen()
            except psycopg.Error:
                time.sleep(RETRY_S)

    def _listen(self) -> None:
        with psycopg.connect(self._url, autocommit=True, connect_timeout=5) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.ready.set()
            self._tell(["*"])
            while not self._stopping:
                for notice in connection.notifies(timeout=0.5):
                    process, *news = json.loads(notice.payload)
                    if process != self._process:
                        self._tell(news)
