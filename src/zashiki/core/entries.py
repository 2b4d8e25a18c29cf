"""The doors from Python into compiled rules: the contract over an array of one record.

Passing a record from Python costs over a microsecond, passing an array of one record a third of that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from zashiki.core.contract import Options, Table, Tensor, apply, deal, legal, observe, redeal, scores, sealed, to_act, view
from zashiki.core.gears import direct, door, rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Records
from zashiki.core.masks import allowed, list_actions
from zashiki.core.random import Words

DONE, OVER, NOT_YOUR_TURN, ILLEGAL = range(4)
MOST_WORDS = 32
"""No game has more actions than a mask of this many words holds."""


class Doors:
    """The calls of every decision, each resolved for a game's record when it is first needed."""

    def __init__(self, states: Records, actions: Options, points: Table) -> None:
        self._states, self._actions, self._points = states, actions, points

    @cached_property
    def to_act(self) -> Callable[[Records], int]:
        """The seats that may act."""
        return direct(enter_to_act, self._states)

    @cached_property
    def legal(self) -> Callable[[Records, int, int, Options], int]:
        """The legal actions of a seat."""
        return direct(enter_legal, self._states, 0, 0, self._actions)

    @cached_property
    def apply(self) -> Callable[[Records, int, int], None]:
        """An action carried out on trust."""
        return direct(enter_apply, self._states, 0, 0)

    @cached_property
    def act(self) -> Callable[[Records, int, int, int], int]:
        """An action verified and carried out."""
        return direct(enter_act, self._states, 0, 0, 0)

    @cached_property
    def refusal(self) -> Callable[[Records, int, int, int], int]:
        """Whether an action is legal."""
        return direct(enter_refusal, self._states, 0, 0, 0)

    @cached_property
    def view(self) -> Callable[[Records, int, Records], None]:
        """What a seat may know."""
        return direct(enter_view, self._states, 0, self._states)

    @cached_property
    def scores(self) -> Callable[[Records, Table], None]:
        """Points by seat and part."""
        return direct(enter_scores, self._states, self._points)


@door
def enter_deal(states: Records, seats: int, options: Options, seed: Words) -> None:
    """A new match."""
    deal(states[0], seats, options, seed)


@door
def enter_to_act(states: Records) -> int:
    """The seats that may act, as bits."""
    return to_act(states[0])


@door
def enter_legal(states: Records, seat: int, words: int, actions: Options) -> int:
    """Lists a seat's legal actions in order; tells how many they are. The mask has so many words."""
    mask = scratch(MOST_WORDS, np.uint32)[:words]
    legal(states[0], seat, mask)
    return list_actions(mask, actions)


@door
def enter_apply(states: Records, seat: int, action: int) -> None:
    """Carries out an action that is known to be legal."""
    apply(states[0], seat, action)


@door
def enter_act(states: Records, seat: int, action: int, words: int) -> int:
    """Carries out an action if it is legal; tells why not otherwise. The mask has so many words."""
    answer = refusal(states, seat, action, words)
    if answer == DONE:
        apply(states[0], seat, action)
    return answer


@door
def enter_refusal(states: Records, seat: int, action: int, words: int) -> int:
    """What `enter_act` would answer."""
    return refusal(states, seat, action, words)


@rule
def refusal(states: Records, seat: int, action: int, words: int) -> int:
    """Whether an action is legal, and why not otherwise."""
    mask = scratch(MOST_WORDS, np.uint32)[:words]
    seats = to_act(states[0])
    if seats == 0:
        return OVER
    if (seats >> seat) & 1 == 0:
        return NOT_YOUR_TURN
    legal(states[0], seat, mask)
    return DONE if allowed(mask, action) else ILLEGAL


@door
def enter_view(states: Records, seat: int, views: Records) -> None:
    """What a seat may know."""
    view(states[0], seat, views[0])


@door
def enter_redeal(views: Records, seat: int, rng: Words, states: Records) -> None:
    """A state that could be behind a view."""
    redeal(views[0], seat, rng, states[0])


@door
def enter_scores(states: Records, table: Table) -> None:
    """Points by seat and part."""
    scores(states[0], table)


@door
def enter_sealed(states: Records, seat: int, action: int) -> int:
    """What has become of an earlier secret choice."""
    return sealed(states[0], seat, action)


@door
def enter_observe(views: Records, seat: int, tensor: Tensor) -> None:
    """A view as numbers."""
    observe(views[0], seat, tensor)
