"""Kinds of cards in rows and columns that can be exchanged at will: what a learner need not find out for each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.observation import Observation, placed

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Grid:
    """A square of kinds. Rows may change places, columns may, and rows may become columns: the game stays the same.

    `seen[kind]`  the numbers of an observation that tell of a kind, for each kind in the same order
    `rest`        all other numbers of an observation
    `done[kind]`  the actions that do something with a kind, for each in the same order
    `others`      all other actions
    """

    side: int
    seen: Places
    rest: Places
    done: Places
    others: Places

    @property
    def kinds(self) -> int:
        """How many there are."""
        return self.side**2


def seen_on(observation: Observation, kinds: int, cards: int) -> Places:
    """The places in an observation of whatever is told of each kind, or of each card of a kind."""
    found = []
    for place, features in placed(observation):
        if features.count in (kinds, cards):
            each = features.count // kinds
            starts = place + features.count * np.arange(features.times)
            found.append(starts[:, None, None] + each * np.arange(kinds)[:, None] + np.arange(each))
    return np.concatenate([part.transpose(1, 0, 2).reshape(kinds, -1) for part in found], 1)


def all_but(places: npt.NDArray[Any], count: int) -> Places:
    """The numbers below a count that are not among these."""
    return np.setdiff1d(np.arange(count), places)
