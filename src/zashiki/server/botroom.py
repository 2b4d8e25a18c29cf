"""Where bots think: in threads beside the event loop, in a fair queue, watched.

Each thread takes the next table in turn, so that a table with many bots does not keep the others waiting. A bot that fails, or is
not ready in time, is replaced by a legal action; a thread that hangs is given up and replaced.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, NamedTuple, TypeVar

from zashiki.bots.asking import answer
from zashiki.bots.bot import WAIT
from zashiki.bots.levels import LEVELS, Level, levels_of
from zashiki.core.state import State

SLACK_S = 2.0
"""How much longer than its level allows a bot may take."""
NICE = 10
"""Thinking gives way to talking: bots' threads run at a lower priority."""

T = TypeVar("T")

logger = logging.getLogger("zashiki.bots")


class Question(NamedTuple, Generic[T]):
    """What a bot is asked: the view of its seat. `may_wait`: it need not act. `about`: one action, if only that."""

    table: str
    view: State
    seat: int
    level: str
    may_wait: bool
    answer: Callable[[T], None]
    about: int | None = None


Thinker = Callable[[Question[T]], T]


def level_of(question: Question[T]) -> Level:
    """The level that is asked; one that the game has no more is played by the first in the list."""
    known = levels_of(question.view.game)
    return LEVELS[question.level if question.level in known else known[0]]


def think(question: Question[int]) -> int:
    """The action that a bot of the level takes."""
    level, seed = level_of(question).name, random.getrandbits(62)
    return answer(question.view, question.seat, level, seed, may_wait=question.may_wait)


def any_action(question: Question[int]) -> int:
    """A legal action, by chance; WAIT where nobody must act."""
    legal = question.view.legal(question.seat)
    return WAIT if question.may_wait or not legal else random.choice(legal)


class BotRoom(Generic[T]):
    """Bots that think at once are at most `threads`; the others wait their turn. `instead` answers for one that fails."""

    def __init__(self, threads: int, thinker: Thinker[T], instead: Thinker[T], slack_s: float = SLACK_S) -> None:
        self._threads = threads
        self._thinker = thinker
        self.instead = instead
        self._slack = slack_s
        self._waiting: OrderedDict[str, deque[Question[T]]] = OrderedDict()
        self._lock = threading.Condition()
        self._closing = False
        self._thinking = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self.observe: Callable[[str, float], None] = lambda level, seconds: None
        self.rescued: Callable[[], None] = lambda: None

    @property
    def waiting(self) -> int:
        """How many questions wait for a thread."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    @property
    def thinking(self) -> int:
        """How many bots think now."""
        return self._thinking

    def open(self) -> None:
        """Lets the bots in."""
        self._loop = asyncio.get_running_loop()
        for _ in range(self._threads):
            self._add_thread()

    def close(self) -> None:
        """Asks nobody any more; whoever thinks is not waited for."""
        with self._lock:
            self._closing = True
            self._waiting.clear()
            self._lock.notify_all()

    def ask(self, question: Question[T]) -> None:
        """Puts a question into the queue; its `answer` is called in the event loop."""
        with self._lock:
            self._waiting.setdefault(question.table, deque()).append(question)
            self._lock.notify()

    def _add_thread(self) -> None:
        threading.Thread(target=self._work, name="bot", daemon=True).start()

    def _work(self) -> None:
        step_back()
        while (question := self._next()) is not None:
            once = _Once(self, question)
            allowed = level_of(question).seconds + self._slack
            self._call(once.watch, allowed)
            began = time.monotonic()
            try:
                action = self._thinker(question)
            except Exception:
                logger.exception("a bot of level %s failed at %s", question.level, question.view.game.id)
                self._call(self.rescued)
                action = self.instead(question)
            self.observe(question.level, time.monotonic() - began)
            if not once.claim():
                return  # This thread was given up; another has taken its place.
            self._call(once.deliver, action)

    def _next(self) -> Question[T] | None:
        with self._lock:
            while not self._waiting and not self._closing:
                self._lock.wait()
            if self._closing:
                return None
            table, questions = self._waiting.popitem(last=False)
            question = questions.popleft()
            if questions:
                self._waiting[table] = questions
            self._thinking += 1
            return question

    def _has_thought(self) -> None:
        with self._lock:
            self._thinking -= 1

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            if not self._closing:
                raise


class _Once(Generic[T]):
    """An answer that is given once: by the bot, or by the watchdog when the bot is late."""

    def __init__(self, room: BotRoom[T], question: Question[T]) -> None:
        self._room = room
        self._question = question
        self._lock = threading.Lock()
        self._claimed = False
        self._timer: asyncio.TimerHandle | None = None

    def claim(self) -> bool:
        """Whether this is the first answer."""
        with self._lock:
            first, self._claimed = not self._claimed, True
            return first

    def watch(self, seconds: float) -> None:
        """Sets the watchdog."""
        if not self._claimed:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._late)

    def _late(self) -> None:
        if self.claim():
            logger.warning("a bot of level %s was too slow at %s", self._question.level, self._question.view.game.id)
            self._room.rescued()
            self._room._add_thread()
            self.deliver(self._room.instead(self._question))

    def deliver(self, action: T) -> None:
        """Hands the answer over."""
        self._room._has_thought()
        if self._timer:
            self._timer.cancel()
        if not self._room._closing:
            self._question.answer(action)


def step_back() -> None:
    """Lets this thread give way to those that talk."""
    # Not every system knows priorities of threads.
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
