"""PyTorch and JAX read a batch's arrays where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zashiki.core.arrays import aligned
from zashiki.core.batch import Batch

jax: Any = pytest.importorskip("jax")
torch: Any = pytest.importorskip("torch")

every_array = pytest.mark.parametrize("name", ["observations", "legal", "acting", "done", "results", "points"])


@pytest.fixture
def batch() -> Batch:
    return Batch("hanamikoji", 37, seeds=range(37))


@every_array
def test_pytorch_shares_the_memory(batch: Batch, name: str) -> None:
    array = getattr(batch, name)
    tensor = torch.from_dlpack(array)
    assert tensor.data_ptr() == array.ctypes.data
    assert tuple(tensor.shape) == array.shape
    assert np.array_equal(tensor.numpy(), array)


@every_array
def test_jax_shares_the_memory(batch: Batch, name: str) -> None:
    array = getattr(batch, name)
    shared = jax.numpy.from_dlpack(array)
    assert shared.unsafe_buffer_pointer() == array.ctypes.data
    assert shared.dtype == array.dtype
    assert np.array_equal(np.asarray(shared), array)


def test_a_tensor_made_once_sees_every_step(batch: Batch) -> None:
    tensor = torch.from_dlpack(batch.observations)
    batch.observe()
    for _ in range(3):
        before = tensor.clone()
        batch.step(batch.random_actions())
        batch.observe()
        assert not torch.equal(before, tensor)


def test_what_jax_must_keep_is_written_into_memory_of_its_own(batch: Batch) -> None:
    """JAX takes arrays for unchangeable: each step's observations go where no later step writes."""
    kept = [jax.numpy.from_dlpack(batch.observe(aligned(batch.observations.shape, np.float32)))]
    before = np.array(kept[0])
    batch.step(batch.random_actions())
    batch.observe()
    assert np.array_equal(np.asarray(kept[0]), before)
    assert not np.array_equal(batch.observations, before)


def test_actions_come_back_from_either(batch: Batch) -> None:
    for actions in (torch.from_dlpack(batch.random_actions()), jax.numpy.asarray(batch.random_actions().astype(np.int32))):
        twin = Batch("hanamikoji", 37, seeds=range(37))
        twin.step(actions)
        assert twin.states.tobytes() != batch.states.tobytes()
