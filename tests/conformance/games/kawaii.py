"""What the conformance suite must be told about Kawaii: its laws, what hides from whom, and small cases to redeal."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from tests.conformance.games import RedealCase
from tests.position import Position
from zashiki.core.layout import EMPTY
from zashiki.games.kawaii.cards import CHERRY, COPIES
from zashiki.games.kawaii.table import LIVE, OVER, THROWS, WINDOW

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"stacked": True}, {"pace": "live"}, {"pace": "live", "stacked": True})
"""The options worth walking through."""


def check_laws(state: Any) -> None:
    """55 cards are always somewhere, tokens held and out are two each, and sizes tell the truth."""
    seats = int(state.seats)
    cards: Counter[int] = Counter(int(card) for card in state.deck)
    for seat in range(5):
        pile = [int(card) for card in state.piles[seat]]
        assert pile[state.pile_size[seat] :] == [EMPTY] * (19 - state.pile_size[seat])
        cards.update(pile)
        for kind in range(27):
            cards[kind] += int(state.captured[seat, kind])
        assert int(state.captured[seat].sum()) == state.captured_size[seat]
    del cards[EMPTY]
    assert dict(cards) == dict(enumerate(COPIES))
    assert [card == EMPTY for card in state.deck] == [i < state.flips for i in range(55)]
    assert int(state.reserve_size.sum()) == 55 - state.flips
    assert int(state.tokens.sum()) + state.tokens_out == 2 * seats
    assert all(tokens >= 0 for tokens in state.tokens)
    _check_turn(state)
    _check_favourites(state.flavours, seats)
    _check_favourites(state.shapes, seats)
    _check_claims(state)
    assert not any(state[name][seat] for name in ("tokens", "reserve_size", "pile_size") for seat in range(seats, 5))


def _check_turn(state: Any) -> None:
    seats, flips = int(state.seats), int(state.flips)
    assert state.turn == (EMPTY if flips == 55 else (state.starter + flips) % seats)
    for seat in range(seats):
        assert state.reserve_size[seat] == sum((state.starter + i) % seats == seat for i in range(flips, 55))


def _check_favourites(favourites: Any, seats: int) -> None:
    assert set(favourites[seats:].tolist()) <= {EMPTY}
    assert len(set(favourites[:seats].tolist())) == seats
    assert all(0 <= favourite < 5 for favourite in favourites[:seats])


def _check_claims(state: Any) -> None:
    """Nobody has more claims than tokens; only open piles are claimed; those asked have not chosen yet."""
    seats = range(int(state.seats))
    assert (state.phase == THROWS) == (state.phase != LIVE and any(state.contested))
    for seat in seats:
        contests = [pile for pile in range(5) if state.contested[pile] >> seat & 1]
        claims = [pile for pile in range(5) if state.claims[seat] >> pile & 1]
        assert len(contests) + len(claims) <= state.tokens[seat]
        assert not set(contests) & set(claims)
        assert all(state.pile_size[pile] > 0 for pile in contests + claims)
        assert all((state.throws[pile, seat] == EMPTY) or pile in contests for pile in range(5))
        assert state.phase != WINDOW or (state.asked >> seat & 1) == (state.tokens[seat] > 0 and state.claims[seat] == 0)
        throws_now = any(state.throws[pile, seat] == EMPTY for pile in contests)
        assert state.phase != THROWS or (state.asked >> seat & 1) == throws_now
    assert all(int(bits).bit_count() != 1 for bits in state.contested)
    if state.phase == LIVE:
        assert state.asked == 0
        assert _explained(state)
    else:
        assert state.flip_waits == 0
        assert state.done == 0 or state.phase == OVER


def _explained(state: Any) -> bool:
    """In live a flip waits, and the round goes on with everybody done, only while a pile is being settled."""
    settling = any(state.contested) or any(state.claims > 0)
    everybody_done = all(state.tokens[seat] == 0 or state.done >> seat & 1 for seat in range(int(state.seats)))
    return bool(settling or not (state.flip_waits or (state.turn == EMPTY and everybody_done)))


def permute_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Shuffles hidden cards and favourites, and lets the others have answered, thrown and claimed something else."""
    _permute_cards(state, rng)
    others = [other for other in range(int(state.seats)) if other != seat]
    if state.phase != OVER:
        for favourites in (state.flavours, state.shapes):
            used = {int(favourites[s]) for s in range(int(state.seats)) if s not in others}
            left = rng.permutation([favourite for favourite in range(5) if favourite not in used])
            for other, favourite in zip(others, left, strict=False):
                favourites[other] = favourite
    for other in others:
        for pile in range(5):
            if state.throws[pile, other] != EMPTY:
                state.throws[pile, other] = rng.integers(3)
    if state.phase == WINDOW:
        answers = [1 << pile for pile in range(5) if state.pile_size[pile] > 0] + [32]
        for other in others:
            if state.claims[other] != 0:
                state.claims[other] = rng.choice(answers)
    if state.phase == LIVE:
        _permute_live(state, seat, others, rng)


