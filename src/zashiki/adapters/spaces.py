"""Gymnasium's words for what a seat sees and does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zashiki.adapters.asked import BOUND
from zashiki.core.extras import extra

with extra("gym"):
    from gymnasium import spaces

if TYPE_CHECKING:
    from zashiki.core.game import Game


def observation_space(game: Game, actions: int) -> spaces.Dict:
    """The features of a view, and which of so many actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-BOUND, BOUND, (game.features,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )
