"""Networks over kinds of cards that can be exchanged: calculated as written, and alike for all kinds."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.bots.learned import grid_tensors, write_weights
from tests.bots.test_network import calculated, observations
from tests.core.test_grid import exchanged, grid
from zashiki.bots.weights import WrongWeights, network_of
from zashiki.games import find

KOHOJU = find("kohoju")


@pytest.fixture
def kohoju(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_weights(tmp_path, KOHOJU, grid_tensors(KOHOJU))
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_a_grid_is_calculated_as_pytorch_calculates_it(kohoju: Path) -> None:
    import torch

    from zashiki.learn.network import load

    rows = observations(KOHOJU, 5)
    with torch.no_grad():
        scores, victory = load(kohoju / "kohoju.safetensors")(torch.from_numpy(rows))
    assert np.allclose(calculated(rows, KOHOJU).scores, scores.numpy(), atol=1e-4)
    assert np.allclose(calculated(rows, KOHOJU).victory, victory.numpy(), atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_thought_of_a_kind_is_thought_of_another_in_its_place(kohoju: Path, seed: int) -> None:
    kinds, rows = exchanged(seed), observations(KOHOJU, 3)
    others = rows.copy()
    others[:, grid().seen[kinds]] = rows[:, grid().seen]
    here, there = calculated(rows, KOHOJU), calculated(others, KOHOJU)
    assert np.allclose(here.victory, there.victory, atol=1e-4)
    assert np.allclose(here.scores[:, grid().others], there.scores[:, grid().others], atol=1e-4)
    assert np.allclose(here.scores[:, grid().done], there.scores[:, grid().done[kinds]], atol=1e-4)
    assert here.scores[:, grid().done].std() > 0.01


def test_a_row_has_the_same_result_in_every_batch(kohoju: Path) -> None:
    rows = observations(KOHOJU, 7)
    together = calculated(rows, KOHOJU)
    alone = [calculated(rows[i : i + 1], KOHOJU) for i in range(7)]
    assert np.array_equal(together.scores, np.concatenate([sheet.scores for sheet in alone]))
    assert np.array_equal(together.victory, np.concatenate([sheet.victory for sheet in alone]))


def test_weights_of_a_grid_are_refused_where_they_do_not_fit(kohoju: Path) -> None:
    tensors = grid_tensors(KOHOJU)
    del tensors["around.0.weight"]
    write_weights(kohoju / "torn", KOHOJU, tensors)
    short = grid_tensors(KOHOJU)
    short["kinds.0.weight"] = short["kinds.0.weight"][:, 1:]
    write_weights(kohoju / "short", KOHOJU, short)
    write_weights(kohoju / "strange", find("kasane"), grid_tensors(KOHOJU))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZASHIKI_WEIGHTS", str(kohoju / "torn"))
        with pytest.raises(WrongWeights, match="not whole"):
            network_of(KOHOJU)
        patch.setenv("ZASHIKI_WEIGHTS", str(kohoju / "short"))
        with pytest.raises(WrongWeights, match="other sizes"):
            network_of(KOHOJU)
        patch.setenv("ZASHIKI_WEIGHTS", str(kohoju / "strange"))
        with pytest.raises(WrongWeights, match="which Kasane does not have"):
            network_of(find("kasane"))
