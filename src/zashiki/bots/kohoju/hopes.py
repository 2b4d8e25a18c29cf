"""What a deal of Kohoju may still bring a seat, all cards known: what is looked at, as numbers that are weighed."""

from __future__ import annotations

import numpy as np

from zashiki.bots.kohoju.sight import LINES, Counts, Support, line_of, points_in, take_stock
from zashiki.bots.sense import Weights
from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones, scratch
from zashiki.core.layout import Record
from zashiki.games.kohoju.cards import COLOURS, KINDS, POINTS
from zashiki.games.kohoju.piles import CROSS
from zashiki.games.kohoju.rules import DRAW, HAND, UNFINISHED

HOPES = (
    "always",
    "points in hand",
    "cards in hand",
    "cards in others' hands on average",
    "for kohojus begun: points in hand",
    "cards in hand",
    "kinds lacking",
    "nothing is lacking",
    "one is lacking",
    "two are lacking",
    "one is lacking, the last",
    "one is to be laid",
    "the line is not settled",
    "other cards in hand that fit",
    "a kohoju may be opened now",
    "its points in hand then",
    "its cards in hand then",
    "three of them or more",
    "a kohoju may be opened: how well the best line is supported",
    "squared",
    "how well the second best line is supported",
    "kinds in hand that are in the guide pile",
    "kinds in hand that fit nothing",
    "their points",
    "those of them that may be pooled",
    "their points",
    "points on cards of which there is a better one",
    "kinds not in the pool",
    "it is the seat's turn",
    "how far the turn is away",
    "the seat draws now",
    "cards more than in the smallest of the others' hands",
    "two cards or fewer in hand",
    "one card in hand",
    "somebody else has two cards or fewer",
    "somebody else has one card",
    "what lies on the discard pile is wanted, and the seat draws now",
    "it would finish a kohoju",
    "the pool is nearly full",
    "how nearly",
)
FULL_POOL = 21
FILLING_POOL = 18


@rule
def look_forward(state: Record, seat: int, hopes: Weights) -> int:
    """Fills in what a seat may look forward to; tells how many kohojus it has begun."""
    best, count, lines = scratch(KINDS, np.int64), scratch(KINDS, np.int64), scratch(LINES, np.float64)
    hand = take_stock(state, seat, best, count, lines)
    hopes[:] = 0
    used = _hope_for_begun(state, seat, hand, best, hopes)
    hopes[13] = ones((int(state.fits[seat, 0]) | int(state.fits[seat, 1])) & hand & ~used)
    if state.fits[seat, 1] == 0:
        used |= _hope_for_new(state, hand, used, best, lines, hopes)
        hopes[21] = ones(hand & int(state.guide_pile) & ~used)
    _hope_to_be_rid(state, seat, hand, used, best, hopes)
    _hope_for_time(state, seat, hopes)
    _hope_for_discard(state, seat, used, best, hopes)
    return (1 if state.fits[seat, 0] != 0 else 0) + (1 if state.fits[seat, 1] != 0 else 0)


@rule
def _hope_for_begun(state: Record, seat: int, hand: int, best: Counts, hopes: Weights) -> int:
    """What the hand has for kohojus begun; tells the kinds that they are to be filled with."""
    used = 0
    for which in range(UNFINISHED):
        fits = int(state.fits[seat, which])
        line = line_of(fits, best) & ~used
        if line != 0:
            held = ones(line & hand)
            lacking = ones(line) - held
            hopes[4] += points_in(line & hand, best)
            hopes[5] += held
            hopes[6] += lacking
            hopes[7] += lacking == 0
            hopes[8] += lacking == 1
            hopes[9] += lacking == 2
            hopes[10] += lacking == 1 and held == 0
            hopes[11] += lacking + held == 1
            hopes[12] += ones(fits) > len(COLOURS)
            used |= line
    return used


@rule
def _hope_for_new(state: Record, hand: int, used: int, best: Counts, lines: Support, hopes: Weights) -> int:
    """What the hand has for a kohoju to be opened; tells the kinds of it, if it may be opened now."""
    first, second = 0.0, 0.0
    for line in range(LINES):
        second = max(second, min(first, lines[line]))
        first = max(first, lines[line])
    hopes[18] = first
    hopes[19] = 0.2 * first * first
    hopes[20] = second
    guide = int(state.guide)
    if best[guide] == 0:
        return 0
    line = line_of(int(CROSS[guide]), best) & ~used
    held = ones(line & hand)
    hopes[14] = 1
    hopes[15] = best[guide] + points_in(line & hand, best)
    hopes[16] = held
    hopes[17] = held >= 3
    return line | 1 << guide


@rule
def _hope_to_be_rid(state: Record, seat: int, hand: int, used: int, best: Counts, hopes: Weights) -> None:
    """What the hand has that is of no use, and how much of it the pool would take."""
    points = 0
    for i in range(int(state.hand_size[seat])):
        points += int(state.hands[seat, i]) % POINTS + 1
    loose = hand & ~used
    hopes[0] = 1
    hopes[1] = points
    hopes[22] = ones(loose)
    hopes[23] = points_in(loose, best)
    hopes[24] = ones(loose & int(state.pool_fits))
    hopes[25] = points_in(loose & int(state.pool_fits), best)
    hopes[26] = points - points_in(hand, best)
    hopes[27] = KINDS - ones(int(state.pool))
    hopes[38] = ones(int(state.pool)) >= FULL_POOL
    hopes[39] = max(ones(int(state.pool)) - FILLING_POOL, 0)


@rule
def _hope_for_time(state: Record, seat: int, hopes: Weights) -> None:
    """How soon the deal may end, and how soon the seat acts."""
    seats, cards, fewest = int(state.seats), 0, HAND
    for further in range(1, seats):
        size = int(state.hand_size[(seat + further) % seats])
        cards += size
        fewest = min(fewest, size)
    size = int(state.hand_size[seat])
    hopes[2] = size
    hopes[3] = cards / (seats - 1)
    hopes[28] = state.active == seat
    hopes[29] = (seat - int(state.active)) % seats / seats
    hopes[30] = state.active == seat and state.phase == DRAW
    hopes[31] = size - fewest
    hopes[32] = size <= 2
    hopes[33] = size == 1
    hopes[34] = fewest <= 2
    hopes[35] = fewest == 1


@rule
def _hope_for_discard(state: Record, seat: int, used: int, best: Counts, hopes: Weights) -> None:
    """Whether the seat can take what it lacks."""
    if state.active != seat or state.phase != DRAW or state.discard_size == 0:
        return
    kind = int(state.discard[int(state.discard_size) - 1]) // POINTS
    hopes[36] = (used >> kind) & 1 == 1 and best[kind] == 0
    hopes[37] = hopes[36] * (int(state.fits[seat, 0]) == 1 << kind or int(state.fits[seat, 1]) == 1 << kind)
