"""Random decisions through the vector environment: every seat asked, thousands of matches a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from zashiki.games import GAMES

if TYPE_CHECKING:
    from zashiki.adapters.vector import VectorMatches

MATCHES = 4096


def our_games() -> Iterator[tuple[str, Callable[[], int]]]:
    """Each game, and how all its matches are stepped once; observations, masks, rewards and infos are made anew each time."""
    from zashiki.adapters.vector import VectorMatches

    for game in GAMES:
        matches = VectorMatches(game, MATCHES)
        matches.reset(seed=1)
        yield game, partial(_step, matches)


def _step(matches: VectorMatches) -> int:
    matches.step(matches.random_actions())
    return MATCHES
