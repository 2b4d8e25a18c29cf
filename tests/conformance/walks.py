"""Random walks through any game: the raw material of the conformance suite."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.games import known
from zashiki.core.gears import GEAR
from zashiki.core.layout import CLOCK
from zashiki.core.state import State
from zashiki.games import GAMES, find

SLOW = GEAR == "python"
"""Plain Python walks less far."""


@dataclass(frozen=True)
class Setting:
    """A game with a number of seats and options."""

    game: str
    seats: int
    options: dict[str, Any] = field(hash=False)

    def __str__(self) -> str:
        chosen = "".join(f"-{name}={value}" for name, value in self.options.items())
        return f"{self.game}-{self.seats}{chosen}"

    def deal(self, seed: int) -> State:
        game = find(self.game)
        return State.dealt(game, self.seats, game.option_numbers(self.options), seed)


SETTINGS = [
    Setting(game.id, seats, options) for game in GAMES.values() for seats in game.seats for options in known(game.id).OPTIONS
]


def seats_in(bits: int) -> list[int]:
    """The seats in a bit set."""
    return [seat for seat in range(CLOCK + 1) if bits >> seat & 1]


def walk(setting: Setting, seed: int, limit: int) -> Iterator[State]:
    """A random walk: the same state object again and again, before each decision and after the last one."""
    state = setting.deal(seed)
    choice = random.Random(seed)
    yield state
    for _ in range(limit):
        bits = state.to_act()
        if bits == 0:
            return
        seat = choice.choice(seats_in(bits))
        state.apply(seat, choice.choice(state.legal(seat)))
        yield state


def positions(setting: Setting, seed: int, limit: int, count: int) -> Iterator[State]:
    """About `count` moments of a walk, the first few always among them."""
    moments = [state.copy() for state in walk(setting, seed, limit)]
    pick = random.Random(seed)
    chosen = set(range(min(3, len(moments)))) | {pick.randrange(len(moments)) for _ in range(count)} | {len(moments) - 1}
    for place in sorted(chosen):
        yield moments[place]
