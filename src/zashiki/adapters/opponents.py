"""Whoever sits at the other seats of a batch in which one seat of each match learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from zashiki.bots import find_bot
from zashiki.core.batch import Actions, Batch, Flags
from zashiki.core.state import State

if TYPE_CHECKING:
    from zashiki.bots.bot import Bot


class Opponents(Protocol):
    """They are asked for an action in every match that waits for one of them."""

    def actions(self, batch: Batch, waiting: Flags) -> Actions:
        """An action for every match, legal in those that wait."""
        ...

    def rise(self, ended: Flags) -> None:
        """Leaves the seats of matches that are over."""
        ...


class RandomOpponents:
    """Any legal action, drawn inside compiled code."""

    def actions(self, batch: Batch, waiting: Flags) -> Actions:
        """Any legal action everywhere."""
        return batch.random_actions()

    def rise(self, ended: Flags) -> None:
        """Remembers nothing anyway."""


class NamedOpponents:
    """Bots as `find_bot` names them, one at each seat; each sees its own view alone."""

    def __init__(self, batch: Batch, name: str, chance: np.random.Generator) -> None:
        self._entrant = find_bot(batch.game, name)
        self._chance = chance
        self._bots: dict[tuple[int, int], Bot] = {}

    def actions(self, batch: Batch, waiting: Flags) -> Actions:
        """What the bot at each waiting seat chooses."""
        actions = np.zeros(batch.count, np.int64)
        for place in np.flatnonzero(waiting).tolist():
            actions[place] = self._choose(batch, place, int(batch.acting[place]))
        return actions

    def rise(self, ended: Flags) -> None:
        """Lets new bots sit down where a new match has begun."""
        self._bots = {key: bot for key, bot in self._bots.items() if not ended[key[0]]}

    def _choose(self, batch: Batch, place: int, seat: int) -> int:
        if (place, seat) not in self._bots:
            self._bots[place, seat] = self._entrant.sit_down(int(self._chance.integers(2**63)))
        view = State.from_bytes(batch.game, batch.states[place].tobytes()).view(seat)
        legal = np.flatnonzero(batch.legal[place]).tolist()
        return self._bots[place, seat].choose(view, seat, legal, self._entrant.budget)


def opponents_named(name: str, batch: Batch, chance: np.random.Generator) -> Opponents:
    """Opponents of that name for a batch."""
    return RandomOpponents() if name == "random" else NamedOpponents(batch, name, chance)
