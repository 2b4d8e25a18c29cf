"""The rules of every game compile for a GPU; that they also play the same there, `zashiki bench gpu` proves on one."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from zashiki.core.gears import GEAR
from zashiki.games import GAMES, find

pytestmark = pytest.mark.skipif(GEAR == "python" or sys.platform != "linux", reason="needs compiled rules and CUDA's compiler")


@pytest.fixture
def pretended_gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    """numba-cuda asks the driver which GPU to compile for; here the answer is one of compute capability 9.0."""
    from zashiki.core import gpu

    cuda = gpu._cuda()
    from numba.cuda import dispatcher

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
    return cuda


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_every_game_compiles_for_a_gpu(game: str, pretended_gpu: Any) -> None:
    from numba import from_dtype, types

    from zashiki.core.gpu import kernels

    states = types.Array(from_dtype(find(game).layout.dtype), 1, "C")
    numbers, words = types.Array(types.int64, 1, "C"), types.Array(types.uint32, 2, "C")
    tensors = types.Array(types.float32, 2, "C")
    found = kernels(find(game))
    for kernel, arguments in (
        (found._steadily, (states, words, types.int64, types.int64, numbers)),
        (found._observe, (states, states, types.int64, tensors)),
    ):
        code, _ = pretended_gpu.compile_ptx(kernel.py_func, arguments, cc=(9, 0))
        assert ".visible .entry" in code
