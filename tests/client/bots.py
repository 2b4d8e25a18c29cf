"""Bots that sit at tables in tests."""

from __future__ import annotations

import time
from collections.abc import Sequence

from zashiki.bots.bot import Budget
from zashiki.bots.plain import RandomBot
from zashiki.core.state import State


class Checking(RandomBot):
    """Plays at random, and only what its own view calls legal."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        assert [number for number in legal if number >= 0] == view.legal(seat)
        return super().choose(view, seat, legal, budget)


class Sleeping(RandomBot):
    """Does not wake up in time."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        time.sleep(30)
        return legal[0]
