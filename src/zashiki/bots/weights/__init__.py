"""What the games' masters have learned, in files beside this one. A game without has no master.

`GAME.safetensors` is a network: tensors as PyTorch lays them out, `layers.N`, `policy` and `value` each with weight and bias, or
those of a grid, and as metadata the game, the version of its rules, the sizes it was learned with and, if its policy began as the
heuristic, `sense`. `GAME-skill.safetensors` is a skill, what was learned of traits: `policy`, `hopes` and, where hands are
guessed, `guesses`, with their numbers as metadata. `ZASHIKI_WEIGHTS` names another folder.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zashiki.bots import SKILLED
from zashiki.core.errors import ZashikiError

if TYPE_CHECKING:
    from zashiki.bots.network import Network
    from zashiki.core.game import Game

Tensors = dict[str, npt.NDArray[Any]]


class WrongWeights(ZashikiError):
    """These weights cannot play this game."""


def folder() -> Path:
    """Where weights lie."""
    return Path(os.environ.get("ZASHIKI_WEIGHTS") or Path(__file__).parent)


def weights_of(game: Game) -> Path:
    """The file of a game's network, whether there is one or not."""
    return folder() / f"{game.id}.safetensors"


def skill_file(game: Game) -> Path:
    """The file of a game's skill, whether there is one or not."""
    return folder() / f"{game.id}-skill.safetensors"


def has_weights(game: Game) -> bool:
    """Whether somebody has learned a network of this game."""
    return weights_of(game).is_file()


def has_skill(game: Game) -> bool:
    """Whether somebody has learned a skill of this game."""
    return skill_file(game).is_file()


def is_learned(game: Game) -> bool:
    """Whether this game has a master."""
    return has_weights(game) or (game.id in SKILLED and has_skill(game))


def network_of(game: Game) -> Network:
    """The network that plays a game; read once."""
    return _read(game, weights_of(game))


def read_file(path: Path, *, only_told: bool = False) -> tuple[dict[str, str], Tensors]:
    """What a file tells of itself, and what it holds, if that is asked for."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            names = [] if only_told else list(file.keys())
            return file.metadata() or {}, {name: file.get_tensor(name) for name in names}
    except (OSError, SafetensorError) as error:
        raise WrongWeights(f"the weights {path} cannot be read: {error}") from None


@cache
def _read(game: Game, path: Path) -> Network:
    told, tensors = read_file(path)
    check_told(path, told, {"game": game.id, "rules": game.version, "features": game.features, "actions": game.rules.ACTIONS})
    assembled = _assembled_on_grid if "kinds.0.weight" in tensors else _assembled
    return assembled(game, path, tensors)._replace(sense=_sense(path, told))


def check_told(path: Path, told: dict[str, str], wanted: dict[str, Any]) -> None:
    """Whether a file tells of itself what is wanted."""
    for name, value in wanted.items():
        if told.get(name) != str(value):
            raise WrongWeights(f"the weights {path} were learned with {name} {told.get(name)}, here it is {value}")


def _sense(path: Path, told: dict[str, str]) -> float:
    try:
        return float(told.get("sense", 0))
    except ValueError:
        raise WrongWeights(f"the weights {path} were learned with a sense that is no number: {told['sense']}") from None


def _assembled(game: Game, path: Path, tensors: Tensors) -> Network:
    from zashiki.bots.network import Network
    from zashiki.bots.nodes import MOST_SEATS

    count = sum(name.startswith("layers.") and name.endswith(".weight") for name in tensors)
    try:
        layers = [_turned(tensors, f"layers.{i}.weight") for i in range(count)]
        width = layers[0].shape[1]
        network = Network(
            first=layers[0],
            hidden=np.array(layers[1:], np.float32).reshape(count - 1, width, width),
            biases=np.array([tensors[f"layers.{i}.bias"] for i in range(count)], np.float32),
            policy=_turned(tensors, "policy.weight"),
            policy_bias=tensors["policy.bias"].astype(np.float32),
            value=_turned(tensors, "value.weight"),
            value_bias=tensors["value.bias"].astype(np.float32),
        )
    except (KeyError, IndexError, ValueError) as error:
        raise WrongWeights(f"the weights {path} are not whole: {error}") from None
    actions = game.rules.ACTIONS
    shapes = ((game.features, width), (count, width), (width, actions), (actions,), (width, MOST_SEATS), (MOST_SEATS,))
    found = (network.first, network.biases, network.policy, network.policy_bias, network.value, network.value_bias)
    if tuple(array.shape for array in found) != shapes:
        raise WrongWeights(f"the weights {path} have other sizes than a network for {game.title}")
    return network


def _assembled_on_grid(game: Game, path: Path, tensors: Tensors) -> Network:
    from zashiki.bots.grids import grid_weights
    from zashiki.bots.network import Network
    from zashiki.bots.nodes import MOST_SEATS

    if game.grid is None:
        raise WrongWeights(f"the weights {path} are for kinds of cards in a grid, which {game.title} does not have")
    try:
        found = grid_weights(game.grid, {name: tensor.astype(np.float32) for name, tensor in tensors.items()})
    except (KeyError, IndexError, ValueError) as error:
        raise WrongWeights(f"the weights {path} are not whole: {error}") from None
    inputs = (found.seen_kinds, found.seen_lines, found.rest_above, found.rest_wholes)
    sizes = (game.grid.seen.shape[1], game.grid.seen.shape[1], len(game.grid.rest), len(game.grid.rest))
    heads = (len(found.policy_bias), len(found.rest_policy_bias), len(found.value_bias))
    if tuple(map(len, inputs)) != sizes or heads != (game.grid.done.shape[1], len(game.grid.others), MOST_SEATS):
        raise WrongWeights(f"the weights {path} have other sizes than a network for {game.title}")
    nothing = np.zeros((game.features, 0), np.float32)
    scores = np.zeros((0, game.rules.ACTIONS), np.float32)
    value = np.zeros((0, MOST_SEATS), np.float32)
    return Network(
        first=nothing,
        hidden=np.zeros((0, 0, 0), np.float32),
        biases=nothing[:1],
        policy=scores,
        policy_bias=np.zeros(game.rules.ACTIONS, np.float32),
        value=value,
        value_bias=np.zeros(MOST_SEATS, np.float32),
        grid=found,
    )


def _turned(tensors: Tensors, name: str) -> npt.NDArray[np.float32]:
    """A matrix from (out, in) to (in, out), so that what one input does lies together."""
    return np.ascontiguousarray(tensors[name].astype(np.float32).T)
