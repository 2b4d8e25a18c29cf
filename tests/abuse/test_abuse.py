"""A short siege: a few hundred of every wrong thing, and nobody notices."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.abuse.siege import FLOOD, Report, besiege
from tests.faults.processes import Server


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Report]:
    folder: Path = tmp_path_factory.mktemp("abuse")
    server = Server(folder)
    server.start()
    try:
        server.wait_until_ready()
        yield asyncio.run(besiege(server, messages=3000, seed=1, rate=1000, windows=2, silent=5, idle=100))
    finally:
        server.kill()


def test_nothing_breaks_and_nothing_leaks(report: Report) -> None:
    assert report.failures == []
    assert report.messages >= 3000
    assert report.requests >= 100


def test_honest_tables_play_on(report: Report) -> None:
    assert all(report.latency[label]["moves"] > 0 for label in ("decoy", "abuse", "with silent ones", "with idle ones"))


def test_every_wrong_thing_is_refused_with_its_own_code(report: Report) -> None:
    assert {"malformed", "unknown table", "not seated"} <= report.refusals.keys()


def test_idle_connections_stay_open(report: Report) -> None:
    assert report.kept_open["idle"] == 100


def test_answers_that_nobody_reads_are_not_kept(report: Report) -> None:
    assert report.memory["pings that nobody reads"] - report.memory["with silent ones"] < FLOOD / 4
