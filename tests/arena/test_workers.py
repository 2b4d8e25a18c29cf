"""Tournaments on several processes."""

from __future__ import annotations

import os
import signal
from collections import deque
from multiprocessing import Pipe, active_children
from pathlib import Path

import msgspec
import pytest

from tests.arena.tournaments import hanamikoji, made, played_here, played_on, untimed
from zashiki.arena.schedule import sittings
from zashiki.arena.workers import WorkersDie, _Crew, play_on_cores


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


def test_results_of_a_worker_that_dies_right_after_sending_them_count() -> None:
    tournament = hanamikoji("random", "careless", matches=4)
    first, second, *_ = sittings(tournament)
    crew = _Crew(tournament, deque([second]), 1)
    crew._hire(1)
    worker = next(iter(crew._workers.values()))
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()
    here, there = Pipe()
    del crew._workers[next(iter(crew._workers))]
    worker.pipe, worker.owed = here, [first]
    crew._workers[here] = worker
    there.send_bytes(msgspec.msgpack.encode([made(first, 0)]))
    there.close()
    try:
        assert [result.sitting for result in crew._hear(worker)] == [first]
        assert list(crew._waiting) == [second]
    finally:
        crew.dismiss()


def test_masters_meet_others_on_several_cores(learned: Path) -> None:
    tournament = hanamikoji("master@8", "master-fast", "beginner", matches=6)
    results = played_on(tournament, 2)
    assert results
    assert not any(result.forfeit for result in results.values())
    assert untimed(results) == untimed(played_here(tournament))
