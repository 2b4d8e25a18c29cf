"""Plays a tournament on a Ray cluster whose machines have this package installed.

Ray starts a task again whose worker died; a result is known by its match, so none is counted twice.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Generator
from functools import lru_cache
from typing import Any

import msgspec

from zashiki.arena.play import Host, Result
from zashiki.arena.schedule import Sitting, Tournament
from zashiki.core.errors import ZashikiError

AHEAD = 3
"""Tasks that wait for every core, so that none idles."""
SMALLEST, LARGEST = 1, 64
"""Matches a task."""
RETRIES = 5
KNOCK_S = 5.0
LOOPBACK = ("127.", "localhost")


class NoCluster(ZashikiError, RuntimeError):
    """There is no Ray here, or no cluster at that address."""


def play_on_ray(tournament: Tournament, sittings: list[Sitting], address: str) -> Generator[list[Result], None, None]:
    """The results of these matches as they come, in no particular order."""
    ray = _joined(address)
    try:
        yield from _stream(ray, msgspec.json.encode(tournament), deque(sittings))
    finally:
        ray.shutdown()


def _joined(address: str) -> Any:
    # Nobody is told that Ray is used here, and a cluster on this machine is not looked for at its address in the network.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if address.startswith(LOOPBACK):
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    _knock(address)
    try:
        import ray
    except ImportError:
        raise NoCluster("Ray is not installed: pip install 'zashiki[ray]'") from None
    try:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise NoCluster(f"there is no Ray cluster at {address}: {error}") from None
    return ray


def _knock(address: str) -> None:
    """Ray itself would knock for minutes."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        try:
            socket.create_connection((host, int(port)), KNOCK_S).close()
        except OSError as error:
            raise NoCluster(f"nobody listens at {address}: {error}") from None


def _stream(ray: Any, tournament: bytes, waiting: deque[Sitting]) -> Generator[list[Result], None, None]:
    remote = ray.remote(max_retries=RETRIES, num_cpus=1)(play_batch)
    cores = int(ray.cluster_resources().get("CPU", 1))
    size = min(LARGEST, max(SMALLEST, len(waiting) // (cores * 50)))
    running: list[Any] = []
    while waiting or running:
        while waiting and len(running) < cores * AHEAD:
            batch = [waiting.popleft() for _ in range(min(size, len(waiting)))]
            running.append(remote.remote(tournament, msgspec.json.encode(batch)))
        done, running = ray.wait(running, num_returns=1)
        for each in ray.get(done):
            yield msgspec.msgpack.decode(each, type=list[Result])


def play_batch(tournament: bytes, sittings: bytes) -> bytes:
    """What a worker of the cluster does: some matches."""
    host = _host(tournament)
    played = [host.play(sitting) for sitting in msgspec.json.decode(sittings, type=list[Sitting])]
    return msgspec.msgpack.encode(played)


@lru_cache(maxsize=1)
def _host(tournament: bytes) -> Host:
    """Kept from task to task: a worker warms up once."""
    host = Host(msgspec.json.decode(tournament, type=Tournament))
    host.warm_up()
    return host
