"""A match whose seats are asked one decision at a time: what the environments of all libraries have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.checks import shown, whole
from zashiki.core.contract import Tensor
from zashiki.core.errors import IllegalAction, MalformedAction
from zashiki.core.game import Game, as_game
from zashiki.core.layout import CLOCK
from zashiki.core.masks import words_for
from zashiki.core.state import State, seed_number, seed_words
from zashiki.core.turns import NOBODY, REFUSED, turn_doors

Observation = dict[str, npt.NDArray[Any]]

BOUND = 8.0
"""No number of an observation is further from 0; most lie between −1 and 1."""


class AskedMatch:
    """One match after the other of a game, each asked as a batch asks: `acting` is the seat whose decision is open.

    Where several seats may act they are asked in an order drawn by lot, and none sees the others' choices before all are in.
    Where time may act, nobody must: there an action more, the last one, is waiting. With `idle` it is there in any case, for
    those who have nothing to decide.
    """

    def __init__(
        self, game: Game | str, seats: int | None = None, options: dict[str, Any] | None = None, *, idle: bool = False
    ) -> None:
        self.game = game = as_game(game)
        self.seats = game.check_seats(game.seats[0] if seats is None else seats)
        self.options = game.full_options(options)
        self.state = State(game)
        self.acting = NOBODY
        self._numbers = game.option_numbers(options)
        self._doors = turn_doors(game)
        self._words = words_for(game.rules.ACTIONS)
        self._rng = np.zeros(4, np.uint32)
        self._view = game.layout.new(1)
        self.deal(0)
        self.may_wait = bool(self.state.to_act() >> CLOCK & 1)
        self._idle = idle
        self.actions = game.rules.ACTIONS + (idle or self.may_wait)

    def deal(self, seed: int) -> None:
        """A new match: the one that `Match` deals from this seed."""
        words = seed_words(seed_number(seed))
        self.acting = self._doors.start(self.state.records, self.seats, self._numbers, words, self._words, self._rng)

    def decide(self, action: object) -> None:
        """What the acting seat does. A refused action changes nothing."""
        number = whole(action)
        if number is None:
            raise MalformedAction(f"an action is a whole number from 0 to {self.actions - 1}, not {shown(action)}")
        if number == self.game.rules.ACTIONS and self.may_wait:
            self.acting = self._doors.go_on(self.state.records, self._words, self._rng)
            return
        following = self._doors.decide(self.state.records, self.acting, number, self._words, self._rng)
        if following == REFUSED:
            raise IllegalAction(f"seat {self.acting} may not do {shown(action)} now: the mask has what it may do")
        self.acting = following

    def observe(self, seat: int) -> Observation:
        """What a seat may know, and what it may do: `observation` and `action_mask`, both from its own view."""
        tensor: Tensor = np.empty(self.game.features, np.float32)
        mask = np.zeros(self.actions, np.int8)
        found = self._doors.look(self.state.records, seat, self._words, self._view, tensor, mask)
        if self.may_wait if found else self._idle:
            mask[-1] = 1
        return {"observation": tensor, "action_mask": mask}

    def possible(self, seat: int, action: object) -> int:
        """A seat's action if it is legal; else waiting, or where something must be done the legal action of the lowest number."""
        number, legal = whole(action), self.state.legal(seat)
        if number is not None and number in legal:
            return number
        return self.actions - 1 if self.may_wait else legal[0]

    def rewards(self) -> list[float]:
        """What a finished match is worth to each seat: 1 to a lone winner, 0 in all."""
        winners = int(self.state.records["winners"][0])
        shares = [(winners >> seat & 1) / winners.bit_count() for seat in range(self.seats)]
        return [(self.seats * share - 1) / (self.seats - 1) for share in shares]
