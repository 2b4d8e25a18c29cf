"""What a script is made of: words of the coach, tasks of the learner, moves of the others, and what goes by.

The learner has seat 0. Everything said is the key of a message; `at` names the part of the board that it is about, as the game's
face in the browser knows it, and after a colon the piece that is meant there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from zashiki.core.actions import Action
from zashiki.core.game import OptionValue

LEARNER = 0

Wrong = Mapping[type[Action], str]
"""What is said to a try of each kind that is allowed, but not what is asked for."""


class Word(NamedTuple):
    """The coach says something, and nothing is played."""

    says: str
    at: str = ""


class Task(NamedTuple):
    """The learner plays one of the accepted actions; `then` is said of what came of it."""

    says: str
    accepts: tuple[Action, ...]
    at: str = ""
    then: str = ""
    wrong: Wrong = MappingProxyType({})


class Move(NamedTuple):
    """Somebody else plays; what is said of it may be nothing."""

    seat: int
    action: Action
    says: str = ""
    at: str = ""


class Meanwhile(NamedTuple):
    """Several play, the learner too where nothing is to be learned from it, and all of it is shown at once.

    `brief`: it goes on by itself, also if something is said.
    """

    moves: tuple[tuple[int, Action], ...]
    says: str = ""
    at: str = ""
    brief: bool = False


class Script(NamedTuple):
    """A tutorial. `names`: of the others, from seat 1 on. `learned`: what is said at the end, a line each."""

    game: str
    seats: int
    seed: int
    names: tuple[str, ...]
    wrong: Wrong
    steps: tuple[Word | Task | Move | Meanwhile, ...]
    learned: tuple[str, ...]
    options: Mapping[str, OptionValue] = MappingProxyType({})
