"""A careless player of Kohoju: it knows what a card is for, and often takes what is nearly as good."""

from __future__ import annotations

from collections.abc import Sequence

from zashiki.bots.bot import Budget
from zashiki.bots.plain import CarelessBot, weights
from zashiki.core.state import State

EASE = 0.44
"""The power that brings the weights closer together."""


class HastyBot(CarelessBot):
    """Slips more often than its weights say: over a point or two, hardly ever over a kohoju."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of them, by weights that are closer together."""
        return self._chance.choices(legal, [weight**EASE for weight in weights(view, seat, legal)])[0]
