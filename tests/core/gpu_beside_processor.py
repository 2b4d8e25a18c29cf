"""Steps batches on a GPU beside batches on the processor, and fails where they differ.

test_gpu.py runs it on numba-cuda's simulator; by hand, `python -m tests.core.gpu_beside_processor` runs it on a real one, with
more matches. There the last digits of observations may differ: a GPU multiplies and adds at once.
"""

from __future__ import annotations

import os
from threading import current_thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from zashiki.bots.crowd import Crowd
from zashiki.bots.practice import HEURISTIC, LEARNER
from zashiki.bots.sense import heuristics
from zashiki.bots.skills import form_of
from zashiki.core import gpu_batch
from zashiki.core.batch import Batch
from zashiki.core.errors import IllegalAction, MalformedAction
from zashiki.core.gpu import _cuda
from zashiki.core.hindsight import Hindsight
from zashiki.games import GAMES, find
from zashiki.learn import rooms

SIMULATED = "NUMBA_ENABLE_CUDASIM" in os.environ
COUNT, STEPS, ROOMS = (5, 30, 3) if SIMULATED else (3_000, 200, 192)
ARRAYS = ("states", "acting", "legal", "observations", "done", "results", "points")


def supplement(cuda: Any) -> None:
    """What the simulator has only for kernels that find `cuda` among their module's names, or not at all."""

    def grid(dimensions: int) -> Any:
        thread: Any = current_thread()
        wide, high = thread._manager._block_dim[:2]
        place = int(thread.blockIdx.x * wide + thread.threadIdx.x)
        return place if dimensions == 1 else (place, int(thread.blockIdx.y * high + thread.threadIdx.y))

    def lower(numbers: Any, place: int, number: int) -> None:
        numbers[place] = min(numbers[place], number)

    cuda.grid, cuda.atomic, cuda.as_cuda_array = grid, SimpleNamespace(min=lower), lambda array: array


def alike(mine: Any, theirs: Any) -> bool:
    """The same to the last byte; on a real GPU, what is no whole number to the last digits."""
    if SIMULATED or mine.dtype != np.float32:
        return bool(mine.tobytes() == theirs.tobytes())
    return mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def compare(game: str) -> None:
    """The same seeds, the same random actions, the same arrays after every step."""
    here, there = Batch(game, COUNT, seeds=range(COUNT)), gpu_batch.GpuBatch(game, COUNT, seeds=range(COUNT))
    flags = np.arange(COUNT) % 2 == 0
    for step in range(STEPS):
        here.observe()
        there.observe()
        for name in ARRAYS:
            assert alike(getattr(here, name), device(there, name)), (game, step, name)
        where = flags if step % 5 == 4 else None
        here.step(here.random_actions(), where)
        there.step(there.random_actions(), where)


def look_back(game: str) -> None:
    """The same trials of what was done anyway."""
    here, there = Batch(game, COUNT, seeds=range(COUNT)), gpu_batch.GpuBatch(game, COUNT, seeds=range(COUNT))
    looks = [Hindsight(batch, COUNT, 3, 2 * COUNT, own=True, width=here.game.features + 3) for batch in (here, there)]
    taken = []
    for step in range(3):
        taken.append(np.array(here.random_actions(), np.int64))
        for batch, look in zip((here, there), looks, strict=True):
            look.keep(step, taken[-1])
            batch.step(taken[-1])
    for look in looks:
        look.look_back(np.arange(2 * COUNT), np.concatenate(taken[:2]))
    for name in ("observations", "results", "watching", "ends"):
        assert alike(getattr(looks[0], name), device(looks[1], name)), (game, name)


def hurry(game: str) -> None:
    """Unchecked, column after column in rows that are too wide, and in any order: the same is seen, chosen and done."""
    here, there = Batch(game, COUNT, seeds=range(COUNT)), gpu_batch.GpuBatch(game, COUNT, seeds=range(COUNT))
    there.hurry()
    vars(there)["_check"] = lambda chosen, where: pytest.fail("it is checked all the same")
    features, order = here.game.features, np.arange(COUNT)[::-1].copy()
    crowds = Crowd(here), Crowd(there)
    for step in range(STEPS):
        here.observe()
        wide: Any = there.observe(np.ones((COUNT, features + 3), np.float32, order="F"))
        seen = wide.copy_to_host()
        assert alike(here.observations, seen[:, :features].copy()), (game, step)
        assert (seen[:, features:] == 0).all(), (game, step)
        chosen, same = np.array(crowds[0].choose()), crowds[1].choose(order)
        assert (chosen == device(crowds[1], "actions")).all(), (game, step)
        assert (crowds[0].leanings == device(crowds[1], "leanings")).all(), (game, step)
        here.step(chosen)
        there.step(same)
    assert here.states.tobytes() == device(there, "states").tobytes()


def device(batch: Any, name: str) -> Any:
    """One of its arrays, brought to the processor."""
    return getattr(batch, name).copy_to_host()


def refuse() -> None:
    """What is no action, or not a legal one, changes nothing."""
    batch = gpu_batch.GpuBatch("hanamikoji", COUNT, seeds=range(COUNT))
    before = device(batch, "states").tobytes()
    actions = np.asarray(batch.random_actions().copy_to_host())  # type: ignore[attr-defined]  # a device array
    actions[2:4] = 507
    for wrong, error, words in (
        (actions, IllegalAction, "match 2"),
        (actions[:2], MalformedAction, "as many"),
        (batch.results, MalformedAction, "as many"),
    ):
        with pytest.raises(error, match=words):
            batch.step(wrong)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(ValueError, match="or wider rows"):
        batch.observe(np.zeros((COUNT, 3), np.float32))
    assert device(batch, "states").tobytes() == before


def practise(name: str) -> None:
    """The same matches in the same rooms teach the same, one lesson after the other, and rooms go on from a snapshot."""
    game, count = find(name), ROOMS
    heuristics(game)
    form, seats = form_of(game), form_of(game).fewest
    policies, hopes = np.full((2, form.situations, form.traits), 0.1), np.full((form.outlooks, form.hopes), 0.1)
    who = np.array([LEARNER, HEURISTIC, LEARNER])[:seats]
    here, there = rooms.CoreRooms(game, seats, count, 7), rooms.GpuRooms(game, seats, count, 7)
    for step in range(2):
        made, lesson = here.practise(1, policies, who, True, hopes, 0.9)
        same, taught = there.practise(1, policies, who, True, hopes, 0.9)
        assert made == same > 0, step
        assert np.abs(lesson).sum() > 0, step
        assert np.allclose(lesson, taught, rtol=1e-4, atol=1e-6), step  # merits are kept in single precision there
    for mine, theirs in zip(here.snapshot(), there.snapshot(), strict=True):
        assert mine.tobytes() == theirs.tobytes()
    others = rooms.GpuRooms(game, seats, count, 8)
    others.restore(*here.snapshot())
    for mine, theirs in zip(here.snapshot(), others.snapshot(), strict=True):
        assert mine.tobytes() == theirs.tobytes()


if __name__ == "__main__":
    if SIMULATED:
        supplement(_cuda())
        vars(gpu_batch)["FEW_THREADS"] = 4  # two blocks instead of one
        vars(rooms).update(THREADS=2, STRANDS=2)
    for each in ("hanamikoji", "kasane") if SIMULATED else GAMES:
        compare(each)
    for each in ("hanamikoji", "kimono") if SIMULATED else GAMES:
        look_back(each)
    for each in ("kimono", "kasane", "kawaii", "kohoju"):
        hurry(each)
    refuse()
    for each in ("kohoju", "kawaii"):
        practise(each)
    print("the same on both")
