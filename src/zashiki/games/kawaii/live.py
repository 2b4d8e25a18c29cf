"""The live pace: what everybody could do at any moment, and how the table goes on once a pile is settled."""

from __future__ import annotations

from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.core.layout import EMPTY, Record
from zashiki.core.random import random_below
from zashiki.games.kawaii.cards import SIGNS
from zashiki.games.kawaii.table import end_round, flip, judge, nothing_left, open_piles, still_to_throw


@rule
def can_say_done(state: Record, seat: int) -> bool:
    """Whether the seat has a token and has not yet said that it wants no more, after the last flip."""
    return state.turn == EMPTY and state.tokens[seat] > 0 and (int(state.done) >> seat) & 1 == 0


@rule
def claimable(state: Record, seat: int) -> int:
    """The piles this seat could claim now, as bits: none without a token that is not bound."""
    # What a view does not tell counts as no claim: it concerns other seats only.
    claimed = max(int(state.claims[seat]), 0)
    free = int(state.tokens[seat]) - ones(claimed)
    piles = open_piles(state) & ~claimed
    for pile in range(int(state.seats)):
        if state.contested[pile]:
            piles &= ~(1 << pile)
            free -= (int(state.contested[pile]) >> seat) & 1
    return piles if free > 0 else 0


@rule
def all_done(state: Record) -> bool:
    """Whether nobody with a token wants to capture any more."""
    waiting = 0
    for seat in range(int(state.seats)):
        waiting += can_say_done(state, seat)
    return waiting == 0


@rule
def settling(state: Record) -> bool:
    """Whether a photo finish is open or a contest goes on anywhere."""
    open_ones = 0
    for seat in range(int(state.seats)):
        open_ones |= max(int(state.claims[seat]), 0) | int(state.contested[seat])
    return open_ones != 0


@rule
def throw_for(state: Record, pile: int) -> None:
    """Throws for whoever has not thrown for the pile, and judges."""
    slow = still_to_throw(state, pile)
    for seat in range(int(state.seats)):
        if (slow >> seat) & 1:
            state.throws[pile, seat] = random_below(state, len(SIGNS))
    judge(state, pile)


@rule
def go_on_live(state: Record) -> None:
    """Once nothing is being settled, the flip that waited comes, unless the round is over."""
    if settling(state):
        return
    if nothing_left(state):
        end_round(state)
    elif state.flip_waits == 1:
        state.flip_waits = 0
        flip(state)
