"""Kasane's master: it searches, and reads the last market of two to the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from zashiki.bots.bot import Budget, Estimate
from zashiki.bots.kasane import pair
from zashiki.bots.kasane.pair import UNREAD, WON
from zashiki.bots.masters import MasterBot, part_of
from zashiki.bots.searcher import ITERATIONS
from zashiki.core.contract import Options
from zashiki.core.game import Game
from zashiki.core.state import State
from zashiki.games.kasane import GAME

READING = 0.7
"""The share of the time that reading may take."""
LEAST = 0.1
"""The share of the time that is left for a search at least, where reading does not tell what to do."""
POSITIONS_PER_ITERATION = 50
"""The same as READING where the budget is in iterations."""
GLANCE = 4_000
"""Positions that are met before the clock is looked at for the first time."""


class KasaneMaster(MasterBot):
    """Searches; in the last market only among the actions that reading leaves, and not at all where it leaves one."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._reading = pair.new_reading()

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """The action tried most of those that may be best."""
        if len(legal) == 1 or not lies_open(view):
            return super().choose(view, seat, legal, budget)
        began = time.monotonic()
        best = best_results(legal, self._results(view, seat, legal, budget))
        if len(best) == 1:
            return best[0]
        edges = self._think(view, seat, what_is_left(budget, began), hasty=True)
        return self._pick(view, seat, edges[np.isin(edges["action"], best)])

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action with its chance, what it would play most first; exact where it was read."""
        if not lies_open(view) or not view.legal(seat):
            return super().estimates(view, seat, budget)
        began, legal = time.monotonic(), view.legal(seat)
        chances = self._chances(view, seat, legal, budget)
        searched = super().estimates(view, seat, what_is_left(budget, began))
        tried = {estimate.action: estimate for estimate in searched}
        read = [
            replace(tried.get(action, Estimate(action, 0.0, None, 0)), chance=chance, exact=True)
            for action, chance in zip(legal, chances, strict=True)
            if chance is not None
        ]
        order = [*tried, *legal]
        unread = [estimate for estimate in searched if estimate.action not in {each.action for each in read}]
        return sorted(read + unread, key=lambda estimate: (-estimate.chance, order.index(estimate.action)))

    def compare(self, view: State, seat: int, actions: Sequence[int], budget: Budget) -> list[Estimate]:
        """What reading says of them, where the market lies open."""
        if not lies_open(view):
            return super().compare(view, seat, actions, budget)
        found = {estimate.action: estimate for estimate in self.estimates(view, seat, budget)}
        return [found.get(action, Estimate(action, 0.0, None, 0)) for action in actions]

    def _chances(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> list[float | None]:
        """The chance of each action as far as it was read; one that wins does not end the reading of others."""
        share = part_of(budget, 1 / len(legal))
        results = [int(self._results(view, seat, [action], share)[0]) for action in legal]
        return [None if result == UNREAD else result / WON for result in results]

    def _results(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> Options:
        """What each action comes to, as far as there is time to read."""
        actions, results = np.array(legal, np.int64), np.zeros(len(legal), np.int64)
        spend(part_of(budget, READING), partial(pair.read, view.records, seat, actions, results, self._reading))
        return results


def spend(budget: Budget, read: Callable[[int], bool]) -> bool:
    """Reads ever more positions until they are enough, or the budget is used up; tells whether they were enough."""
    if budget.seconds is None:
        return read(POSITIONS_PER_ITERATION * (budget.iterations or ITERATIONS))
    began, most = time.monotonic(), GLANCE
    end = began + budget.seconds
    while began < end:
        if read(most):
            return True
        now = time.monotonic()
        most = min(2 * most, 1 + int(most * max(end - now, 0.0) / (now - began)))
        began = now
    return False


def lies_open(view: State) -> bool:
    """Whether everything to come is known, and one's loss is the other's gain: in the last market of two."""
    return view.game.id == GAME.id and bool(view.record.seats == view.record.round_number == 2)


def best_results(legal: Sequence[int], results: Options) -> list[int]:
    """One that wins, or all that are not known to come to less than another."""
    if WON in results:
        return [legal[int(np.argmax(results))]]
    return [action for action, found in zip(legal, results.tolist(), strict=True) if found in (results.max(), UNREAD)]


def what_is_left(budget: Budget, began: float) -> Budget:
    """A budget less the time since then."""
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=max(LEAST * budget.seconds, budget.seconds - (time.monotonic() - began)))
