"""A tournament on a Ray cluster: one on this machine, with two workers, that talks to nobody but itself."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.arena.tournaments import hanamikoji, played_here, untimed
from zashiki.arena.journal import Journal
from zashiki.arena.ray_cluster import NoCluster, play_on_ray

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
ROOT = Path(__file__).parents[2]
ALONE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the deadly bot leaves a mark when it has struck."""
    monkeypatch.setenv("ZASHIKI_TEST_MARK", str(tmp_path / "mark"))
    return tmp_path / "mark"


@pytest.fixture
def cluster(mark: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a cluster of our own; it ends with the process that we started."""
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT)]))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--node-ip-address=127.0.0.1"]
    ways = [
        f"--port={port}",
        "--num-cpus=2",
        "--include-dashboard=false",
        "--disable-usage-stats",
        "--object-store-memory=80000000",
    ]
    running = subprocess.Popen([*command, *ways], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert running.stdout
    try:
        told = ""
        for line in running.stdout:
            told += line
            if "--block" in line:
                break
        assert re.search(r"Local node IP: 127\.0\.0\.1", told)
        yield f"127.0.0.1:{port}"
    finally:
        running.terminate()
        running.communicate(timeout=30)


def test_a_cluster_gives_the_same_results_even_if_a_worker_is_killed(cluster: str, mark: Path, tmp_path: Path) -> None:
    tournament = hanamikoji("tests.arena.bots:Deadly", "heuristic", matches=60)
    asked = ["arena", "hanamikoji", *tournament.bots, "--matches", "60", "--seed", "5", "--json", "-"]
    command = [sys.executable, "-m", "zashiki.cli", *asked, "--ray", cluster, "--resume", str(tmp_path / "journal")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert mark.exists()
    assert len((tmp_path / "journal").read_text("utf-8").splitlines()) == 1 + 60
    journal = Journal(tmp_path / "journal", tournament)
    journal.close()
    assert untimed(journal.results) == untimed(played_here(tournament))


def test_without_a_cluster_it_says_so() -> None:
    with pytest.raises(NoCluster, match=r"nobody listens at 127\.0\.0\.1:9"):
        list(play_on_ray(hanamikoji("random", "heuristic"), [], "127.0.0.1:9"))
