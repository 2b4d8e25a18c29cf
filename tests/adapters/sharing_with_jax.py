"""What JAX reads of a batch; a program of its own, run by the test of sharing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from zashiki.core.arrays import aligned
from zashiki.core.batch import Batch

jax: Any = import_module("jax")


def check_that_memory_is_shared(batch: Batch) -> None:
    for name in ("observations", "legal", "acting", "done", "results", "points"):
        array = getattr(batch, name)
        shared = jax.numpy.from_dlpack(array)
        assert shared.unsafe_buffer_pointer() == array.ctypes.data, name
        assert shared.dtype == array.dtype, name
        assert np.array_equal(np.asarray(shared), array), name


def check_that_what_must_be_kept_is_not_written_to(batch: Batch) -> None:
    """JAX takes arrays for unchangeable: each step's observations go where no later step writes."""
    kept = jax.numpy.from_dlpack(batch.observe(aligned(batch.observations.shape, np.float32)))
    before = np.array(kept)
    batch.step(batch.random_actions())
    batch.observe()
    assert np.array_equal(np.asarray(kept), before)
    assert not np.array_equal(batch.observations, before)


def check_that_actions_come_back(batch: Batch) -> None:
    before = batch.states.tobytes()
    batch.step(jax.numpy.asarray(batch.random_actions().astype(np.int32)))
    assert batch.states.tobytes() != before


if __name__ == "__main__":
    for check in (check_that_memory_is_shared, check_that_what_must_be_kept_is_not_written_to, check_that_actions_come_back):
        check(Batch("hanamikoji", 37, seeds=range(37)))
