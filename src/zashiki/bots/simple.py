"""A simple bot for every game: it tries each action in redealt matches played on at random, and takes the best.

It knows no game: what it knows it learns from the contract. Stronger ones are to come; this one is sensible company.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from zashiki.core.contract import Options, Table, apply, redeal, scores
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, ones
from zashiki.core.layout import Record, Records
from zashiki.core.masks import Mask, words_for
from zashiki.core.play import play_on
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State

HORIZON = 80
"""Decisions a trial is played on before the points are compared."""
WAIT = -1
"""Stands for doing nothing, where nobody must act."""
LEAD = 6.0
"""The lead in points that is worth about three chances in four."""


@dataclass(frozen=True)
class Estimate:
    """An action's number and the share of the victory it seems worth."""

    action: int
    worth: float


class SimpleBot:
    """Plays by trying. `seconds` bounds the time for one decision; the same seed and `trials` give the same play."""

    def __init__(self, seed: int = 0, seconds: float = 0.2, trials: int | None = None) -> None:
        self.seconds = seconds
        self.trials = trials
        self._rng: Words = np.zeros(4, np.uint32)
        seed_roller(self._rng, seed)

    def choose(self, view: State, seat: int) -> int:
        """The number of the action it takes."""
        return self.estimates(view, seat)[0].action

    def estimates(self, view: State, seat: int, *, may_wait: bool = False) -> list[Estimate]:
        """Every legal action with what it seems worth, the best first; WAIT among them where nobody must act."""
        actions = np.array([WAIT] * may_wait + view.legal(seat), np.int64)
        if len(actions) == 1 and self.trials is None:
            return [Estimate(int(actions[0]), float("nan"))]
        worth = np.zeros(len(actions))
        done = self._try(view, seat, actions, worth)
        order = np.argsort(-worth, kind="stable")
        return [Estimate(int(actions[i]), float(worth[i]) / done) for i in order]

    def _try(self, view: State, seat: int, actions: Options, worth: Any) -> int:
        rules = view.game.rules
        states = rules.STATE.new(2)
        mask = np.zeros(words_for(rules.ACTIONS), np.uint32)
        table = np.zeros((int(view.record.seats), len(rules.PARTS)), np.int32)
        deadline = time.monotonic() + self.seconds
        done = 0
        while done == 0 or (done < self.trials if self.trials else time.monotonic() < deadline):
            _try_each(view.records, seat, actions, self._rng, states, mask, table, worth)
            done += 1
        return done


@rule
def _try_each(
    views: Records, seat: int, actions: Options, rng: Words, states: Records, mask: Mask, table: Table, worth: Any
) -> None:
    """Redeals once and tries every action in that same deal."""
    redeal(views[0], seat, rng, states[0])
    for i in range(len(actions)):
        copy(states[0], states[1])
        if actions[i] != WAIT:
            apply(states[1], seat, actions[i])
        play_on(states[1], rng, mask, HORIZON)
        worth[i] += _worth(states[1], seat, table)


@rule
def _worth(state: Record, seat: int, table: Table) -> float:
    winners = int(state.winners)
    if winners != 0:
        return ((winners >> seat) & 1) / ones(winners)
    scores(state, table)
    best = -1_000_000
    for other in range(int(state.seats)):
        if other != seat:
            best = max(best, table[other].sum())
    return 1 / (1 + exp((best - table[seat].sum()) / LEAD))
