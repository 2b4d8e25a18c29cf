"""The player of Hanamikoji that searches, and solves the last turns of a round."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zashiki.bots.bot import Budget, Estimate
from zashiki.bots.hanamikoji import beliefs, endgame
from zashiki.bots.hanamikoji.beliefs import HOLDING, Counts, Holdings
from zashiki.bots.hanamikoji.endgame import Floats, Subgame
from zashiki.bots.search import new_desk
from zashiki.bots.searcher import SearchBot
from zashiki.core.random import Words, roll_word
from zashiki.core.state import State
from zashiki.games.hanamikoji import GAME
from zashiki.games.hanamikoji.rules import GEISHA

FROM_TURN = 6
"""The turn from which on a round is solved rather than searched."""
NODES = 400_000
"""The largest subgame that is laid out; a larger one is thinned out to this."""
FEWEST = 4
"""With fewer holdings than this for either player a subgame is not worth solving."""
ROUNDS = 120
"""Rounds of regret matching; more make no difference that shows."""
GLANCE = 5
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
        solution = solve(view, seat, budget, self._rng)
        if solution is None:
            return super().choose(view, seat, legal, budget)
        mixture = np.array(solution.mixture)
        mixture[mixture < RARE] = 0
        drawn = np.searchsorted(np.cumsum(mixture), roll_word(self._rng) / 2**32 * mixture.sum(), side="right")
        return solution.actions[min(int(drawn), len(mixture) - 1)]

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action with its chance; exact where the rest of the round is solved."""
        searched = super().estimates(view, seat, budget)
        solution = solve(view, seat, budget, self._rng)
        if solution is None:
            return searched
        points = {estimate.action: estimate.points for estimate in searched}
        found = zip(solution.actions, solution.chances, strict=True)
        exact = [Estimate(action, chance, points.get(action, float("nan"))) for action, chance in found]
        return sorted(exact, key=lambda estimate: -estimate.chance)


def solve(view: State, seat: int, budget: Budget, rng: Words, nodes: int = NODES) -> Solution | None:
    """The rest of the round solved within the budget, or None where it is too large or too small for that."""
    began = time.monotonic()
    if int(view.record.turn_number) < FROM_TURN:
        return None
    laid = _lay_out(view, seat, rng, nodes)
    if laid is None:
        return None
    game, whole = laid
    rounds = 0
    while rounds < ROUNDS and (budget.seconds is None or time.monotonic() - began < 0.9 * budget.seconds):
        endgame.solve(game, rounds, GLANCE)
        rounds += GLANCE
    endgame.settle(game)
    return _read(game, view, seat, whole)


def _lay_out(view: State, seat: int, rng: Words, nodes: int) -> tuple[Subgame, bool] | None:
    """The subgame of as many holdings as there is room for; whether these are all."""
    record = view.record
    closed, own, rest = np.zeros(GEISHA, np.int64), np.zeros(HOLDING, np.int64), np.zeros(GEISHA, np.int64)
    beliefs.count_closed(record, closed)
    beliefs.holding_of(record, seat, own)
    beliefs.ways_to_draw(own, closed, rest)
    mine, theirs = _holdings(view, seat, closed), _holdings(view, 1 - seat, closed)
    fitting = _holdings(view, 1 - seat, rest)
    base = view.redealt(seat, rng)
    one = _laid(base, seat, own[None], fitting[:1], closed, nodes)
    if one is None:
        return None
    deals = nodes / max(1, int(one.used[0]))
    if len(mine) * len(fitting) <= deals:
        whole = _laid(base, seat, mine, theirs, closed, nodes)
        if whole is not None:
            return whole, True
    while deals >= FEWEST * FEWEST:
        count = min(len(fitting), max(FEWEST, int(deals**0.5)))
        some = _thinned(fitting, count, rng)
        others = _thinned(mine, min(len(mine), max(FEWEST, int(deals / count))), rng)
        game = _laid(base, seat, np.unique(np.concatenate([own[None], others]), axis=0), some, closed, nodes)
        if game is not None:
            return game, False
        deals /= 2
    return None


def _holdings(view: State, seat: int, closed: Counts) -> Holdings:
    holdings = np.zeros((20_000, HOLDING), np.int64)
    return holdings[: beliefs.list_holdings(view.record, seat, closed, holdings)]


def _thinned(holdings: Holdings, count: int, rng: Words) -> Holdings:
    """So many of them, drawn at random."""
    order = np.argsort([roll_word(rng) for _ in holdings], kind="stable")
    return holdings[order[:count]]


def _laid(base: State, seat: int, mine: Holdings, theirs: Holdings, closed: Counts, nodes: int) -> Subgame | None:
    game = endgame.new_subgame(nodes)
    tastes: Floats = np.array([beliefs.taste_of(base.record, holding) for holding in (*mine, *theirs)])
    states = GAME.rules.STATE.new(endgame.DEEPEST + 1)
    laid = endgame.lay_out(base.records, seat, mine, theirs, tastes, closed, game, new_desk(GAME), states)
    return game if laid else None


def _read(game: Subgame, view: State, seat: int, whole: bool) -> Solution | None:
    """The solution at the root, among all that the player might have held, for what it holds."""
    actions = view.legal(seat)
    slots = endgame.slots_of(game, view.records, seat, new_desk(GAME))
    if len(slots) != len(actions):
        return None
    worth = endgame.worth_of_slots(game, slots)
    chances = worth if seat == 0 else 1 - worth
    return Solution(actions, game.strategy[slots].tolist(), chances.tolist(), whole, game)
