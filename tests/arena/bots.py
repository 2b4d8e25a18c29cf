"""Bots that go wrong, each in its own way."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from zashiki.bots.bot import Budget
from zashiki.bots.plain import RandomBot
from zashiki.core.game import Game
from zashiki.core.state import State


class Stumbling(RandomBot):
    """Raises in the middle of the match."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        raise ValueError("I have lost my glasses")


class Cheating(RandomBot):
    """Chooses what it may not."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        return -7


class Absent(RandomBot):
    """Does not sit down."""

    def __init__(self, game: Game, seed: int) -> None:
        raise OSError("caught in the rain")


class Vanishing(RandomBot):
    """Takes its process with it, every time."""

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        os._exit(3)


class Deadly(RandomBot):
    """Kills its process once, the first time that nobody has left a mark; otherwise it plays at random."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._dies = seed % 5 == 0

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        mark = Path(os.environ["ZASHIKI_TEST_MARK"])
        if self._dies and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view, seat, legal, budget)


class Curious(RandomBot):
    """Plays at random and writes down all it is told."""

    @staticmethod
    def notes_in(folder: Path) -> Callable[[], list[list[Any]]]:
        """Has them written there; gives what reads them, seat by seat."""
        os.environ["ZASHIKI_TEST_NOTES"] = str(folder)
        return lambda: [[json.loads(line) for line in file.read_text().splitlines()] for file in sorted(folder.iterdir())]

    def begin(self, seat: int, seats: int, options: dict[str, Any]) -> None:
        self._file = Path(os.environ["ZASHIKI_TEST_NOTES"]) / str(seat)
        self._note("begin", seats, options)

    def hear(self, events: list[dict[str, Any]]) -> None:
        self._note("hear", events)

    def end(self, view: State, winners: list[int], reason: str) -> None:
        self._note("end", winners, reason)

    def _note(self, *line: Any) -> None:
        with self._file.open("a") as notes:
            notes.write(json.dumps(line) + "\n")
