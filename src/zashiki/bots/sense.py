"""What a bot knows of a game beyond its rules, as generic functions over any game's record, like those of the contract.

Each game's module in `bots/heuristics` provides them, compiled, under these names. They read of a state only what the seat may
know, so they give the same for a state and for the seat's view of it. Those by skill are for games whose actions and positions
have traits that a skill weighs; the others do without. (What is hoped for is judged with all cards known.)

CUT         how many decisions a playout makes at most before it is evaluated
EXPLORE     how much the search goes by weights against what it has found; less where worths differ little
LEVELS      which kind of bot plays each level, with which budget for an action; without an entry, a master plays its own level
TASTE, TEMPERATURE  where they are not those of all games: how a master searches, and how far its policy follows what it found
HASTY, STEADY  where such bots play a level: the power that brings their weights closer together
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Options, chosen, make_generic, register
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.core.random import Words

Weights = npt.NDArray[np.float64]
Worth = npt.NDArray[np.float64]
Spans = npt.NDArray[np.int64]
"""A row an action: where its traits begin among all, and how many they are."""

LEAST = 6e-6
"""The least weight beside the heaviest where a learned policy begins with the weights: it must be able to overrule them."""
ALWAYS = 1 << 30
"""More often than anybody is asked."""


class Taste(NamedTuple):
    """How a master searches.

    `explore`  how much it goes by priors against what it has found
    `learned`  which share of a network's priors is learned, the rest being what the heuristic would do; a skill's are all its own
    `ease`     a power that brings a network's priors closer together
    `trust`    which share of the worth at the end of a walk is learned, the rest being what comes of it if it is played on
    `cut`      for how many decisions it is played on
    `sides`    whether a seat's expectations were learned for when it is not its turn, too
    `foresee`  which share of the thinking is about what others do who choose at the same time
    `finish`   whether it plays out, without the network, where that comes to the end of the match
    `asks`     how often another seat, its cards drawn anew each time, is asked at a node before the mean of its priors stays
    """

    explore: float
    learned: float
    ease: float
    trust: float
    cut: int
    sides: bool
    foresee: float = 0.0
    asks: int = ALWAYS
    finish: bool = False


class Skill(NamedTuple):
    """What somebody has learned to make of traits, for one number of seats; empty where the heuristic is to be asked.

    `policy`  how much each trait speaks for an action, a row for every situation
    `hopes`   how much each trait of a position is worth in points, a row for every situation
    """

    policy: Weights
    hopes: Weights


NO_SKILL = Skill(*(np.zeros((0, 0)) for _ in range(2)))


def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """Writes a weight above 0 for each of these legal actions: how likely a sensible person is to choose it."""
    chosen(state.dtype, "weigh")(state, seat, actions, weights)


@rule
def weigh_beside_heaviest(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """The same with 1 for the heaviest, and nothing below LEAST."""
    weigh(state, seat, actions, weights)
    most = 0.0
    for i in range(len(actions)):
        most = max(most, weights[i])
    for i in range(len(actions)):
        weights[i] = max(weights[i] / most, LEAST)


def evaluate(state: Record, worth: Worth) -> None:
    """Writes each seat's chance to win a match that is not over, all cards of the state counted; they add up to 1."""
    chosen(state.dtype, "evaluate")(state, worth)


def chapter(state: Record) -> int:
    """A number that changes where a playout may well end, because what follows begins afresh: a round, a deal."""
    return int(chosen(state.dtype, "chapter")(state))


def mixed(state: Record, seat: int) -> bool:
    """Whether this is a choice made at the same time as others', the same actions in every deal, to be played as a mixture."""
    return bool(chosen(state.dtype, "mixed")(state, seat))


def imagine(state: Record, seat: int, rng: Words) -> None:
    """Changes a state redealt for a seat where uniformly drawn is not likely, such as others' choices that wait sealed."""
    chosen(state.dtype, "imagine")(state, seat, rng)


def weigh_by_skill(state: Record, seat: int, actions: Options, weights: Weights, policy: Weights) -> None:
    """Writes how likely a policy over their traits is to choose each of these legal actions."""
    chosen(state.dtype, "weigh_by_skill")(state, seat, actions, weights, policy)


def evaluate_by_skill(state: Record, worth: Worth, hopes: Weights) -> None:
    """Writes each seat's chance to win a match that is not over by what the traits of its position promise."""
    chosen(state.dtype, "evaluate_by_skill")(state, worth, hopes)


def describe(state: Record, seat: int, actions: Options, traits: Weights, spans: Spans) -> int:
    """Writes the traits of each action, where they begin among all traits and how many they are; tells the row of a policy
    that weighs them here, or −1 where there is nothing to weigh."""
    return int(chosen(state.dtype, "describe")(state, seat, actions, traits, spans))


def hope(state: Record, seat: int, hopes: Weights) -> int:
    """Writes what a seat may look forward to in this chapter, all cards known; tells the row that weighs it."""
    return int(chosen(state.dtype, "hope")(state, seat, hopes))


def gained(state: Record, seat: int) -> float:
    """The points that a seat has in this chapter so far."""
    return float(chosen(state.dtype, "gained")(state, seat))


def scored(state: Record, seat: int) -> float:
    """The points that the last chapter brought a seat."""
    return float(chosen(state.dtype, "scored")(state, seat))


@rule
def _weigh_nothing(state: Record, seat: int, actions: Options, weights: Weights, policy: Weights) -> None:
    """Actions here have no traits."""


@rule
def _evaluate_nothing(state: Record, worth: Worth, hopes: Weights) -> None:
    """Positions here have no traits."""


NAMES = ("weigh", "evaluate", "chapter", "mixed", "imagine")
WITHOUT_TRAITS = {"weigh_by_skill": _weigh_nothing, "evaluate_by_skill": _evaluate_nothing}
PRACTISED = ("describe", "hope", "gained", "scored")
"""What practice needs of games that have traits."""

for _name in (*NAMES, *WITHOUT_TRAITS, *PRACTISED):
    make_generic(globals()[_name])


def heuristics(game: Game) -> Any:
    """The module of a game's heuristics; loaded, and made known to the generic functions, when first asked for."""
    module = import_module(f"zashiki.bots.heuristics.{game.id}")
    by_skill = {name: getattr(module, name, nothing) for name, nothing in WITHOUT_TRAITS.items()}
    by_skill |= {name: getattr(module, name) for name in PRACTISED if hasattr(module, name)}
    register(game.rules.STATE.dtype, **{name: getattr(module, name) for name in NAMES}, **by_skill)
    return module
