"""Lantern, for two to four: in each of three streets everyone in turn lays a lantern, and the brightest lights the street.

Made up to show how a game is added: hidden hands, a stack that nobody sees, an option, and a tie that is shared.
"""

from __future__ import annotations

import numpy as np

from zashiki.core.contract import Options, Table
from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, blank, copy, scratch
from zashiki.core.layout import EMPTY, UNKNOWN, Field, Layout, Record
from zashiki.core.masks import Mask, allow, clear
from zashiki.core.random import Words, random_below, reseed, roll_shuffle, seed_state, shuffle
from zashiki.games.lantern.cards import HAND, LANTERNS

SEATS = 4

OVER, LAYING = range(2)
BY_STREETS, SHARED = range(1, 3)

ACTIONS = LANTERNS
PARTS = ("streets",)

STATE = Layout(
    "lantern",
    phases=("over", "lay"),
    endings=("", "streets", "shared"),
    own=(
        Field("dark", "i1", (), "1: the dimmest lantern lights the street"),
        Field("street", "i1", (), "this street, from 1 to 3"),
        Field("active", "i1", (), "the seat that lays now"),
        Field("laid", "i1", (SEATS,), "the lantern each seat has laid in this street; −2: none yet"),
        Field("burnt", "i1", (LANTERNS,), "1: this lantern has been laid"),
        Field("lit", "i1", (SEATS,), "streets that each seat has lit"),
        Field("hand_size", "i1", (SEATS,), "lanterns in each hand"),
        Field("holders", "i1", (LANTERNS,), "the seat that holds each lantern; −2: nobody does", hidden=True),
    ),
)


@rule
def deal(state: Record, seats: int, options: Options, seed: Words) -> None:
    """Three lanterns each; a random seat begins."""
    seed_state(state, seed)
    state.seats = seats
    state.dark = options[0]
    state.phase = LAYING
    state.winners = 0
    state.ending = 0
    state.street = 1
    state.laid[:] = EMPTY
    state.burnt[:] = 0
    state.lit[:] = 0
    state.hand_size[:] = 0
    state.holders[:] = EMPTY
    for seat in range(seats):
        state.hand_size[seat] = HAND
        for i in range(HAND):
            state.holders[seat * HAND + i] = seat
    shuffle(state, state.holders, 0, LANTERNS)
    state.active = random_below(state, seats)


@rule
def to_act(state: Record) -> int:
    """The seat that lays."""
    return 0 if state.phase == OVER else 1 << int(state.active)


@rule
def legal(state: Record, seat: int, mask: Mask) -> None:
    """Any lantern of the own hand."""
    clear(mask)
    if (to_act(state) >> seat) & 1 == 0:
        return
    for lantern in range(LANTERNS):
        if state.holders[lantern] == seat:
            allow(mask, lantern)


@rule
def apply(state: Record, seat: int, action: int) -> None:
    """Lays a lantern; the last one of a street decides it."""
    state.holders[action] = EMPTY
    state.hand_size[seat] -= 1
    state.burnt[action] = 1
    state.laid[seat] = action
    state.active = (seat + 1) % int(state.seats)
    if state.laid[int(state.active)] != EMPTY:
        _light_street(state)


@rule
def view(state: Record, seat: int, out: Record) -> None:
    """Everything open, and the own hand."""
    blank(out)
    out.seats = state.seats
    out.phase = state.phase
    out.winners = state.winners
    out.ending = state.ending
    out.dark = state.dark
    out.street = state.street
    out.active = state.active
    assign(out.laid, state.laid)
    assign(out.burnt, state.burnt)
    assign(out.lit, state.lit)
    assign(out.hand_size, state.hand_size)
    for lantern in range(LANTERNS):
        if state.burnt[lantern] == 1 or (seat >= 0 and state.holders[lantern] == seat):
            out.holders[lantern] = state.holders[lantern]


@rule
def redeal(view: Record, seat: int, rng: Words, out: Record) -> None:
    """The lanterns that nobody has shown, shuffled over the other hands and the stack."""
    copy(view, out)
    reseed(out, rng)
    unseen = scratch(LANTERNS, np.int8)
    count = 0
    for lantern in range(LANTERNS):
        if view.holders[lantern] == UNKNOWN:
            out.holders[lantern] = EMPTY
            unseen[count] = lantern
            count += 1
    roll_shuffle(rng, unseen, 0, count)
    for other in range(int(view.seats)):
        if other != seat:
            for _ in range(int(view.hand_size[other])):
                count -= 1
                out.holders[int(unseen[count])] = other


@rule
def scores(state: Record, table: Table) -> None:
    """A point for each street."""
    for seat in range(int(state.seats)):
        table[seat, 0] = state.lit[seat]


@rule
def sealed(state: Record, seat: int, action: int) -> int:
    """Nothing is chosen in secret."""
    return 0


@rule
def _light_street(state: Record) -> None:
    best = int(state.active)
    for seat in range(int(state.seats)):
        brighter = state.laid[seat] > state.laid[best]
        if state.laid[seat] != state.laid[best] and brighter != (state.dark == 1):
            best = seat
    state.lit[best] += 1
    state.active = best
    state.laid[:] = EMPTY
    if state.street == HAND:
        _decide(state)
    else:
        state.street += 1


@rule
def _decide(state: Record) -> None:
    most = 0
    for seat in range(int(state.seats)):
        most = max(most, int(state.lit[seat]))
    winners = 0
    for seat in range(int(state.seats)):
        if state.lit[seat] == most:
            winners |= 1 << seat
    state.phase = OVER
    state.winners = winners
    state.ending = BY_STREETS if winners & (winners - 1) == 0 else SHARED
