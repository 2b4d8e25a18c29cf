"""What a seat of Kohoju knows of the others' hands, and hands dealt anew that agree with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zashiki.core.gears import rule
from zashiki.core.layout import EMPTY, UNKNOWN
from zashiki.core.random import roll
from zashiki.games.kohoju.cards import CARDS
from zashiki.games.kohoju.piles import HIDDEN, KNOWN, SEATS, take_up

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zashiki.core.layout import Record
    from zashiki.core.random import Words


@rule
def view_hand(state: Record, seat: int, out: Record) -> None:
    """Shows the known cards of a hand first, so that their places say nothing about the others."""
    hand = out.hands[seat]
    size = int(state.hand_size[seat])
    known = 0
    for i in range(size):
        card = int(state.hands[seat, i])
        if state.place[card] == KNOWN + seat:
            hand[known] = card
            known += 1
    for i in range(size, len(hand)):
        hand[i] = EMPTY


@rule
def mark_shown(view: Record, shown: npt.NDArray[np.int8]) -> None:
    """Marks the cards that the viewer sees in hands."""
    for card in range(CARDS):
        shown[card] = 0
    for seat in range(SEATS):
        for i in range(int(view.hand_size[seat])):
            if view.hands[seat, i] != UNKNOWN:
                shown[int(view.hands[seat, i])] = 1


@rule
def drop_unknown(out: Record, seat: int) -> None:
    """Leaves in a hand what the viewer knows of it."""
    size = int(out.hand_size[seat])
    while size > 0 and out.hands[seat, size - 1] == UNKNOWN:
        size -= 1
        out.hands[seat, size] = EMPTY
    out.hand_size[seat] = size


@rule
def gather_unseen(view: Record, number: int, shown: npt.NDArray[np.int8], unseen: npt.NDArray[np.int8]) -> int:
    """Lists the hidden cards of one stock that the viewer does not see; tells how many they are."""
    count = 0
    for card in range(CARDS):
        if view.place[card] == HIDDEN + number and shown[card] == 0:
            unseen[count] = card
            count += 1
    return count


@rule
def redraw(out: Record, seat: int, cards: int, rng: Words, unseen: npt.NDArray[np.int8], count: int) -> int:
    """Moves cards by chance from the unseen into a hand; tells how many are left."""
    for _ in range(cards):
        i = roll(rng, count)
        count -= 1
        take_up(out, seat, int(unseen[i]))
        unseen[i] = unseen[count]
    return count
