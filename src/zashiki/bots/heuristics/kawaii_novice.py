"""A beginner at Kawaii: knows what a pile is worth, and lets a token go a little too easily."""

from __future__ import annotations

from collections.abc import Sequence

from zashiki.bots.bot import Budget
from zashiki.bots.plain import CarelessBot, weights
from zashiki.core.state import State

EASE = 1 / 3
"""There are so many windows in a round that choosing by the weights themselves would hardly ever be a slip."""


class NoviceBot(CarelessBot):
    """Chooses carelessly among all that is nearly as good."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of them, by weights that are closer together."""
        return self._chance.choices(legal, [weight**EASE for weight in weights(view, seat, legal)])[0]
