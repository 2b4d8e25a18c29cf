"""A few kills of each kind; `python -m tests.faults` does it a hundred times."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.faults.campaign import Campaign, Report
from tests.server.databases import Postgres


def check(report: Report) -> None:
    assert report.verdict.wrong == [], report.words()
    assert report.verdict.actions >= report.ledger.acknowledged > 0
    assert report.reconnects > 0


def test_a_server_that_is_killed_and_started_again_has_lost_nothing(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, seed=1)
    check(asyncio.run(campaign.run(3, apart=0.3, parties=4, clients=4)))


def test_workers_machines_and_postgresql_are_killed_and_nothing_is_lost(tmp_path: Path, postgres: Postgres) -> None:
    campaign = Campaign(tmp_path, seed=1, postgres=postgres)
    ways = ("worker", "postgres", "all")
    report = asyncio.run(campaign.run(len(ways), ways=ways, apart=0.3, parties=4, clients=4))
    check(report)
    assert set(report.kills) == set(ways)
