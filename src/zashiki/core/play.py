"""Random play over any game: the walk that benchmarks, conformance and the GPU share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Options, apply, deal, legal, to_act
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones, scratch
from zashiki.core.layout import Record
from zashiki.core.masks import Mask, count, nth
from zashiki.core.random import Words, random_word, roll


@rule
def pick_seat(seats: int, rng: Words) -> int:
    """One of the seats that may act, drawn evenly where there are several."""
    if seats & (seats - 1) == 0:
        return lowest(seats)
    for _ in range(roll(rng, ones(seats))):
        seats &= seats - 1
    return lowest(seats)


@rule
def pick_action(mask: Mask, rng: Words) -> int:
    """One of the actions in the mask, drawn evenly."""
    return nth(mask, roll(rng, count(mask)))


@rule
def play_on(state: Record, rng: Words, mask: Mask, limit: int) -> int:
    """Plays at random until the match is over or `limit` decisions are made; tells how many were."""
    decisions = 0
    while decisions < limit:
        seats = to_act(state)
        if seats == 0:
            break
        seat = pick_seat(seats, rng)
        legal(state, seat, mask)
        apply(state, seat, pick_action(mask, rng))
        decisions += 1
    return decisions


@rule
def play_steadily(state: Record, rng: Words, mask: Mask, limit: int, seats: int, options: Options) -> None:
    """Makes exactly `limit` random decisions, dealing anew whenever a match is over."""
    for _ in range(limit):
        if to_act(state) == 0:
            deal_again(state, seats, options)
        play_on(state, rng, mask, 1)


@rule
def deal_again(state: Record, seats: int, options: Options) -> None:
    """A new match from random numbers of the one that is over."""
    seed = scratch(4, np.uint32)
    for i in range(4):
        seed[i] = random_word(state)
    deal(state, seats, options, seed)


@rule
def play_all(states: npt.NDArray[Any], rngs: Words, mask: Mask, limit: int) -> int:
    """Plays every match of an array on; tells how many decisions were made in all."""
    decisions = 0
    for i in range(len(states)):
        decisions += play_on(states[i], rngs[i], mask, limit)
    return decisions
