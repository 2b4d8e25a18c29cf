"""Connections to SQLite and PostgreSQL with the settings we count on, and what their errors mean."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError

READERS = 4
LOCK_TIMEOUT_S = 5.0
STATEMENT_TIMEOUT_S = 10
SQLITE_ERROR = 1

IMPATIENT = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A machine that vanished without a word is given up after seconds, not after the quarter of an hour that TCP allows it."""


def engine(url: str, *, writing: bool = False) -> Engine:
    """A SQLAlchemy engine with the pragmas we count on."""
    parsed = sqlalchemy.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        parsed = parsed.set(drivername="postgresql+psycopg")
        return sqlalchemy.create_engine(
            parsed,
            paramstyle="format",
            pool_size=READERS + 2,
            pool_timeout=LOCK_TIMEOUT_S,
            connect_args={
                "options": f"-c statement_timeout={STATEMENT_TIMEOUT_S}s -c lock_timeout={int(LOCK_TIMEOUT_S * 1000)}",
                **IMPATIENT,
            },
        )
    made = sqlalchemy.create_engine(parsed, connect_args={"timeout": LOCK_TIMEOUT_S, "check_same_thread": False})
    begin = "BEGIN IMMEDIATE" if writing else "BEGIN"

    @event.listens_for(made, "connect")
    def _connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        _use_write_ahead_log(connection)
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(made, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return made


def _use_write_ahead_log(connection: Any) -> None:
    """Two who open a new file at once stand in each other's way, and SQLite does not wait for this lock: we do."""
    for _ in range(50):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA journal_mode=WAL")


def snapshots(writing: Engine) -> Engine:
    """The same connections, for reading: all that is read in one transaction is of one moment, as in SQLite."""
    return writing.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def is_the_stores(error: Exception) -> bool:
    """Whether the store itself failed, so that nothing more can be done in this transaction, and not one job in it."""
    if isinstance(error, DBAPIError):
        own = isinstance(error, IntegrityError | DataError | ProgrammingError | NotSupportedError)
        return was_lost(error) or not (own or is_passing(error) or _is_wrong_sql(error))
    return isinstance(error, sqlalchemy.exc.TimeoutError | OSError)


def is_passing(error: Exception) -> bool:
    """Whether PostgreSQL gave up one job's statements: deadlocks, time limits, an error passed over."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    return state.startswith("40") or state in ("25P02", "55P03", "57014")


def _is_wrong_sql(error: DBAPIError) -> bool:
    """SQLite gives a statement that cannot be understood the same type of error as a full disk, but not the same number."""
    return getattr(error.orig, "sqlite_errorcode", None) == SQLITE_ERROR


def was_lost(error: BaseException | None) -> bool:
    """Whether the connection is gone."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def by_driver(connection: Connection, statement: str, rows: Sequence[Sequence[Any]]) -> None:
    """Executes a statement in the transaction by the driver itself: SQLAlchemy's care costs ten times a small write."""
    driver, dialect = connection.connection.dbapi_connection, connection.dialect
    assert driver is not None
    errors = dialect.loaded_dbapi.Error
    try:
        if len(rows) == 1:
            driver.cursor().execute(statement, rows[0])
        else:
            driver.cursor().executemany(statement, rows)
    except errors as error:
        lost = dialect.is_disconnect(error, driver, None)
        raise DBAPIError.instance(
            statement, None, error, errors, hide_parameters=True, connection_invalidated=lost, dialect=dialect
        ) from error
