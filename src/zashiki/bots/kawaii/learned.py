"""Kawaii's skill: how it is laid out and where it begins.

How much a trait speaks for a claim goes by one's tokens and by how far the round is.
"""

from __future__ import annotations

import numpy as np

from zashiki.bots.kawaii.claims import SHARPNESS
from zashiki.bots.kawaii.hopes import HOPES
from zashiki.bots.kawaii.skilled import MOST_TOKENS, STAGES
from zashiki.bots.kawaii.traits import CLAIM, TRAITS
from zashiki.bots.sense import Weights
from zashiki.bots.skills import ANYWHERE, Form
from zashiki.games.kawaii.cards import SEATS

FEWEST_SEATS = 3
CORNERS = (0, 2, 6, 11)
"""The stages between which weights change evenly: the end of a round, soon before it, the middle and the start."""


def _stages() -> Weights:
    stages = np.arange(STAGES)
    return np.stack([np.interp(stages, CORNERS, row) for row in np.eye(len(CORNERS))], 1)


FORM = Form(
    traits=TRAITS,
    hopes=len(HOPES),
    kinds=MOST_TOKENS,
    hope_kinds=MOST_TOKENS + 1,
    stages=_stages(),
    fewest=FEWEST_SEATS,
    most=SEATS,
    choices=SEATS + 1,
    widest=TRAITS,
    without=("stacked",),
)


def first_policy() -> Weights:
    """The heuristic as a policy over traits."""
    policy = np.zeros((FORM.parts, TRAITS))
    policy[ANYWHERE, CLAIM.index("what the heuristic gains")] = SHARPNESS
    return policy
