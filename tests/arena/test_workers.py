"""Tournaments on several processes."""

from __future__ import annotations

import os
import signal
from multiprocessing import active_children

import pytest

from tests.arena.tournaments import hanamikoji, played_here, played_on, untimed
from zashiki.arena.schedule import sittings
from zashiki.arena.workers import WorkersDie, play_on_cores


def test_the_results_do_not_depend_on_the_number_of_cores() -> None:
    tournament = hanamikoji("careless", "search@5", matches=60)
    here = untimed(played_here(tournament))
    assert untimed(played_on(tournament, 1)) == here
    assert untimed(played_on(tournament, 3)) == here
    assert not active_children()


def test_a_killed_worker_loses_nothing_and_nothing_counts_twice() -> None:
    tournament = hanamikoji("careless", "search@20", matches=300)
    found = []
    for results in play_on_cores(tournament, sittings(tournament), 2):
        found += results
        if len(found) - len(results) < 100 <= len(found):
            pid = active_children()[0].pid
            assert pid
            os.kill(pid, signal.SIGKILL)
    assert len(found) == len({result.sitting for result in found})
    assert untimed({result.sitting: result for result in found}) == untimed(played_here(tournament))


def test_workers_that_all_die_end_the_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zashiki.arena.workers.DEATHS", 1)
    tournament = hanamikoji("tests.arena.bots:Vanishing", "random", matches=2)
    with pytest.raises(WorkersDie, match="exit code 3"):
        played_on(tournament, 1)
    assert not active_children()
