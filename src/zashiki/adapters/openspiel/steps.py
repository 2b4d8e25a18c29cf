"""A decision through OpenSpiel as one compiled call: the action, the clock's part, what everybody sees, what is legal next.

The rows of a table are the state, each seat's last view, and room for the next one; `words` is the same memory as 32-bit words. A
row of `memory` is what a seat remembers: 128 bits that depend on every different view it has had, every open action and its own
ones, in their order, and on nothing else. The last row is the generator that decides whom time lets act first.
"""

from __future__ import annotations

import numpy as np

from zashiki.core.contract import Options, apply, deal, legal, redeal, to_act, view
from zashiki.core.entries import MOST_WORDS
from zashiki.core.gears import door, rule
from zashiki.core.intrinsics import assign, lowest, scratch, wide
from zashiki.core.layout import CLOCK, Record, Records
from zashiki.core.masks import list_actions
from zashiki.core.play import pick_seat
from zashiki.core.random import WORD, Words, roll, seed_roller

OVER, ILLEGAL = -1, -2
SEAT_BITS = 3
PRIMES = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F)


@door
def enter_deal(tables: Records, words: Words, memory: Words, actions: Options, options: Options, seed: Words) -> int:
    """Deals a match; tells whose decision comes first, as `go_on` does."""
    seats = len(memory) - 1
    deal(tables[0], seats, options, seed)
    memory[:] = 0
    seed_roller(memory[seats], wide(seed[0]) + (wide(seed[1]) << 31))
    look_around(tables, words, memory)
    return go_on(tables, words, memory, actions)


@door
def enter_step(
    tables: Records, words: Words, memory: Words, actions: Options, count: int, seat: int, action: int, is_open: bool
) -> int:
    """Carries out one of the `count` legal actions; tells whose decision comes next, as `go_on` does, or ILLEGAL."""
    if not listed(actions, count, action):
        return ILLEGAL
    for other in range(len(memory) - 1):
        if is_open or other == seat:
            remember(memory[other], 1 + seat + (action << SEAT_BITS))
    apply(tables[0], seat, action)
    look_around(tables, words, memory)
    return go_on(tables, words, memory, actions)


@door
def enter_redeal(tables: Records, words: Words, memory: Words, actions: Options, acting: int, seat: int, rng: Words) -> int:
    """Puts a state that could be behind a seat's view in the place of the true one; tells whose decision it is, as `go_on` does.

    What others remember depends on what they held: they now remember what that seat does, and what they see.
    """
    seats = len(memory) - 1
    view(tables[0], seat, tables[seats + 1])
    redeal(tables[seats + 1], seat, rng, tables[0])
    for other in range(seats):
        if other != seat:
            assign(memory[other], memory[seat])
            remember(memory[other], other)
            words[1 + other, :] = 0
    for i in range(4):
        memory[seats, i] = rng[i]
    look_around(tables, words, memory)
    if acting >= 0 and to_act(tables[0]) >> acting & 1:
        return acting + (list_legal(tables[0], acting, actions) << SEAT_BITS)
    return go_on(tables, words, memory, actions)


@rule
def go_on(tables: Records, words: Words, memory: Words, actions: Options) -> int:
    """Goes past what the clock does by itself; lists the legal actions of the next seat, and tells it and their number."""
    rng = memory[len(memory) - 1]
    while True:
        waiting = to_act(tables[0])
        if waiting == 0:
            return OVER
        seat = pick_seat(waiting, rng) if waiting >> CLOCK & 1 else lowest(waiting)
        count = list_legal(tables[0], seat, actions)
        if seat != CLOCK:
            return seat + (count << SEAT_BITS)
        apply(tables[0], CLOCK, actions[roll(rng, count)])
        look_around(tables, words, memory)


@rule
def list_legal(state: Record, seat: int, actions: Options) -> int:
    """Lists a seat's legal actions in order; tells how many they are."""
    mask = scratch(MOST_WORDS, np.uint32)[: (len(actions) + 31) >> 5]
    legal(state, seat, mask)
    return list_actions(mask, actions)


@rule
def listed(actions: Options, count: int, action: int) -> bool:
    """Whether an action is one of the first `count`."""
    found = False
    for i in range(count):
        found |= actions[i] == action
    return found


@rule
def look_around(tables: Records, words: Words, memory: Words) -> None:
    """Everybody takes a look, and remembers it if anything is different."""
    seats = len(memory) - 1
    glance = words[seats + 1]
    for seat in range(seats):
        view(tables[0], seat, tables[seats + 1])
        if differ(words[1 + seat], glance):
            assign(words[1 + seat], glance)
            remember_all(memory[seat], glance)


@rule
def differ(these: Words, those: Words) -> bool:
    """Whether two rows are not the same."""
    difference = 0
    for i in range(len(these)):
        difference |= wide(these[i]) ^ wide(those[i])
    return difference != 0


@rule
def remember_all(memory: Words, row: Words) -> None:
    """Stirs a whole row into a memory: four lanes side by side, then across."""
    a, b, c, d = wide(memory[0]), wide(memory[1]), wide(memory[2]), wide(memory[3])
    whole = len(row) // 4 * 4
    for i in range(0, whole, 4):
        a = stirred(a, wide(row[i]), PRIMES[0])
        b = stirred(b, wide(row[i + 1]), PRIMES[1])
        c = stirred(c, wide(row[i + 2]), PRIMES[2])
        d = stirred(d, wide(row[i + 3]), PRIMES[3])
    memory[0], memory[1], memory[2], memory[3] = a, b, c, d
    for i in range(whole, len(row)):
        remember(memory, wide(row[i]))
    remember(memory, len(row))


@rule
def remember(memory: Words, word: int) -> None:
    """Stirs one number into all lanes of a memory."""
    for _ in range(2):
        for lane in range(4):
            word = stirred(wide(memory[lane]), word, PRIMES[lane])
            memory[lane] = word


@rule
def stirred(lane: int, word: int, prime: int) -> int:
    """A lane with a word stirred in."""
    lane = ((lane ^ word) * prime) & WORD
    return lane ^ (lane >> 15)
