"""A state in the hand of a Python program: the low-level calls, unverified and fast."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np

from zashiki.core import entries
from zashiki.core.checks import shown, whole
from zashiki.core.errors import WrongSeed
from zashiki.core.masks import words_for

if TYPE_CHECKING:
    from zashiki.core.contract import Options, Table, Tensor
    from zashiki.core.game import Game
    from zashiki.core.random import Words

Seed = int | str | None


def seed_number(seed: Seed) -> int:
    """A seed as a number of 128 bits; without one, from the operating system's entropy."""
    if seed is None:
        return secrets.randbits(128)
    if isinstance(seed, str):
        if not re.fullmatch("[0-9a-f]{32}", seed):
            raise WrongSeed(f"a seed has 32 hexadecimal digits, not {shown(seed)}")
        return int(seed, 16)
    number = whole(seed)
    if number is None or not 0 <= number < 1 << 128:
        raise WrongSeed(f"a seed is a whole number from 0 to 2^128 − 1, not {shown(seed)}")
    return number


def seed_words(seed: int) -> Words:
    """A seed as `deal` takes it."""
    return np.array([(seed >> (32 * i)) & 0xFFFFFFFF for i in range(4)], np.uint32)


class State:
    """Everything a match knows, in an array of one record. Nothing is checked here: `Match` does that.

    Several threads may read one state at once; whoever changes it must be alone.
    """

    __slots__ = ("_doors", "_words", "game", "records")

    def __init__(self, game: Game) -> None:
        self.game = game
        rules = game.rules
        self._doors = game.doors
        self.records = rules.STATE.new(1)
        self._words = words_for(rules.ACTIONS)

    def __repr__(self) -> str:
        return f"<state or view of {self.game.id}: read it with to_json(), or field by field with record>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as its bytes."""
        return State.from_bytes, (self.game, self.to_bytes())

    @classmethod
    def dealt(cls, game: Game, seats: int, options: Options, seed: int) -> State:
        """A new match."""
        state = cls(game)
        entries.enter_deal(state.records, seats, options, seed_words(seed))
        return state

    @property
    def record(self) -> Any:
        """The record itself, to read and to change."""
        return self.records[0]

    def to_act(self) -> int:
        """The seats that may act now, as bits; 0 when the match is over."""
        return self._doors.to_act(self.records)

    def legal(self, seat: int) -> list[int]:
        """The numbers of a seat's legal actions, in order."""
        actions = np.empty(self.game.rules.ACTIONS, np.int64)
        count = self._doors.legal(self.records, seat, self._words, actions)
        numbers: list[int] = actions[:count].tolist()
        return numbers

    def apply(self, seat: int, action: int) -> None:
        """Carries out an action that must be legal: anything else makes the state worthless."""
        self._doors.apply(self.records, seat, action)

    def act(self, seat: int, action: int) -> int:
        """Carries out an action if it is legal; tells what came of it."""
        return self._doors.act(self.records, seat, action, self._words)

    def refusal(self, seat: int, action: int) -> int:
        """What `act` would tell."""
        return self._doors.refusal(self.records, seat, action, self._words)

    def view(self, seat: int) -> State:
        """What a seat may know."""
        seen = State(self.game)
        self._doors.view(self.records, seat, seen.records)
        return seen

    def redealt(self, seat: int, rng: Words) -> State:
        """A state that could be behind this view of a seat."""
        state = State(self.game)
        entries.enter_redeal(self.records, seat, rng, state.records)
        return state

    def observe(self, seat: int) -> Tensor:
        """This view as numbers."""
        tensor = np.zeros(self.game.features, np.float32)
        entries.enter_observe(self.records, seat, tensor)
        return tensor

    def scores(self) -> list[dict[str, int]]:
        """Each seat's points by their parts."""
        parts = self.game.rules.PARTS
        return [dict(zip(parts, row, strict=True)) for row in self.points().tolist()]

    def points(self) -> Table:
        """The same as numbers, a row for each seat."""
        table = np.zeros((int(self.records["seats"][0]), len(self.game.rules.PARTS)), np.int32)
        self._doors.scores(self.records, table)
        return table

    def sealed(self, seat: int, action: int) -> int:
        """Whether an earlier choice is open by now, SEALED, or VOID."""
        return entries.enter_sealed(self.records, seat, action)

    def copy(self) -> State:
        """The same state, to go its own way."""
        twin = State(self.game)
        twin.records[:] = self.records
        return twin

    def to_bytes(self) -> bytes:
        """The whole state; the same match in the same moment gives the same bytes everywhere."""
        return self.records.tobytes()

    @classmethod
    def from_bytes(cls, game: Game, data: bytes) -> State:
        """The state that `to_bytes` gave."""
        state = cls(game)
        state.records[:] = np.frombuffer(data, game.layout.dtype)
        return state

    def to_json(self) -> dict[str, Any]:
        """This view as plain JSON."""
        return self.game.layout.to_json(self.record)

    @classmethod
    def from_json(cls, game: Game, plain: dict[str, Any]) -> State:
        """The view that `to_json` gave: the same bytes."""
        view = cls(game)
        view.records[:] = game.layout.from_json(plain)
        return view
