"""Advice for whoever may have it: what the strongest level thinks of the own seat's actions, and a warning before a blunder."""

from __future__ import annotations

import asyncio

import msgspec

from zashiki.bots.asking import compare, hints
from zashiki.bots.bot import WAIT, Budget, Estimate
from zashiki.bots.levels import strongest
from zashiki.review.effort import RATES
from zashiki.review.looking import BLUNDER
from zashiki.review.why import Why, why
from zashiki.server.botroom import BotRoom, Question
from zashiki.server.errors import Refused
from zashiki.server.table import Table

SECONDS = 0.4
"""How long it thinks at the usual rate; by iterations, so that whoever asks again hears the same."""
LONGEST_S = 1.0
MOST_HINTS = 10
LONGEST_QUEUE = 16
"""Questions that may wait for the one adviser of this process."""
AGAIN_MS = 5_000


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """An action's number, null for doing nothing now, with the share of the victory and the points that it seems worth."""

    action: int | None
    chance: float
    points: float | None
    why: Why = Why()


class Hints(msgspec.Struct, frozen=True, kw_only=True):
    """What to do at this `version` of the table, the best first; nothing where all is alike."""

    version: int
    hints: list[Hint]


class Warned(msgspec.Struct, frozen=True, kw_only=True):
    """What the strongest level says to an action before it is done: nothing, unless it is a blunder.

    `lost`: how much less of the victory it seems worth than `best`; both null where there is nothing to say.
    """

    version: int
    lost: float | None = None
    best: Hint | None = None


def consider(question: Question[list[Hint]]) -> list[Hint]:
    """What the strongest level thinks: of all actions, or of the best one beside that which is asked about."""
    view, seat = question.view, question.seat
    budget = Budget(seconds=LONGEST_S, iterations=int(SECONDS * RATES.get(view.game.id, min(RATES.values()))))
    found = hints(view, seat, budget)
    if question.about is not None:
        found = _beside(question, found, question.about, budget)
    return [_hint(question, estimate, found) for estimate in found[:MOST_HINTS]]


def _beside(question: Question[list[Hint]], found: list[Estimate], action: int, budget: Budget) -> list[Estimate]:
    """The best action and this one, each tried as often; nothing where they are the same."""
    if not found or found[0].action == action:
        return []
    compared = compare(question.view, question.seat, [found[0].action, action], budget)
    return compared if len(compared) == 2 else []


def no_idea(question: Question[list[Hint]]) -> list[Hint]:
    """What is said when thinking has failed."""
    return []


class Adviser:
    """One thread beside those of the bots: whoever asks for hints keeps no table waiting."""

    def __init__(self) -> None:
        self.room: BotRoom[list[Hint]] = BotRoom(1, consider, no_idea)

    async def hints(self, table: Table, seat: int) -> Hints:
        """What to do in a seat that has something to decide."""
        version = table.version(seat)
        return Hints(version=version, hints=await self._think(table, seat, None))

    async def warn(self, table: Table, seat: int, action: int) -> Warned:
        """What speaks clearly against an action, if anything does."""
        version, found = table.version(seat), await self._think(table, seat, action)
        if len(found) < 2 or found[0].chance - found[1].chance < BLUNDER:
            return Warned(version=version)
        return Warned(version=version, lost=round(found[0].chance - found[1].chance, 4), best=found[0])

    async def _think(self, table: Table, seat: int, about: int | None) -> list[Hint]:
        assert table.match is not None
        if self.room.waiting >= LONGEST_QUEUE:
            raise Refused("too many", "too many ask for hints at the same time", retry_after_ms=AGAIN_MS)
        thought: asyncio.Future[list[Hint]] = asyncio.get_running_loop().create_future()
        view, level = table.match.view(seat), strongest(table.game)
        self.room.ask(Question(table.id, view, seat, level, False, thought.set_result, about))
        return await asyncio.shield(thought)


def _hint(question: Question[list[Hint]], estimate: Estimate, found: list[Estimate]) -> Hint:
    action = None if estimate.action == WAIT else estimate.action
    reason = why(question.view, question.seat, estimate, found)
    return Hint(action=action, chance=estimate.chance, points=estimate.points, why=reason)
