"""A complete bot: it imagines a deal that could be behind what it sees, and takes the action after which its points are highest.

python examples/bot.py --game kasane --against club          # at a table of a server on this machine
python examples/bot.py --table http://127.0.0.1:8000/table/… # at somebody's table
"""

import sys
from collections.abc import Sequence

import numpy as np

from zashiki.bots.bot import Budget
from zashiki.cli import main
from zashiki.core.game import Game
from zashiki.core.state import State


class Greedy:
    """Made for one seat of one match, so it may remember."""

    def __init__(self, game: Game, seed: int) -> None:
        self.chance = np.random.default_rng(seed)

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of the legal actions."""
        deal = view.redealt(seat, self.chance.integers(2**32, size=4, dtype=np.uint32))
        return max(legal, key=lambda action: (self.points_after(deal, seat, action), self.chance.random()))

    def points_after(self, deal: State, seat: int, action: int) -> int:
        """What the seat would have."""
        after = deal.copy()
        after.apply(seat, action)
        return int(after.points()[seat].sum())


if __name__ == "__main__":
    main(["bot", "bot:Greedy", *sys.argv[1:]])
