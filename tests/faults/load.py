"""Clients that play random legal actions at many tables and write down what they were told."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, NamedTuple, TypeVar

from zashiki.client import Backoff, Client, Refused, Table
from zashiki.server.messages import Done, LogLine

T = TypeVar("T")

SETTINGS = {"absent": "bot", "grace_seconds": 86_400}
"""Nobody's seat is given to a bot because a server was down for a while."""
LATER = ("unavailable", "too many")
PATIENCE_S = 60.0


class Sitting(NamedTuple):
    """A game, how many play it, and how."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()


SITTINGS = (
    Sitting("hanamikoji", 2),
    Sitting("hanamikoji", 2),
    Sitting("kasane", 2),
    Sitting("kimono", 3),
    Sitting("kawaii", 3),
    Sitting("kawaii", 3, (("pace", "live"),)),
    Sitting("kohoju", 2),
)


class Answered(NamedTuple):
    """An action and the server's word on it: the version after it, or a code."""

    key: str
    seat: int
    action: int
    version: int | None = None
    code: str | None = None


class Seen(NamedTuple):
    """What a seat saw last."""

    seat: int
    version: int
    view: dict[str, Any] | None
    log: list[LogLine]


class Ledger:
    """What clients were told: the truth must agree with it."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Answered]] = {}
        self.seen: dict[str, list[Seen]] = {}
        self.refusals: Counter[str] = Counter()
        self.failures: list[str] = []
        self.acknowledged = 0
        self.repeated = 0
        self.finished = 0

    def write(self, table: str, answer: Answered, done: Done | None = None) -> None:
        """Writes down an answer."""
        self.answers.setdefault(table, []).append(answer)
        if answer.code:
            self.refusals[answer.code] += 1
        elif done:
            self.acknowledged += 1
            self.repeated += done.repeated


class Party:
    """Some people who sit down at one table after the other until they are told to stop."""

    def __init__(self, clients: list[Client], ledger: Ledger, rng: random.Random, *, pause: float) -> None:
        self._clients = clients
        self._ledger = ledger
        self._rng = rng
        self._pause = pause
        self._stopping = False
        self._waiting: set[asyncio.Task[None]] = set()
        self.seats: list[Table] = []
        self.acknowledged = 0

    def stop(self) -> None:
        """Ends after the actions that are under way."""
        self._stopping = True
        for task in self._waiting:
            task.cancel()

    async def run(self, stack: AsyncExitStack) -> None:
        """Plays match after match. The seats of the last one stay open as long as `stack`."""
        while not self._stopping:
            sitting = self._rng.choice(SITTINGS)
            people = self._rng.sample(self._clients, sitting.seats)
            self.seats = []
            async with AsyncExitStack() as seats:
                self.seats = await self._sit_down(seats, sitting, people)
                await self._play()
                self.look()
                if self._stopping:
                    stack.push_async_exit(seats.pop_all())

    async def _sit_down(self, stack: AsyncExitStack, sitting: Sitting, people: list[Client]) -> list[Table]:
        settings = {**SETTINGS, "options": dict(sitting.options)}
        table = await persist(lambda: people[0].create(sitting.game, seats=sitting.seats, settings=settings))
        seats = []
        for seat, person in enumerate(people):
            place = await stack.enter_async_context(person.watch(table))
            if place.state.seat is None:
                await see_to(partial(place.sit, seat))
            seats.append(place)
        host = seats[0]
        await host.client.within(host.signal.until(lambda: all(seat.account for seat in host.state.seats)))
        await see_to(host.start)
        return seats

    async def _play(self) -> None:
        tasks = [asyncio.create_task(self._play_seat(seat)) for seat in self.seats]
        try:
            await asyncio.gather(*tasks, return_exceptions=False)
        except Exception as error:
            self._ledger.failures.append(f"{type(error).__name__}: {error}; {self.standing()}")
            self._stopping = True
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def standing(self) -> str:
        """Where everybody is, for whoever must find out what went wrong."""
        if not self.seats:
            return "a table where not all sit yet"
        return f"table {self.seats[0].id} of {self.seats[0].state.game}: " + "; ".join(
            f"seat {seat.state.seat} at {seat.client.http.port}, {'' if seat.client.connection.is_open else 'not '}connected, "
            f"version {seat.version}, {seat.state.status}, to act {seat.state.to_act}, unanswered {seat.client.unanswered}"
            for seat in self.seats
        )

    async def _play_seat(self, seat: Table) -> None:
        decisions = seat.decisions()
        while not self._stopping:
            try:
                state = await self._next(decisions)
            except (StopAsyncIteration, asyncio.CancelledError):
                break
            await asyncio.sleep(self._rng.uniform(0, 2 * self._pause))
            await self._act(seat, self._rng.choice(state.legal))
        if seat.state.match_over:
            self._ledger.finished += 1

    async def _next(self, decisions: Any) -> Any:
        """The next decision, unless we are told to stop meanwhile."""
        task = asyncio.ensure_future(anext(decisions))
        self._waiting.add(task)
        try:
            return await task
        finally:
            self._waiting.discard(task)

    async def _act(self, seat: Table, action: int) -> None:
        number, place = seat.client.number(), seat.state.seat
        assert place is not None
        answer = Answered(f"{seat.client.account}:{seat.client.id}:{number}", place, action)
        try:
            done = await seat.act(action, number=number)
        except Refused as refusal:
            self._ledger.write(seat.id, answer._replace(code=refusal.code))
        else:
            self._ledger.write(seat.id, answer._replace(version=done.version), done)
            self.acknowledged += 1

    def look(self) -> None:
        """Writes down what everybody sees now."""
        if not self.seats:
            return
        table = self.seats[0].id
        self._ledger.seen[table] = [
            Seen(seat.state.seat if seat.state.seat is not None else -1, seat.version, seat.state.view, list(seat.log))
            for seat in self.seats
        ]


async def persist(call: Callable[[], Awaitable[T]]) -> T:
    """Asks again while the server cannot."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await call()
            except Refused as refusal:
                if refusal.code not in LATER:
                    raise
                await asyncio.sleep((refusal.retry_after_ms or 200) / 1000)


