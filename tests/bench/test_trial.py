"""A server process and a generator process, told what to do and asked what it took."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zashiki.bench.processes import Program, cpu_seconds, family, resident_bytes, runs
from zashiki.bench.trial import Contender, Cores, Share, Trial, _share, quantile

STUB = Contender("zashiki", "/healthz", (sys.executable, "-m", "tests.bench.stub", "{port}"))
ALL = Cores(sorted(os.sched_getaffinity(0)), sorted(os.sched_getaffinity(0)))


def test_a_trial_measures_both_loops_and_weighs_the_server(tmp_path: Path) -> None:
    with Trial(STUB, tmp_path, ALL, generators=2) as trial:
        trial.seat(16)
        opened = trial.measure("open", 0.3, rate=Share(100))
        closed = trial.measure("closed", 0.3)
        assert trial.first_answer > 0
        assert trial.megabytes(settle=0) > 5
    assert opened.per_second > 0
    assert closed.per_second > 0
    assert 0 < opened.p50 <= opened.p99
    assert opened.errors == closed.errors == {} == dict(trial.errors)


def test_a_server_that_cannot_start_is_quoted(tmp_path: Path) -> None:
    broken = Contender("zashiki", "/", (sys.executable, "-c", "raise SystemExit('no cards')"))
    with pytest.raises(RuntimeError, match="no cards"):
        Trial(broken, tmp_path, ALL)


def test_what_children_take_is_counted_and_they_end_with_their_parent(tmp_path: Path) -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); sum(range(10**7)); input()'])"
    program = Program([sys.executable, "-c", code], ALL.server, output=tmp_path / "log", piped=True)
    next(program.lines)
    members = family(program.pid)
    assert len(members) == 2
    assert resident_bytes(program.pid) > resident_bytes(members[1]) > 0
    program.kill()
    assert not any(map(runs, members))


def test_processor_time_of_the_ended_counts_too() -> None:
    before = cpu_seconds(os.getpid())
    subprocess.run([sys.executable, "-c", "sum(range(2 * 10**7))"], check=True)
    assert cpu_seconds(os.getpid()) > before


@pytest.mark.parametrize(("count", "shares"), [(10, [5, 5]), (7, [3, 4]), (3, [1, 1, 1])])
def test_generators_share_the_tables(count: int, shares: list[int]) -> None:
    assert [_share(Share(count), place, len(shares)) for place in range(len(shares))] == shares
    assert _share(count, 0, 2) == count


def test_a_quantile_is_one_of_the_values() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 3
    assert quantile([1, 2, 3, 4], 0.99) == 4
    assert quantile([], 0.5) == 0
