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
        self._listed: Options = batch._zeros(room, np.int64)
        self._weights: Weights = batch._zeros(room, np.float64)
        self.actions: Actions = batch._zeros(batch.count, np.int64)
        self.leanings: Tensor = batch._zeros(room, np.float32)
        if type(batch) is not Batch:
            _compile_for_gpu()

    def choose(self) -> Actions:
        """An action for every match; the same arrays are filled again each time."""
        batch = self.batch
        with batch._alone:
            batch._share(
                *(_choose_share, batch.states, batch.acting, batch._masks, batch._picks),
                *(self._listed, self._weights, self.actions, self.leanings),
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
        states: Any, acting: Any, masks: Any, rngs: Any, listed: Any, weights: Any, actions: Any, leanings: Any, count: int
    ) -> None:
        i = cuda.grid(1)
        if i < count:
            _choose_share(states, acting, masks, rngs, listed, weights, actions, leanings, i, i + 1)

    kernels().setdefault(_choose_share, cuda.jit(choose_each))
