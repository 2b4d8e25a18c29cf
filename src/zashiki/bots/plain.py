"""Bots that do not look ahead: one plays at random, one as the heuristic of its game weighs the actions."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from zashiki.bots.bot import Budget
from zashiki.bots.sense import LEAST, Skill, Weights, heuristics, weigh, weigh_by_skill
from zashiki.core.contract import Options
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.layout import Records
from zashiki.core.state import State

HASTY, STEADY = 0.5, 0.75
"""How close the weights are brought together where a game does not say."""


class RandomBot:
    """Takes any legal action: what a match is like when nobody thinks."""

    def __init__(self, game: Game, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """Any of them."""
        return self._chance.choice(legal)


class HeuristicBot:
    """Takes the action its game's heuristic likes best."""

    def __init__(self, game: Game, seed: int) -> None:
        heuristics(game)
        self._chance = random.Random(seed)

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """The heaviest; of several any, so that nobody can tell which sign it will throw."""
        found = weights(view, seat, legal)
        most = max(found)
        return self._chance.choice([action for action, weight in zip(legal, found, strict=True) if weight == most])


class CarelessBot:
    """Knows what is sensible, and does something else now and then. `_ease`: a power that brings the weights closer together."""

    def __init__(self, game: Game, seed: int) -> None:
        heuristics(game)
        self._chance = random.Random(seed)
        self._ease = 1.0

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of them, in proportion to the weights."""
        return self._chance.choices(legal, [weight**self._ease for weight in weights(view, seat, legal)])[0]


class HastyBot(CarelessBot):
    """Often takes what is nearly as good, in games of so many decisions that a careless player would hardly ever slip."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._ease = getattr(heuristics(game), "HASTY", HASTY)


class SteadyBot(CarelessBot):
    """Slips now and then, in such games."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._ease = getattr(heuristics(game), "STEADY", STEADY)


def weights(view: State, seat: int, legal: Sequence[int]) -> list[float]:
    """How the heuristic weighs each of the legal actions."""
    found = np.zeros(len(legal))
    _weigh(view.records, seat, np.array(legal, np.int64), found)
    listed: list[float] = found.tolist()
    return listed


def weights_beside_heaviest(view: State, seat: int, legal: Sequence[int]) -> Weights:
    """The same with 1 for the heaviest, and nothing below LEAST."""
    found = np.array(weights(view, seat, legal))
    return np.asarray(np.maximum(found / found.max(), LEAST), np.float64)


def weights_by_skill(view: State, seat: int, legal: Sequence[int], skill: Skill) -> Weights:
    """How likely a skill makes each of the legal actions."""
    found = np.zeros(len(legal))
    _weigh_by_skill(view.records, seat, np.array(legal, np.int64), found, skill.policy)
    return np.asarray(found / found.sum(), np.float64)


@rule
def _weigh_by_skill(views: Records, seat: int, actions: Options, found: Weights, policy: Weights) -> None:
    weigh_by_skill(views[0], seat, actions, found, policy)


@rule
def _weigh(views: Records, seat: int, actions: Options, found: Weights) -> None:
    weigh(views[0], seat, actions, found)
