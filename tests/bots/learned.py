"""Networks that nobody has trained: the same small random one every time, to play with where there are no weights yet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from zashiki.bots.nodes import MOST_SEATS
from zashiki.core.game import Game

Tensors = dict[str, npt.NDArray[np.float16]]


def random_tensors(game: Game, width: int = 16, layers: int = 3, seed: int = 1) -> Tensors:
    """The tensors of a network with small random weights, as a learner would write them."""
    chance = np.random.default_rng(seed)
    sizes = {f"layers.{i}": (width, width if i else game.features) for i in range(layers)}
    sizes |= {"policy": (game.rules.ACTIONS, width), "value": (MOST_SEATS, width)}
    tensors: Tensors = {}
    for name, (outputs, inputs) in sizes.items():
        tensors[f"{name}.weight"] = chance.normal(0, (2 / inputs) ** 0.5, (outputs, inputs)).astype(np.float16)
        tensors[f"{name}.bias"] = chance.normal(0, 0.1, outputs).astype(np.float16)
    return tensors


def told(game: Game) -> dict[str, str]:
    """What stands beside them."""
    return {"game": game.id, "rules": str(game.version), "features": str(game.features), "actions": str(game.rules.ACTIONS)}


def write_weights(folder: Path, game: Game, tensors: Tensors | None = None, other: dict[str, str] | None = None) -> None:
    """Writes a game's weights into a folder, with other metadata where some is given."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors or random_tensors(game), folder / f"{game.id}.safetensors", told(game) | (other or {}))
