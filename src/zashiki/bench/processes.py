"""Processes on cores of their own, and what they take of the machine, as the kernel counts it in /proc."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PATIENCE = 180.0
"""A first start may have to compile all rules."""
CORES = sorted(os.sched_getaffinity(0))


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may contain anything; none of a process that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def runs(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    fields = _stat(pid)
    return bool(fields) and fields[0] not in "ZX"


def family(pid: int) -> list[int]:
    """This process and all that descend from it."""
    parents = {int(each.name): fields for each in Path("/proc").glob("[0-9]*") if (fields := _stat(int(each.name)))}
    members = [pid]
    for member in members:
        members += [child for child, fields in parents.items() if int(fields[1]) == member]
    return [member for member in members if member in parents]


def cpu_seconds(pid: int) -> float:
    """What a process and its descendants have used, those that have ended and been waited for included."""
    own = sum(int(ticks) for member in family(pid) for ticks in _stat(member)[11:13])
    ended = sum(int(ticks) for ticks in _stat(pid)[13:15])
    return (own + ended) / TICKS


def resident_bytes(pid: int) -> int:
    """The resident memory of a process and its descendants."""
    return sum(int(Path(f"/proc/{member}/statm").read_text().split()[1]) * PAGE for member in family(pid))


class Program:
    """A process on certain cores. Its last words are kept for when it fails."""

    def __init__(
        self,
        command: Sequence[str],
        cores: Sequence[int],
        *,
        output: Path,
        environment: Mapping[str, str] | None = None,
        piped: bool = False,
    ) -> None:
        self.output = output
        self.born = time.perf_counter()
        with output.open("ab") as words:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                stdout=subprocess.PIPE if piped else words,
                stderr=words,
                env={**os.environ, **(environment or {})},
                preexec_fn=lambda: os.sched_setaffinity(0, cores),
                text=True,
            )
        self.pid = self._process.pid

    @property
    def input(self) -> IO[str]:
        """Where it can be told something."""
        assert self._process.stdin
        return self._process.stdin

    @property
    def lines(self) -> Iterator[str]:
        """What it answers."""
        assert self._process.stdout
        return self._process.stdout

    def check(self) -> None:
        """Raises with its last words when it has ended."""
        if (code := self._process.poll()) is not None:
            raise RuntimeError(f"{self._process.args!r} ended with {code}:\n{self.output.read_text(errors='replace')[-2000:]}")

    def answers(self, port: int, path: str) -> float:
        """Waits until a request is answered with success; gives the seconds since the start."""
        while (elapsed := time.perf_counter() - self.born) < PATIENCE:
            self.check()
            if _succeeds(port, path):
                return time.perf_counter() - self.born
            time.sleep(0.005)
        raise RuntimeError(f"{self._process.args!r} gave no answer at {path} for {elapsed:.0f} s")

    def kill(self) -> None:
        """Ends it and its descendants as a power cut would."""
        members = family(self.pid)
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        while any(map(runs, members)):
            time.sleep(0.005)
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()


def measure_of(port: int, path: str, name: str) -> float:
    """A measure that a server tells under this name; zero where it tells none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        lines = connection.getresponse().read().decode().splitlines()
    finally:
        connection.close()
    return next((float(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0.0)


def _succeeds(port: int, path: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
