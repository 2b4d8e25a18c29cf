"""Kohoju's skill: how it is laid out, where it begins, and what was learned of the hands that others hold.

How much a trait speaks for an action goes by the kohojus begun and by how far the deal is.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from zashiki.bots.heuristics import kohoju as heuristic
from zashiki.bots.kohoju.guesses import GUESSES
from zashiki.bots.kohoju.hopes import HOPES
from zashiki.bots.kohoju.skilled import STAGES
from zashiki.bots.kohoju.traits import ADD, DISCARD, KEEPSAKE, MOST_TRAITS, OFFSETS, OPEN, POOL, SIZES, TAKE, TRAITS
from zashiki.bots.sense import Weights
from zashiki.bots.skills import ANYWHERE, Form, checked, skill_tensors
from zashiki.bots.weights import skill_file
from zashiki.core.game import Game
from zashiki.games.kohoju.cards import FEWEST_PLAYERS, MOST_PLAYERS
from zashiki.games.kohoju.rules import UNFINISHED

MIDDLE = 4
"""Cards in the smallest hand between the middle of a deal and its end."""
CHOICES = 70
"""Legal actions of a decision, at most."""
FAR = 500
"""The target of matches whose deals are practised: no deal decides them."""


def _stages() -> Weights:
    """How far each stage is at the end, in the middle and at the start of a deal."""
    cards = np.arange(STAGES)
    late = np.clip(1 - cards / MIDDLE, 0, 1)
    start = np.clip((cards - MIDDLE) / (STAGES - 1 - MIDDLE), 0, 1)
    return np.stack([late, 1 - late - start, start], 1)


FORM = Form(
    traits=TRAITS,
    hopes=len(HOPES),
    kinds=UNFINISHED + 1,
    hope_kinds=UNFINISHED + 1,
    stages=_stages(),
    fewest=FEWEST_PLAYERS,
    most=MOST_PLAYERS,
    choices=CHOICES,
    widest=MOST_TRAITS,
    practised={"target": FAR},
)


def first_policy() -> Weights:
    """The heuristic as a policy over traits: those it knows as it weighs them, the others for nothing."""
    policy = np.zeros((FORM.parts, TRAITS))
    h, rows = heuristic, policy[ANYWHERE]
    keeping = [h.KEEPING_GUIDE, h.KEEPING_FIT, h.KEEPING_FIT_POINT, h.KEEPING_LOOSE, h.KEEPING_NEIGHBOUR]
    keeping += [h.KEEPING_PLANNED, h.KEEPING_PLANNED_POINT]
    known: dict[int, dict[int, float]] = {
        OPEN: dict(enumerate([h.OPENING, h.OPENING_POINT, h.OPENING_NEIGHBOUR])),
        ADD: dict(enumerate([h.ADDING, h.ADDING_POINT, h.ADDING_MISSING, h.FINISHING, h.ADDING_NEIGHBOUR])),
        POOL: {0: h.POOLING, 1: h.POOLING_TWIN},
        DISCARD: {1: h.DISCARDED_POINT / 0.3, 2: h.DISCARDED_POINT_LATE / 0.3, 3: h.DISCARDED_TWIN}
        | {4: -h.KEEPING_FOR_POOL, 5: -h.KEEPING_FOR_POOL_LATE, 7: -h.FEEDING, 8: -h.FEEDING_POINT},
        TAKE: {0: h.TAKING, 1: h.TAKEN_POINT + h.TAKEN_POINT_LATE / 2, 3: h.TAKING_FIT, 4: h.ADDING_POINT}
        | {5: h.TAKING_PLANNED, 6: h.TAKING_PLANNED_POINT, 7: h.TAKING_FIFTH, 8: h.TAKING_LAST, 9: h.TAKING_NEIGHBOUR}
        | {10: h.TAKING_GUIDE, 11: h.TAKING_TO_GO_OUT},
    }
    for sort, weights in known.items():
        for place, weight in weights.items():
            rows[OFFSETS[sort] + place] = weight / h.SPREAD
    for sort in (POOL, DISCARD):
        start = OFFSETS[sort] + SIZES[sort] - len(KEEPSAKE)
        rows[start : start + len(keeping)] = np.array(keeping) / h.SPREAD
    return policy


def guesses_of(game: Game, seats: int) -> Weights:
    """What was learned of the hands that others hold at a table of so many; read once."""
    return _guesses(game, skill_file(game), seats)


@cache
def _guesses(game: Game, path: Path, seats: int) -> Weights:
    guesses = checked(skill_tensors(game, path), "guesses", path, (len(FORM.seats), GUESSES, len(HOPES)))
    return np.ascontiguousarray(guesses[seats - FORM.fewest])
