"""A bot that searches: it thinks as long as its budget lets it, and can tell what it thinks of each action."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from zashiki.bots.bot import Budget, Estimate
from zashiki.bots.nodes import is_mixed, new_desk
from zashiki.bots.search import search
from zashiki.bots.sense import Weights, heuristics
from zashiki.bots.tree import Tree, new_tree
from zashiki.core.game import Game
from zashiki.core.layout import Records
from zashiki.core.random import Words, roll_word, seed_roller
from zashiki.core.state import State

ITERATIONS = 1000
"""How long it thinks without a budget."""
NODES, EDGES_PER_NODE = 1 << 15, 16
"""Room in a tree; when it is used up, only what is known already is refined."""
GLANCE_S = 0.002
"""How long the search runs before the clock is looked at; the first time, one iteration."""
GLANCE = 128
"""The same in iterations, where no clock is looked at."""
RARE = 0.05
"""What a mixture plays more rarely than this is noise."""


class SearchBot:
    """Plays by searching. The same seed and number of iterations give the same play."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game
        sense = heuristics(game)
        self._cut: int = sense.CUT
        self._explore: float = sense.EXPLORE
        self._rng: Words = np.zeros(4, np.uint32)
        seed_roller(self._rng, seed)

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """The action tried most, or where all choose at once one drawn from the mixture found."""
        if len(legal) == 1:
            return legal[0]
        return self._pick(view, seat, self._think(view, seat, budget, hasty=True))

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action that was tried with what it seems worth, the one tried most first; none out of turn."""
        if not view.legal(seat):
            return []
        edges = self._think(view, seat, budget, hasty=False)
        order = np.lexsort((-edges["worth"], -edges["visits"]))
        return [
            Estimate(int(edge["action"]), float(edge["worth"]), float(edge["points"]) / int(edge["visits"]), int(edge["visits"]))
            for edge in edges[order]
            if edge["visits"]
        ]

    def compare(self, view: State, seat: int, actions: Sequence[int], budget: Budget) -> list[Estimate]:
        """Each of these actions tried as often as the others; where all choose at once, as often as the mixture plays them."""
        if is_mixed(view.records, seat):
            found = {estimate.action: estimate for estimate in self.estimates(view, seat, budget)}
            return [found.get(action, Estimate(action, 0.0, None, 0)) for action in actions]
        tries = max(1, (budget.iterations or ITERATIONS) // len(actions))
        return [self._try_alone(view, seat, action, tries) for action in actions]

    def _try_alone(self, view: State, seat: int, action: int, tries: int) -> Estimate:
        """What so many tries of one action, and none of the others, come to."""
        rng: Words = np.zeros(4, np.uint32)
        seed_roller(rng, roll_word(self._rng))
        tree, grow = self._plant(view, seat, min(NODES, tries + 2), rng)
        grow(1)
        root = tree.nodes[0]
        edges = tree.edges[root["first"] : root["first"] + root["count"]]
        # The first look has made the root; what it tried is forgotten, and only one action seems likely from here on.
        for field in ("visits", "worth", "points"):
            edges[field] = 0
        edges["prior"] = edges["action"] == action
        grow(tries)
        edge = edges[edges["action"] == action][0]
        return Estimate(action, float(edge["worth"]), self._points_of(edge), int(edge["visits"]))

    def _points_of(self, edge: Any) -> float | None:
        """The points that the tries of an action led to."""
        return float(edge["points"]) / int(edge["visits"])

    def _pick(self, view: State, seat: int, edges: Records) -> int:
        """What is played after all that was found at the root."""
        if not is_mixed(view.records, seat):
            return int(edges["action"][np.lexsort((edges["worth"], edges["visits"]))[-1]])
        chances = edges["strategy"].astype(np.float64) / edges["strategy"].sum()
        chances[chances < RARE] = 0
        return int(edges["action"][drawn(chances, self._rng)])

    def _plant(self, view: State, seat: int, nodes: int, rng: Words) -> tuple[Tree, Callable[[int], None]]:
        """An empty tree, and what makes it grow by so many iterations."""
        tree, desk = new_tree(nodes, nodes * EDGES_PER_NODE + self._game.rules.ACTIONS), new_desk(self._game)
        return tree, lambda count: search(view.records, seat, tree, desk, rng, count, self._cut, self._explore)

    def _is_sure(self, view: State, seat: int, edges: Records, left: int) -> bool:
        """Whether so many iterations more could not make another action the one tried most."""
        if is_mixed(view.records, seat):
            return False
        if len(edges) < 2:
            return True
        second, first = np.partition(edges["visits"], -2)[-2:]
        return bool(first - second > left)

    def _think(self, view: State, seat: int, budget: Budget, *, hasty: bool) -> Records:
        """The edges of the root, from all cores together. `hasty`: each may stop when its choice is sure."""
        share = None if budget.iterations is None else -(-budget.iterations // budget.cores)
        if budget.seconds is None and share is None:
            share = ITERATIONS
        think = partial(self._think_alone, view, seat, budget.seconds, share, hasty)
        seeds = [roll_word(self._rng) for _ in range(budget.cores)]
        if budget.cores == 1:
            return think(seeds[0])
        with ThreadPoolExecutor(budget.cores) as pool:
            return _together(list(pool.map(think, seeds)))

    def _think_alone(
        self, view: State, seat: int, seconds: float | None, iterations: int | None, hasty: bool, seed: int
    ) -> Records:
        """Searches on one core until the time or the iterations are used up, or, `hasty`, more could not change the choice."""
        began = time.monotonic()
        rng: Words = np.zeros(4, np.uint32)
        seed_roller(rng, seed)
        tree, grow = self._plant(view, seat, NODES if iterations is None else min(NODES, iterations + 1), rng)
        done, glance = 0, GLANCE if seconds is None else 1
        while True:
            glance = glance if iterations is None else min(glance, iterations - done)
            grow(glance)
            done += glance
            left = 1 << 62 if iterations is None else iterations - done
            if seconds is not None:
                elapsed = time.monotonic() - began
                rate = done / elapsed
                left = min(left, int(rate * (seconds - elapsed)))
                glance = max(1, int(rate * min(GLANCE_S, seconds - elapsed)))
            root = tree.nodes[0]
            edges = tree.edges[root["first"] : root["first"] + root["count"]]
            if left <= 0 or (hasty and self._is_sure(view, seat, edges, left)):
                return edges.copy()


def drawn(chances: Weights, rng: Words) -> int:
    """A place drawn in proportion to the chances."""
    place = np.searchsorted(np.cumsum(chances), roll_word(rng) / 2**32 * chances.sum(), side="right")
    return min(int(place), len(chances) - 1)


def _together(parts: list[Records]) -> Records:
    """The edges that several searches found from the same root, as if one had made all the tries."""
    whole = parts[0].copy()
    visits = sum(part["visits"] for part in parts)
    worth = sum(part["worth"].astype(np.float64) * part["visits"] for part in parts)
    whole["worth"] = worth / np.maximum(visits, 1)
    whole["visits"] = visits
    for name in ("points", "strategy"):
        whole[name] = sum(part[name] for part in parts)
    return whole
