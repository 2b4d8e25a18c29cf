"""A game as the rest of the program knows it: who plays, with which options, and, when first needed, its rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.core.checks import shown, whole
from zashiki.core.errors import WrongOption, WrongSeats

if TYPE_CHECKING:
    from zashiki.core.actions import Vocabulary
    from zashiki.core.contract import Rules
    from zashiki.core.entries import Doors
    from zashiki.core.grid import Grid
    from zashiki.core.layout import Layout, Record
    from zashiki.core.observation import Observation

OptionValue = int | str | bool


@dataclass(frozen=True)
class Option:
    """A choice made before the match: one of `values`, in the order of their numbers in the state."""

    name: str
    meaning: str
    default: OptionValue
    values: tuple[OptionValue, ...] | range

    def number(self, value: object) -> int:
        """The number that stands for a value in the state."""
        if isinstance(self.values, range):
            number = whole(value)
            if number is not None and number in self.values:
                return number
        else:
            for number, allowed in enumerate(self.values):
                if type(value) is type(allowed) and value == allowed:
                    return number
        raise WrongOption(f"{self.name} is {self.described()}, not {shown(value)}")

    def described(self) -> str:
        """The allowed values in words."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return " or ".join(self.spoken(value) for value in self.values)

    def spoken(self, value: OptionValue) -> str:
        """A value as people say it."""
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


class Deadline(NamedTuple):
    """Time carries `action` out `delay_ms` after a deadline of this action and this `since` is first seen.

    A deadline that is no longer listed is void; with another `since` it starts anew.
    """

    action: int
    delay_ms: int
    since: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """One entry of the list of games. `version` moves whenever a rule or an action's number does."""

    id: str
    title: str
    author: str
    summary: str
    seats: range
    options: tuple[Option, ...]
    version: int
    longest: int
    """No match has more decisions than this."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as its name: rules are code, not data."""
        return as_game, (self.id,)

    @cached_property
    def rules(self) -> Rules:
        """The compiled rules; loaded, and made known to the generic functions, when first asked for."""
        from zashiki.core import contract

        rules = import_module(f"zashiki.games.{self.id}.rules")
        features = import_module(f"zashiki.games.{self.id}.features")
        functions = {name: getattr(rules, name) for name in contract.NAMES if name != "observe"}
        contract.register(rules.STATE.dtype, observe=features.observe, **functions)
        return rules

    @cached_property
    def doors(self) -> Doors:
        """The fastest calls from Python into the compiled rules."""
        from zashiki.core.entries import Doors

        points = np.zeros((self.seats[0], len(self.rules.PARTS)), np.int32)
        return Doors(self.rules.STATE.new(1), np.zeros(self.rules.ACTIONS, np.int64), points)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The actions at the edge."""
        found: Vocabulary = import_module(f"zashiki.games.{self.id}.actions").VOCABULARY
        return found

    @cached_property
    def features(self) -> int:
        """The length of an observation."""
        found: int = import_module(f"zashiki.games.{self.id}.features").FEATURES
        return found

    @cached_property
    def observation(self) -> Observation:
        """What the numbers of an observation mean."""
        found: Observation = import_module(f"zashiki.games.{self.id}.features").OBSERVATION
        return found

    @cached_property
    def grid(self) -> Grid | None:
        """Its kinds of cards, where they can be exchanged."""
        if find_spec(f"zashiki.games.{self.id}.grid") is None:
            return None
        found: Grid = import_module(f"zashiki.games.{self.id}.grid").GRID
        return found

    def deadlines(self, state: Record, patience_ms: int | None = None) -> list[Deadline]:
        """What time itself is waiting to do. `patience_ms`: how long a player may dither before time does it instead."""
        if not self.timed:
            return []
        found: list[Deadline] = import_module(f"zashiki.games.{self.id}.clock").deadlines(state, patience_ms)
        return found

    @cached_property
    def timed(self) -> bool:
        """Whether time itself may act."""
        return find_spec(f"zashiki.games.{self.id}.clock") is not None

    @property
    def layout(self) -> Layout:
        """The layout of its record."""
        return self.rules.STATE

    @property
    def players(self) -> str:
        """How many play, in words."""
        return str(self.seats[0]) if len(self.seats) == 1 else f"{self.seats[0]} to {self.seats[-1]}"

    def rulebook(self) -> str:
        """The rules in English, as Markdown."""
        return files(f"zashiki.games.{self.id}").joinpath("rules.md").read_text("utf-8")

    @property
    def house_numbers(self) -> dict[str, str]:
        """The numbers and readings that are ours, because nobody could find the printed ones."""
        found: dict[str, str] = import_module(f"zashiki.games.{self.id}.cards").HOUSE_NUMBERS
        return found

    def check_seats(self, seats: int) -> int:
        """The number of seats, if the game is played by so many."""
        number = whole(seats)
        if number is None or number not in self.seats:
            raise WrongSeats(f"{self.title} is played by {self.players}, not by {shown(seats)}")
        return number

    def full_options(self, options: dict[str, Any] | None = None) -> dict[str, OptionValue]:
        """The options with defaults filled in, each checked."""
        if not isinstance(options, dict | None):
            raise WrongOption(f"options are names with values, not {shown(options)}")
        chosen = dict(options or {})
        known = {option.name: option for option in self.options}
        for name in chosen:
            if name not in known:
                names = ", ".join(known) or "none at all"
                raise WrongOption(f"{self.title} has no option {shown(name)}; its options: {names}")
        full = {option.name: chosen.get(option.name, option.default) for option in self.options}
        for name, value in full.items():
            known[name].number(value)
        return full

    def option_numbers(self, options: dict[str, Any] | None = None) -> npt.NDArray[np.int64]:
        """The options as `deal` takes them, in their order."""
        full = self.full_options(options)
        return np.array([option.number(full[option.name]) for option in self.options] or [0], np.int64)


def as_game(game: Game | str) -> Game:
    """A game, or the game of that name: the one place where the core looks up the list of games."""
    if isinstance(game, Game):
        return game
    from zashiki.games import find

    return find(game)
