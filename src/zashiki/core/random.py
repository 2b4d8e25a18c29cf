"""Random numbers: ChaCha8 inside the state for the match, a small fast generator for play-outs and search.

The generator in a state is keyed with 128 bits and counts its blocks. From the cards seen so far nobody can compute the coming
ones. A number below n is the high half of word × n: the difference between two outcomes is under n in 2³².
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.intrinsics import wide
from zashiki.core.layout import Record

BLOCK = 16
WORD = 0xFFFFFFFF
DOUBLE_ROUNDS = 4
# The four constants of ChaCha for a key of 16 bytes, "expand 16-byte k".
SIGMA = (0x61707865, 0x3120646E, 0x79622D36, 0x6B206574)

Words = npt.NDArray[np.uint32]


@rule
def seed_state(state: Record, seed: Words) -> None:
    """Keys the generator of a new match."""
    for i in range(4):
        state.rng_key[i] = seed[i]
    state.rng_block = 0
    state.rng_used = BLOCK


@rule
def random_word(state: Record) -> int:
    """The next 32 random bits of the match."""
    used = int(state.rng_used)
    if used == BLOCK:
        _next_block(state)
        used = 0
    state.rng_used = used + 1
    return wide(state.rng_words[used])


@rule
def random_below(state: Record, n: int) -> int:
    """A random whole number from 0 to n − 1."""
    return (random_word(state) * n) >> 32


@rule
def shuffle(state: Record, cards: npt.NDArray[Any], first: int, count: int) -> None:
    """Shuffles `count` cards from place `first` on."""
    for i in range(count - 1, 0, -1):
        j = random_below(state, i + 1)
        card = cards[first + i]
        cards[first + i] = cards[first + j]
        cards[first + j] = card


@rule
def _next_block(state: Record) -> None:
    k0, k1, k2, k3 = (
        wide(state.rng_key[0]),
        wide(state.rng_key[1]),
        wide(state.rng_key[2]),
        wide(state.rng_key[3]),
    )
    number = wide(state.rng_block)
    a0, a1, a2, a3 = SIGMA
    b0, b1, b2, b3 = k0, k1, k2, k3
    c0, c1, c2, c3 = k0, k1, k2, k3
    d0, d1, d2, d3 = number, 0, 0, 0
    for _ in range(DOUBLE_ROUNDS):
        a0, b0, c0, d0 = _quarter(a0, b0, c0, d0)
        a1, b1, c1, d1 = _quarter(a1, b1, c1, d1)
        a2, b2, c2, d2 = _quarter(a2, b2, c2, d2)
        a3, b3, c3, d3 = _quarter(a3, b3, c3, d3)
        a0, b1, c2, d3 = _quarter(a0, b1, c2, d3)
        a1, b2, c3, d0 = _quarter(a1, b2, c3, d0)
        a2, b3, c0, d1 = _quarter(a2, b3, c0, d1)
        a3, b0, c1, d2 = _quarter(a3, b0, c1, d2)
    words = state.rng_words
    words[0], words[1] = (a0 + SIGMA[0]) & WORD, (a1 + SIGMA[1]) & WORD
    words[2], words[3] = (a2 + SIGMA[2]) & WORD, (a3 + SIGMA[3]) & WORD
    words[4], words[5], words[6], words[7] = (b0 + k0) & WORD, (b1 + k1) & WORD, (b2 + k2) & WORD, (b3 + k3) & WORD
    words[8], words[9], words[10], words[11] = (c0 + k0) & WORD, (c1 + k1) & WORD, (c2 + k2) & WORD, (c3 + k3) & WORD
    words[12], words[13], words[14], words[15] = (d0 + number) & WORD, d1, d2, d3
    state.rng_block = (number + 1) & WORD


@rule
def _quarter(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a = (a + b) & WORD
    d = _rotate(d ^ a, 16)
    c = (c + d) & WORD
    b = _rotate(b ^ c, 12)
    a = (a + b) & WORD
    d = _rotate(d ^ a, 8)
    c = (c + d) & WORD
    b = _rotate(b ^ c, 7)
    return a, b, c, d


@rule
def _rotate(word: int, by: int) -> int:
    return ((word << by) | (word >> (32 - by))) & WORD


@rule
def seed_roller(rng: Words, seed: int) -> None:
    """Starts the fast generator (sfc32: four words) from a number."""
    rng[0] = seed & WORD
    rng[1] = (seed >> 32) & WORD
    rng[2] = 0x9E3779B9
    rng[3] = 1
    for _ in range(12):
        roll_word(rng)


@rule
def roll_word(rng: Words) -> int:
    """The next 32 bits of the fast generator."""
    a, b, c, count = wide(rng[0]), wide(rng[1]), wide(rng[2]), wide(rng[3])
    word = (a + b + count) & WORD
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = (_rotate(c, 21) + word) & WORD
    rng[3] = (count + 1) & WORD
    return word


@rule
def roll(rng: Words, n: int) -> int:
    """A whole number from 0 to n − 1 from the fast generator."""
    return (roll_word(rng) * n) >> 32


@rule
def roll_shuffle(rng: Words, cards: npt.NDArray[Any], first: int, count: int) -> None:
    """Shuffles with the fast generator."""
    for i in range(count - 1, 0, -1):
        j = roll(rng, i + 1)
        card = cards[first + i]
        cards[first + i] = cards[first + j]
        cards[first + j] = card


@rule
def reseed(state: Record, rng: Words) -> None:
    """Gives a redealt state a future of its own."""
    for i in range(4):
        state.rng_key[i] = roll_word(rng)
    state.rng_block = 0
    state.rng_used = BLOCK
    for i in range(BLOCK):
        state.rng_words[i] = 0


@rule
def foretell(state: Record, outcome: int, n: int) -> None:
    """Makes this the next whole number below n that chance gives an imagined match."""
    state.rng_words[BLOCK - 1] = ((2 * outcome + 1) << 31) // n
    state.rng_used = BLOCK - 1
