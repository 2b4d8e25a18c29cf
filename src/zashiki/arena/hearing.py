"""What bots that listen are told of a match besides their decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from zashiki.bots.bot import Bot, Listener
from zashiki.core.match import Match, told


class Hearing:
    """Tells the bots of a match that listen how it begins, what happens, and how it ends."""

    def __init__(self, bots: Sequence[Bot], match: Match) -> None:
        self._match = match
        self._listeners = {seat: bot for seat, bot in enumerate(bots) if isinstance(bot, Listener)}
        self._heard = dict.fromkeys(self._listeners, 0)

    @property
    def carry_out(self) -> Callable[[int, int], None]:
        """What carries an action out: only where somebody listens does it also go into the log."""
        return self._match.play if self._listeners else self._match.state.apply

    def begin(self, seat: int) -> None:
        """Tells a seat that the match begins."""
        if listener := self._listeners.get(seat):
            listener.begin(seat, self._match.seats, dict(self._match.options))

    def tell(self, seat: int) -> None:
        """Tells a seat what happened since it last heard."""
        if listener := self._listeners.get(seat):
            listener.hear(self._news(seat))

    def end(self, winners: list[int], reason: str) -> None:
        """Tells everybody how it ended. What goes wrong now does not change that."""
        for seat, listener in self._listeners.items():
            with suppress(Exception):
                listener.hear(self._news(seat))
                listener.end(self._match.view(seat), winners, reason)

    def _news(self, seat: int) -> list[dict[str, Any]]:
        lines = self._match.log[self._heard[seat] :]
        self._heard[seat] = len(self._match.log)
        events = (told(self._match.game, seat, line) for line in lines)
        return [_plain(event.seat, event.action, event.revealed) for event in events if event]


def _plain(seat: int, action: Any, revealed: bool) -> dict[str, Any]:
    """A line in the form of a table's log."""
    line = {"kind": "act", "seat": seat, "action": msgspec.to_builtins(action)}
    return line | {"revealed": True} if revealed else line
