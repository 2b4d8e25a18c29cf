"""Runs a tournament: what was kept is not played again, what comes is kept and shown, and breaking off loses nothing of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from zashiki.arena.journal import Journal
from zashiki.arena.play import Result
from zashiki.arena.schedule import Sitting, Tournament, sittings
from zashiki.arena.workers import play_on_cores

Arrived = Callable[[list[Result]], None]


def run(
    tournament: Tournament, arrived: Arrived, *, cores: int | None = None, ray: str | None = None, resume: Path | None = None
) -> bool:
    """Plays what is still to be played and hands every result over once; False: it was broken off with Ctrl-C."""
    with _journal(resume, tournament) as journal:
        kept = journal.results if journal else {}
        everything = list(sittings(tournament))
        arrived([kept[sitting] for sitting in everything if sitting in kept])
        waiting = [sitting for sitting in everything if sitting not in kept]
        try:
            with closing(_played(tournament, waiting, cores, ray)) as played, _progress(len(everything), len(waiting)) as shown:
                for results in played:
                    if journal:
                        journal.add(results)
                    arrived(results)
                    shown(len(results))
        except KeyboardInterrupt:
            return False
    return True


@contextmanager
def _journal(file: Path | None, tournament: Tournament) -> Iterator[Journal | None]:
    if file is None:
        yield None
        return
    with closing(Journal(file, tournament)) as journal:
        yield journal


def _played(
    tournament: Tournament, waiting: list[Sitting], cores: int | None, ray: str | None
) -> Generator[list[Result], None, None]:
    if ray is None:
        return play_on_cores(tournament, waiting, cores or _all_cores())
    from zashiki.arena.ray_cluster import play_on_ray

    return play_on_ray(tournament, waiting, ray)


def _all_cores() -> int:
    """The cores this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _progress(total: int, waiting: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        bar = progress.add_task("matches", total=total, completed=total - waiting)
        yield lambda count: progress.advance(bar, count)
