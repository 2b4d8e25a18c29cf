"""A sensible player of Hanamikoji by plain rules, written without regard to the shipped heuristic: an opponent to measure by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zashiki.bots.bot import Budget
from zashiki.core.game import Game
from zashiki.core.state import State
from zashiki.games.hanamikoji.actions import Competition, Gift, Secret, Take, TakePair, TradeOff
from zashiki.games.hanamikoji.cards import CHARM, ITEMS

CARDS = dict(zip(ITEMS, CHARM, strict=True))


class Sensible:
    """Keeps a card of a geisha it can win, throws away what cannot win, offers what hurts least, takes what wins most."""

    def __init__(self, game: Game, seed: int) -> None:
        self._words = game.vocabulary

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """The action with the best mark."""
        return max(legal, key=lambda number: self._mark(view.record, seat, self._words[number]))

    def _mark(self, table: Any, seat: int, action: object) -> float:
        wish = {item: self._wish(table, seat, place) for place, item in enumerate(ITEMS)}
        if isinstance(action, Take):
            return wish[action.card]
        if isinstance(action, TakePair):
            first = 2 * action.pair
            return sum(wish[ITEMS[int(card)]] for card in table.offer[first : first + 2])
        # What each brings this side less the other, if the other takes the better part.
        if isinstance(action, Secret):
            assert action.card
            return wish[action.card]
        if isinstance(action, TradeOff):
            assert action.cards
            return -sum(wish[card] for card in action.cards)
        if isinstance(action, Gift):
            marks = sorted(wish[card] for card in action.cards)
            return marks[0] + marks[1] - marks[2]
        assert isinstance(action, Competition)
        one, other = (sum(wish[card] for card in pair) for pair in action.pairs)
        return -abs(one - other)

    def _wish(self, table: Any, seat: int, place: int) -> float:
        """How much a card of this geisha is wanted: her charm while she is open, nothing once she is won or lost."""
        mine = int(table.sides[seat, place]) + int(table.hands[seat, place]) + (table.secret[seat] == place)
        theirs = int(table.sides[1 - seat, place])
        needed = CHARM[place] // 2 + 1
        if theirs >= needed or int(table.sides[seat, place]) + (table.secret[seat] == place) >= needed:
            return 0.0
        held = 0.5 if table.markers[place] == seat else 0.0
        return float(CHARM[place] * (0.6 + 0.4 * min(1.0, (mine + held) / needed)))
