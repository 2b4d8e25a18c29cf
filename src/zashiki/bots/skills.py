"""Skills: what was learned of traits, in the place of a heuristic or of a network's policy.

How much a trait speaks for an action is a sum: a number for all situations, one for the kind of situation, some for how far the
chapter is, and one for the number of seats. So few numbers are learned, of which a row for every situation is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.bots.sense import NO_SKILL, Skill, Weights
from zashiki.bots.weights import WrongWeights, check_told, has_skill, read_file, skill_file
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.layout import Record

ANYWHERE = 0
"""The row of a policy that counts in all situations."""
RAREST = -30.0
"""The logarithm of the least weight beside the heaviest."""

Tensors = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Form:
    """How the skill of a game is laid out; `FORM` of its module `learned`.

    `traits`, `hopes`  how many there are
    `kinds`            kinds of situations, and `hope_kinds` of positions that are hoped for: each has a row for every stage
    `stages`           how far each stage is at some points of a chapter, a row a stage
    `fewest`, `most`   seats
    `choices`, `widest`  the legal actions of a decision, and the traits of an action, at most
    `practised`        options of the matches that are practised
    `without`          options whose matches a skill cannot play: those are left to the network, or to the heuristic
    """

    traits: int
    hopes: int
    kinds: int
    hope_kinds: int
    stages: Weights
    fewest: int
    most: int
    choices: int
    widest: int
    practised: dict[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()

    @property
    def seats(self) -> range:
        """How many may play."""
        return range(self.fewest, self.most + 1)

    @property
    def situations(self) -> int:
        """The rows of a policy as it plays: by kind, then by stage."""
        return self.kinds * len(self.stages)

    @property
    def outlooks(self) -> int:
        """The rows of hopes: by kind, then by stage."""
        return self.hope_kinds * len(self.stages)

    @property
    def parts(self) -> int:
        """The rows of a policy as it is learned: for all; by kind; by how far it is; at the smallest and the largest table."""
        return 1 + self.kinds + int(self.stages.shape[1]) + 2

    def spread(self, policy: Weights, seats: int) -> Weights:
        """A policy as it is learned as a row for every situation at a table of so many."""
        kinds, far, tables = np.split(policy[1:], (self.kinds, self.kinds + self.stages.shape[1]))
        table = policy[ANYWHERE] + self._sizes(seats) @ tables
        rows = table + kinds[:, None] + (self.stages @ far)[None]
        return np.ascontiguousarray(rows.reshape(self.situations, self.traits))

    def gathered(self, rows: Weights, seats: int) -> Weights:
        """The other way: what is to be changed in each row as what is to be changed in a policy."""
        situations = rows.reshape(self.kinds, len(self.stages), self.traits)
        total = situations.sum((0, 1))
        far = np.einsum("bst,sk->kt", situations, self.stages)
        return np.concatenate([total[None], situations.sum(1), far, self._sizes(seats)[:, None] * total])

    def _sizes(self, seats: int) -> Weights:
        """How much a table is like the smallest, and like the largest."""
        large = (seats - self.fewest) / (self.most - self.fewest)
        return np.array([1 - large, large])


def learned(game: Game) -> Any:
    """The module that tells of a game how its skill is laid out (`FORM`) and where it begins (`first_policy`)."""
    return import_module(f"zashiki.bots.{game.id}.learned")


def form_of(game: Game) -> Form:
    """How a game's skill is laid out."""
    form: Form = learned(game).FORM
    return form


def skill_of(game: Game, seats: int) -> Skill:
    """What was learned of a game, for a table of so many; read once."""
    return _skill(game, skill_file(game), seats)


def known_skill(game: Game, match: Record) -> Skill:
    """The same for a match like this, or none if nobody has learned one, or not of such matches."""
    if not has_skill(game) or any(match[option] for option in form_of(game).without):
        return NO_SKILL
    return skill_of(game, int(match.seats))


@cache
def _skill(game: Game, path: Path, seats: int) -> Skill:
    form, tensors = form_of(game), skill_tensors(game, path)
    hopes = checked(tensors, "hopes", path, (len(form.seats), form.outlooks, form.hopes))
    policy = checked(tensors, "policy", path, (form.parts, form.traits))
    return Skill(form.spread(policy, seats), np.ascontiguousarray(hopes[seats - form.fewest]))


def skill_tensors(game: Game, path: Path) -> Tensors:
    """A skill as it was learned, for the traits there are now."""
    form, (told, tensors) = form_of(game), read_file(path)
    check_told(path, told, {"game": game.id, "rules": game.version, "traits": form.traits, "hopes": form.hopes})
    return tensors


def kept_policy(game: Game, path: Path) -> Weights:
    """The policy of a skill in a file, as it is learned."""
    form = form_of(game)
    return checked(read_file(path)[1], "policy", path, (form.parts, form.traits))


def checked(tensors: Tensors, name: str, path: Path, shape: tuple[int, ...]) -> Weights:
    """One of the tensors, if it has this shape."""
    found = tensors.get(name)
    if found is None or found.shape != shape:
        raise WrongWeights(f"the weights {path} are not whole: {name} must have the shape {shape}")
    return found.astype(np.float64)


@rule
def dot(traits: Weights, weights: Weights, count: int) -> float:
    """The sum of so many products, in four strands that a processor follows side by side."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    i = 0
    while i + 4 <= count:
        first += traits[i] * weights[i]
        second += traits[i + 1] * weights[i + 1]
        third += traits[i + 2] * weights[i + 2]
        fourth += traits[i + 3] * weights[i + 3]
        i += 4
    while i < count:
        first += traits[i] * weights[i]
        i += 1
    return (first + second) + (third + fourth)


@rule
def soften(weights: Weights, count: int) -> None:
    """Makes chances of logarithms."""
    most, total = weights[0], 0.0
    for i in range(1, count):
        most = max(most, weights[i])
    for i in range(count):
        weights[i] = exp(max(weights[i] - most, RAREST))
        total += weights[i]
    for i in range(count):
        weights[i] /= total
