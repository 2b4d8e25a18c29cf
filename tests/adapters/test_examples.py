"""The examples learn something that can be seen."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
DECISIONS = 8 * 2 * 8192


def learnt(name: str) -> list[float]:
    """The shares of matches won over a short run."""
    won: list[float] = runpy.run_path(str(EXAMPLES / name))["train"](DECISIONS, seed=1)
    return won


def test_ppo_with_pytorch_learns_to_beat_random_play() -> None:
    torch: Any = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        won = learnt("ppo_torch.py")
    finally:
        torch.set_num_threads(threads)
    assert won[0] < 0.55
    assert won[-1] > won[0] + 0.05


def test_ppo_with_jax_learns_to_beat_random_play() -> None:
    pytest.importorskip("jax")
    won = learnt("ppo_jax.py")
    assert won[0] < 0.55
    assert won[-1] > won[0] + 0.05
