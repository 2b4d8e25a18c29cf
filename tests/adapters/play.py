"""What the tests of all environments share: settings, and players that choose by lot."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.conformance.walks import SETTINGS, Setting

FEWEST = [next(setting for setting in SETTINGS if setting.game == game) for game in dict.fromkeys(s.game for s in SETTINGS)]
"""One setting of each game."""
LIVE = Setting("kawaii", 4, {"pace": "live"})


def any_legal(mask: npt.NDArray[np.int8], chance: Random) -> int:
    """One of the actions that the mask allows."""
    return int(chance.choice(np.flatnonzero(mask).tolist()))


def same(one: dict[str, npt.NDArray[Any]], other: dict[str, npt.NDArray[Any]]) -> bool:
    """Whether two observations are the same to the last bit."""
    return one.keys() == other.keys() and all(one[key].tobytes() == other[key].tobytes() for key in one)
