"""Brings a store to the schema of this version, through Alembic's steps in `migrations/`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy
from sqlalchemy import URL, Connection, text

from zashiki.core.errors import ZashikiError
from zashiki.server.engine import engine

STEPS = Path(__file__).parent / "migrations"
# Read from the names of the files: Alembic is only loaded when there is a step to take, a start takes half as long without it.
VERSIONS = sorted(file.name.partition("_")[0] for file in (STEPS / "versions").glob("[0-9]*.py"))
NEWEST = VERSIONS[-1]
NOTHING = "base"
LOCK = 0x7A617368696B69
"""A number that no other program on a PostgreSQL is likely to lock: "zashiki" in ASCII."""
PATIENCE_S = 600
"""How long a process waits for another that migrates."""


class OtherStore(ZashikiError):
    """The store belongs to another version of this program, or is not what the command needs."""


def migrate(url: str, to: str = NEWEST) -> None:
    """Brings a store to a version of the schema. Several processes may do so at once: one works, the others find it done."""
    with exclusively(url) as connection:
        check(connection)
        step_to(connection, to)


def step_to(connection: Connection, to: str) -> None:
    """Steps forward or back in a transaction that was begun `exclusively`; NOTHING is the version of an empty store."""
    found = version(connection) or NOTHING
    if found == to:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(STEPS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    line = [NOTHING, *VERSIONS]
    step = command.upgrade if line.index(found) < line.index(to) else command.downgrade
    step(config, to)


def version(connection: Connection) -> str | None:
    """The version of a store's schema; None where there is none yet."""
    if not sqlalchemy.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def check(connection: Connection, *, current: bool = False) -> None:
    """Refuses a store of a newer version; with `current`, also one of an older version or none."""
    found = version(connection)
    if found is not None and found not in VERSIONS:
        raise OtherStore(
            f"this store has schema {found}, written by a newer zashiki; this one knows {NEWEST} at most. "
            "Install the newer one, or restore a backup that was made before"
        )
    if current and found != NEWEST:
        was = f"has schema {found}" if found else "holds no tables yet"
        raise OtherStore(f"this store {was}, and {NEWEST} is needed: start the server once, it brings it there")


@contextmanager
def exclusively(url: str) -> Iterator[Connection]:
    """A transaction that no other process migrates beside; what goes wrong in it leaves the store as it was."""
    parsed = sqlalchemy.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        _create(parsed)
    made = engine(url, writing=True)
    try:
        with made.connect() as connection:
            yield from (_sqlite if made.dialect.name == "sqlite" else _postgres)(connection)
    finally:
        made.dispose()


def _create(url: URL) -> None:
    """An empty file that nobody else may read."""
    assert url.database is not None
    file = Path(url.database)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _sqlite(connection: Connection) -> Iterator[Connection]:
    # While a table is made anew, nothing that refers to it may be deleted with the old one.
    for pragma in ("foreign_keys=OFF", f"busy_timeout={PATIENCE_S * 1000}"):
        connection.connection.cursor().execute(f"PRAGMA {pragma}")
    with connection.begin():
        yield connection
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise OtherStore(f"{len(broken)} rows refer to rows that are not there, such as one in {broken[0][0]}")
    connection.invalidate()


def _postgres(connection: Connection) -> Iterator[Connection]:
    with connection.begin():
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        yield connection
