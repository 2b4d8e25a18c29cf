"""Kohoju's skill as it is learned and kept: few numbers for each trait, of which a row for every situation is made.

How much a trait speaks for an action is a sum: a number for all situations, one for each number of kohojus begun, one for how far
the deal is, and one for the number of seats.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from zashiki.bots.kohoju.guesses import GUESSES
from zashiki.bots.kohoju.hopes import HOPES
from zashiki.bots.kohoju.skilled import SITUATIONS, STAGES
from zashiki.bots.kohoju.traits import TRAITS
from zashiki.bots.sense import Skill, Weights
from zashiki.bots.weights import WrongWeights, read_file, skill_tensors, weights_of
from zashiki.core.game import Game
from zashiki.games.kohoju.cards import FEWEST_PLAYERS, MOST_PLAYERS
from zashiki.games.kohoju.rules import UNFINISHED

MIDDLE = 4
"""Cards in the smallest hand between the middle of a deal and its end."""
ANYWHERE, BEGUN, STAGE, TABLE = 0, 1, 1 + UNFINISHED + 1, 1 + UNFINISHED + 1 + 3
PARTS = TABLE + 2
"""The rows of a policy as it is learned: for all; by kohojus begun; at the end, in the middle, at the start; at the smallest and
the largest table."""
SEATS = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)


def _stages() -> Weights:
    """How far each stage is at the end, in the middle and at the start of a deal."""
    cards = np.arange(STAGES)
    late = np.clip(1 - cards / MIDDLE, 0, 1)
    start = np.clip((cards - MIDDLE) / (STAGES - 1 - MIDDLE), 0, 1)
    return np.stack([late, 1 - late - start, start], 1)


_STAGES = _stages()


def spread(policy: Weights, seats: int) -> Weights:
    """A policy as it is learned as a row for every situation at a table of so many."""
    large = (seats - FEWEST_PLAYERS) / (MOST_PLAYERS - FEWEST_PLAYERS)
    table = policy[ANYWHERE] + (1 - large) * policy[TABLE] + large * policy[TABLE + 1]
    rows = table + policy[BEGUN:STAGE, None] + (_STAGES @ policy[STAGE:TABLE])[None]
    return np.ascontiguousarray(rows.reshape(SITUATIONS, TRAITS))


def gathered(rows: Weights, seats: int) -> Weights:
    """The other way: what is to be changed in each row as what is to be changed in a policy."""
    large = (seats - FEWEST_PLAYERS) / (MOST_PLAYERS - FEWEST_PLAYERS)
    situations = rows.reshape(UNFINISHED + 1, STAGES, TRAITS)
    total = situations.sum((0, 1))
    stages = np.einsum("bst,sk->kt", situations, _STAGES)
    return np.concatenate([total[None], situations.sum(1), stages, [(1 - large) * total, large * total]])


def skill_of(game: Game, seats: int) -> Skill:
    """What was learned of Kohoju, for a table of so many; read once."""
    return _skill(game, str(weights_of(game)), seats)


def kept_policy(path: Path) -> Weights:
    """The policy of a skill in a file, as it is learned."""
    return _tensor(read_file(path)[1], "policy", str(path), (PARTS, TRAITS))


def guesses_of(game: Game, seats: int) -> Weights:
    """What was learned of the hands that others hold at a table of so many; read once."""
    return _guesses(game, str(weights_of(game)), seats)


@cache
def _skill(game: Game, path: str, seats: int) -> Skill:
    tensors = _tensors(game)
    policy = _tensor(tensors, "policy", path, (PARTS, TRAITS))
    hopes = _tensor(tensors, "hopes", path, (len(SEATS), SITUATIONS, len(HOPES)))
    return Skill(spread(policy, seats), np.ascontiguousarray(hopes[seats - FEWEST_PLAYERS]))


@cache
def _guesses(game: Game, path: str, seats: int) -> Weights:
    guesses = _tensor(_tensors(game), "guesses", path, (len(SEATS), GUESSES, len(HOPES)))
    return np.ascontiguousarray(guesses[seats - FEWEST_PLAYERS])


def _tensors(game: Game) -> dict[str, npt.NDArray[np.float32]]:
    return skill_tensors(game, traits=TRAITS, hopes=len(HOPES))


def _tensor(tensors: dict[str, npt.NDArray[np.float32]], name: str, path: str, shape: tuple[int, ...]) -> Weights:
    found = tensors.get(name)
    if found is None or found.shape != shape:
        raise WrongWeights(f"the weights {path} are not whole: {name} must have the shape {shape}")
    return found.astype(np.float64)
