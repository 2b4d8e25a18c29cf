"""The gpu gear: the same rules as CUDA device functions, one thread a match.

The compiled functions of the native gear are called from kernels as they are; numba-cuda translates them again for the device.
Nothing here is imported unless a program asks for it, and `numba-cuda` is an extra.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from zashiki.core.contract import deal, observe, view
from zashiki.core.masks import words_for
from zashiki.core.play import play_on, play_steadily
from zashiki.core.random import seed_roller

if TYPE_CHECKING:
    from zashiki.core.game import Game

THREADS = 128
"""Threads a block."""


def _cuda() -> Any:
    """numba.cuda, silent about small batches, with three names that it still looks for in NumPy 2.5."""
    replaced = {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}
    for old, new in replaced.items():
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    from numba import config, cuda

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    return cuda


def available() -> bool:
    """Whether this machine has a GPU that can be used, and numba-cuda to use it with."""
    try:
        return bool(_cuda().is_available())
    except ImportError:
        return False


class Kernels:
    """A game's kernels over device arrays of records and of generators for random play."""

    def __init__(self, game: Game) -> None:
        self.cuda = cuda = _cuda()
        words = words_for(game.rules.ACTIONS)

        @cuda.jit
        def deal_each(states: Any, rngs: Any, seats: int, options: Any, seeds: Any, rolls: Any) -> None:
            i = cuda.grid(1)
            if i < states.size:
                deal(states[i], seats, options, seeds[i])
                seed_roller(rngs[i], rolls[i])

        @cuda.jit
        def play_each(states: Any, rngs: Any, limit: int, decisions: Any) -> None:
            i = cuda.grid(1)
            if i < states.size:
                mask = cuda.local.array(words, np.uint32)
                decisions[i] += play_on(states[i], rngs[i], mask, limit)

        @cuda.jit
        def play_each_steadily(states: Any, rngs: Any, limit: int, seats: int, options: Any) -> None:
            i = cuda.grid(1)
            if i < states.size:
                mask = cuda.local.array(words, np.uint32)
                play_steadily(states[i], rngs[i], mask, limit, seats, options)

        @cuda.jit
        def observe_each(states: Any, views: Any, seat: int, tensors: Any) -> None:
            i = cuda.grid(1)
            if i < states.size:
                view(states[i], seat, views[i])
                observe(views[i], seat, tensors[i])

        self._deal, self._play, self._steadily, self._observe = deal_each, play_each, play_each_steadily, observe_each

    def deal(self, states: Any, rngs: Any, seats: int, options: Any, seeds: Any, rolls: Any) -> None:
        """Deals match i from seeds[i], and starts its generator for random play from rolls[i]."""
        self._deal[self._blocks(states), THREADS](states, rngs, seats, options, seeds, rolls)

    def play(self, states: Any, rngs: Any, limit: int, decisions: Any) -> None:
        """Plays every match on at random, at most `limit` decisions further; adds how many to `decisions`."""
        self._play[self._blocks(states), THREADS](states, rngs, limit, decisions)

    def play_steadily(self, states: Any, rngs: Any, limit: int, seats: int, options: Any) -> None:
        """Makes exactly `limit` random decisions in every match, dealing anew where one is over."""
        self._steadily[self._blocks(states), THREADS](states, rngs, limit, seats, options)

    def observe(self, states: Any, views: Any, seat: int, tensors: Any) -> None:
        """Writes a seat's view of every match, and that view as numbers."""
        self._observe[self._blocks(states), THREADS](states, views, seat, tensors)

    def _blocks(self, states: Any) -> int:
        return -(-int(states.size) // THREADS)


@cache
def kernels(game: Game) -> Kernels:
    """The kernels of a game, compiled when first called."""
    return Kernels(game)
