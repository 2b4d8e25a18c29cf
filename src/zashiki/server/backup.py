"""A copy of the whole store in one file, made while the server runs, that either database can be restored from.

The file is gzipped text, one JSON value a line: what it is, then each table's name and columns and its rows, at last how many
lines there were and their digest. Everything in it is of one moment.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import time
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, select, text

from zashiki import __version__
from zashiki.core.errors import ZashikiError
from zashiki.server import migrate
from zashiki.server.engine import engine, snapshots
from zashiki.server.migrate import NEWEST, VERSIONS, OtherStore
from zashiki.server.store import now_ms

FORMAT = "zashiki backup 1"
PASSING = {"alembic_version", "limits", "processes", "presences"}
"""What only a running server needs."""
BATCH = 1000
FileNotWhole = (OSError, EOFError, zlib.error, msgspec.MsgspecError, UnicodeError)


class DamagedBackup(ZashikiError):
    """The file is no backup, or not all of one."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. `secrets`: the server's secrets file, without which nobody's notifications would arrive."""

    format: str
    schema: str
    program: str
    made_at: int
    secrets: bytes | None


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line before a table's rows."""

    table: str
    columns: list[str]


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    lines: int
    digest: str


Counts = dict[str, int]


def back_up(url: str, file: Path, secrets: Path | None = None) -> Counts:
    """Writes a backup; how many rows of each table are in it. The file appears when it is complete and on disk."""
    made = engine(url)
    reading = made if made.dialect.name == "sqlite" else snapshots(made)
    partial = file.with_name(f".{file.name}.partial")
    try:
        with reading.connect() as connection, connection.begin():
            _unhurried(connection)
            migrate.check(connection, current=True)
            if file.exists():
                raise OtherStore(f"{file} exists already: a backup goes into a new file")
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
                counts = _write(connection, raw, secrets)
                raw.flush()
                os.fsync(raw.fileno())
        partial.rename(file)
        _sync_folder(file.parent)
    finally:
        partial.unlink(missing_ok=True)
        made.dispose()
    return counts


def restore(url: str, file: Path, secrets: Path | None = None) -> Counts:
    """Fills an empty store from a backup that has been read to its end and found whole, in one transaction."""
    header = verify(file)
    with migrate.exclusively(url) as connection:
        _demand_empty(connection)
        if secrets and header.secrets is not None:
            _put_secrets(secrets, header.secrets)
        migrate.step_to(connection, header.schema)
        counts = _load(connection, file)
        migrate.step_to(connection, NEWEST)
    return counts


def verify(file: Path) -> Header:
    """Reads a backup to its end; its first line, if all is well."""
    lines = _lines(file)
    header = _header(next(lines, b""))
    for _ in lines:
        pass
    return header


def dated(path: Path) -> Path:
    """The file itself, or a new one in a folder, named after the moment."""
    return path / time.strftime("zashiki-%Y%m%d-%H%M%S.jsonl.gz", time.gmtime()) if path.is_dir() else path


def _write(connection: Connection, raw: IO[bytes], secrets: Path | None) -> Counts:
    counts: Counts = {}
    digest, lines = hashlib.sha256(), 0
    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6, filename="") as packed:
        for line in _dump(connection, secrets, counts):
            packed.write(line)
            digest.update(line)
            lines += 1
        packed.write(_line(End(lines, digest.hexdigest())))
    return counts


def _dump(connection: Connection, secrets: Path | None, counts: Counts) -> Iterator[bytes]:
    kept = secrets.read_bytes() if secrets and secrets.exists() else None
    schema = migrate.version(connection)
    assert schema is not None
    yield _line(Header(FORMAT, schema, __version__, now_ms(), kept))
    for table in _tables(connection):
        yield _line(Contents(str(table.name), [str(column.name) for column in table.columns]))
        counts[table.name] = 0
        for row in connection.execution_options(yield_per=BATCH).execute(_in_order(table)):
            yield _line(list(row))
            counts[table.name] += 1


def _tables(connection: Connection) -> list[Table]:
    """As they are in the store, each after those it refers to."""
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name not in PASSING]


def _in_order(table: Table) -> Any:
    """All rows; those that refer to others of the same table after the others."""
    inner = [key.parent.is_not(None) for key in table.foreign_keys if key.column.table is table]
    return select(table).order_by(*inner, *table.primary_key.columns)


def _load(connection: Connection, file: Path) -> Counts:
    tables = {table.name: table for table in _tables(connection)}
    counts: Counts = {}
    table: Table | None = None
    batch: list[dict[str, Any]] = []
    lines = _lines(file)
    next(lines)
    for line in lines:
        if line.startswith(b"{"):
            _insert(connection, table, batch)
            contents = msgspec.json.decode(line, type=Contents)
            table = tables[contents.table]
            columns = [table.c[name] for name in contents.columns]
            binary = [isinstance(column.type, LargeBinary) for column in columns]
            counts[table.name] = 0
            continue
        assert table is not None
        values = zip(columns, binary, msgspec.json.decode(line), strict=True)
        batch.append({column.name: b64decode(value) if raw and value is not None else value for column, raw, value in values})
        counts[table.name] += 1
        if len(batch) == BATCH:
            _insert(connection, table, batch)
    _insert(connection, table, batch)
    _count_on(connection, tables.values())
    return counts


def _insert(connection: Connection, table: Table | None, batch: list[dict[str, Any]]) -> None:
    if table is not None and batch:
        connection.execute(table.insert(), batch)
        batch.clear()


def _count_on(connection: Connection, tables: Any) -> None:
    """PostgreSQL gives out the numbers after those that are taken."""
    if connection.dialect.name == "sqlite":
        return
    for table in tables:
        column = table.autoincrement_column
        if column is not None:
            highest = connection.execute(select(func.max(column))).scalar()
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            connection.execute(select(func.setval(sequence, highest or 1, highest is not None)))


def _lines(file: Path) -> Iterator[bytes]:
    """The lines of a backup without its last, which must be right about them."""
    digest, count, last = hashlib.sha256(), 0, b""
    try:
        with gzip.open(file, "rb") as packed:
            for line in packed:
                if last:
                    digest.update(last)
                    count += 1
                    yield last
                last = line
        end = msgspec.json.decode(last, type=End)
    except FileNotWhole as error:
        raise DamagedBackup(f"{file} is not a whole backup: {error}") from None
    if end != End(count, digest.hexdigest()):
        raise DamagedBackup(f"{file} is not what was written: its digest differs")


def _header(line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.MsgspecError:
        raise DamagedBackup("this file is no backup of zashiki") from None
    if header.format != FORMAT:
        raise DamagedBackup(f"this backup is written as {header.format!r}, and only {FORMAT!r} can be read here")
    if header.schema not in VERSIONS:
        raise OtherStore(
            f"this backup has schema {header.schema}, written by zashiki {header.program}; this one knows {NEWEST} at most"
        )
    return header


def _demand_empty(connection: Connection) -> None:
    for table in _tables(connection):
        if connection.execute(select(text("1")).select_from(table).limit(1)).first():
            raise OtherStore(
                f"this store is not empty, it has {table.name}: restore into a new data folder (--data) or an empty database"
            )


def _put_secrets(file: Path, content: bytes) -> None:
    if file.exists() and file.read_bytes() != content:
        raise OtherStore(f"{file} holds other secrets than the backup: move it away, or restore into a new data folder (--data)")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
        raw.write(content)


def _unhurried(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        connection.execute(text("SET LOCAL statement_timeout = 0"))


def _sync_folder(folder: Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def _line(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"