def _permute_cards(state: Any, rng: np.random.Generator) -> None:
    places = [(state.deck, i) for i in range(55) if state.deck[i] != EMPTY]
    if state.stacked:
        places += [(state.piles[seat], i) for seat in range(5) for i in range(int(state.pile_size[seat]) - 1)]
    cards = [int(row[i]) for row, i in places]
    hidden_captures = bool(state.stacked) and state.phase != OVER
    if hidden_captures:
        cards += [kind for row in state.captured for kind in range(27) for _ in range(int(row[kind]))]
    cards = [cards[i] for i in rng.permutation(len(cards))]
    for row, i in places:
        row[i] = cards.pop()
    if hidden_captures:
        for seat in range(5):
            taken = [cards.pop() for _ in range(int(state.captured_size[seat]))]
            state.captured[seat] = [taken.count(kind) for kind in range(27)]
    assert not cards


def _permute_live(state: Any, seat: int, others: list[int], rng: np.random.Generator) -> None:
    """Moves, adds and removes others' claims in photo finishes; a flip may have been asked for by another."""
    uncontested = [pile for pile in range(int(state.seats)) if state.pile_size[pile] > 0 and not state.contested[pile]]
    for _ in range(1000):
        for other in others:
            free = int(state.tokens[other]) - sum(int(bits) >> other & 1 for bits in state.contested)
            count = int(rng.integers(min(free, len(uncontested)) + 1))
            state.claims[other] = sum(1 << int(pile) for pile in rng.permutation(uncontested)[:count])
        if state.turn not in (EMPTY, seat):
            state.flip_waits = rng.integers(2)
        if _explained(state):
            return
    raise AssertionError("no claims explain what this seat sees")


def redeal_cases() -> list[RedealCase]:
    """Late positions with few secrets left, every arrangement of which is counted."""
    return [
        _open_cards(),
        _stacked_cards(),
        _favourites_and_answers(),
        _photo_finishes(),
        _a_flip_that_waits(),
        _a_flip_that_may_wait(),
        _everybody_done(),
    ]


def _late(seats: int, reserve: list[int], piles: list[list[int]], **options: Any) -> Position:
    """A round with this reserve left and these piles open; all other cards lie in the score pile of the last seat."""
    position = Position("kawaii", seats, **options)
    state = position.state
    state.deck[:] = EMPTY
    state.deck[55 - len(reserve) :] = reserve
    state.flips = 55 - len(reserve)
    state.turn = (state.starter + state.flips) % seats if reserve else EMPTY
    state.reserve_size[:seats] = [
        sum((state.starter + i) % seats == seat for i in range(int(state.flips), 55)) for seat in range(seats)
    ]
    state.piles[:] = EMPTY
    left = Counter(dict(enumerate(COPIES)))
    left.subtract(reserve)
    for seat, pile in enumerate(piles):
        state.piles[seat, : len(pile)] = pile
        state.pile_size[seat] = len(pile)
        left.subtract(pile)
    state.captured[:] = 0
    state.captured[seats - 1] = [left[kind] for kind in range(27)]
    state.captured_size[:] = 0
    state.captured_size[seats - 1] = left.total()
    return position


def _settled(position: Position, seat: int, key: Any, outcomes: list[Any]) -> RedealCase:
    check_laws(position.state)
    ways = Counter(outcomes)
    return RedealCase(
        view=position.view(seat).copy(), seat=seat, key=key, expected={way: n / ways.total() for way, n in ways.items()}
    )


