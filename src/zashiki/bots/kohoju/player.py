"""Kohoju's master: actions tried in deals that are imagined as players keep their hands; and its policy alone."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from zashiki.bots.bot import Budget, Estimate
from zashiki.bots.kohoju.trials import Places, Trial
from zashiki.bots.plain import weights_by_skill
from zashiki.bots.searcher import ITERATIONS, SearchBot
from zashiki.bots.sense import Weights, heuristics
from zashiki.bots.skills import skill_of
from zashiki.core.game import Game
from zashiki.core.layout import Records
from zashiki.core.random import Words, roll_word, seed_roller
from zashiki.core.state import State

MOST = 8
"""How many actions are tried: those the policy likes best."""
QUICK = 400
"""Tries in all, by which the policy alone judges actions."""


class KohojuMaster(SearchBot):
    """Tries what its policy likes; how it plays on, what it hopes for and what it thinks others hold it has learned."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._policy = KohojuFastMaster(game, seed)

    def compare(self, view: State, seat: int, actions: Sequence[int], budget: Budget) -> list[Estimate]:
        """Each of these actions tried in the same deals."""
        trial = self._trial(view, seat, sorted(actions), roll_word(self._rng))
        trial.go_on(np.arange(len(actions)), max(1, (budget.iterations or ITERATIONS) // len(actions)))
        found = {
            int(edge["action"]): Estimate(int(edge["action"]), float(edge["worth"]), self._points_of(edge), int(edge["visits"]))
            for edge in trial.edges()
        }
        return [found[action] for action in actions]

    def _pick(self, view: State, seat: int, edges: Records) -> int:
        """The action tried most; of those tried alike what seems worth most, and of those what the policy likes best."""
        return int(edges["action"][np.lexsort((edges["prior"], edges["worth"], edges["visits"]))[-1]])

    def _think_alone(
        self, view: State, seat: int, seconds: float | None, iterations: int | None, hasty: bool, seed: int
    ) -> Records:
        """Tries actions until the time or the iterations are used up, or, `hasty`, all but one are clearly worse."""
        began = time.monotonic()
        most = MOST if iterations is None else min(MOST, max(iterations // 2, 1))
        trial = self._trial(view, seat, self._likeliest(view, seat, most), seed)
        among: Places = np.arange(len(trial.actions))
        rounds = max((len(among) - 1).bit_length(), 1)
        for number in range(1, rounds + 1):
            deals = 1
            while deals > 0:
                trial.go_on(among, deals)
                among = trial.still_good(among)
                if hasty and len(among) == 1:
                    return trial.edges()
                deals = trial.deals_more(among, number / rounds, time.monotonic() - began, seconds, iterations)
            among = trial.better_half(among)
        return trial.edges()

    def _likeliest(self, view: State, seat: int, most: int) -> list[int]:
        """The actions that the policy likes best, in order of their numbers."""
        legal = view.legal(seat)
        chances = self._policy.policy(view, seat, legal)
        return sorted(legal[place] for place in np.argsort(-chances, kind="stable")[: max(most, 1)])

    def _trial(self, view: State, seat: int, actions: Sequence[int], seed: int) -> Trial:
        rng: Words = np.zeros(4, np.uint32)
        seed_roller(rng, seed)
        chances = self._policy.policy(view, seat, actions)
        return Trial(self._game, view, seat, np.array(actions, np.int64), chances, rng)


class KohojuFastMaster:
    """Plays by its policy alone: the action it likes best."""

    def __init__(self, game: Game, seed: int) -> None:
        heuristics(game)
        self._game, self._seed = game, seed

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """The likeliest."""
        return legal[int(np.argmax(self.policy(view, seat, legal)))]

    def policy(self, view: State, seat: int, legal: Sequence[int]) -> Weights:
        """How likely each of the legal actions is."""
        return weights_by_skill(view, seat, legal, skill_of(self._game, int(view.record.seats)))

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Every legal action that a short trial has tried, the one tried most first; none out of turn."""
        return KohojuMaster(self._game, self._seed).estimates(view, seat, Budget(iterations=QUICK))
