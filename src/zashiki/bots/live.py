"""Bots where anybody may act at any time: how fast they react, and how a bot that takes turns plays there.

A bot looks at the table whenever it has visibly changed, decides on what it saw then, and acts no sooner than after its reaction
time. How a game's live view is turned into the same decision in turns, and the answer back, is in `bots/heuristics/<game>_live`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from math import log
from typing import Protocol

from zashiki.bots.bot import WAIT, Bot, Budget, Estimate, Judge
from zashiki.core.game import Game
from zashiki.core.state import State

FLOOR_MS = 180
"""Nobody sees, decides and acts faster."""
THINK_S = 0.15
"""The longest a bot thinks here: less than it takes anybody to react."""


@dataclass(frozen=True)
class Reaction:
    """How long somebody takes from seeing to acting: the floor, and beyond it log-normal, half the time up to the median."""

    median_ms: int
    spread: float

    def draw(self, chance: random.Random) -> int:
        """One reaction."""
        return FLOOR_MS + round(chance.lognormvariate(log(self.median_ms - FLOOR_MS), self.spread))


REACTIONS = {
    "beginner": Reaction(1200, 0.4),
    "club": Reaction(750, 0.4),
    "expert": Reaction(450, 0.4),
    "master": Reaction(400, 0.4),
}
"""The visible list: one for each level."""


def reaction_ms(level: str, chance: random.Random) -> int:
    """How long a bot of this level takes this time; one of a level that is no more is as slow as a beginner."""
    return REACTIONS.get(level, REACTIONS["beginner"]).draw(chance)


class Translation(Protocol):
    """What a game with a live pace provides: its decisions in turns, and their answers in live."""

    def evenly(self, legal: Sequence[int]) -> Sequence[int]:
        """Actions of which any is as good as another and must be drawn evenly; none where something is to be decided."""
        ...

    def in_turns(self, view: State, seat: int) -> State:
        """The same decision as the seat's view of a match in turns."""
        ...

    def in_live(self, view: State, seat: int, legal: Sequence[int], answer: int | None) -> int:
        """What the answer of the bot in turns is here; None: there was nothing to decide."""
        ...


class LiveBot:
    """Lets a bot that takes turns play where nobody must act. WAIT is first among its legal actions."""

    def __init__(self, game: Game, bot: Bot, seed: int) -> None:
        self._bot = bot
        self._chance = random.Random(seed)
        self._game = game

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """What the bot answers in turns, as far as it can be done now; else WAIT."""
        translation = _translation(self._game)
        alike = translation.evenly(legal)
        if alike:
            return self._chance.choice(alike)
        asked = translation.in_turns(view, seat)
        answers = asked.legal(seat)
        answer = self._bot.choose(asked, seat, answers, _brief(budget)) if len(answers) > 1 else None
        return translation.in_live(view, seat, legal, answer)


def hints_in_live(view: State, seat: int, judge: Judge, budget: Budget) -> list[Estimate]:
    """What a judge of decisions in turns thinks of those here, WAIT among them; nothing where all are alike."""
    translation, legal = _translation(view.game), [WAIT, *view.legal(seat)]
    if translation.evenly(legal):
        return []
    asked = translation.in_turns(view, seat)
    if len(asked.legal(seat)) < 2:
        return []
    found = judge.estimates(asked, seat, budget)
    return [replace(estimate, action=translation.in_live(view, seat, legal, estimate.action)) for estimate in found]


def _translation(game: Game) -> Translation:
    found: Translation = import_module(f"zashiki.bots.heuristics.{game.id}_live")
    return found


def _brief(budget: Budget) -> Budget:
    return replace(budget, seconds=min(THINK_S, budget.seconds or THINK_S))
