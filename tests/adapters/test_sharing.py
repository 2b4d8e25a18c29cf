"""PyTorch and JAX read a batch's arrays where they lie."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from zashiki.core.batch import Batch

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


def test_a_tensor_made_once_sees_every_step(batch: Batch) -> None:
    tensor = torch.from_dlpack(batch.observations)
    batch.observe()
    for _ in range(3):
        before = tensor.clone()
        batch.step(batch.random_actions())
        batch.observe()
        assert not torch.equal(before, tensor)


def test_actions_come_back_as_a_tensor(batch: Batch) -> None:
    twin = Batch("hanamikoji", 37, seeds=range(37))
    twin.step(torch.from_dlpack(batch.random_actions()))
    assert twin.states.tobytes() != batch.states.tobytes()


def test_jax_shares_the_memory_too() -> None:
    """In a process of its own: one that has loaded JAX must never fork, and other tests do."""
    if find_spec("jax") is None:
        pytest.skip("jax is not installed")
    ended = subprocess.run([sys.executable, "-m", "tests.adapters.sharing_with_jax"], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
