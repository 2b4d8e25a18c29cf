"""What the conformance suite must be told about Kohoju: its laws, what hides from whom, and small cases to redeal."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from tests.conformance.games import RedealCase
from tests.position import Position
from zashiki.core.layout import EMPTY
from zashiki.games.kohoju.piles import DISCARDED, KNOWN, LAID, POOLED
from zashiki.games.kohoju.rules import DRAW, OVER, PLAY

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

OPTIONS: tuple[dict[str, int], ...] = ({"target": 10}, {})
"""The options worth walking through."""

Lines = dict[int, list[list[int]]]


def check_laws(state: Any) -> None:
    """125 cards are always somewhere, what everybody knows of them is true, and sizes tell the truth."""
    hands, stock, discard = _hands(state), _stock(state), _cards(state.discard)
    place = [int(each) for each in state.place]
    piles = [*hands, stock, discard, [card for card in range(125) if place[card] >= POOLED]]
    assert sorted(_all(piles)) == list(range(125))
    assert [len(hand) for hand in hands] == list(state.hand_size)
    assert (len(stock), len(discard)) == (state.stock_size, state.discard_size)
    assert all(place[card] == state.stock_number for card in stock)
    assert all(place[card] == DISCARDED for card in discard)
    _check_hands(state, hands, place)
    _check_table(state, place)
    _check_turn(state, hands, place)


def _check_hands(state: Any, hands: list[list[int]], place: list[int]) -> None:
    for seat, hand in enumerate(hands):
        assert hand == sorted(hand)
        assert list(state.hands[seat][len(hand) :]) == [EMPTY] * (13 - len(hand))
        drawn = Counter(place[card] for card in hand if place[card] != KNOWN + seat)
        assert [drawn[number] for number in range(7)] == list(state.drawn[seat])
        assert all(number <= state.stock_number for number in drawn)


def _check_table(state: Any, place: list[int]) -> None:
    pool = {card // 5 for card in range(125) if place[card] == POOLED}
    assert len(pool) == sum(each == POOLED for each in place), "no kind lies twice in the pool"
    assert pool == _bits(state.pool)
    assert _bits(state.pool_fits) == _beside(pool, alone=False)
    laid: dict[int, list[int]] = {}
    for card in range(125):
        laid.setdefault(place[card], []).append(card)
    for seat in range(6):
        lines = [laid.get(LAID + 4 * seat + number, []) for number in range(4)]
        assert [bool(line) for line in lines] == [number < state.kohojus[seat] for number in range(4)]
        assert _bits(state.finished[seat]) == {number for number, line in enumerate(lines) if len(line) == 5}
        assert state.laid[seat] == sum(_points(card) for card in _all(lines))
        unfinished = [line for line in lines if 0 < len(line) < 5]
        fits = [_beside({card // 5 for card in line}, alone=True) for line in unfinished]
        assert [_bits(each) for each in state.fits[seat]] == [*fits, set(), set()][:2]
        assert len(fits) <= 2
        assert all(_is_line([card // 5 for card in line]) for line in lines)


def _check_turn(state: Any, hands: list[list[int]], place: list[int]) -> None:
    beyond = sum(map(len, hands)) + sum(each >= POOLED for each in place) - (12 * state.seats + 1)
    assert beyond in ((0, 1) if state.phase == OVER else (state.phase == PLAY,))
    if state.phase != OVER:
        assert state.discard_size >= 1 - beyond
        assert 1 <= state.turn_number <= 60
        assert not all(place[card] >= POOLED for card in range(5 * state.guide, 5 * state.guide + 5)), (
            "a guide card can be followed"
        )
    assert state.may_lay in ((0, 1) if state.phase == PLAY else (0,))
    assert state.taken == EMPTY or (state.phase == PLAY and place[state.taken] == KNOWN + state.active)
    assert state.guide not in _bits(state.guide_pile)
    assert state.guide_pile >= 0
    assert 1 <= state.deal_number <= 10 + state.target // 5


def permute_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Shuffles the hidden cards of each stock over the hands that drew from it and, if it is the present one, over the stock."""
    if state.phase == OVER:
        return
    hands, stock = _hands(state), _stock(state)
    others = [other for other in range(6) if other != seat]
    for number in range(7):
        hidden = [card for other in others for card in hands[other] if state.place[card] == number]
        hidden += stock if number == state.stock_number else []
        swapped = dict(zip(hidden, (int(card) for card in rng.permutation(hidden)), strict=True))
        for other in others:
            hands[other] = [swapped.get(card, card) for card in hands[other]]
        stock = [swapped.get(card, card) for card in stock]
    for other in others:
        state.hands[other] = sorted(hands[other]) + [EMPTY] * (13 - len(hands[other]))
    state.stock[:] = [sum(1 << card % 25 for card in stock if card // 25 == colour) for colour in range(5)]


def arrange(
    position: Position,
    hands: list[list[int]],
    kohojus: Lines | None = None,
    pool: tuple[int, ...] = (),
    discard: tuple[int, ...] = (),
) -> None:
    """Begins the deal anew with these cards, seat 0 to draw; all others are in the first stock."""
    state = position.state
    state.phase, state.active, state.starter, state.may_lay, state.taken = DRAW, 0, 0, 0, EMPTY
    state.place[:] = 0
    state.discard[:] = [*discard, *[EMPTY] * (100 - len(discard))]
    state.discard_size = len(discard)
    state.place[list(discard)] = DISCARDED
    state.place[list(pool)] = POOLED
    kinds = {card // 5 for card in pool}
    state.pool, state.pool_fits = _word(kinds), _word(_beside(kinds, alone=False))
    state.stock_number = 0
    state.drawn[:] = 0
    for seat in range(6):
        hand = sorted(hands[seat]) if seat < len(hands) else []
        state.hands[seat] = hand + [EMPTY] * (13 - len(hand))
        state.hand_size[seat] = state.drawn[seat, 0] = len(hand)
        _arrange_kohojus(state, seat, (kohojus or {}).get(seat, []))
    shown = {*discard, *pool, *_all(hands), *(card for card in range(125) if state.place[card] >= LAID)}
    stock = [card for card in range(125) if card not in shown]
    state.stock[:] = [sum(1 << card % 25 for card in stock if card // 25 == colour) for colour in range(5)]
    state.stock_size = len(stock)


def _arrange_kohojus(state: Any, seat: int, lines: list[list[int]]) -> None:
    for number, line in enumerate(lines):
        state.place[line] = LAID + 4 * seat + number
    fits = [_beside({card // 5 for card in line}, alone=True) for line in lines if len(line) < 5]
    state.fits[seat] = [_word(each) for each in [*fits, set(), set()][:2]]
    state.kohojus[seat] = len(lines)
    state.finished[seat] = _word({number for number, line in enumerate(lines) if len(line) == 5})
    state.laid[seat] = sum(_points(card) for card in _all(lines))


def redeal_cases() -> list[RedealCase]:
    """A stock nearly empty and a card that everybody saw taken; and, for a spectator, hands that drew from two stocks."""
    return [_short_stock(), _two_stocks()]


def _short_stock() -> RedealCase:
    """Two of the five cards that seat 0 cannot place are in the other hand beside a known one, three are the stock."""
    position = Position("kohoju", 2)
    state = position.state
    unseen = [3, 40, 77, 101, 124]
    hands = [[10, 50, 60], [3, 77, 90]]
    lines = {0: [[5, 31, 56, 81, 106]], 1: [[0, 6, 12, 18, 24]]}
    pool = (1, 7, 13, 19, 20, 26, 32, 38, 44)
    rest = [card for card in range(125) if card not in {*unseen, *_all(hands), *_all(lines[0] + lines[1]), *pool}]
    arrange(position, hands, lines, pool, tuple(rest))
    _show(state, 1, 90)
    check_laws(state)
    ways = [(*sorted((*two, 90)), *sorted(set(unseen) - set(two))) for two in combinations(unseen, 2)]
    return RedealCase(position.view(0).copy(), 0, _hand_and_stock, {way: 1 / len(ways) for way in ways})


def _hand_and_stock(state: Any) -> tuple[int, ...]:
    return (*_hands(state)[1], *_stock(state))


def _two_stocks() -> RedealCase:
    """Of the first stock four hidden cards lie in hands (2, 1, 1); of the second two in hands (0, 1, 1) and two in the stock."""
    position = Position("kohoju", 3)
    state = position.state
    old, new = [2, 33, 64, 95], [21, 23, 46, 120]
    hands = [[2, 33], [21, 64], [23, 95, 111]]
    lines: Lines = {seat: [[25 * colour + 5 * seat for colour in range(5)]] for seat in range(3)}
    pool = tuple(range(7, 82, 5))
    hidden = {*old, *new, 111, *_all(line for own in lines.values() for line in own), *pool}
    arrange(position, hands, lines, pool, tuple(card for card in range(125) if card not in hidden))
    state.stock_number = 1
    state.place[new] = 1
    state.drawn[:3, :2] = [[2, 0], [1, 1], [2, 1]]
    _show(state, 2, 111)
    check_laws(state)
    ways = [
        (tuple(sorted((a, b))), tuple(sorted((c, e))), tuple(sorted((d, f, 111))))
        for a, b, c, d in permutations(old)
        if a < b
        for e, f in permutations(new, 2)
    ]
    return RedealCase(position.view(-1).copy(), -1, _all_hands, {way: 1 / len(ways) for way in ways})


def _all_hands(state: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(hand) for hand in _hands(state)[:3])


def _show(state: Any, seat: int, card: int) -> None:
    """Everybody has seen this seat take that card from the discard pile."""
    state.drawn[seat, int(state.place[card])] -= 1
    state.place[card] = KNOWN + seat


def _hands(state: Any) -> list[list[int]]:
    return [_cards(hand) for hand in state.hands]


def _all(piles: Iterable[list[int]]) -> list[int]:
    return [card for pile in piles for card in pile]


def _cards(cards: Any) -> list[int]:
    return [int(card) for card in cards if card != EMPTY]


def _stock(state: Any) -> list[int]:
    return [25 * colour + bit for colour in range(5) for bit in sorted(_bits(state.stock[colour]))]


def _bits(word: Any) -> set[int]:
    return {bit for bit in range(32) if int(word) >> bit & 1}


def _word(kinds: set[int]) -> int:
    return sum(1 << kind for kind in kinds)


def _points(card: int) -> int:
    return card % 5 + 1


def _is_line(kinds: list[int]) -> bool:
    colours, symbols = {kind // 5 for kind in kinds}, {kind % 5 for kind in kinds}
    return len(set(kinds)) == len(kinds) and (len(colours) <= 1 or len(symbols) <= 1)


def _beside(kinds: set[int], alone: bool) -> set[int]:
    """The kinds that make a longer line with all of these or, in the pool, share a line with one of them."""
    if alone:
        return {kind for kind in range(25) if kind not in kinds and _is_line([*kinds, kind])}
    colours, symbols = {kind // 5 for kind in kinds}, {kind % 5 for kind in kinds}
    return {kind for kind in range(25) if kind not in kinds and (kind // 5 in colours or kind % 5 in symbols)}
