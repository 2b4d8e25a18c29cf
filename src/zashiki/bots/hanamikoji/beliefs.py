"""What a player of Hanamikoji may hold, as far as somebody else can tell: every possibility, with its weight.

A holding is a hand, a secret and a trade-off. Given the cards it can come from, each is as likely as there are ways to draw it;
on top of that a player is thought to have kept in secret what decides much, and to have discarded what decides little.
"""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.bots.hanamikoji.favours import stake_of, way_of
from zashiki.core.gears import rule
from zashiki.core.layout import EMPTY, Record
from zashiki.games.hanamikoji.cards import CHARM
from zashiki.games.hanamikoji.rules import GEISHA, HAND, PAIRS, SECRET, TRADE_OFF

TASTE = 4.0
"""How much likelier a card that decides a whole match is kept than one that decides nothing, as a logarithm."""

Counts = npt.NDArray[np.int64]
Holdings = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]

# A holding in a row: how many of each item are in hand, the secret, both cards of the trade-off; EMPTY where there is none.
IN_SECRET, OUT = GEISHA, GEISHA + 1
HOLDING = GEISHA + 3

_CHARM = np.array(CHARM, np.int64)
_PAIRS = np.array(PAIRS, np.int64)
_CHOOSE = np.array(
    [[1, n, n * (n - 1) // 2, n * (n - 1) * (n - 2) // 6, n * (n - 1) * (n - 2) * (n - 3) // 24, n == 5] for n in range(6)]
)


def _all_hands() -> list[tuple[int, ...]]:
    hands = product(*(range(charm + 1) for charm in CHARM))
    return sorted((hand for hand in hands if sum(hand) <= HAND + 1), key=lambda hand: (sum(hand), hand))


# Every hand there can be, the small ones first, and where those of each size begin.
_HANDS = np.array(_all_hands(), np.int64)
_HANDS_FROM = np.searchsorted(_HANDS.sum(1), np.arange(HAND + 3))


@rule
def count_closed(view: Record, closed: Counts) -> None:
    """The cards that do not lie open for everybody."""
    for item in range(GEISHA):
        closed[item] = _CHARM[item] - view.sides[0, item] - view.sides[1, item]
    for i in range(4):
        if view.offer[i] >= 0:
            closed[int(view.offer[i])] -= 1


@rule
def holding_of(state: Record, seat: int, holding: Counts) -> None:
    """What a seat holds in a state, or in its own view."""
    for item in range(GEISHA):
        holding[item] = state.hands[seat, item]
    holding[IN_SECRET] = state.secret[seat]
    holding[OUT] = state.trade_off[seat, 0]
    holding[OUT + 1] = state.trade_off[seat, 1]


@rule
def list_holdings(view: Record, seat: int, closed: Counts, holdings: Holdings) -> int:
    """Lists what a seat may hold of these cards; tells how many, at most as many as there are rows."""
    left = closed.copy()
    count = 0
    for secret in range(GEISHA) if view.used[seat, SECRET] > 0 else range(EMPTY, EMPTY + 1):
        if not _take(left, secret):
            continue
        for pair in range(len(_PAIRS)) if view.used[seat, TRADE_OFF] > 0 else range(EMPTY, EMPTY + 1):
            first, second = (EMPTY, EMPTY) if pair == EMPTY else (_PAIRS[pair, 0], _PAIRS[pair, 1])
            if _take(left, first):
                if _take(left, second):
                    count = _list_hands(int(view.hand_size[seat]), left, secret, first, second, holdings, count)
                    _give(left, second)
                _give(left, first)
        _give(left, secret)
    return count


@rule
def ways_to_draw(holding: Counts, closed: Counts, rest: Counts) -> float:
    """In how many ways a holding can come from these cards, 0 if it cannot; writes what remains of them."""
    ways = 1.0
    for item in range(GEISHA):
        rest[item] = closed[item]
    for place in range(IN_SECRET, HOLDING):
        item = holding[place]
        if item != EMPTY:
            ways *= rest[item]
            rest[item] -= 1
    if holding[OUT] != EMPTY and holding[OUT] == holding[OUT + 1]:
        ways /= 2
    for item in range(GEISHA):
        if rest[item] < holding[item]:
            return 0.0
        ways *= _CHOOSE[rest[item], holding[item]]
        rest[item] -= holding[item]
    return max(ways, 0.0)


@rule
def taste_of(view: Record, holding: Counts) -> float:
    """How much likelier than another a player is to have come to this holding, by what was kept and what discarded."""
    if holding[IN_SECRET] == EMPTY and holding[OUT] == EMPTY:
        return 1.0
    way = way_of(view.markers, int(view.starter))
    rounds = int(view.rounds) - int(view.round_number)
    kept = total = 0.0
    cards = 0
    for item in range(GEISHA):
        held = holding[item] + (holding[IN_SECRET] == item) + (holding[OUT] == item) + (holding[OUT + 1] == item)
        total += held * stake_of(way, item, rounds)
        cards += held
    mean = total / cards
    if holding[IN_SECRET] != EMPTY:
        kept += stake_of(way, holding[IN_SECRET], rounds) - mean
    if holding[OUT] != EMPTY:
        kept -= stake_of(way, holding[OUT], rounds) + stake_of(way, holding[OUT + 1], rounds) - 2 * mean
    return exp(TASTE * kept)


@rule
def _take(cards: Counts, item: int) -> bool:
    """Takes a card out, if it is there; taking none always works."""
    if item == EMPTY:
        return True
    if cards[item] <= 0:
        return False
    cards[item] -= 1
    return True


@rule
def _give(cards: Counts, item: int) -> None:
    if item != EMPTY:
        cards[item] += 1


@rule
def _list_hands(size: int, left: Counts, secret: int, first: int, second: int, holdings: Holdings, count: int) -> int:
    for hand in range(_HANDS_FROM[size], _HANDS_FROM[size + 1]):
        if count == len(holdings):
            return count
        if not _fits(_HANDS[hand], left):
            continue
        for item in range(GEISHA):
            holdings[count, item] = _HANDS[hand, item]
        holdings[count, IN_SECRET] = secret
        holdings[count, OUT] = first
        holdings[count, OUT + 1] = second
        count += 1
    return count


@rule
def _fits(hand: Counts, left: Counts) -> bool:
    short = 0
    for item in range(GEISHA):
        short += hand[item] > left[item]
    return short == 0