def _open_cards() -> RedealCase:
    """A spectator, four cards to flip, two of them alike; nobody has answered yet."""
    reserve = [0, 0, 7, CHERRY]
    position = _late(3, reserve, [[1], [2, 3], []])
    return _settled(position, -1, lambda s: tuple(map(int, s.deck[51:])), list(permutations(reserve)))


def _stacked_cards() -> RedealCase:
    """Only the last two cards of the reserve and one covered card are unseen, the match being over otherwise."""
    position = _late(3, [4, CHERRY], [[1, 2], [], [5]], stacked=True)
    position.state.phase, position.state.round_number, position.state.asked = OVER, 3, 0
    return _settled(
        position,
        0,
        lambda s: (int(s.piles[0, 0]), int(s.deck[53]), int(s.deck[54])),
        list(permutations([1, 4, CHERRY])),
    )


def _favourites_and_answers() -> RedealCase:
    """Seat 1 has answered one of two piles or passed; the favourites of two others come from four."""
    position = _late(3, [], [[1], [2], []])
    state = position.state
    state.flavours[:3], state.shapes[:3] = [0, 1, 2], [0, 1, 2]
    state.claims[1], state.asked = 32, 0b101
    return _settled(
        position,
        0,
        lambda s: (int(s.claims[1]), int(s.flavours[1]), int(s.flavours[2])),
        [(claim, *pair) for claim in (1, 2, 32) for pair in permutations(range(1, 5), 2)],
    )


def _photo_finishes() -> RedealCase:
    """Nobody is known to have claimed: any claims the free tokens allow, seat 2 being bound in a contest with one of two."""
    position = _late(4, [], [[1], [2], [3], []], pace="live")
    state = position.state
    state.tokens[:4], state.tokens_out = [1, 2, 2, 0], 3
    state.contested[2] = 0b110
    sets = [(), (0,), (1,)]
    outcomes = [(_bits(own), _bits(other)) for own, other in product(sets, sets)]
    return _settled(position, 0, lambda s: tuple(int(bits) for bits in s.claims[1:3]), outcomes)


def _a_flip_that_waits() -> RedealCase:
    """The asker of a flip that waits knows that somebody has claimed something."""
    position = _late(3, [CHERRY, CHERRY], [[1], [2], [3]], pace="live")
    state = position.state
    asker = int(state.turn)
    first, second = (seat for seat in range(3) if seat != asker)
    state.tokens[:3], state.tokens_out = 0, 3
    state.tokens[first], state.tokens[second] = 2, 1
    state.flip_waits, state.claims[first] = 1, 0b11
    pairs = [_bits(piles) for count in range(3) for piles in combinations(range(3), count)]
    outcomes = [(a, b) for a, b in product(pairs, (0, 1, 2, 4)) if a or b]
    return _settled(position, asker, lambda s: (int(s.claims[first]), int(s.claims[second])), outcomes)


def _a_flip_that_may_wait() -> RedealCase:
    """Who is not on turn knows neither of claims nor of a flip that waits; without a claim none waits."""
    position = _late(3, [CHERRY, CHERRY], [[1], [2], []], pace="live")
    state = position.state
    turn = int(state.turn)
    viewer, other = (turn + 1) % 3, (turn + 2) % 3
    state.tokens[:3], state.tokens_out = 1, 4
    state.tokens[viewer] = 0
    outcomes = [(a, b, waits) for a, b, waits in product((0, 1, 2), (0, 1, 2), (0, 1)) if a or b or not waits]
    return _settled(position, viewer, lambda s: (int(s.claims[turn]), int(s.claims[other]), int(s.flip_waits)), outcomes)


def _everybody_done() -> RedealCase:
    """After the last flip everybody has said to be done and the round goes on, so somebody has claimed something."""
    position = _late(3, [], [[1], [2], []], pace="live")
    state = position.state
    state.tokens[:3], state.tokens_out = [0, 1, 1], 4
    state.done, state.claims[1] = 0b110, 0b01
    outcomes = [(a, b) for a, b in product((0, 1, 2), (0, 1, 2)) if a or b]
    return _settled(position, 0, lambda s: (int(s.claims[1]), int(s.claims[2])), outcomes)


def _bits(piles: tuple[int, ...]) -> int:
    return sum(1 << pile for pile in piles)
