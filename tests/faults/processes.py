"""A real `zashiki serve`, started, killed and started again."""

from __future__ import annotations

import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 30.0
START_PATIENCE_S = 120.0
"""The very first start compiles the rules."""
SERVE = [sys.executable, "-c", "from zashiki.cli import main; main()", "serve", "--no-browser"]
LIMITS = 1000
"""Times the usual limits: all our clients come from one address."""


def free_port(count: int = 1) -> int:
    """A port that nobody uses now, nor those after it; below those that are given to whoever connects."""
    while True:
        port = random.randrange(10_000, 30_000)
        if all(_is_free(port + number) for number in range(count)):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Server:
    """A server with all its processes."""

    def __init__(self, data: Path, *, database: str | None = None, workers: int = 1, limits: float = LIMITS) -> None:
        self.data = data
        self.port = free_port(1 + workers)  # workers have those after it
        self.url = f"http://127.0.0.1:{self.port}"
        self.output = data / f"serve-{self.port}.log"
        self._arguments = ["--data", str(data), "--port", str(self.port), "--workers", str(workers), "--limits", str(limits)]
        if database:
            self._arguments += ["--database", database]
        self._workers = workers
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process that was started."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether that process lives."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts it; `wait_until_ready` waits."""
        with self.output.open("ab") as output:
            command = [*SERVE, *self._arguments]
            self._process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)

    def wait_until_ready(self) -> None:
        """Back when it answers."""
        wait_for(self.is_ready, lambda: f"{self.url} does not get ready:\n{self.last_words()}", START_PATIENCE_S)

    def is_ready(self) -> bool:
        """Whether it can serve tables."""
        assert self.is_running, f"the server has ended by itself:\n{self.last_words()}"
        return self.status("/readyz") == 200

    def status(self, path: str) -> int | None:
        """What a path answers; None if nobody does."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def workers(self) -> list[int]:
        """The processes that serve: the children, or the only one there is."""
        return [pid for pid in children(self.pid) if _serves(pid)] or [self.pid]

    def kill_worker(self, rng: random.Random) -> None:
        """Kills one process that serves."""
        worker = rng.choice(self.workers())
        os.kill(worker, signal.SIGKILL)
        if worker == self.pid and self._process:
            self._process.wait()

    def kill(self) -> None:
        """Kills all its processes at once."""
        if self._process is None:
            return
        for process in [*children(self.pid), self.pid]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()

    def kill_first(self) -> None:
        """Kills the process that was started, and not those it has started."""
        os.kill(self.pid, signal.SIGKILL)
        if self._process:
            self._process.wait()

    def replace_workers(self) -> None:
        """Has all workers replaced one after the other."""
        os.kill(self.pid, signal.SIGHUP)

    def start_when_possible(self) -> None:
        """Starts it when what is left of its last life has let the port go."""
        wait_for(lambda: all(_is_free(self.port + number) for number in range(1 + self._workers)), self.last_words)
        self.start()

    def stop(self) -> int:
        """Asks it to end, and gives its exit status."""
        assert self._process is not None
        self._process.terminate()
        try:
            return self._process.wait(PATIENCE_S)
        finally:
            self.kill()

    def last_words(self) -> str:
        """The end of what it has printed."""
        return self.output.read_text(errors="replace")[-4000:] if self.output.exists() else ""


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _serves(pid: int) -> bool:
    """Whether a child is one of ours, and not what Python starts to keep track of shared memory."""
    try:
        return b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def wait_for(condition: Callable[[], bool], otherwise: Callable[[], str], patience: float = PATIENCE_S) -> None:
    """Waits until something is so."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, otherwise()
        time.sleep(0.02)
