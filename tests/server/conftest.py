"""Both databases for every test that asks for a `url`."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import Postgres
from zashiki.server.migrate import migrate


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, started when the first test wants it."""
    # Not below pytest's own folder, which each session shuts against other users, and PostgreSQL is one where we are root.
    with tempfile.TemporaryDirectory(prefix="zashiki-postgres-") as folder:
        server = Postgres(Path(folder) / "data")
        yield server
        server.close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and no rows."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    """The name of a database with all tables and no rows."""
    name = postgres.create()
    migrate(postgres.url(name))
    return name


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A new SQLite file with all tables."""
    file = tmp_path / "zashiki.db"
    shutil.copy(sqlite_template, file)
    return f"sqlite:///{file}"


@pytest.fixture
def postgres_url(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    """A new PostgreSQL database with all tables."""
    name = postgres.create(postgres_template)
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """Each of the two in turn."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Each of the two in turn, without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)
