"""A table that a client looks at, and perhaps sits at."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from zashiki.client.signal import Signal
from zashiki.client.state import State
from zashiki.server import messages
from zashiki.server.errors import Refused

if TYPE_CHECKING:
    from zashiki.client.client import Client

TALK_KEPT = 200
CHOOSE_AGAIN = ("illegal action", "malformed", "too many", "unavailable")
"""Refusals after which the same decision is still open."""


class Table:
    """A table, as the server shows it to us. `async with` it to begin and to stop looking."""

    def __init__(self, client: Client, table: str, *, sit: bool = False, seat: int | None = None) -> None:
        self.id = table
        self.log: list[messages.LogLine] = []
        self.version = 0
        self.present: list[int] = []
        self.signal = Signal()
        self.client = client
        self._sit, self._seat = sit, seat
        self._latest: State | None = None
        self._arrived = 0
        self._base = 0
        self._acted = 0
        self._again_after_s: float | None = None
        self._talk: deque[messages.TalkLine] = deque(maxlen=TALK_KEPT)
        self._talked = 0

    async def __aenter__(self) -> Table:
        self.client.look_at(self)
        try:
            await self.client.within(self.signal.until(lambda: self._latest is not None))
            if self._sit and self.state.seat is None:
                await self.sit(self._seat)
        except BaseException:
            self.client.look_away(self)
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        self.client.look_away(self)

    @property
    def state(self) -> State:
        """The newest state, without events: `log` has them all."""
        if self._latest is None:
            raise RuntimeError("look at the table first: async with client.watch(table) as seat: …")
        return self._latest

    async def states(self) -> AsyncIterator[State]:
        """The newest state whenever there is a newer one, with all events since the one given before, until it is closed."""
        arrived, version = 0, self._base
        while True:
            await self.signal.until(self._is_newer, arrived)
            state = self._since(version)
            arrived, version = self._arrived, state.version
            yield state
            if state.status == "closed":
                return

    async def decisions(self) -> AsyncIterator[State]:
        """A state each time there is something for us to decide, until the match is over.

        A decision is given once; it is given again if the action was refused and it is still open.
        """
        decided, version = -1, self._base
        while True:
            await self.signal.until(self._is_to_decide, decided)
            state = self._since(version)
            if state.match_over:
                return
            decided = version = state.version
            self._again_after_s = None
            yield state
            if self._again_after_s is not None:
                await asyncio.sleep(self._again_after_s)
                decided -= 1

    def _is_newer(self, arrived: int) -> bool:
        return self._arrived > arrived

    def _is_to_decide(self, decided: int) -> bool:
        if self._latest is None or self._latest.match_over:
            return self._latest is not None
        return self._latest.my_turn and self.version > decided and self.version >= self._acted

    def _is_said(self, count: int) -> bool:
        return self._talked > count

    def _since(self, version: int) -> State:
        return msgspec.structs.replace(self.state, since=version, events=self.log[version - self._base :])

    async def heard(self) -> AsyncIterator[messages.TalkLine]:
        """What is said at the table from now on."""
        count = self._talked
        while True:
            await self.signal.until(self._is_said, count)
            missed = min(self._talked - count, len(self._talk))
            count = self._talked
            for line in list(self._talk)[len(self._talk) - missed :]:
                yield line

    @property
    def said(self) -> list[messages.TalkLine]:
        """What was said while we looked, the last lines of it."""
        return list(self._talk)

    async def sit(self, seat: int | None = None, *, bot: str | None = None) -> messages.Done:
        """Takes a seat, or any; a host may put a bot of that level there. Back when the state says so."""
        return await self._ask(messages.Sit(request=self.client.number(), table=self.id, seat=seat, bot=bot))

    async def stand(self, seat: int | None = None) -> messages.Done:
        """Leaves the seat before the start; a host may empty any."""
        return await self._ask(messages.Stand(request=self.client.number(), table=self.id, seat=seat))

    async def start(self) -> messages.Done:
        """Begins the match."""
        return await self._ask(messages.Start(request=self.client.number(), table=self.id))

    async def act(self, action: int | dict[str, Any], *, version: int | None = None, number: int | None = None) -> messages.Done:
        """Does this: an action's number or its structure, meant for the decision in the newest state, or in that version.

        `number` is that of the request, from `client.number()`: who gives it may ask the same again after a timeout.
        """
        meant = self.version if version is None else version
        own = self.client.number() if number is None else number
        request = messages.Act(request=own, table=self.id, action=action, version=meant)
        try:
            done = await self.client.ask(request)
        except Refused as refusal:
            if refusal.code in CHOOSE_AGAIN:
                self._again_after_s = (refusal.retry_after_ms or 0) / 1000
            raise
        self._acted = max(self._acted, done.version or 0)
        return done

    async def resign(self) -> messages.Done:
        """Gives up."""
        return await self._ask(messages.Resign(request=self.client.number(), table=self.id))

    async def take_back(self, answer: Literal["ask", "agree", "refuse"] = "ask") -> messages.Done:
        """Asks to take the last action back, or answers whoever asked."""
        return await self._ask(messages.TakeBack(request=self.client.number(), table=self.id, answer=answer))

    async def rematch(self, agree: bool = True) -> messages.Done:
        """Wants to play again, or does not. `state.next` is the next table once all want to."""
        return await self._ask(messages.Rematch(request=self.client.number(), table=self.id, agree=agree))

    async def close(self) -> messages.Done:
        """Closes the table before its match began, or says that we would rather not go on."""
        return await self._ask(messages.Close(request=self.client.number(), table=self.id))

    async def talk(self, text: str) -> messages.Done:
        """Says something."""
        return await self.client.ask(messages.Talk(request=self.client.number(), table=self.id, text=text))

    async def _ask(self, request: messages.TableRequest) -> messages.Done:
        """Asks, and waits until we have been shown what it has changed."""
        done = await self.client.ask(request)
        await self.shown(done.version or 0)
        return done

    async def shown(self, version: int) -> None:
        """Back when we have been shown the table at that version or a later one."""
        await self.client.within(self.signal.until(lambda: self.version >= version))

    def hear_state(self, state: State) -> bool:
        """Takes a state from the server; False if lines between it and the one before are missing."""
        if self._latest is None:
            self._base = self.version = state.since
        if state.version < self.version:
            return True  # from a process that has not heard of the newest yet, but will
        if state.since > self.version:
            return False
        self.log += state.events[self.version - state.since :]
        self.version = state.version
        known = state if state.game else (self._latest or state)  # what never changes is told once
        self._latest = msgspec.structs.replace(
            state,
            request=None,
            since=state.version,
            events=[],
            game=known.game,
            host=known.host,
            settings=known.settings,
        )
        self._arrived += 1
        self.signal.wake()
        return True

    def hear_present(self, seats: list[int]) -> None:
        """Takes the news of who is connected."""
        self.present = seats
        self.signal.wake()

    def hear_talk(self, line: messages.TalkLine) -> None:
        """Takes what somebody said; a line that comes twice is heard once."""
        if self._talk and line.number <= self._talk[-1].number:
            return
        self._talk.append(line)
        self._talked += 1
        self.signal.wake()
