"""Tournaments for tests, played to the end."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from zashiki.arena.play import Host, Result
from zashiki.arena.schedule import Sitting, Tournament, arrange, sittings
from zashiki.arena.workers import play_on_cores


def hanamikoji(*bots: str, matches: int = 40, **more: Any) -> Tournament:
    return arrange("hanamikoji", list(bots), matches=matches, seed=5, **more)


def played_here(tournament: Tournament) -> dict[Sitting, Result]:
    host = Host(tournament)
    return {sitting: host.play(sitting) for sitting in sittings(tournament)}


def played_on(tournament: Tournament, cores: int) -> dict[Sitting, Result]:
    found = [result for results in play_on_cores(tournament, sittings(tournament), cores) for result in results]
    assert len(found) == len({result.sitting for result in found})
    return {result.sitting: result for result in found}


def untimed(results: dict[Sitting, Result]) -> dict[Sitting, Result]:
    """The same without the times, which are never the same."""
    return {key: replace(each, seconds=[], slowest=[], spans=[]) for key, each in sorted(results.items())}


def made(sitting: Sitting, *winners: int, seats: int = 2) -> Result:
    """A result that nobody played."""
    zeros = [0] * seats
    return Result(*sitting, 0, list(winners), [10] * seats, "charm", zeros, [0.0] * seats, [0.0] * seats, [{}] * seats)
