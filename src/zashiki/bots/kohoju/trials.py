"""Actions of Kohoju tried in imagined deals: all of them in the same ones, with the same luck, and played on by the policy.

What is clearly worse is left out, and at set times the worse half (sequential halving), so that most tries go to what is close.
What the policy thinks of an action counts like some tries of it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zashiki.bots.kohoju.guesses import NEXT, Chain, begin, go_on, new_chain
from zashiki.bots.kohoju.learned import guesses_of
from zashiki.bots.nodes import Desk, new_desk
from zashiki.bots.search import judge, play_out
from zashiki.bots.searcher import GLANCE, GLANCE_S
from zashiki.bots.sense import Weights, chapter
from zashiki.bots.skills import skill_of
from zashiki.bots.tree import EDGE
from zashiki.core.contract import Options, apply
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, scratch
from zashiki.core.layout import Records
from zashiki.core.random import Words, reseed, roll_word
from zashiki.core.state import State

Places = npt.NDArray[np.int64]

LIKELIER = 0.0016
"""The share of a victory by which an action seems worth more that the policy likes e times as much (fitted to playouts)."""
LEAST = 1e-6
"""Chances below this tell nothing more."""
HELD = 100
"""The tries that the policy's word counts for."""
ENOUGH, FAR = 64, 3.0
"""After so many tries, and so many standard errors behind the best, an action is clearly worse."""
TRIES, WORTH, SQUARES, POINTS = range(4)


class Trial:
    """Some actions of one decision, and what their tries have come to."""

    def __init__(self, game: Game, view: State, seat: int, actions: Options, chances: Weights, cut: int, rng: Words) -> None:
        seats = int(view.record.seats)
        self._views, self._seat, self._cut, self._rng = view.records, seat, cut, rng
        self.actions, self.chances, self.found = actions, chances, np.zeros((len(actions), 4))
        self._desk, self._guesses, self._chain = new_desk(game, skill_of(game, seats)), guesses_of(game, seats), new_chain()
        begin(self._views, seat, self._guesses, rng, self._chain)

    def go_on(self, among: Places, deals: int) -> None:
        """Tries these actions, by their places, in so many deals more."""
        try_alike(
            self._seat, self.actions, among, deals, self._chain, self._desk, self._guesses, self._rng, self._cut, self.found
        )

    def deals_more(self, among: Places, share: float, elapsed: float, seconds: float | None, iterations: int | None) -> int:
        """In how many deals these are tried before the clock is looked at; 0: this share of time or iterations is used up."""
        tries = int(self.found[:, TRIES].sum())
        deals = max(GLANCE // len(among), 1)
        if seconds is not None:
            left = min(share * seconds - elapsed, GLANCE_S)
            deals = max(int(tries / elapsed * left) // len(among), 1) if left > 0 else 0
        if iterations is not None:
            deals = min(deals, max(int(share * iterations) - tries, 0) // len(among))
        return deals

    def values(self) -> Weights:
        """What each action seems worth, by its tries and by the policy."""
        liked = LIKELIER * np.log(np.maximum(self.chances, LEAST))
        tries, worth = self.found[:, TRIES], self.found[:, WORTH]
        # What is liked is set off against what was tried, so that all tries together are worth what they came to.
        among = np.maximum(tries, LEAST) / np.maximum(tries, LEAST).sum()
        return np.asarray((worth + HELD * (worth.sum() / max(tries.sum(), 1) + liked - among @ liked)) / (tries + HELD))

    def still_good(self, among: Places) -> Places:
        """Those of these actions, tried alike, that are not clearly worse than the best."""
        tries, worth, squares = self.found[among, TRIES], self.found[among, WORTH], self.found[among, SQUARES]
        if tries[0] < ENOUGH:
            return among
        values = self.values()[among]
        best, spread = int(values.argmax()), np.maximum(squares / tries - (worth / tries) ** 2, 0)
        good: Places = among[values >= values[best] - FAR * np.sqrt((spread + spread[best]) / tries)]
        return good

    def better_half(self, among: Places) -> Places:
        """Those of these actions that seem worth most, half of them or one more."""
        order = np.argsort(-self.values()[among], kind="stable")
        return np.sort(among[order[: (len(among) + 1) // 2]])

    def edges(self) -> Records:
        """The actions as a search would tell of them."""
        edges = np.zeros(len(self.actions), EDGE)
        edges["action"], edges["prior"], edges["worth"] = self.actions, self.chances, np.clip(self.values(), 0, 1)
        edges["visits"], edges["points"] = self.found[:, TRIES], self.found[:, POINTS]
        return edges


@rule
def try_alike(
    seat: int, actions: Options, among: Options, deals: int, chain: Chain, desk: Desk, guesses: Weights, rng: Words, cut: int,
    found: Weights,
) -> None:  # fmt: skip
    """Imagines so many deals, and in each tries every one of these actions, with the same luck."""
    state, luck = desk.states[0], scratch(4, np.uint32)
    began = chapter(chain.states[0])
    for _ in range(deals):
        go_on(NEXT * (int(chain.states[0].seats) - 1) * len(among), guesses, rng, chain)
        for i in range(4):
            luck[i] = roll_word(rng)
        for place in among:
            for i in range(4):
                rng[i] = luck[i]
            copy(chain.states[0], state)
            reseed(state, rng)
            apply(state, seat, actions[place])
            play_out(state, began, desk, rng, cut)
            judge(state, desk)
            worth = desk.worth[seat]
            found[place, TRIES] += 1
            found[place, WORTH] += worth
            found[place, SQUARES] += worth * worth
            found[place, POINTS] += desk.table[seat].sum()
