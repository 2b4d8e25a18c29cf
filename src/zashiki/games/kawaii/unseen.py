"""What a viewer cannot see, drawn anew: cards, favourites, answers and claims, each from all that fit the view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones, scratch
from zashiki.core.layout import EMPTY, UNKNOWN, Record
from zashiki.core.random import Words, roll, roll_shuffle
from zashiki.games.kawaii.cards import CARDS, COPIES, KINDS, SEATS
from zashiki.games.kawaii.live import all_done, claimable, settling
from zashiki.games.kawaii.table import PASS, open_piles

_COPIES = np.array(COPIES, np.int64)


@rule
def redeal_favourites(seats: int, rng: Words, favourites: npt.NDArray[np.int8]) -> None:
    """Draws each unknown favourite from those that no known one is."""
    known = 0
    for seat in range(seats):
        if favourites[seat] != UNKNOWN:
            known |= 1 << int(favourites[seat])
    left = scratch(5, np.int8)
    count = 0
    for favourite in range(5):
        if (known >> favourite) & 1 == 0:
            left[count] = favourite
            count += 1
    roll_shuffle(rng, left, 0, count)
    for seat in range(seats):
        if favourites[seat] == UNKNOWN:
            count -= 1
            favourites[seat] = left[count]


@rule
def redeal_cards(view: Record, rng: Words, out: Record) -> None:
    """Shuffles the unseen cards in the deck's own place: those to lie below others first, then the reserves."""
    first = CARDS - _gather_unseen(view, out)
    roll_shuffle(rng, out.deck, first, CARDS - first)
    for seat in range(int(view.seats)):
        for i in range(int(view.pile_size[seat])):
            if view.piles[seat, i] == UNKNOWN:
                out.piles[seat, i] = out.deck[first]
                first += 1
        if view.captured[seat, 0] == UNKNOWN:
            out.captured[seat] = 0
            for _ in range(int(view.captured_size[seat])):
                out.captured[seat, int(out.deck[first])] += 1
                first += 1
    for seat in range(int(view.seats), SEATS):
        out.captured[seat] = 0
    for i in range(first):
        out.deck[i] = EMPTY


@rule
def _gather_unseen(view: Record, out: Record) -> int:
    """Lays the cards that the viewer cannot place at the end of `out.deck`; tells how many they are."""
    unseen = 0
    for kind in range(KINDS):
        left = _COPIES[kind]
        for seat in range(int(view.seats)):
            if view.captured[seat, kind] != UNKNOWN:
                left -= view.captured[seat, kind]
            for i in range(int(view.pile_size[seat])):
                if view.piles[seat, i] == kind:
                    left -= 1
        for _ in range(left):
            unseen += 1
            out.deck[CARDS - unseen] = kind
    return unseen


@rule
def redeal_answers(view: Record, rng: Words, out: Record) -> None:
    """Draws each answer that is not shown from all that could have been given."""
    piles = open_piles(view)
    for seat in range(int(view.seats)):
        if view.claims[seat] == UNKNOWN:
            chosen = piles | PASS
            for _ in range(roll(rng, ones(chosen))):
                chosen &= chosen - 1
            out.claims[seat] = chosen & -chosen


@rule
def redeal_claims(view: Record, rng: Words, out: Record) -> None:
    """Draws claims until they explain why a flip waits, or why the round goes on though everybody is done."""
    while True:
        for seat in range(SEATS):
            if view.claims[seat] == UNKNOWN:
                out.claims[seat] = _redeal_claims_of(view, seat, rng)
        if view.flip_waits == UNKNOWN:
            out.flip_waits = roll(rng, 2)
        waits = out.flip_waits == 1 or (view.turn == EMPTY and all_done(view))
        if not waits or settling(out):
            return


@rule
def _redeal_claims_of(view: Record, seat: int, rng: Words) -> int:
    """Any set of the piles that the seat could claim, no larger than its tokens that are not bound in contests."""
    free = int(view.tokens[seat])
    for pile in range(int(view.seats)):
        free -= (int(view.contested[pile]) >> seat) & 1
    piles = claimable(view, seat)
    while True:
        claims = roll(rng, 1 << SEATS) & piles
        if ones(claims) <= free:
            return claims
