"""The player of Hanamikoji that searches, and solves the last turns of a round."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from zashiki.bots.bot import Budget, Estimate
from zashiki.bots.hanamikoji import beliefs, endgame
from zashiki.bots.hanamikoji.beliefs import HOLDING, Counts, Holdings
from zashiki.bots.hanamikoji.endgame import Subgame
from zashiki.bots.masters import MasterBot
from zashiki.bots.nodes import new_desk
from zashiki.bots.searcher import SearchBot, drawn
from zashiki.core.random import Words, roll_word
from zashiki.core.state import State
from zashiki.games.hanamikoji import GAME
from zashiki.games.hanamikoji.rules import GEISHA

FROM_TURN = 6
"""The turn from which on a round is solved rather than searched."""
NODES = 400_000
"""The largest subgame that is laid out; a larger one is thinned out to this."""
HOLDINGS = 100_000
"""More than can be held in any position from that turn on; 61,563 is the most that was seen."""
FEWEST = 4
"""With fewer holdings than this for either player a subgame is not worth solving."""
NODES_PER_ITERATION = 1000
"""The same where the budget is in iterations."""
ROUNDS = 120
"""Rounds of regret matching; more make no difference that shows."""
SEARCHING = 0.3
"""The share of a hint's time that goes into a search for the points to expect, where the chances are solved."""
LAYING = 0.5
"""The share of the time that laying out may take."""
RARE = 0.03
"""What a mixture plays more rarely than this is noise."""


@dataclass(frozen=True)
class Solution:
    """What each action at the root is played, and the chance to win it leads to. `whole`: nothing had to be thinned out."""

    actions: list[int]
    mixture: list[float]
    chances: list[float]
    whole: bool
    game: Subgame


class HanamikojiBot(SearchBot):
    """Searches, and from the sixth turn on plays the mixture that solves the rest of the round."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """An action drawn from the solution, where there is one."""
        if len(legal) == 1:
            return legal[0]
        began = time.monotonic()
        solution = solve(view, seat, budget, self._rng)
        if solution is None:
            return super().choose(view, seat, legal, _what_is_left(budget, began))
        mixture = np.array(solution.mixture)
        mixture[mixture < RARE] = 0
        return solution.actions[drawn(mixture, self._rng)]

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action with its chance; exact where the rest of the round is solved."""
        began = time.monotonic()
        share = budget if not _is_late(view) or budget.seconds is None else replace(budget, seconds=SEARCHING * budget.seconds)
        searched = super().estimates(view, seat, share)
        solution = None if len(view.legal(seat)) < 2 else solve(view, seat, _what_is_left(budget, began), self._rng)
        if solution is None:
            return searched
        untried = Estimate(-1, 0.0, None, 0)
        tried = {estimate.action: estimate for estimate in searched}
        found = zip(solution.actions, solution.chances, strict=True)
        exact = [
            replace(tried.get(action, untried), action=action, chance=chance, exact=solution.whole) for action, chance in found
        ]
        return sorted(exact, key=lambda estimate: -estimate.chance)

    def compare(self, view: State, seat: int, actions: Sequence[int], budget: Budget) -> list[Estimate]:
        """What the solution says of them, where there is one."""
        if not _is_late(view):
            return super().compare(view, seat, actions, budget)
        found = {estimate.action: estimate for estimate in self.estimates(view, seat, budget)}
        return [found.get(action, Estimate(action, 0.0, None, 0)) for action in actions]


class HanamikojiMaster(HanamikojiBot, MasterBot):
    """Does the same with the search of a master."""


def _is_late(view: State) -> bool:
    """Whether a round can be solved; in another game there is none, and it only searches."""
    return view.game.id == GAME.id and int(view.record.turn_number) >= FROM_TURN


def _what_is_left(budget: Budget, began: float) -> Budget:
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=max(0.01, budget.seconds - (time.monotonic() - began)))


