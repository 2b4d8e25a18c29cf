"""Advice for whoever plays against bots alone: what the strongest level thinks of the own seat's actions."""

from __future__ import annotations

import asyncio

import msgspec

from zashiki.bots.asking import hints
from zashiki.bots.bot import WAIT, Budget, Estimate
from zashiki.bots.levels import strongest
from zashiki.server.botroom import BotRoom, Question
from zashiki.server.errors import Refused
from zashiki.server.table import Table

BUDGET = Budget(seconds=0.5)
MOST_HINTS = 10
LONGEST_QUEUE = 16
"""Questions that may wait for the one adviser of this process."""
AGAIN_MS = 5_000


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """An action's number, null for doing nothing now, with the share of the victory and the points that it seems worth."""

    action: int | None
    chance: float
    points: float | None


class Hints(msgspec.Struct, frozen=True, kw_only=True):
    """What to do at this `version` of the table, the best first; nothing where all is alike."""

    version: int
    hints: list[Hint]


def consider(question: Question[list[Estimate]]) -> list[Estimate]:
    """What the strongest level thinks."""
    return hints(question.view, question.seat, BUDGET)


def no_idea(question: Question[list[Estimate]]) -> list[Estimate]:
    """What is said when thinking has failed."""
    return []


class Adviser:
    """One thread beside those of the bots: whoever asks for hints keeps no table waiting."""

    def __init__(self) -> None:
        self.room: BotRoom[list[Estimate]] = BotRoom(1, consider, no_idea)

    async def hints(self, table: Table, seat: int) -> Hints:
        """What to do in a seat that has something to decide."""
        assert table.match is not None
        if self.room.waiting >= LONGEST_QUEUE:
            raise Refused("too many", "too many ask for hints at the same time", retry_after_ms=AGAIN_MS)
        version, thought = table.version(seat), asyncio.get_running_loop().create_future()
        view, level = table.match.view(seat), strongest(table.game)
        self.room.ask(Question(table.id, view, seat, level, False, thought.set_result))
        found: list[Estimate] = await asyncio.shield(thought)
        return Hints(version=version, hints=[_hint(estimate) for estimate in found[:MOST_HINTS]])


def _hint(estimate: Estimate) -> Hint:
    action = None if estimate.action == WAIT else estimate.action
    return Hint(action=action, chance=estimate.chance, points=estimate.points)