async def see_to(call: Callable[[], Awaitable[Done]]) -> None:
    """The same for what may turn out to have been done by an attempt that was told it could not be."""
    try:
        await persist(call)
    except Refused as refusal:
        if refusal.code not in ("already started", "seat taken"):
            raise


class Load:
    """So many parties of so many clients, spread over the servers."""

    def __init__(self, urls: list[str], rng: random.Random, *, parties: int = 10, clients: int = 6, pause: float = 0.02) -> None:
        self.ledger = Ledger()
        self.clients = [
            # Some of them ask again by themselves while the store is away; some play on as they see fit.
            Client(urls[i % len(urls)], timeout=PATIENCE_S, patient=i % 2 == 0, backoff=Backoff(0.05, 0.5))
            for i in range(clients)
        ]
        self.parties = [Party(self.clients, self.ledger, random.Random(rng.random()), pause=pause) for _ in range(parties)]
        self._stack = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Load:
        for client in self.clients:
            await self._stack.enter_async_context(client)
        self._tasks = [asyncio.create_task(party.run(self._stack)) for party in self.parties]
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()

    async def finish(self) -> None:
        """Stops all parties and lets what is under way end."""
        for party in self.parties:
            party.stop()
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, BaseException):
                self.ledger.failures.append(f"{type(result).__name__}: {result}")

    def check(self) -> None:
        """Raises what has gone wrong at a table."""
        assert not self.ledger.failures, self.ledger.failures
        for task in self._tasks:
            if task.done():
                task.result()

    def look(self) -> None:
        """Writes down what everybody sees at the tables that are not finished."""
        for party in self.parties:
            party.look()

    @property
    def reconnects(self) -> int:
        """How often clients came back."""
        return sum(client.connection.opened - 1 for client in self.clients)
