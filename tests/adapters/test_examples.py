"""The examples learn something that can be seen."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
DECISIONS = 12 * 8192


def learnt(name: str) -> list[float]:
    """The shares of matches won in the parts of a short run."""
    won: list[float] = runpy.run_path(str(EXAMPLES / name))["train"](DECISIONS, seed=1)
    return won


def assert_it_rises(won: list[float]) -> None:
    """From a coin's chances, by more than luck would explain."""
    assert won[0] < 0.54
    assert sum(won[-2:]) / 2 > won[0] + 0.05


def test_ppo_with_pytorch_learns_to_beat_random_play() -> None:
    torch: Any = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    try:
        assert_it_rises(learnt("ppo_torch.py"))
    finally:
        torch.set_num_threads(threads)


def test_ppo_with_jax_learns_to_beat_random_play() -> None:
    pytest.importorskip("jax")
    assert_it_rises(learnt("ppo_jax.py"))
