"""Actions of Kohoju tried in imagined deals: all of them in the same ones, with the same luck.

Who tries them plays on by its policy, the others as the heuristic would: that is how people and searches play, more nearly than
the policy does. What is clearly worse is left out, and at set times the worse half (sequential halving), so that most tries go to
what is close. What the policy thinks of an action counts like some tries of it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zashiki.bots.kohoju.guesses import NEXT, Chain, begin, go_on, new_chain
from zashiki.bots.kohoju.learned import guesses_of
from zashiki.bots.kohoju.luck import act, begin_turn
from zashiki.bots.kohoju.standing import is_fresh
from zashiki.bots.nodes import Desk, draw, list_legal, new_desk
from zashiki.bots.search import judge
from zashiki.bots.searcher import GLANCE, GLANCE_S
from zashiki.bots.sense import Weights, chapter, weigh, weigh_by_skill
from zashiki.bots.skills import skill_of
from zashiki.bots.tree import EDGE
from zashiki.core.contract import Options, to_act
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, scratch
from zashiki.core.layout import Record, Records
from zashiki.core.random import Words, roll_word
from zashiki.core.state import State
from zashiki.games.kohoju.rules import DRAW

Places = npt.NDArray[np.int64]

LIKELIER = 0.0016
"""The share of a victory by which an action seems worth more that the policy likes e times as much (fitted to playouts)."""
LEAST = 1e-6
"""Chances below this tell nothing more."""
ROUNDS = 5
"""How many turns everybody has when what was tried is played on."""
HELD = 60
"""The tries that the policy's word counts for."""
ENOUGH, FAR = 16, 3.0
"""After so many tries, and so many standard errors behind the best, an action is clearly worse."""
COLUMNS = 5
TRIES, WORTH, SQUARES, POINTS, LAST = range(COLUMNS)
"""What is kept of an action: its tries, what they came to, how far from the mean of their deals (squared), and the last."""


class Trial:
    """Some actions of one decision, and what their tries have come to."""

    def __init__(self, game: Game, view: State, seat: int, actions: Options, chances: Weights, rng: Words) -> None:
        seats = int(view.record.seats)
        self._views, self._seat, self._rng = view.records, seat, rng
        self.actions, self.chances, self.found = actions, chances, np.zeros((len(actions), COLUMNS))
        self._desk, self._guesses, self._chain = new_desk(game, skill_of(game, seats)), guesses_of(game, seats), new_chain()
        begin(self._views, seat, self._guesses, rng, self._chain)

    def go_on(self, among: Places, deals: int) -> None:
        """Tries these actions, by their places, in so many deals more."""
        try_alike(self._seat, self.actions, among, deals, self._chain, self._desk, self._guesses, self._rng, self.found)

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
        tries = self.found[among, TRIES]
        if tries[0] < ENOUGH:
            return among
        values, spread = self.values()[among], self.found[among, SQUARES] / tries
        best = int(values.argmax())
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
    seat: int, actions: Options, among: Options, deals: int, chain: Chain, desk: Desk, guesses: Weights, rng: Words,
    found: Weights,
) -> None:  # fmt: skip
    """Imagines so many deals, and in each tries every one of these actions, with the same luck."""
    imagined, state, fate = chain.states[0], desk.states[0], scratch(4, np.uint32)
    for _ in range(deals):
        go_on(NEXT * (int(imagined.seats) - 1) * len(among), guesses, rng, chain)
        luck, total = int(roll_word(rng)), 0.0
        for place in among:
            copy(imagined, state)
            begin_turn(state, luck, fate)
            act(state, int(actions[place]), fate)
            _play_on(state, seat, luck, chapter(imagined), desk, fate)
            judge(state, desk)
            found[place, WORTH] += desk.worth[seat]
            # A new deal has been dealt, but nobody has lost any points by it yet.
            found[place, POINTS] += state.totals[seat] if is_fresh(state) else desk.table[seat].sum()
            found[place, LAST] = desk.worth[seat]
            total += desk.worth[seat]
        for place in among:
            apart = found[place, LAST] - total / len(among)
            found[place, TRIES] += 1
            found[place, SQUARES] += apart * apart * len(among) / max(len(among) - 1, 1)


@rule
def _play_on(state: Record, root: int, luck: int, began: int, desk: Desk, fate: Words) -> None:
    """Goes on until everybody has had some turns, this one counted, or the deal that `began` has ended."""
    turns = ROUNDS * int(state.seats)
    while to_act(state) != 0 and chapter(state) == began:
        if state.phase == DRAW:
            turns -= 1
            if turns == 0:
                return
            begin_turn(state, luck, fate)
        act(state, _action_of(state, root, desk, fate), fate)


@rule
def _action_of(state: Record, root: int, desk: Desk, fate: Words) -> int:
    """The seat that tries goes by its policy; others do what a sensible person would, whom the heuristic knows."""
    seat = int(state.active)
    count = list_legal(state, seat, desk)
    actions, weights = desk.actions[:count], desk.weights[:count]
    if count == 1:
        return int(actions[0])
    if seat == root:
        weigh_by_skill(state, seat, actions, weights, desk.skill.policy)
    else:
        weigh(state, seat, actions, weights)
    return int(actions[draw(weights, count, weights.sum(), fate)])
