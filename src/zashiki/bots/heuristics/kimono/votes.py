"""How a vote of Kimono is likely to go: everyone weighs what a group brings alone against who else may want it."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.bots.heuristics.kimono.values import ALL_KINDS, Counts, gain, kimono_gain
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kimono.rules import SEATS

GROUPS = 2 * SEATS
"""Both groups of each seat, in one list."""
# From self-play of the heuristic: what contested pieces brought to those who wanted them.
SHARED_GAIN, SHARED_LOSS, FREEDOM = 0.6, 0.25, 0.25
"""What several may expect: so much of an even part, be it good or bad, and for every card, since they can still choose."""
SHARPNESS = 0.35
"""How much likelier a vote becomes with each point."""
ROUNDS_OF_THOUGHT = 3
"""How often everyone answers what the others were thought to do."""
LEAST = 0.03
"""How likely at least either vote is: nobody is quite sure of the others."""

Reals = npt.NDArray[np.float64]


@rule
def count_cards(state: Record, start: int, end: int, cards: Counts) -> None:
    """The cards of a piece of the row by kind."""
    for card in range(ALL_KINDS):
        cards[card] = 0
    for place in range(start, end):
        cards[int(state.row[place])] += 1


@rule
def size_of(cards: Counts) -> int:
    """How many cards these are."""
    total = 0
    for card in range(ALL_KINDS):
        total += cards[card]
    return total


@rule
def share(state: Record, alone: float, kimono: float, size: int, others: float) -> float:
    """What a seat may expect of a group that others want too."""
    if state.kimonos < 1.5 + others:
        kimono = 0.0
    if size == 1:
        return kimono
    part = alone / (1 + others)
    part *= SHARED_GAIN if part > 0 else SHARED_LOSS
    return part + FREEDOM * size + min(1.0, others / size) * kimono


@rule
def foresee_votes(
    state: Record, voters: int, first: Counts, second: Counts, steps: Counts, chances: Reals, expected: Reals
) -> None:
    """How likely each voter is to choose the first group, and what each seat can expect of either group."""
    gains = scratch(GROUPS, np.float64)
    kimonos = scratch(SEATS, np.float64)
    for seat in range(int(state.seats)):
        chances[seat] = 0.5
        expected[2 * seat] = expected[2 * seat + 1] = 0.0
        if (voters >> seat) & 1:
            gains[2 * seat] = gain(state, seat, first, steps)
            gains[2 * seat + 1] = gain(state, seat, second, steps)
            kimonos[seat] = kimono_gain(state, seat, steps)
    sizes = size_of(first), size_of(second)
    for _ in range(ROUNDS_OF_THOUGHT):
        _think_again(state, voters, sizes, gains, kimonos, chances, expected)


@rule
def _think_again(
    state: Record, voters: int, sizes: tuple[int, int], gains: Reals, kimonos: Reals, chances: Reals, expected: Reals
) -> None:
    """Everyone answers what the others were thought to do."""
    nobody_first, nobody_second, firsts, count = 1.0, 1.0, 0.0, 0
    for seat in range(int(state.seats)):
        if (voters >> seat) & 1:
            nobody_first *= 1 - chances[seat]
            nobody_second *= chances[seat]
            firsts += chances[seat]
            count += 1
    for seat in range(int(state.seats)):
        if (voters >> seat) & 1 == 0:
            continue
        chance = chances[seat]
        alone_first = nobody_first / (1 - chance)
        alone_second = nobody_second / chance
        others_first = (firsts - chance) / max(1 - alone_first, 0.01)
        others_second = (count - 1 - firsts + chance) / max(1 - alone_second, 0.01)
        mine, theirs = gains[2 * seat], gains[2 * seat + 1]
        a = alone_first * mine + (1 - alone_first) * share(state, mine, kimonos[seat], sizes[0], max(others_first, 1.0))
        b = alone_second * theirs + (1 - alone_second) * share(state, theirs, kimonos[seat], sizes[1], max(others_second, 1.0))
        expected[2 * seat], expected[2 * seat + 1] = a, b
        answer = 1 / (1 + exp(SHARPNESS * (b - a)))
        chances[seat] = min(max((chance + answer) / 2, LEAST), 1 - LEAST)
