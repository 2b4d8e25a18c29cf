"""One server for all tests of programs that play."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.client.serving import Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server, with what is behind its address."""
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture
def server(served: Served) -> str:
    """Its address."""
    return served.url
