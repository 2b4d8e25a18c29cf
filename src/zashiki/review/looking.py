"""Looking at the decisions of a match: each at first sight, then the doubtful ones, then the worst again and most closely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from zashiki.bots.asking import compare, hints
from zashiki.bots.bot import WAIT, Budget, Estimate
from zashiki.core.layout import CLOCK
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.review.effort import WORST, Effort, effort
from zashiki.review.report import Alternative, Decision, Grade
from zashiki.review.risk import is_riskier

LEAST = 0.02
"""A smaller difference is within what an estimate may be wrong by: nothing was lost."""
SLIP, BLUNDER = 0.05, 0.15
"""From how much lost on a decision is called so."""
DOUBT = 8
"""Tries that an action needs until half of its difference is believed."""
SHOWN = 4
"""How many alternatives are kept."""

Progress = Callable[[float], None]


@dataclass
class Look:
    """A decision and what is thought of it so far."""

    move: int
    seat: int
    view: State
    played: int
    estimates: list[Estimate] = field(default_factory=list)
    chance: float = 0.0
    lost: float = 0.0
    risky: bool = False

    @property
    def best(self) -> Estimate:
        """What the judge would do."""
        return self.estimates[0]

    @property
    def doubt(self) -> float:
        """How much closer a look it deserves: what seems lost, and everything where the action was hardly tried."""
        found = self._found()
        return 1.0 if found is None else self.best.chance - found.chance + 1 / (found.tries + 1)

    @property
    def settled(self) -> bool:
        """Whether nothing is left to compare."""
        return self.best.exact or self.best.action == self.played

    def _found(self) -> Estimate | None:
        return next((estimate for estimate in self.estimates if estimate.action == self.played), None)

    def look(self, iterations: int) -> None:
        """First sight of all actions."""
        distinct: dict[int, Estimate] = {}
        for estimate in hints(self.view, self.seat, Budget(iterations=iterations), seed=self.move):
            distinct.setdefault(estimate.action, estimate)
        self.estimates = list(distinct.values())
        if self.estimates:
            self._judge_at_sight()

    def _judge_at_sight(self) -> None:
        found, self.chance = self._found(), self.best.chance
        if found is None:
            return
        believed = 1.0 if found.exact else found.tries / (found.tries + DOUBT)
        self.lost = max(0.0, self.best.chance - found.chance) * believed

    def compare(self, each: int) -> None:
        """What was best beside what was played, both tried equally often."""
        found = compare(self.view, self.seat, [self.best.action, self.played], Budget(iterations=2 * each), seed=self.move)
        if len(found) < 2:
            return
        best, played = found
        self.estimates = [best, played, *(other for other in self.estimates if other.action not in (best.action, played.action))]
        self.chance = max(best.chance, played.chance)
        self.lost = self.chance - played.chance

    def weigh_risk(self) -> None:
        """Whether what was played for less might also have turned out otherwise more easily."""
        in_turn = not self.view.to_act() >> CLOCK & 1
        if in_turn and self.lost >= LEAST and self.best.action != self.played:
            self.risky = is_riskier(self.view, self.seat, self.played, self.best.action, seed=self.move)

    def decision(self) -> Decision:
        """What the review says of it."""
        lost = 0.0 if self.lost < LEAST else self.lost
        return Decision(
            move=self.move,
            seat=self.seat,
            played=self.played,
            best=_named(self.best.action),
            chance=round(self.chance, 4),
            lost=round(lost, 4),
            grade="best" if self.best.action == self.played else grade(lost),
            exact=self.best.exact,
            risky=self.risky,
            alternatives=self._alternatives(),
        )

    def _alternatives(self) -> list[Alternative]:
        shown = [each for place, each in enumerate(self.estimates) if place < SHOWN or each.action == self.played]
        return [Alternative(action=_named(each.action), chance=round(each.chance, 4)) for each in shown]


def grade(lost: float) -> Grade:
    """What a decision is called that was not the best one."""
    if lost >= BLUNDER:
        return "blunder"
    return "slip" if lost >= SLIP else "good"


def choices(match: Match) -> Iterator[Look]:
    """Every move of a match for which its player had a choice, with what the player knew."""
    for again in match.replay():
        move = len(again.history)
        if move == len(match.history):
            return
        seat, action = match.history[move]
        if seat == CLOCK:
            continue
        view = again.view(seat)
        if len(view.legal(seat)) > 1:
            yield Look(move, seat, view, action)


def decisions(match: Match, progress: Progress) -> list[Decision]:
    """All of them, judged."""
    found = list(choices(match))
    spent = effort(match.game.id, len(found))
    for place, look in enumerate(found):
        look.look(spent.first)
        progress((place + 1) / len(found) / 2)
    judged = [look for look in found if look.estimates]
    _look_closer(judged, spent, progress)
    return [look.decision() for look in judged]


def _look_closer(judged: list[Look], spent: Effort, progress: Progress) -> None:
    doubtful = sorted((look for look in judged if not look.settled), key=lambda look: -look.doubt)
    each = spent.each(len(doubtful))
    compared = doubtful[: spent.second // (2 * each)]
    for place, look in enumerate(compared):
        look.compare(each)
        progress(0.5 + 0.4 * (place + 1) / len(compared))
    for look in sorted((look for look in doubtful if look.lost >= LEAST), key=lambda look: -look.lost)[:WORST]:
        look.compare(spent.third)
    for look in doubtful:
        look.weigh_risk()
    progress(1.0)


def _named(action: int) -> int | None:
    return None if action == WAIT else action
