"""What a bot is: it gets a view, the numbers of its legal actions and a budget, and answers with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from zashiki.core.game import Game
from zashiki.core.state import State

WAIT = -1
"""Among the legal actions where nobody must act: doing nothing for now."""


@dataclass(frozen=True)
class Budget:
    """How long a bot may think about one decision: so many seconds, so many iterations, or whichever is first.

    With iterations alone the same seed gives the same decision on every machine.
    """

    seconds: float | None = None
    iterations: int | None = None
    cores: int = 1


@dataclass(frozen=True)
class Estimate:
    """An action's number, the share of the victory it seems worth, the points it seems to lead to, and from how many tries.

    Points are None where nothing was tried because the rest is solved. `exact`: the chance was worked out, every holding counted.
    """

    action: int
    chance: float
    points: float | None
    tries: int
    exact: bool = False


class Bot(Protocol):
    """A player of one seat for one match: made with the game and a seed, it may remember what it has seen."""

    def __init__(self, game: Game, seed: int) -> None: ...

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        """One of the legal actions, within the budget. The view is this seat's own; nothing else is known."""
        ...


@runtime_checkable
class Judge(Protocol):
    """A bot that can tell what it thinks of each action."""

    def estimates(self, view: State, seat: int, budget: Budget) -> list[Estimate]:
        """Legal actions with what they seem worth, the best first."""
        ...


@runtime_checkable
class Comparer(Protocol):
    """A judge that can look at a few actions alone, each as closely as the others."""

    def compare(self, view: State, seat: int, actions: Sequence[int], budget: Budget) -> list[Estimate]:
        """These actions with what they seem worth, in their order; the budget is for all of them together."""
        ...


@runtime_checkable
class Listener(Protocol):
    """A bot that is told more than its decisions: how the match begins, what happens in it, and how it ends."""

    def begin(self, seat: int, seats: int, options: dict[str, Any]) -> None:
        """A match begins, with it in this seat."""
        ...

    def hear(self, events: list[dict[str, Any]]) -> None:
        """What its seat was told since its last decision, in the form of a table's log."""
        ...

    def end(self, view: State, winners: list[int], reason: str) -> None:
        """The match is over."""
        ...
