"""One match as a row of single decisions, as a batch has them: the doors for programs that ask one seat after the other.

Where several seats may act one of them is drawn, and what the clock does is drawn too, from random numbers that start as those of
a batch do: the same seed and the same actions give the same match in both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Options, Tensor, apply, deal, legal, observe, to_act, view
from zashiki.core.entries import MOST_WORDS
from zashiki.core.gears import direct, door, rule
from zashiki.core.intrinsics import scratch, wide
from zashiki.core.layout import CLOCK, Record, Records
from zashiki.core.masks import allowed, count
from zashiki.core.play import pick_action, pick_seat
from zashiki.core.random import Words, seed_roller

if TYPE_CHECKING:
    from zashiki.core.game import Game

Flags = npt.NDArray[np.int8]

NOBODY, REFUSED = -1, -2
"""Instead of the seat whose decision is next: the match is over; the action was not legal, and nothing was done."""


class TurnDoors:
    """The calls of every decision, each resolved for a game's record when it is first needed."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._states = game.layout.new(1)
        self._words = np.zeros(4, np.uint32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as its game: what is compiled is code, not data."""
        return turn_doors, (self._game,)

    @cached_property
    def start(self) -> Callable[[Records, int, Options, Words, int, Words], int]:
        """A new match up to its first decision."""
        return direct(enter_start, self._states, 0, self._game.option_numbers(), self._words, 0, self._words)

    @cached_property
    def go_on(self) -> Callable[[Records, int, Words], int]:
        """Whose decision is next."""
        return direct(enter_go_on, self._states, 0, self._words)

    @cached_property
    def decide(self) -> Callable[[Records, int, int, int, Words], int]:
        """An action verified and carried out, up to the next decision."""
        return direct(enter_decide, self._states, 0, 0, 0, self._words)

    @cached_property
    def look(self) -> Callable[[Records, int, int, Records, Tensor, Flags], int]:
        """What a seat may know and do."""
        tensor, flags = np.zeros(1, np.float32), np.zeros(1, np.int8)
        return direct(enter_look, self._states, 0, 0, self._states, tensor, flags)


@cache
def turn_doors(game: Game) -> TurnDoors:
    """The doors of a game."""
    return TurnDoors(game)


@door
def enter_start(states: Records, seats: int, options: Options, seed: Words, words: int, rng: Words) -> int:
    """Deals, and tells whose decision is first. Masks have so many words."""
    deal(states[0], seats, options, seed)
    seed_roller(rng, wide(seed[0]) + (wide(seed[1]) << 31))
    return next_seat(states[0], words, rng)


@door
def enter_go_on(states: Records, words: int, rng: Words) -> int:
    """Whose decision is next."""
    return next_seat(states[0], words, rng)


@door
def enter_decide(states: Records, seat: int, action: int, words: int, rng: Words) -> int:
    """Carries out an action if it is legal, and tells whose decision is next; REFUSED otherwise."""
    mask = scratch(MOST_WORDS, np.uint32)[:words]
    legal(states[0], seat, mask)
    if action < 0 or action >= 32 * words or not allowed(mask, action):
        return REFUSED
    apply(states[0], seat, action)
    return next_seat(states[0], words, rng)


@rule
def next_seat(state: Record, words: int, rng: Words) -> int:
    """Whose decision is next, past what the clock does by itself; NOBODY when the match is over."""
    mask = scratch(MOST_WORDS, np.uint32)[:words]
    seats = to_act(state)
    while seats != 0:
        seat = pick_seat(seats, rng)
        if seat != CLOCK:
            return seat
        legal(state, CLOCK, mask)
        apply(state, CLOCK, pick_action(mask, rng))
        seats = to_act(state)
    return NOBODY


@door
def enter_look(states: Records, seat: int, words: int, views: Records, tensor: Tensor, flags: Flags) -> int:
    """Writes a seat's observation, and which actions are legal for it; tells how many. Both come from its view alone."""
    mask = scratch(MOST_WORDS, np.uint32)[:words]
    view(states[0], seat, views[0])
    observe(views[0], seat, tensor)
    legal(views[0], seat, mask)
    for action in range(min(len(flags), 32 * words)):
        flags[action] = allowed(mask, action)
    return count(mask)