def solve(view: State, seat: int, budget: Budget, rng: Words) -> Solution | None:
    """The rest of the round solved within the budget, or None where it is too early or too large for that."""
    began = time.monotonic()
    if not _is_late(view):
        return None
    end = None if budget.seconds is None else began + budget.seconds
    most = ROUNDS if budget.iterations is None else min(ROUNDS, budget.iterations)
    nodes = NODES if budget.iterations is None else min(NODES, NODES_PER_ITERATION * budget.iterations)
    laid = _lay_out(view, seat, rng, nodes, None if end is None else began + LAYING * (end - began))
    if laid is None:
        return None
    game, whole = laid
    rounds, slowest = 0, 0.0
    while rounds < most and (end is None or time.monotonic() + 2 * slowest < end):
        glance = time.monotonic()
        endgame.solve(game, rounds, 1)
        rounds += 1
        slowest = max(slowest, time.monotonic() - glance)
    endgame.settle(game)
    return _read(game, view, seat, whole)


def _lay_out(view: State, seat: int, rng: Words, nodes: int, end: float | None) -> tuple[Subgame, bool] | None:
    """The subgame of as many holdings as there is room and time for; whether these are all."""
    closed, own, rest = np.zeros(GEISHA, np.int64), np.zeros(HOLDING, np.int64), np.zeros(GEISHA, np.int64)
    beliefs.count_closed(view.record, closed)
    beliefs.holding_of(view.record, seat, own)
    beliefs.ways_to_draw(own, closed, rest)
    mine, theirs = _own_first(own, _holdings(view, seat, closed), rng), _holdings(view, 1 - seat, rest)
    game, base = endgame.new_subgame(nodes), view.redealt(seat, rng)
    lay = partial(_lay_out_one, game, base, seat, closed=closed)
    if not lay(own, theirs[:1]):
        return None
    room = nodes / int(game.used[0])
    endgame.clear(game)
    small = len(mine) * len(theirs) <= room
    theirs = _holdings(view, 1 - seat, closed) if small else _thinned(theirs, max(FEWEST, int(room**0.5)), rng)
    count = 0
    for holding in mine:
        laid = int(game.used[0])
        if (end is not None and time.monotonic() > end) or not lay(holding, theirs):
            game.used[0] = laid
            break
        count += 1
    return (game, small and count == len(mine)) if count >= min(FEWEST, len(mine)) else None


def _lay_out_one(game: Subgame, base: State, seat: int, holding: Counts, theirs: Holdings, *, closed: Counts) -> bool:
    """Every deal in which this is held here and one of those there; False: there is no room."""
    states = GAME.rules.STATE.new(endgame.DEEPEST + 1)
    return endgame.lay_out(base.records, seat, holding, theirs, closed, game, new_desk(GAME), states)


def _holdings(view: State, seat: int, closed: Counts) -> Holdings:
    holdings = np.zeros((HOLDINGS, HOLDING), np.int64)
    return holdings[: beliefs.list_holdings(view.record, seat, closed, holdings)]


def _own_first(own: Counts, holdings: Holdings, rng: Words) -> Holdings:
    """All of them, the one really held first, the others in any order."""
    others = holdings[(holdings != own).any(1)]
    return np.concatenate([own[None], _thinned(others, len(others), rng)])


def _thinned(holdings: Holdings, count: int, rng: Words) -> Holdings:
    """So many of them, drawn at random."""
    order = np.random.default_rng(roll_word(rng)).permutation(len(holdings))
    return holdings[order[:count]]


def _read(game: Subgame, view: State, seat: int, whole: bool) -> Solution | None:
    """The solution at the root, among all that the player might have held, for what it holds."""
    actions = view.legal(seat)
    slots = endgame.slots_of(game, view.records, seat, new_desk(GAME))
    if len(slots) != len(actions):
        return None
    worth = endgame.worth_of_slots(game, slots)
    chances = worth if seat == 0 else 1 - worth
    return Solution(actions, game.strategy[slots].tolist(), chances.tolist(), whole, game)
