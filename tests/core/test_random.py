"""Random numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zashiki import Match
from zashiki.core import random
from zashiki.games import find


def fresh(seed: int = 0) -> Any:
    state = find("hanamikoji").layout.new(1)[0]
    random.seed_state(state, np.array([seed, 0, 0, 0], np.uint32))
    return state


def test_the_generator_is_chacha8() -> None:
    """The published key stream of ChaCha8 for a key of sixteen zero bytes."""
    state = fresh()
    words = b"".join(int(random.random_word(state)).to_bytes(4, "little") for _ in range(16))
    assert words.hex() == (
        "e28a5fa4a67f8c5defed3e6fb7303486aa8427d31419a729572d777953491120"
        "b64ab8e72b8deb85cd6aea7cb6089a101824beeb08814a428aab1fa2c816081b"
    )


def chacha8(key: bytes, block: int) -> bytes:
    """ChaCha8 as its authors describe it, written for this test: a matrix of words, columns and diagonals."""
    head = b"expand 16-byte k" + key + key + block.to_bytes(8, "little") + bytes(8)
    start = np.frombuffer(head, "<u4")
    x = start.copy()

    def rotated(words: Any, by: int) -> Any:
        return (words << np.uint32(by)) | (words >> np.uint32(32 - by))

    for round_number in range(8):
        shift = round_number % 2
        a, b, c, d = ((np.arange(4) + row * shift) % 4 + 4 * row for row in range(4))
        for left, right, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[left] += x[right]
            x[turned] = rotated(x[turned] ^ x[left], by)
    return bytes((x + start).astype("<u4").tobytes())


@given(key=st.binary(min_size=16, max_size=16), blocks=st.integers(0, 2))
def test_the_generator_is_chacha8_for_every_key_and_block(key: bytes, blocks: int) -> None:
    state = find("hanamikoji").layout.new(1)[0]
    random.seed_state(state, np.frombuffer(key, "<u4").astype(np.uint32))
    for _ in range(16 * blocks):
        random.random_word(state)
    words = b"".join(int(random.random_word(state)).to_bytes(4, "little") for _ in range(16))
    assert words == chacha8(key, blocks)


def test_every_bit_of_a_seed_changes_the_deal() -> None:
    deals = {Match("hanamikoji", seed=0).state.records["rng_words"].tobytes()}
    deals |= {Match("hanamikoji", seed=1 << bit).state.records["rng_words"].tobytes() for bit in range(128)}
    assert len(deals) == 129


def test_blocks_follow_each_other_without_repeating() -> None:
    state = fresh(1)
    words = [random.random_word(state) for _ in range(160)]
    assert len(set(words)) == 160
    assert state.rng_block == 10


def test_every_number_below_n_is_as_likely_as_any_other() -> None:
    state = fresh(2)
    counts = Counter(int(random.random_below(state, 7)) for _ in range(7000))
    assert set(counts) == set(range(7))
    assert all(850 < count < 1150 for count in counts.values())


def test_a_shuffle_loses_no_card_and_reaches_every_order() -> None:
    state = fresh(3)
    orders = set()
    for _ in range(300):
        cards = np.array([9, 0, 1, 2, 9], np.int8)
        random.shuffle(state, cards, 1, 3)
        assert sorted(cards[1:4]) == [0, 1, 2]
        assert (cards[0], cards[4]) == (9, 9)
        orders.add(tuple(cards[1:4]))
    assert len(orders) == 6


def test_the_fast_generator_differs_by_seed_and_repeats_by_seed() -> None:
    def words(seed: int) -> list[int]:
        rng = np.zeros(4, np.uint32)
        random.seed_roller(rng, seed)
        return [int(random.roll_word(rng)) for _ in range(8)]

    assert words(1) == words(1)
    assert words(1) != words(2)


def test_the_fast_shuffle_loses_no_card() -> None:
    rng = np.array([1, 2, 3, 4], np.uint32)
    cards = np.arange(10, dtype=np.int8)
    random.roll_shuffle(rng, cards, 0, 10)
    assert sorted(cards) == list(range(10))
    assert list(cards) != list(range(10))
    orders = set()
    for _ in range(300):
        cards = np.arange(3, dtype=np.int8)
        random.roll_shuffle(rng, cards, 0, 3)
        orders.add(tuple(cards.tolist()))
    assert len(orders) == 6


def test_what_is_foretold_comes_next_and_nothing_else() -> None:
    for n in (1, 2, 3, 51, 100, 125):
        for outcome in range(n):
            state = fresh(outcome)
            random.foretell(state, outcome, n)
            assert random.random_below(state, n) == outcome
            assert random.random_word(state) == random.random_word(fresh(outcome))
