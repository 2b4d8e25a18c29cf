"""The rules of every game compile for a GPU; that they also play the same there, `zashiki bench gpu` proves on one."""

from __future__ import annotations

import os
import re
import subprocess
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


def check(code: str) -> None:
    """A kernel, with no more constants than a GPU has room for."""
    assert ".visible .entry" in code
    assert sum(int(size) for size in re.findall(r"^\.const .*\.b8 \S+\[(\d+)\]", code, re.MULTILINE)) <= 0x10000


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
        check(code)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_a_batch_of_every_game_compiles_for_a_gpu(game: str, pretended_gpu: Any) -> None:
    from numba import from_dtype, types

    from zashiki.core import batch, hindsight
    from zashiki.core.gpu_batch import kernels

    def array(element: Any, dimensions: int = 1) -> Any:
        return types.Array(element, dimensions, "C")

    find(game).rules  # noqa: B018  # makes them known to the generic functions
    states, flags, seats, number = (
        array(from_dtype(find(game).layout.dtype)),
        array(types.boolean),
        array(types.int8),
        types.int64,
    )
    words, tensors, numbers = array(types.uint32, 2), array(types.float32, 2), array(types.int64)
    table = (states, states, seats, words, array(types.boolean, 2), words, number, numbers)
    arguments: dict[Any, tuple[Any, ...]] = {
        batch._deal_share: (states, number, numbers, words, words, words, number),
        batch._open_share: (*table, flags, tensors, array(types.int32, 2), array(types.int32, 3), flags, number),
        batch._check_share: (words, numbers, number, flags, number, numbers),
        batch._apply_share: (states, seats, numbers, flags, number),
        batch._observe_share: (states, states, seats, tensors, flags, number),
        batch._pick_share: (words, words, numbers, number),
        hindsight._keep_share: (states, seats, numbers, states, seats, numbers, number, number),
        hindsight._try_share: (
            *(states, seats, numbers, number, number, types.boolean, numbers, numbers),
            *(states, states, types.Array(types.float32, 2, "F"), tensors, seats, seats, number),
        ),
    }
    # To open a match is to deal, apply, score and find what is legal: the rest needs no compiling game by game.
    chosen = arguments if game == "hanamikoji" else (batch._open_share, batch._observe_share)
    for work in chosen:
        kernel = kernels()[work]
        code, _ = pretended_gpu.compile_ptx(kernel.py_func, arguments[work], cc=(9, 0))
        check(code)
    columns = (states, states, seats, types.Array(types.float32, 2, "F"), flags, number)
    check(pretended_gpu.compile_ptx(kernels()[batch._observe_share].py_func, columns, cc=(9, 0))[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_every_heuristic_compiles_for_a_gpu(game: str, pretended_gpu: Any) -> None:
    from numba import from_dtype, types

    from zashiki.bots.crowd import _choose_share, _compile_for_gpu
    from zashiki.bots.sense import heuristics
    from zashiki.core.gpu_batch import kernels

    heuristics(find(game))
    _compile_for_gpu()
    records, seats = types.Array(from_dtype(find(game).layout.dtype), 1, "C"), types.Array(types.int8, 1, "C")
    words, listed = types.Array(types.uint32, 2, "C"), types.Array(types.int64, 2, "F")
    weights, actions = types.Array(types.float64, 2, "F"), types.Array(types.int64, 1, "C")
    leanings = types.Array(types.float32, 2, "C")
    arguments = (records, seats, words, words, listed, weights, actions, leanings, actions, types.int64)
    code, _ = pretended_gpu.compile_ptx(kernels()[_choose_share].py_func, arguments, cc=(9, 0))
    check(code)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", ["kohoju", "kawaii"])
def test_practising_a_skill_compiles_for_a_gpu(game: str, pretended_gpu: Any) -> None:
    from numba import from_dtype, types

    from zashiki.bots.sense import heuristics
    from zashiki.learn.rooms import kernels

    def array(element: Any, dimensions: int = 1) -> Any:
        return types.Array(element, dimensions, "C")

    heuristics(find(game))
    number, share = types.int64, types.float64
    practise_each, add_up = kernels(find(game))
    records, words = array(from_dtype(find(game).layout.dtype)), array(types.uint32, 2)
    kept = (records, array(number), words, array(types.float32, 3), array(number, 3), array(share, 3))
    given = (number, array(share, 3), array(number), types.boolean, array(share, 2), share)
    check(pretended_gpu.compile_ptx(practise_each.py_func, (*kept, *given, array(share, 2), array(number), number), cc=(9, 0))[0])
    check(pretended_gpu.compile_ptx(add_up.py_func, (array(share, 2), array(share, 2)), cc=(9, 0))[0])


def test_what_is_done_on_a_simulated_gpu_is_what_is_done_on_the_processor() -> None:
    """numba-cuda's simulator runs kernels as plain Python, and only if asked before it is imported."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "ZASHIKI_GEAR": "python"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.gpu_beside_processor"], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def test_without_a_gpu_a_batch_says_so() -> None:
    from zashiki.core.errors import NoGpu
    from zashiki.core.gpu import available
    from zashiki.core.gpu_batch import GpuBatch

    if not available():
        with pytest.raises(NoGpu, match="numba-cuda"):
            GpuBatch("hanamikoji", 2)
