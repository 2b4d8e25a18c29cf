"""A PostgreSQL for each test that kills or cuts one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import Postgres


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """Its own, outside of pytest's folders: those are closed to the user that PostgreSQL runs as."""
    with tempfile.TemporaryDirectory(prefix="zashiki-postgres-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder) / "data")
        try:
            yield server
        finally:
            server.close()
