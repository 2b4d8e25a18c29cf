"""The last market of a match of two, read to the end: nothing is hidden there, so every action wins, draws or loses.

Alpha-beta with a memory: a position met again, in this decision or a later one, is known. What is known of a position is between
which results it lies, and the turn that seemed best. Reading stops after so many positions; what was found by then stays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zashiki.bots.kasane.packed import (
    MOST_TURNS,
    NOTHING,
    TURN_BITS,
    Market,
    best_first,
    lay,
    list_turns,
    mix,
    pack_hand,
    pack_kimono,
    pack_places,
    pack_rows,
    play_turn,
    result,
    row_of,
)
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record, Records
from zashiki.games.kasane.rules import COMBINE, COMBINE_FROM, DECLINE, TURNS

LOST, EVEN, WON = range(3)
"""What a match of two may come to for whoever acts."""
UNREAD = -1
ROOM = 1 << 18
"""Positions that are remembered, each in the place that its key tells; a newer one takes an older one's."""
WORTH_KEEPING = 2
"""With fewer turns to come, reading again takes no longer than remembering."""
MET, MOST, SALT, COMBO = range(4)
BOUND_BITS, BOUND = 2, 3
TURN = (1 << 2 * TURN_BITS) - 1
KNOWN = 2 * BOUND_BITS + 2 * TURN_BITS
"""The bits of what is remembered that are not the key's: from which result to which, and the best turn."""
FIRST_CHOICE = 1 << 40
"""What puts a turn before all others."""


class Reading(NamedTuple):
    """What is known of a market: its cards, and the positions that were met.

    `tally` has how many positions have been met and how many may be, what tells this market's keys from those of others, and
    whether a combination may follow an accessory.
    """

    market: Market
    known: Options
    tally: Options


def new_reading() -> Reading:
    """Nothing is known yet."""
    return Reading(np.zeros((4, 5), np.int64), np.zeros(ROOM, np.int64), np.zeros(4, np.int64))


@rule
def read(views: Records, seat: int, actions: Options, results: Options, reading: Reading, most: int) -> bool:
    """Writes what each legal action of a seat comes to, or UNREAD, meeting so many positions; tells whether they were enough.

    They were if one action wins, since no other can be better, or if all are read.
    """
    _open(views[0], reading)
    reading.tally[MET] = 0
    reading.tally[MOST] = most
    results[:] = UNREAD
    for i in range(len(actions)):
        found = _read_action(views[0], seat, int(actions[i]), reading)
        if reading.tally[MET] > most:
            return False
        results[i] = found
        if found == WON:
            return True
    return True


@rule
def _open(view: Record, reading: Reading) -> None:
    """Lays the market out; cards that have been taken from it are not needed any more."""
    salt = int(view.accessory_combo) + 1
    for row in range(len(reading.market)):
        for column in range(int(view.row_size[row])):
            reading.market[row, column] = view.market[row, column]
            salt = mix(salt, int(view.market[row, column]) + 2)
    reading.tally[SALT] = salt
    reading.tally[COMBO] = view.accessory_combo


@rule
def _read_action(view: Record, seat: int, action: int, reading: Reading) -> int:
    """What one action comes to, whatever is done best then."""
    hand, kimono, free, rows = pack_hand(view, seat), pack_kimono(view, seat), pack_places(view), pack_rows(view)
    other_hand, other_kimono = pack_hand(view, 1 - seat), pack_kimono(view, 1 - seat)
    left = TURNS - int(view.turn_number)
    if view.phase == COMBINE:
        hand, kimono, free = lay(NOTHING if action == DECLINE else action - COMBINE_FROM + 1, hand, kimono, free)
        return WON - _outcome(other_hand, other_kimono, hand, kimono, free, rows, left, LOST, WON, reading)
    best = LOST
    turns = scratch(MOST_TURNS, np.int64)
    count = list_turns(hand, kimono, free, rows, reading.market, reading.tally[COMBO], turns)
    for i in range(count):
        turn = best_first(turns, count, i)
        if row_of(turn) == action and best < WON:
            after = play_turn(turn, hand, kimono, free, rows, reading.market)
            found = _outcome(other_hand, other_kimono, after[0], after[1], after[2], after[3], left, LOST, WON - best, reading)
            best = max(best, WON - found)
    return best


@rule
def _outcome(
    hand: int,
    kimono: int,
    other_hand: int,
    other_kimono: int,
    free: int,
    rows: int,
    left: int,
    low: int,
    high: int,
    reading: Reading,
) -> int:
    """What whoever acts comes to with so many turns left; where that is not between low and high, only on which side."""
    if left == 0:
        return _compared(result(kimono), result(other_kimono))
    reading.tally[MET] += 1
    if reading.tally[MET] > reading.tally[MOST]:
        return EVEN
    key, least, most, choice = 0, LOST, WON, -1
    if left >= WORTH_KEEPING:
        key = _key(hand, kimono, other_hand, other_kimono, free, rows, int(reading.tally[SALT]))
        least, most, choice = _recall(key, reading)
    if least >= high or least == most:
        return int(least)
    if most <= low:
        return int(most)
    turns = scratch(MOST_TURNS, np.int64)
    count = list_turns(hand, kimono, free, rows, reading.market, reading.tally[COMBO], turns)
    _put_first(turns, count, choice)
    floor, best = max(low, least), -1
    for i in range(count):
        turn = best_first(turns, count, i)
        after = play_turn(turn, hand, kimono, free, rows, reading.market)
        found = WON - _outcome(
            other_hand, other_kimono, after[0], after[1], after[2], after[3], left - 1, WON - high, WON - floor, reading
        )
        if found > best:
            best, choice = found, turn & TURN
            floor = max(floor, best)
        if floor >= high:
            break
    if left >= WORTH_KEEPING and reading.tally[MET] <= reading.tally[MOST]:
        _keep(key, max(least, best) if best > low else least, min(most, best) if best < high else most, choice, reading)
    return int(best)


@rule
def _recall(key: int, reading: Reading) -> tuple[int, int, int]:
    """From which result to which a position is known to lie, and the turn that seemed best, below 0 where it is new."""
    known = int(reading.known[key & (ROOM - 1)])
    if known >> KNOWN != key >> KNOWN:
        return LOST, WON, -1
    return known & BOUND, known >> BOUND_BITS & BOUND, known >> (2 * BOUND_BITS) & TURN


@rule
def _keep(key: int, least: int, most: int, choice: int, reading: Reading) -> None:
    reading.known[key & (ROOM - 1)] = (key >> KNOWN << KNOWN) | choice << (2 * BOUND_BITS) | most << BOUND_BITS | least


@rule
def _compared(own: int, other: int) -> int:
    return WON if own > other else LOST if own < other else EVEN


@rule
def _put_first(turns: Options, count: int, choice: int) -> None:
    """Puts the turn that seemed best before all others."""
    for i in range(count):
        if turns[i] & TURN == choice:
            turns[i] += FIRST_CHOICE


@rule
def _key(hand: int, kimono: int, other_hand: int, other_kimono: int, free: int, rows: int, salt: int) -> int:
    key = mix(salt, hand)
    key = mix(key, kimono)
    key = mix(key, other_hand)
    key = mix(key, other_kimono)
    return mix(key, free << 12 | rows)
