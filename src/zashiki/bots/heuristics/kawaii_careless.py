"""Careless players of Kawaii: they know what a pile is worth, and let a token go a little too easily.

There are so many windows in a round that whoever chose by the weights themselves would hardly ever slip.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from zashiki.bots.bot import Budget
from zashiki.bots.plain import CarelessBot, weights
from zashiki.core.state import State


class HastyBot(CarelessBot):
    """Often takes what is nearly as good. `EASE`: the power that brings the weights closer together."""

    EASE: ClassVar[float] = 0.26

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of them, by weights that are closer together."""
        return self._chance.choices(legal, [weight**self.EASE for weight in weights(view, seat, legal)])[0]


class SteadyBot(HastyBot):
    """Slips now and then."""

    EASE = 0.38
