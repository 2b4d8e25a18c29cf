"""Every version of the schema on both databases, forward and back, alone and in company."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, select, text

from tests.server.rows import account, committed, table
from zashiki.server.migrate import NEWEST, NOTHING, STEPS, VERSIONS, OtherStore, check, migrate, version
from zashiki.server.schema import METADATA, accounts, tables


def differences(connection: Connection) -> Any:
    """What Alembic would change to make a store what `schema.py` says."""
    return compare_metadata(MigrationContext.configure(connection), METADATA)


def made(connection: Connection) -> set[Any]:
    """What makes up a store: SQLite's own words for it, or PostgreSQL's columns, constraints and indexes."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'alembic%'"))
        return {
            (row.name, " ".join(sorted((row.sql or "").replace(",", "").split()))) for row in rows if "alembic" not in row.name
        }
    columns = text(
        "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default FROM"
        " information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
    )
    rules = text(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE 'alembic%'"
    )
    indexes = text("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE 'alembic%'")
    return {tuple(row) for query in (columns, rules, indexes) for row in connection.execute(query)}


def test_the_steps_from_nothing_make_what_the_schema_says(empty_url: str) -> None:
    migrate(empty_url)
    assert committed(empty_url, version) == NEWEST
    assert committed(empty_url, differences) == []
    by_steps = committed(empty_url, made)
    migrate(empty_url, NOTHING)
    committed(empty_url, METADATA.create_all)
    assert committed(empty_url, made) == by_steps


def test_the_versions_are_one_line_in_the_order_of_their_files() -> None:
    steps = ScriptDirectory(str(STEPS))
    assert [script.revision for script in steps.walk_revisions()] == VERSIONS[::-1]
    assert steps.get_heads() == [NEWEST]


def test_a_store_steps_back_to_nothing_and_forward_again(empty_url: str) -> None:
    migrate(empty_url)
    migrate(empty_url, NOTHING)
    assert committed(empty_url, lambda connection: sqlalchemy.inspect(connection).get_table_names()) == ["alembic_version"]
    migrate(empty_url)
    assert committed(empty_url, differences) == []


def test_rows_survive_a_migration(empty_url: str) -> None:
    migrate(empty_url, VERSIONS[0])
    committed(empty_url, lambda connection: table(connection, account(connection, "座敷")))
    migrate(empty_url)
    assert committed(empty_url, lambda connection: connection.execute(select(accounts.c.name)).scalar_one()) == "座敷"
    assert committed(empty_url, lambda connection: connection.execute(select(tables.c.seats)).scalar_one()) == 2


def test_a_store_of_a_newer_version_is_refused_and_left_alone(empty_url: str) -> None:
    migrate(empty_url)
    committed(empty_url, lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(OtherStore, match=f"schema 9999, written by a newer zashiki; this one knows {NEWEST} at most"):
        migrate(empty_url)
    assert committed(empty_url, version) == "9999"


def test_a_store_without_tables_is_not_current(empty_url: str) -> None:
    with pytest.raises(OtherStore, match="holds no tables yet"):
        committed(empty_url, lambda connection: check(connection, current=True))


def test_several_processes_may_migrate_at_once(empty_url: str) -> None:
    code = f"from zashiki.server.migrate import migrate; migrate({empty_url!r})"
    processes = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate()[1] for process in processes] == ["", "", ""]
    assert committed(empty_url, differences) == []


def test_nobody_else_may_read_a_new_file(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        migrate(f"sqlite:///{tmp_path}/new/zashiki.db")
    finally:
        os.umask(mask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "zashiki.db").stat().st_mode & 0o777 == 0o600
