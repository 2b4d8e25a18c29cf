"""Learned networks: how their weights are read, and that they are calculated as written."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.bots.learned import Tensors, random_tensors, write_weights
from zashiki.bots.network import Sheet, forward, new_sheet, read_policy, read_worth, want
from zashiki.bots.nodes import MOST_SEATS
from zashiki.bots.skills import skill_of
from zashiki.bots.weights import WrongWeights, folder, has_skill, has_weights, is_learned, network_of, skill_file, weights_of
from zashiki.core.game import Game
from zashiki.games import GAMES, find

KASANE = find("kasane")
Rows = npt.NDArray[np.float32]


def observations(game: Game, rows: int) -> Rows:
    chance = np.random.default_rng(rows)
    dense = chance.normal(size=(rows, game.features)).astype(np.float32)
    return np.where(chance.random(dense.shape) < 0.3, dense, np.float32(0))


def calculated(rows: Rows, game: Game = KASANE) -> Sheet:
    network = network_of(game)
    sheet = new_sheet(network, len(rows))
    sheet.observations[:] = rows
    forward(network, sheet, len(rows))
    return sheet


def by_numpy(tensors: Tensors, rows: Rows, head: str) -> npt.NDArray[np.float64]:
    """The same the plain way."""
    wide = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
    found = rows.astype(np.float64)
    for i in range(sum(name.startswith("layers") for name in tensors) // 2):
        found = np.maximum(found @ wide[f"layers.{i}.weight"].T + wide[f"layers.{i}.bias"], 0)
    return found @ wide[f"{head}.weight"].T + wide[f"{head}.bias"]


@pytest.fixture
def kasane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_weights(tmp_path, KASANE)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_a_network_of_any_depth_is_calculated_as_written(kasane: Path, tmp_path: Path, layers: int) -> None:
    tensors = random_tensors(KASANE, layers=layers)
    write_weights(tmp_path, KASANE, tensors)
    rows = observations(KASANE, 5)
    sheet = calculated(rows)
    assert np.allclose(sheet.scores, by_numpy(tensors, rows, "policy"), atol=1e-4)
    assert np.allclose(sheet.victory, by_numpy(tensors, rows, "value"), atol=1e-4)


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_and_as_pytorch_calculates_it(kasane: Path) -> None:
    import torch

    tensors = {name: torch.from_numpy(tensor.astype(np.float32)) for name, tensor in random_tensors(KASANE).items()}
    rows = observations(KASANE, 3)
    found = torch.from_numpy(rows)
    for i in range(3):
        found = torch.relu(torch.nn.functional.linear(found, tensors[f"layers.{i}.weight"], tensors[f"layers.{i}.bias"]))
    scores = torch.nn.functional.linear(found, tensors["policy.weight"], tensors["policy.bias"])
    assert np.allclose(calculated(rows).scores, scores.numpy(), atol=1e-4)


def test_a_row_has_the_same_result_in_every_batch(kasane: Path) -> None:
    rows = observations(KASANE, 7)
    together = calculated(rows)
    alone = [calculated(rows[i : i + 1]) for i in range(7)]
    assert np.array_equal(together.scores, np.concatenate([sheet.scores for sheet in alone]))
    assert np.array_equal(together.victory, np.concatenate([sheet.victory for sheet in alone]))


def test_only_the_scores_that_are_wanted_are_calculated(kasane: Path) -> None:
    network, rows = network_of(KASANE), observations(KASANE, 2)
    whole, part = calculated(rows), new_sheet(network, 2)
    part.observations[:] = rows
    want(part, 1, np.array([7, 9, 12, 40]), 3)
    forward(network, part, 2)
    assert np.array_equal(part.scores[0], whole.scores[0])
    assert np.array_equal(part.scores[1, 7:13], whole.scores[1, 7:13])
    assert not part.scores[1, 13:].any()


def test_a_policy_is_spread_over_the_legal_actions_alone(kasane: Path) -> None:
    sheet, chances = calculated(observations(KASANE, 1)), np.zeros(KASANE.rules.ACTIONS)
    legal = np.array([3, 4, 20])
    read_policy(sheet, 0, legal, 3, chances)
    expected = np.exp(sheet.scores[0, legal].astype(np.float64))
    assert np.allclose(chances[:3], expected / expected.sum())


def test_shares_of_the_victory_are_counted_from_the_viewer_on(kasane: Path) -> None:
    sheet, worth = calculated(observations(KASANE, 1)), np.zeros(MOST_SEATS)
    read_worth(sheet, 0, 2, 4, worth)
    expected = np.exp(sheet.victory[0, :4].astype(np.float64))
    assert np.allclose(worth[:4], np.roll(expected / expected.sum(), 2))


@pytest.mark.parametrize("name", ["game", "rules", "features", "actions"])
def test_weights_of_other_rules_or_sizes_are_refused_in_words(kasane: Path, name: str) -> None:
    write_weights(kasane, KASANE, other={name: "77"})
    with pytest.raises(WrongWeights, match=f"learned with {name} 77, here it is"):
        network_of(KASANE)


def test_a_sense_that_is_no_number_is_refused(kasane: Path) -> None:
    write_weights(kasane, KASANE, other={"sense": "common"})
    with pytest.raises(WrongWeights, match="a sense that is no number: common"):
        network_of(KASANE)


@pytest.mark.parametrize("spoiled", ["policy.bias", "layers.1.weight", "value.weight", "layers.0.bias"])
def test_weights_that_are_not_whole_are_refused(kasane: Path, spoiled: str) -> None:
    whole = random_tensors(KASANE)
    for tensors in (whole | {spoiled: whole[spoiled][:-1]}, {name: each for name, each in whole.items() if name != spoiled}):
        write_weights(kasane, KASANE, tensors)
        with pytest.raises(WrongWeights, match=r"are not whole|have other sizes"):
            network_of(KASANE)


def test_a_file_that_holds_no_weights_is_refused(kasane: Path) -> None:
    (kasane / "kasane.safetensors").write_bytes(b"nothing")
    with pytest.raises(WrongWeights, match="cannot be read"):
        network_of(KASANE)


def test_all_weights_that_come_along_fit_their_games_and_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZASHIKI_WEIGHTS", raising=False)
    known = set()
    for game in GAMES.values():
        size = 0
        for has, file, load in ((has_weights, weights_of, network_of), (has_skill, skill_file, partial(skill_of, seats=3))):
            if has(game):
                load(game)
                known.add(file(game))
                size += file(game).stat().st_size
        assert size <= 2 << 20
        assert is_learned(game)
    assert known == set(folder().glob("*.safetensors"))
