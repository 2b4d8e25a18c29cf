"""A match as an OpenSpiel state carries it: first the digits of its seed, then its record and what every seat remembers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.adapters.openspiel import steps
from zashiki.core.errors import IllegalAction
from zashiki.core.game import Game, OptionValue
from zashiki.core.gears import direct
from zashiki.core.layout import SPECTATOR
from zashiki.core.random import Words
from zashiki.core.state import State, seed_words
from zashiki.games import find

CHANCE, TERMINAL = -1, -4
DIGITS, DIGIT_VALUES = 8, 16
"""Chance draws the seed of a match as so many digits of so many values, the highest first."""


class Setting:
    """A game with its number of seats and options, and the compiled calls for them."""

    def __init__(self, game: Game, seats: int, options: dict[str, OptionValue]) -> None:
        self.game = game
        self.seats = game.check_seats(seats)
        self.options = options
        self.numbers = game.option_numbers(options)
        self.open_actions = {number: action.secrecy == "open" for number, action in enumerate(game.vocabulary.actions)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as the names in it."""
        return as_setting, (self.game.id, self.seats, tuple(self.options.items()))

    @cached_property
    def deal(self) -> Callable[..., int]:
        """The compiled deal."""
        return direct(steps.enter_deal, *self._samples, self.numbers, seed_words(0))

    @cached_property
    def step(self) -> Callable[..., int]:
        """The compiled decision."""
        return direct(steps.enter_step, *self._samples, 0, 0, 0, True)

    @cached_property
    def redeal(self) -> Callable[..., int]:
        """The compiled redeal."""
        return direct(steps.enter_redeal, *self._samples, 0, 0, seed_words(0))

    @cached_property
    def _samples(self) -> tuple[Any, ...]:
        table = Table(self)
        table.lay_out()
        return table.records, table.words, table.memory, table.actions


@cache
def as_setting(game: str, seats: int, options: tuple[tuple[str, OptionValue], ...]) -> Setting:
    """The one setting of that game, seats and options."""
    return Setting(find(game), seats, dict(options))


class Table:
    """One match: `seat` is whose decision is open, or CHANCE or TERMINAL; `count` of `actions` are legal."""

    __slots__ = ("actions", "count", "digits", "memory", "records", "seat", "setting", "words")

    words: Words
    memory: Words
    records: npt.NDArray[Any]
    actions: npt.NDArray[np.int64]

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.seat = CHANCE
        self.count = 0
        self.digits: tuple[int, ...] = ()

    def __deepcopy__(self, memo: object) -> Table:
        """The same match, to go its own way."""
        twin = Table(self.setting)
        twin.seat, twin.count, twin.digits = self.seat, self.count, self.digits
        if self.dealt:
            twin._lay(self.words.copy(), self.memory.copy(), self.actions.copy())
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as its bytes."""
        arrays = (self.words, self.memory, self.actions) if self.dealt else None
        return _restored, (self.setting, self.seat, self.count, self.digits, arrays)

    @property
    def dealt(self) -> bool:
        """Whether the cards are dealt: before that, chance draws the seed."""
        return self.seat != CHANCE

    def draw(self, digit: int) -> None:
        """Chance draws the next digit of the seed; the last one deals the cards."""
        if not 0 <= digit < DIGIT_VALUES:
            raise IllegalAction(f"a digit of the seed is a number from 0 to {DIGIT_VALUES - 1}, not {digit}")
        self.digits = (*self.digits, digit)
        if len(self.digits) == DIGITS:
            self.deal(int("".join(f"{each:x}" for each in self.digits), DIGIT_VALUES))

    def deal(self, seed: int) -> None:
        """Deals the match of that seed."""
        self.lay_out()
        arrays = self.records, self.words, self.memory, self.actions
        self.go_to(self.setting.deal(*arrays, self.setting.numbers, seed_words(seed)))

    def go_to(self, code: int) -> None:
        """Opens the decision that a compiled step has told of."""
        if code >= 0:
            self.seat, self.count = code & 7, code >> steps.SEAT_BITS
        elif code == steps.OVER:
            self.seat, self.count = TERMINAL, 0
        else:
            raise IllegalAction(f"seat {self.seat} may not do that now; {self.count} actions are legal")

    def resampled(self, seat: int, rng: Words) -> Table:
        """A match that could be behind what a seat knows, with a future of its own."""
        twin = self.__deepcopy__(None)
        if self.dealt:
            arrays = twin.records, twin.words, twin.memory, twin.actions
            twin.go_to(self.setting.redeal(*arrays, self.seat, seat, rng))
        twin.digits = ()
        return twin

    def legal(self) -> list[int]:
        """The legal actions of whoever decides, in order."""
        numbers: list[int] = self.actions[: self.count].tolist()
        return numbers

    def utilities(self) -> list[float]:
        """Once it is over: 1 for winning alone, −1 shared evenly by the others; winners in common share. The sum is 0."""
        seats, bits = self.setting.seats, int(self.records["winners"][0]) if self.dealt else 0
        if bits == 0:
            return [0.0] * seats
        return [((bits >> seat & 1) * seats / bits.bit_count() - 1) / (seats - 1) for seat in range(seats)]

    def state(self) -> State:
        """The state behind it, to read."""
        state = State(self.setting.game)
        state.records[:] = self.records[:1]
        return state

    def view(self, seat: int) -> State:
        """What a seat, or a SPECTATOR, may know."""
        seen = State(self.setting.game)
        if seat == SPECTATOR:
            self.setting.game.doors.view(self.records[:1], seat, seen.records)
        else:
            seen.records[:] = self.records[1 + seat : 2 + seat]
        return seen

    def remembered(self, seat: int) -> str:
        """What a seat remembers, as hexadecimal digits."""
        bits: bytes = self.memory[seat].tobytes()
        return bits.hex()

    def lay_out(self) -> None:
        """Makes room for a match."""
        rules, seats = self.setting.game.rules, self.setting.seats
        words = np.zeros((seats + 2, rules.STATE.dtype.itemsize // 4), np.uint32)
        self._lay(words, np.zeros((seats + 1, 4), np.uint32), np.zeros(rules.ACTIONS, np.int64))

    def _lay(self, words: Words, memory: Words, actions: npt.NDArray[np.int64]) -> None:
        self.words, self.memory, self.actions = words, memory, actions
        self.records = words.reshape(-1).view(self.setting.game.rules.STATE.dtype)


def _restored(setting: Setting, seat: int, count: int, digits: tuple[int, ...], arrays: Any) -> Table:
    table = Table(setting)
    table.seat, table.count, table.digits = seat, count, digits
    if arrays:
        table._lay(*arrays)
    return table
