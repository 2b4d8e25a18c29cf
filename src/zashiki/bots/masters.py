"""Bots that have learned: one plays by its policy alone, one searches with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zashiki.bots.bot import Budget, Estimate
from zashiki.bots.flock import at_once, look_ahead, new_flock, search
from zashiki.bots.foresight import can_be_finished, read_choices, search_as_foreseen
from zashiki.bots.network import add_sense, forward, new_sheet, read_policy, want
from zashiki.bots.nodes import MOST_SEATS, is_mixed, new_desk
from zashiki.bots.plain import weights_beside_heaviest, weights_by_skill
from zashiki.bots.searcher import SearchBot, drawn
from zashiki.bots.sense import Skill, Taste, Weights, heuristics
from zashiki.bots.skills import known_skill
from zashiki.bots.tree import Tree, new_tree
from zashiki.bots.weights import network_of
from zashiki.core.game import Game
from zashiki.core.layout import Records
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State

RARE = 0.03
"""What a policy plays more rarely than this is noise."""
REDEALS = 8
"""Deals in which the network alone looks at what an action leads to."""
TEMPERATURE = 0.05
"""The share of the victory by which an action must be better to be played e times as often as its policy says. A game may have
another of its own; where it is 0, the action tried most is played."""
TASTE = Taste(explore=0.9, learned=1.0, ease=1.0, trust=1.0, cut=0, sides=False)
"""How it searches where a game does not say."""
DOUBT = 4.0
"""Tries of an action that weigh as much as the belief that it is worth what the position is."""
NODES, EDGES_PER_NODE = 1 << 16, 16
"""Room in a tree; nodes here have come further than those of a search that plays out, and have all their actions."""
PLAYING_OUT = 0.3
"""The share of a hint's time that goes into playing out, for the points to expect: a network knows of victories alone."""
STRAY = 0.5
"""How far the mean of N tries may still stray, times √N: a share of the victory deviates by no more than this."""


class FastMasterBot:
    """Plays by its policy alone: an action drawn as a network has learned to, or what a skill likes best."""

    def __init__(self, game: Game, seed: int) -> None:
        heuristics(game)
        self._game, self._network = game, network_of(game)
        self._known: Skill | None = None
        self._rng: Words = np.zeros(4, np.uint32)
        seed_roller(self._rng, seed)

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of them, as often as the policy says; by a skill always the likeliest, but where a mixture is to be played."""
        if len(legal) == 1:
            return legal[0]
        chances = self.policy(view, seat, legal)
        if len(self._skill(view).policy) > 0 and not is_mixed(view.records, seat):
            return legal[int(np.argmax(chances))]
        return legal[drawn(without_noise(chances), self._rng)]

    def policy(self, view: State, seat: int, legal: Sequence[int]) -> Weights:
        """How likely each of the legal actions is."""
        skill = self._skill(view)
        if len(skill.policy) > 0:
            return weights_by_skill(view, seat, legal, skill)
        sheet, actions, chances = new_sheet(self._network, 1), np.array(legal, np.int64), np.zeros(len(legal))
        sheet.observations[0] = view.observe(seat)
        want(sheet, 0, actions, len(legal))
        forward(self._network, sheet, 1)
        read_policy(sheet, 0, actions, len(legal), chances)
        if sheet.sense > 0:
            add_sense(sheet, weights_beside_heaviest(view, seat, legal), len(legal), chances)
        return chances

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action with its chance when the seat decides again, the best first; none out of turn."""
        legal = view.legal(seat)
        if not legal:
            return []
        flock, chances = new_flock(self._game, self._network, self._skill(view)), np.zeros(len(legal))
        look_ahead(view.records, seat, np.array(legal, np.int64), REDEALS, flock, self._network, self._rng, chances)
        found = [Estimate(action, float(chance), None, REDEALS) for action, chance in zip(legal, chances, strict=True)]
        return sorted(found, key=lambda estimate: -estimate.chance)

    def _skill(self, view: State) -> Skill:
        """What it plays by in this match, which is the only one it sits in."""
        if self._known is None:
            self._known = known_skill(self._game, view.record)
        return self._known


