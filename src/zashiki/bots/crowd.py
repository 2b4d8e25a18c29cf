"""Sensible people in all matches of a batch: what the game's heuristic leans to for every acting seat, and one action drawn."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from zashiki.bots.nodes import draw
from zashiki.bots.sense import Weights, heuristics, weigh_beside_heaviest
from zashiki.core.batch import Actions, Batch, Seats
from zashiki.core.contract import Options, Tensor
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, scratch
from zashiki.core.layout import Records
from zashiki.core.masks import Mask, list_actions
from zashiki.core.random import Words


class Crowd:
    """Chooses where the batch lives, on the processor or on a GPU, with the generators of its random actions.

    `actions`   (n,)          what each match's acting seat does
    `leanings`  (n, actions)  the logarithms of the weights of its legal actions, 0 for the heaviest
    """

    def __init__(self, batch: Batch) -> None:
        heuristics(batch.game)
        self.batch = batch
        room = (batch.count, batch.game.rules.ACTIONS)
        self._listed: Options = batch._columns(room, np.int64)
        self._weights: Weights = batch._columns(room, np.float64)
        self.actions: Actions = batch._zeros(batch.count, np.int64)
        self.leanings: Tensor = batch._zeros(room, np.float32)
        self._order: tuple[Any, ...] = ()
        if type(batch) is not Batch:
            _compile_for_gpu()
            self._order = (batch._taken(np.arange(batch.count)),)

    def choose(self, order: Any = None) -> Actions:
        """An action for every match; the same arrays are filled again each time.

        `order`: all matches in the order in which a GPU shall take them; a processor takes them as they come. Threads of a GPU
        wait for their neighbours, so it is faster with those side by side that have as much to think about.
        """
        batch = self.batch
        turns = (batch._taken(order),) if self._order and order is not None else self._order
        with batch._alone:
            batch._share(
                *(_choose_share, batch.states, batch.acting, batch._masks, batch._picks),
                *(self._listed, self._weights, self.actions, self.leanings, *turns),
            )
        return self.actions


@rule
def _choose_share(
    states: Records,
    acting: Seats,
    masks: Mask,
    rngs: Words,
    listed: Options,
    weights: Weights,
    actions: Options,
    leanings: Tensor,
    first: int,
    last: int,
) -> None:
    for i in range(first, last):
        count = list_actions(masks[i], listed[i])
        actions[i] = listed[i, 0]
        if count > 1:
            weigh_beside_heaviest(states[i], int(acting[i]), listed[i, :count], weights[i])
            total = 0.0
            for k in range(count):
                total += weights[i, k]
                leanings[i, listed[i, k]] = log(weights[i, k])
            actions[i] = listed[i, draw(weights[i], count, total, rngs[i])]


def _compile_for_gpu() -> None:
    """Makes the kernel known to batches on a GPU."""
    from zashiki.core.gpu import _cuda
    from zashiki.core.gpu_batch import kernels

    cuda = _cuda()

    def choose_each(
        states: Any,
        acting: Any,
        masks: Any,
        rngs: Any,
        listed: Any,
        weights: Any,
        actions: Any,
        leanings: Any,
        order: Any,
        count: int,
    ) -> None:
        turn = cuda.grid(1)
        if turn < count:
            after, i = turn + 1, int(order[turn])
            j = i + 1
            near = scratch(1, states.dtype)
            copy(states[i], near[0])
            _choose_share(
                *(near, acting[i:j], masks[i:j], rngs[i:j], listed[turn:after], weights[turn:after]),
                *(actions[i:j], leanings[i:j], 0, 1),
            )

    kernels().setdefault(_choose_share, cuda.jit(choose_each))
