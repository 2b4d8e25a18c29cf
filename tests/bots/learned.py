"""Networks that nobody has trained: the same small random one every time, to play with where there are no weights yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from zashiki.bots.kohoju.guesses import GUESSES
from zashiki.bots.nodes import MOST_SEATS
from zashiki.bots.sense import Spans, describe, heuristics
from zashiki.bots.skills import form_of
from zashiki.core.contract import Options
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.layout import Records
from zashiki.core.state import State
from zashiki.games import find

Tensors = dict[str, npt.NDArray[np.float16]]

KOHOJU = find("kohoju")


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


def grid_tensors(game: Game, width: int = 8, layers: int = 2, seed: int = 1) -> Tensors:
    """The same for a game whose kinds of cards are a grid."""
    grid, whole = game.grid, 2 * width
    assert grid is not None
    sizes: dict[str, tuple[int, int]] = {
        "policy": (grid.done.shape[1], width),
        "rest": (len(grid.others), whole),
        "value": (MOST_SEATS, whole),
    }
    for i in range(layers):
        before, all_before = (width, whole) if i else (grid.seen.shape[1], len(grid.rest))
        sizes |= {f"kinds.{i}": (width, before), f"lines.{i}": (width, before), f"above.{i}": (width, all_before)}
        sizes |= {f"around.{i}": (whole, width), f"wholes.{i}": (whole, all_before)}
    chance, tensors = np.random.default_rng(seed), Tensors()
    for name, (outputs, inputs) in sizes.items():
        tensors[f"{name}.weight"] = chance.normal(0, (1 / inputs) ** 0.5, (outputs, inputs)).astype(np.float16)
        if name.split(".")[0] not in ("lines", "above", "around"):
            tensors[f"{name}.bias"] = chance.normal(0, 0.1, outputs).astype(np.float16)
    return tensors


def told(game: Game) -> dict[str, str]:
    """What stands beside them."""
    return {"game": game.id, "rules": str(game.version), "features": str(game.features), "actions": str(game.rules.ACTIONS)}


def write_weights(folder: Path, game: Game, tensors: Tensors | None = None, other: dict[str, str] | None = None) -> None:
    """Writes a game's weights into a folder, with other metadata where some is given."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors or random_tensors(game), folder / f"{game.id}.safetensors", told(game) | (other or {}))


@rule
def _describe_all(states: Records, seat: int, actions: Options, traits: Any, spans: Spans) -> int:
    return describe(states[0], seat, actions, traits, spans)


def described(state: State, seat: int, legal: list[int]) -> tuple[Any, Any, int]:
    """The traits of all actions, where they begin among all traits and how many each has, and the situation."""
    heuristics(state.game)
    traits, spans = np.zeros((len(legal), form_of(state.game).widest)), np.full((len(legal), 2), -1)
    return traits, spans, _describe_all(state.records, seat, np.array(legal, np.int64), traits, spans)


def random_skill(game: Game, seed: int = 1) -> dict[str, npt.NDArray[np.float32]]:
    """A skill that nobody has learned."""
    chance, form = np.random.default_rng(seed), form_of(game)
    shapes = {"policy": (form.parts, form.traits), "hopes": (len(form.seats), form.outlooks, form.hopes)}
    if game is KOHOJU:
        shapes["guesses"] = (len(form.seats), GUESSES, form.hopes)
    return {name: chance.normal(0, 0.3 if name == "policy" else 0.1, shape).astype(np.float32) for name, shape in shapes.items()}


def write_skill(folder: Path, game: Game, tensors: dict[str, npt.NDArray[np.float32]], **other: object) -> None:
    """Writes a skill into a folder, with other metadata where some is given."""
    folder.mkdir(exist_ok=True)
    form = form_of(game)
    wanted = {"game": game.id, "rules": game.version, "traits": form.traits, "hopes": form.hopes} | other
    save_file(tensors, folder / f"{game.id}-skill.safetensors", {name: str(value) for name, value in wanted.items()})