class Onlooker(SearchBot):
    """Searches as if it were somebody else, and tells what all who choose at the same time would choose."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._trees: list[Tree] = []

    def tell(self, state: State, seat: int, chances: Weights) -> None:
        """Adds to the chances what was found from the side of a seat in a state."""
        for tree in self._trees:
            read_choices(state.copy().records, seat, tree, new_desk(self._game), chances)

    def _plant(self, view: State, seat: int, nodes: int, rng: Words) -> tuple[Tree, Callable[[int], None]]:
        tree, grow = super()._plant(view, seat, nodes, rng)
        self._trees.append(tree)
        return tree, grow


class MasterBot(SearchBot):
    """Searches with its network, and plays its policy improved by what it found, or what it tried most where a game says so."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._network = network_of(game)
        self._temperature: float = getattr(heuristics(game), "TEMPERATURE", TEMPERATURE)
        self._taste: Taste = getattr(heuristics(game), "TASTE", TASTE)
        self._foreseen: Weights = np.zeros((MOST_SEATS, game.rules.ACTIONS))

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action that was tried with what it seems worth, what it would play most first; none out of turn."""
        if not view.legal(seat):
            return []
        points = self._points(view, seat, budget)
        share = budget if budget.seconds is None else replace(budget, seconds=(1 - PLAYING_OUT) * budget.seconds)
        edges = self._think(view, seat, share, hasty=False)
        if self._is_settled(view, seat):
            order = np.lexsort((edges["worth"], edges["visits"]))[::-1]
        else:
            order = np.argsort(-self._liking(edges), kind="stable")
        return [
            Estimate(int(edge["action"]), float(edge["worth"]), points.get(int(edge["action"])), int(edge["visits"]))
            for edge in edges[order]
            if edge["visits"]
        ]

    def _points(self, view: State, seat: int, budget: Budget) -> dict[int, float | None]:
        """The points to expect after each action, from a search that plays out."""
        share = budget if budget.seconds is None else replace(budget, seconds=PLAYING_OUT * budget.seconds)
        found = SearchBot(self._game, int(self._rng[0])).estimates(view, seat, share)
        return {estimate.action: estimate.points for estimate in found}

    def _points_of(self, edge: Any) -> float | None:
        return None

    def _pick(self, view: State, seat: int, edges: Records) -> int:
        if self._is_settled(view, seat):
            return super()._pick(view, seat, edges)
        return int(edges["action"][drawn(without_noise(self._liking(edges)), self._rng)])

    def _liking(self, edges: Records, worth: Weights | None = None) -> Weights:
        """How often each action of a root would be played, where they are drawn."""
        return improved(edges, self._temperature or TEMPERATURE, worth)

    def _is_settled(self, view: State, seat: int) -> bool:
        """Whether one action is played, the one tried most: where nobody chooses at the same time, in games that say so."""
        return self._temperature == 0 and not is_mixed(view.records, seat)

    def compare(self, view: State, seat: int, actions: Sequence[int], budget: Budget) -> list[Estimate]:
        """The same after a thought about what others will do."""
        return super().compare(view, seat, actions, self._foresee(view, seat, budget))

    def _think(self, view: State, seat: int, budget: Budget, *, hasty: bool) -> Records:
        return super()._think(view, seat, self._foresee(view, seat, budget), hasty=hasty)

    def _foresee(self, view: State, seat: int, budget: Budget) -> Budget:
        """Finds out what those will do who choose at the same time, by a search as each of them sees it; tells what is left."""
        self._foreseen[:] = 0
        share, state = self._taste.foresee, State(self._game)
        others = at_once(view.records, seat, state.records, self._rng) if share > 0 else 0
        if not others:
            return budget
        for other in range(MOST_SEATS):
            if others >> other & 1:
                bot = Onlooker(self._game, int(self._rng[0]))
                bot._think(state.view(other), other, part_of(budget, share / others.bit_count()), hasty=False)
                bot.tell(state, other, self._foreseen)
        self._foreseen[seat] = 0
        self._foreseen /= np.maximum(self._foreseen.sum(1, keepdims=True), 1)
        return part_of(budget, 1 - share)

    def _plant(self, view: State, seat: int, nodes: int, rng: Words) -> tuple[Tree, Callable[[int], None]]:
        if self._taste.finish and can_be_finished(view.records, seat, new_desk(self._game), rng, self._cut):
            return self._plant_the_end(view, seat, nodes, rng)
        nodes = min(NODES, 8 * nodes)
        skill = known_skill(self._game, view.record)
        tree = new_tree(nodes, nodes * EDGES_PER_NODE + self._game.rules.ACTIONS)
        flock = new_flock(self._game, self._network, skill)
        flock.foreseen[:] = self._foreseen
        return tree, lambda count: search(view.records, seat, tree, flock, self._network, rng, count, self._taste)

    def _plant_the_end(self, view: State, seat: int, nodes: int, rng: Words) -> tuple[Tree, Callable[[int], None]]:
        """A tree that grows by playing out, others doing what was foreseen."""
        (tree, _), desk, foreseen = super()._plant(view, seat, nodes, rng), new_desk(self._game), self._foreseen.copy()
        cut, explore = self._cut, self._explore
        return tree, lambda count: search_as_foreseen(view.records, seat, foreseen, tree, desk, rng, count, cut, explore)

    def _is_sure(self, view: State, seat: int, edges: Records, left: int) -> bool:
        """Whether one action would be the only one to draw even if the rest of the tries went against it and for all others."""
        if self._is_settled(view, seat):
            return super()._is_sure(view, seat, edges, left)
        if len(edges) < 2:
            return True
        tried = np.maximum(edges["visits"], 1)
        swing = np.minimum(left / (tried + left), STRAY / np.sqrt(tried))
        best = int(np.argmax(self._liking(edges)))
        swing[best] = -swing[best]
        doubted = np.clip(edges["worth"] + swing, 0, 1)
        return bool(self._liking(edges, doubted)[best] > 1 - RARE)


def part_of(budget: Budget, share: float) -> Budget:
    """A share of a budget."""
    seconds = None if budget.seconds is None else share * budget.seconds
    iterations = None if budget.iterations is None else max(1, round(share * budget.iterations))
    return replace(budget, seconds=seconds, iterations=iterations)


def improved(edges: Records, temperature: float, worth: Weights | None = None) -> Weights:
    """The policy at a root times exp(worth / temperature): never worse than the policy by more than the worths err.

    An action with few tries is believed to be worth about what the position is.
    """
    tries = edges["visits"].astype(np.float64)
    mean = float((tries * edges["worth"]).sum() / max(tries.sum(), 1))
    found = edges["worth"] if worth is None else worth
    gain = tries * (found - mean) / (tries + DOUBT) / temperature
    raised = edges["prior"] * np.exp(gain - gain.max())
    return np.asarray(raised / raised.sum(), np.float64)


def without_noise(chances: Weights) -> Weights:
    """The same without what is rare; where everything is, without what is rare beside the likeliest."""
    return np.where(chances < min(RARE, chances.max() / 2), 0.0, chances)
