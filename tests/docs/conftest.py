"""A server for the programs on the pages that speak to one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.processes import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    try:
        running.wait_until_ready()
        yield running.url
    finally:
        running.kill()
