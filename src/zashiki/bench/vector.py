"""How many decisions a second go through the vector environment: random play, every seat asked, all cores."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from zashiki.adapters.vector import VectorMatches
from zashiki.games import GAMES

MATCHES = 4096
REPEATS = 3


def measure(seconds: float) -> dict[str, float]:
    """Decisions per second by game, each the median of three; observations, masks, rewards and infos made anew in every step."""
    return {game: _rate(VectorMatches(game, MATCHES), seconds) for game in GAMES}


def _rate(matches: VectorMatches, seconds: float) -> float:
    matches.reset(seed=1)
    _once(matches, 0)
    return median(_once(matches, seconds / REPEATS) for _ in range(REPEATS))


def _once(matches: VectorMatches, seconds: float) -> float:
    steps, start = 0, perf_counter()
    while steps == 0 or perf_counter() - start < seconds:
        matches.step(matches.random_actions())
        steps += 1
    return steps * matches.num_envs / (perf_counter() - start)
