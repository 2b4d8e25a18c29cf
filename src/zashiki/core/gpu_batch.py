"""A batch on a GPU: the same compiled work as on the processor, a thread a match, over arrays that never leave the device.

`acting`, `legal`, `observations`, `done`, `results` and `points` are device arrays with a CUDA array interface:
`torch.as_tensor`, `cupy.asarray` and `jax.numpy.asarray` take them as they are. Every call returns when its arrays are ready,
unless the batch was told to hurry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from zashiki.core.batch import (
    Actions,
    Batch,
    Flags,
    _apply_share,
    _check_share,
    _deal_share,
    _observe_share,
    _open_share,
    _pick_share,
)
from zashiki.core.contract import Tensor
from zashiki.core.errors import MalformedAction, NoGpu
from zashiki.core.gpu import THREADS, _cuda, available
from zashiki.core.hindsight import _keep_share, _try_share
from zashiki.core.intrinsics import copy, scratch

MANY, FEW_THREADS = 65_536, 32
"""Fewer matches than this go to smaller blocks, so that every part of the GPU gets some."""


class GpuBatch(Batch):
    """Many matches of one game, stepped together on a GPU; the same seeds and actions give the same batch as on the processor."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        if not available():
            raise NoGpu("this needs a GPU with CUDA, and numba-cuda: pip install 'zashiki[gpu]'")
        self._cuda = _cuda()
        self._stream: Any = 0
        super().__init__(*arguments, **named)

    def hurry(self) -> None:
        """Also gives the batch a stream of its own."""
        super().hurry()
        self._stream = self._stream or self._cuda.stream()

    def _records(self, count: int | None = None) -> Any:
        return self._taken(super()._records(count))

    def _zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return self._taken(np.zeros(shape, dtype))

    def _columns(self, shape: tuple[int, int], dtype: npt.DTypeLike) -> Any:
        return self._taken(np.zeros(shape, dtype, order="F"))

    def _taken(self, array: Any) -> Any:
        return self._cuda.to_device(array) if isinstance(array, np.ndarray) else self._cuda.as_cuda_array(array)

    def _read(self, array: Any) -> npt.NDArray[Any]:
        copied: npt.NDArray[Any] = array.copy_to_host()
        return copied

    def _write(self, array: Any, values: npt.NDArray[Any]) -> None:
        array.copy_to_device(np.ascontiguousarray(values))

    def _chosen(self, actions: Actions) -> Any:
        if isinstance(actions, np.ndarray):
            return self._taken(super()._chosen(actions))
        return self._fitting(actions, "iu", "whole numbers")

    def _chosen_flags(self, where: Flags) -> Any:
        if isinstance(where, np.ndarray):
            return self._taken(super()._chosen_flags(where))
        return self._fitting(where, "b", "truth values")

    def _fitting(self, array: Any, kinds: str, meaning: str) -> Any:
        given = self._taken(array)
        if given.shape != (self.count,) or given.dtype.kind not in kinds or not given.is_c_contiguous():
            raise MalformedAction(f"{self.count} matches need as many {meaning}, not {given.dtype} of shape {given.shape}")
        return given

    def _checked(self, out: Tensor) -> Tensor:
        """Rows may be wider than an observation, with zeros at their ends; columns may follow one another, which is faster."""
        given = self._taken(out)
        if given.ndim != 2 or given.shape[0] != self.count or given.shape[1] < self.game.features or given.dtype != np.float32:
            raise ValueError(f"observations are written into float32 of shape {self.observations.shape}, or wider rows")
        return cast(Tensor, given)

    def _share(self, work: Callable[..., Any], *arguments: Any, count: int | None = None) -> list[int]:
        """Runs the kernel of this work, a thread a match."""
        count = self.count if count is None else count
        threads = THREADS if count >= MANY else FEW_THREADS
        kernel = kernels()[work][-(-count // threads), threads, self._stream]
        if work is not _check_share:
            kernel(*arguments, count)
            if not self._stream:
                self._cuda.synchronize()
            return []
        found = self._taken(np.full(1, count, np.int64))
        kernel(*arguments, count, found)
        return [int(found.copy_to_host()[0])]


@cache
def kernels() -> dict[Callable[..., Any], Any]:
    """The kernel of each piece of a batch's work, compiled for a game when first called with its records.

    Long work goes on in a copy of the record that is local to its thread: there the same field of neighbouring threads lies side
    by side, and a GPU fetches all of them at once. Room that a processor needs for such work is passed all the same.
    """
    cuda = _cuda()

    def deal_each(states: Any, seats: int, options: Any, seeds: Any, rngs: Any, picks: Any, count: int) -> None:
        i = cuda.grid(1)
        if i < count:
            _deal_share(states, seats, options, seeds, rngs, picks, i, i + 1)

    def open_each(
        states: Any,
        ended: Any,
        acting: Any,
        masks: Any,
        flags: Any,
        rngs: Any,
        seats: int,
        options: Any,
        done: Any,
        results: Any,
        points: Any,
        tables: Any,
        where: Any,
        count: int,
    ) -> None:
        i = cuda.grid(1)
        if i < count:
            _open_share(states, ended, acting, masks, flags, rngs, seats, options, done, results, points, tables, where, i, i + 1)

    def check_each(masks: Any, actions: Any, choices: int, where: Any, count: int, found: Any) -> None:
        i = cuda.grid(1)
        if i < count:
            cuda.atomic.min(found, 0, _check_share(masks, actions, choices, where, i, i + 1))

    def apply_each(states: Any, acting: Any, actions: Any, where: Any, count: int) -> None:
        i = cuda.grid(1)
        if i < count:
            _apply_share(states, acting, actions, where, i, i + 1)

    def observe_each(states: Any, views: Any, seats: Any, tensors: Any, where: Any, count: int) -> None:
        i = cuda.grid(1)
        if i < count:
            j = i + 1
            near, seen = scratch(1, states.dtype), scratch(1, states.dtype)
            copy(states[i], near[0])
            _observe_share(near, seen, seats[i:j], tensors[i:j], where[i:j], 0, 1)

    def pick_each(masks: Any, rngs: Any, actions: Any, count: int) -> None:
        i = cuda.grid(1)
        if i < count:
            _pick_share(masks, rngs, actions, i, i + 1)

    def keep_each(states: Any, acting: Any, actions: Any, kept: Any, acted: Any, chosen: Any, place: int, count: int) -> None:
        i = cuda.grid(1)
        if i < count:
            _keep_share(states, acting, actions, kept, acted, chosen, place, i, i + 1)

    def try_each(
        kept: Any,
        acted: Any,
        chosen: Any,
        apart: int,
        seats: int,
        own: bool,
        rows: Any,
        actions: Any,
        tried: Any,
        views: Any,
        tensors: Any,
        results: Any,
        watching: Any,
        ends: Any,
        count: int,
    ) -> None:
        i = cuda.grid(1)
        if i < count:
            j = i + 1
            near, seen = scratch(1, tried.dtype), scratch(1, tried.dtype)
            _try_share(
                *(kept, acted, chosen, apart, seats, own, rows[i:j], actions[i:j], near, seen, tensors[i:j]),
                *(results[i:j], watching[i:j], ends[i:j], 0, 1),
            )

    return {
        _keep_share: cuda.jit(keep_each),
        _try_share: cuda.jit(try_each),
        _deal_share: cuda.jit(deal_each),
        _open_share: cuda.jit(open_each),
        _check_share: cuda.jit(check_each),
        _apply_share: cuda.jit(apply_each),
        _observe_share: cuda.jit(observe_each),
        _pick_share: cuda.jit(pick_each),
    }
