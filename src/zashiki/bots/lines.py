"""Engines in any language: a process that is told a match in lines of JSON on its standard input and answers on its output.

`docs/bots-over-the-network.md` has the format. One process plays match after match; whatever goes wrong with it (it ends, it
does not answer in time, it answers nonsense) is told with the last lines of its standard error, and the next match has another.
"""

from __future__ import annotations

import logging
import os
import shlex
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

import msgspec

from zashiki.bots.bot import WAIT, Budget
from zashiki.core.checks import shown, whole
from zashiki.core.errors import MalformedAction, ZashikiError
from zashiki.core.game import Game
from zashiki.core.state import State

PROTOCOL = 1
PATIENCE_S = 60.0
"""How long an engine without a budget may think."""
GRACE_S = 1.0
"""How much longer than its budget, for the clock's grain and the way there and back."""
START_S = 30.0
"""How much longer before its first answer."""
LONGEST_LINE = 1 << 20
LAST_LINES, LONGEST_NOTE = 5, 200
LOG = logging.getLogger("zashiki.engine")


class EngineFailed(ZashikiError):
    """What went wrong with an engine."""


def patience(budget: Budget) -> float:
    """After how many seconds nobody waits for an answer any more."""
    return PATIENCE_S if budget.seconds is None else budget.seconds + GRACE_S


class Engine:
    """The process. What it writes to its standard error is logged, and its last lines are kept."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.answered = False
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        try:
            # A session of its own, so that what it has started ends with it, and Ctrl-C is ours.
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            raise EngineFailed(f"the engine {shown(command)} cannot be started: {error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._errors = threading.Thread(target=_note, args=(self._process.stderr, self._last), daemon=True)
        self._errors.start()
        self.kill = weakref.finalize(self, _kill, self._process)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def tell(self, message: dict[str, Any]) -> None:
        """Sends a line."""
        try:
            self._input.write(msgspec.json.encode(message) + b"\n")
            self._input.flush()
        except (OSError, ValueError):
            raise self.failed(f"has ended by itself{self._status()}") from None

    def ask(self, message: dict[str, Any], seconds: float) -> bytes:
        """Sends a line and gives the line that answers it; an engine that does not answer in time is killed."""
        limit = seconds if self.answered else seconds + START_S
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.kill()

        watchdog = threading.Timer(limit, give_up)
        watchdog.daemon = True
        watchdog.start()
        try:
            self.tell(message)
            line = self._output.readline(LONGEST_LINE)
        except EngineFailed:
            line = b""
        finally:
            watchdog.cancel()
        if late.is_set():
            raise self.failed(f"did not answer within {limit:g} s")
        if not line:
            raise self.failed(f"has ended by itself{self._status()}")
        self.answered = True
        return line

    def failed(self, what: str) -> EngineFailed:
        """The end of it, with why."""
        self.kill()
        self._process.wait()
        self._errors.join(GRACE_S)
        last = "; its last lines: " + " / ".join(self._last) if self._last else ""
        return EngineFailed(f"the engine {what}{last}")

    def _status(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return f" (exit status {self._process.wait(0.1)})"
        return ""


def _note(stream: IO[bytes] | None, last: deque[str]) -> None:
    """The life of a thread that reads what an engine complains of."""
    assert stream is not None
    with stream:
        for line in stream:
            words = line.decode(errors="replace").rstrip()
            last.append(words[:LONGEST_NOTE])
            LOG.info("%s", words)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with everything it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe:
                pipe.close()


class Stable:
    """The engines of one command: one that has finished its match plays the next."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._idle: list[Engine] = []

    def __call__(self, game: Game, seed: int) -> LinesBot:
        """A bot for one seat of one match."""
        return LinesBot(self, game, seed)

    def take(self) -> Engine:
        """An engine that runs."""
        while self._idle:
            engine = self._idle.pop()
            if engine.is_running:
                return engine
        return Engine(self.command)

    def give_back(self, engine: Engine) -> None:
        """Keeps it for the next match."""
        self._idle.append(engine)


class LinesBot:
    """Lets an engine play a seat."""

    def __init__(self, stable: Stable, game: Game, seed: int) -> None:
        self._stable = stable
        self._game = game
        self._seed = seed
        self._events: list[dict[str, Any]] = []
        self._engine: Engine | None = None

    def begin(self, seat: int, seats: int, options: dict[str, Any]) -> None:
        """Says hello."""
        self._engine = self._stable.take()
        self._engine.tell(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "game": self._game.id,
                "rules": self._game.version,
                "seats": seats,
                "seat": seat,
                "options": options,
                "seed": self._seed,
            }
        )

    def hear(self, events: list[dict[str, Any]]) -> None:
        """Keeps them for the next decision."""
        self._events += events

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """What the engine answers."""
        engine = self._running()
        message = self._your_turn(view, legal, budget)
        self._events = []
        answer = engine.ask(message, patience(budget))
        try:
            return self._read(answer, legal)
        except (msgspec.MsgspecError, MalformedAction, ValueError, LookupError, TypeError) as error:
            self._engine = None
            raise engine.failed(f"answered {shown(answer.decode(errors='replace').rstrip())}: {error}") from None

    def end(self, view: State, winners: list[int], reason: str) -> None:
        """Tells it how the match has ended; it waits for the next."""
        engine, self._engine = self._engine, None
        if engine is None:
            return
        message = {"type": "end", "view": view.to_json(), "winners": winners, "reason": reason, "events": self._events}
        with suppress(EngineFailed):
            engine.tell(message | {"scores": view.points().tolist()})
            self._stable.give_back(engine)

    def _running(self) -> Engine:
        if self._engine is None:
            raise EngineFailed("the engine has not begun a match, or has failed in it")
        return self._engine

    def _your_turn(self, view: State, legal: Sequence[int], budget: Budget) -> dict[str, Any]:
        words = self._game.vocabulary
        return {
            "type": "your turn",
            "view": view.to_json(),
            "legal": list(legal),
            "actions": [None if number == WAIT else words.to_json(number) for number in legal],
            "scores": view.points().tolist(),
            "events": self._events,
            "budget": {"seconds": budget.seconds, "iterations": budget.iterations},
        }

    def _read(self, answer: bytes, legal: Sequence[int]) -> int:
        read = msgspec.json.decode(answer)
        if not isinstance(read, dict) or "action" not in read:
            raise ValueError('an answer is like {"action": 3}')
        number = WAIT if whole(read["action"]) == WAIT else self._game.vocabulary.number(read["action"])
        if number not in legal:
            raise ValueError(f"{number} is not one of its {len(legal)} legal actions")
        return number
