"""Kasane as a sensible person plays it: what each card brings now, what it may grow into, and what it opens to the next seat."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.bots.bot import Budget
from zashiki.bots.sense import Taste, Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import assign, lowest, ones, scratch
from zashiki.core.layout import EMPTY, Record
from zashiki.core.random import Words
from zashiki.games.kasane.cards import VARIETY
from zashiki.games.kasane.combinations import FIRST_MARK, KIND_SIZE, KINDS, MOST, PLACE_POINTS, fitting
from zashiki.games.kasane.rules import (
    ACCESSORY,
    COLUMNS,
    COMBINATIONS,
    COMBINE_FROM,
    DECLINE,
    FACES,
    NOBODY,
    NUMBERS,
    ROWS,
    SECOND_PLACE,
    TAKE,
    TURNS,
    count_unseen,
    is_free,
    kimono_end,
)
from zashiki.games.kasane.scoring import (
    DOZEN,
    DOZEN_BONUS,
    LAID_FOR_VARIETY,
    cards_laid,
    dozen_bonus,
    place_points,
    variety,
    variety_bonus,
)

CUT = 24
EXPLORE = 0.9
TASTE = Taste(explore=0.4, learned=0.4, ease=1.0, trust=0.7, cut=CUT, sides=False, asks=1, finish=True)
TEMPERATURE = 0.0
LEVELS = {
    "beginner": ("careless", Budget()),
    "club": ("search", Budget(seconds=0.2, iterations=20)),
    "expert": ("search", Budget(seconds=1.0)),
    "master": ("master-read", Budget(seconds=1.0)),
}
SHARPNESS = 0.8
"""How much likelier a choice becomes with each point of value."""
LEAST = -12.0
"""The logarithm of the least weight beside that of the best choice."""
CARD = 0.6
"""What a card laid is worth besides the points of its place: it counts towards eight and twelve."""
LAST_CARD = 0.05
"""The same in the last turn, where it settles a tie at most."""
PATIENCE = 0.6
"""What a point that the next card may bring is worth now."""
DENIAL = 0.5
"""What a point that the next seat is left to take costs."""
OPEN = 4
"""How many cards of a fresh market a seat may count on choosing from."""
NEAR = (0.75, 0.45, 0.25, 0.15, 0.1)
"""How likely a card of the market is to be had next turn, by the number of cards on its right."""

# What counts for the chance to win, always and the more the fewer turns are left: a softmax over the seats, fitted to the winners
# of three quarters of 1,400 matches, of two to four bots that search 100 iterations.
FITTED = (
    (0.330, 0.687),  # points of places and accessories
    (-0.497, 1.047),  # cards laid: early on, those that are still in hand promise more
    (-0.031, 1.194),  # what the next card is likely to bring
    (-0.047, 1.222),  # the bonuses as they are
    (0.107, 0.335),  # the bonus for two fabrics more, as far as eight cards are laid
    (0.287, 0.120),  # turns left
)
FACTS = len(FITTED)
ACCESSORY_LAID = COMBINATIONS
GAINS = COMBINATIONS + 1
"""What may be gained: by each combination, and by an accessory."""
HAND_PARTS = MOST + 1
"""From none to five cards of the hand may be laid at once."""

Values = npt.NDArray[np.float64]
Cards = npt.NDArray[Any]

_SIZE = np.array(KIND_SIZE, np.int64)
_POINTS = np.array(PLACE_POINTS, np.int64)
_FITTED = np.array(FITTED, np.float64)
_NEAR = np.array(NEAR, np.float64)


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """By the points gained now, those in prospect, and those left to the next seat."""
    gains = scratch(GAINS, np.float64)
    _value_combinations(state, LAST_CARD if _is_last_turn(state) else CARD, gains)
    chances = scratch(FACES, np.float64)
    _find_chances(state, chances)
    if state.phase == TAKE:
        _weigh_rows(state, seat, gains, chances, actions, weights)
    else:
        _weigh_combinations(state, seat, gains, chances, actions, weights)
    _sharpen(weights, len(actions))


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By what each seat has and may hope for, compared."""
    gains = scratch(GAINS, np.float64)
    _value_combinations(state, CARD, gains)
    chances = scratch(FACES, np.float64)
    _find_market_chances(state, chances)
    seats = int(state.seats)
    turns = 0
    for seat in range(seats):
        turns = max(turns, _turns_left(state, seat))
    total = 0.0
    for seat in range(seats):
        worth[seat] = exp(_outlook(state, seat, 1 / (1 + turns), gains, chances))
        total += worth[seat]
    for seat in range(seats):
        worth[seat] /= total


@rule
def chapter(state: Record) -> int:
    """The round: what follows depends on a market not yet dealt."""
    return int(state.round_number)


@rule
def mixed(state: Record, seat: int) -> bool:
    """Nobody chooses at the same time as another."""
    return False


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """All orders of the stack are as likely."""


@rule
def _sharpen(weights: Weights, count: int) -> None:
    """Turns values into weights; the worst choice keeps a little."""
    best = weights[0]
    for i in range(count):
        best = max(best, weights[i])
    for i in range(count):
        weights[i] = exp(max(SHARPNESS * (weights[i] - best), LEAST))


@rule
def _is_last_turn(state: Record) -> bool:
    """Whether the active seat will have no other."""
    return bool(state.round_number == state.seats and state.turn_number + state.seats > TURNS)


@rule
def _value_combinations(state: Record, card: float, gains: Values) -> None:
    """What each combination would gain if a card laid is worth so much, below 0 where no place is free; and an accessory."""
    gains[ACCESSORY_LAID] = 1 + card
    for kind in range(KINDS):
        if is_free(state, kind):
            place = kind + SECOND_PLACE if kind >= FIRST_MARK and state.places[kind] != NOBODY else kind
            gains[kind] = _POINTS[place] + card * _SIZE[kind]
            gains[KINDS + kind] = gains[kind] - card
        else:
            gains[kind] = gains[KINDS + kind] = -1.0


@rule
def _find_chances(state: Record, chances: Values) -> None:
    """How likely each card is to be had with the next turn: from this market, or from one not yet dealt, or not at all."""
    if state.turn_number + state.seats <= TURNS:
        _find_market_chances(state, chances)
    elif _is_last_turn(state):
        chances[:] = 0.0
    else:
        _find_stack_chances(state, chances)


@rule
def _find_market_chances(state: Record, chances: Values) -> None:
    chances[:] = 1.0
    for row in range(len(state.row_size)):
        size = int(state.row_size[row])
        for column in range(size):
            chances[int(state.market[row, column])] *= 1 - _NEAR[size - 1 - column]
    for card in range(FACES):
        chances[card] = 1 - chances[card]


@rule
def _find_stack_chances(state: Record, chances: Values) -> None:
    """Discarded cards come back where the stack is too small for another market."""
    cards = scratch(FACES, np.int64)
    count_unseen(state, cards)
    if state.stack_size < ROWS[int(state.seats) - 2] * COLUMNS[int(state.seats) - 2]:
        for i in range(int(state.discard_size)):
            cards[int(state.discards[i])] += 1
    total = cards.sum()
    for card in range(FACES):
        chances[card] = 1 - (1 - cards[card] / total) ** OPEN


@rule
def _best(found: int, gains: Values) -> float:
    """The most that one of these combinations gains, 0 without any."""
    best = 0.0
    while found != 0:
        best = max(best, gains[lowest(found)])
        found &= found - 1
    return best


@rule
def _best_of(found: int, gains: Values) -> int:
    """Which of these combinations gains most; −1: none has a place."""
    best, most = -1, 0.0
    while found != 0:
        combination = lowest(found)
        found &= found - 1
        if gains[combination] > most:
            best, most = combination, gains[combination]
    return best


@rule
def _prospect(hand: Cards, kept: int, end: int, gains: Values, chances: Values) -> float:
    """What the next card is likely to bring to the first `kept` cards of a hand and a kimono that ends so: the best to be had."""
    brought = scratch(FACES, np.float64)
    brought[ACCESSORY] = gains[ACCESSORY_LAID]
    for card in range(1, FACES):
        brought[card] = _best(fitting(hand, kept, card, end), gains) if chances[card] > 0 else 0.0
    expected, missed = 0.0, 1.0
    for _ in range(3):
        best = 0
        for card in range(1, FACES):
            if brought[card] > brought[best]:
                best = card
        expected += missed * chances[best] * brought[best]
        missed *= 1 - chances[best]
        brought[best] = 0.0
    return expected


@rule
def _weigh_rows(state: Record, seat: int, gains: Values, chances: Values, actions: Options, weights: Weights) -> None:
    """What the card brings and may grow into, less what is then open to the next seat."""
    hand = scratch(DOZEN, np.int8)
    assign(hand, state.hands[seat])
    for i in range(len(actions)):
        weights[i] = _value_card(state, seat, _open_card(state, actions[i], 0), hand, gains, chances)
    if state.turn_number < TURNS:
        _subtract_what_is_left(state, seat + 1 if seat + 1 < state.seats else 0, gains, actions, weights)


@rule
def _subtract_what_is_left(state: Record, following: int, gains: Values, actions: Options, weights: Weights) -> None:
    """The best card left to the following seat costs: one that lies open now, or the one that this choice opens."""
    most, second, dearest = 0.0, 0.0, 0
    for i in range(len(actions)):
        left = _card_gain(state, following, _open_card(state, actions[i], 0), gains)
        if left > most:
            most, second, dearest = left, most, i
        else:
            second = max(second, left)
    for i in range(len(actions)):
        left = second if i == dearest else most
        opened = _open_card(state, actions[i], 1)
        if opened != EMPTY:
            left = max(left, _card_gain(state, following, opened, gains))
        weights[i] -= DENIAL * left


@rule
def _open_card(state: Record, row: int, behind: int) -> int:
    """The rightmost card of a row, or the one so many cards behind it; EMPTY: there is none."""
    column = int(state.row_size[row]) - 1 - behind
    return int(state.market[row, column]) if column >= 0 else EMPTY


@rule
def _card_gain(state: Record, seat: int, card: int, gains: Values) -> float:
    """What a card brings a seat at once."""
    hand, kept, end = state.hands[seat], int(state.hand_size[seat]), kimono_end(state, seat)
    if card != ACCESSORY:
        return _best(fitting(hand, kept, card, end), gains)
    gain = float(gains[ACCESSORY_LAID])
    if state.accessory_combo == 1 and kept > 0:
        gain += _best(fitting(hand, kept - 1, int(hand[kept - 1]), end), gains)
    return gain


@rule
def _value_card(state: Record, seat: int, card: int, hand: Cards, gains: Values, chances: Values) -> float:
    """What a card brings a seat at once and with the next one. `hand` is the seat's hand, with room to lay the card on."""
    kept, end = int(state.hand_size[seat]), kimono_end(state, seat)
    if card != ACCESSORY:
        hand[kept] = card
        return _value_hand(state, seat, hand, kept + 1, gains, chances)
    value = float(gains[ACCESSORY_LAID]) + _bonus(state, seat, hand, kept, 0, 1)
    if state.accessory_combo == 1 and kept > 0:
        return value + _value_hand(state, seat, hand, kept, gains, chances)
    return value + PATIENCE * _prospect(hand, kept, end, gains, chances)


@rule
def _value_hand(state: Record, seat: int, hand: Cards, size: int, gains: Values, chances: Values) -> float:
    """What a hand is worth to a seat that may combine now: the best combination and what it leaves, or all of it kept."""
    last, end = int(hand[size - 1]), kimono_end(state, seat)
    waiting = PATIENCE * _prospect(hand, size, end, gains, chances)
    best = _best_of(fitting(hand, size - 1, last, end), gains)
    if best < 0:
        return waiting
    cards = _hand_cards(best)
    gain = float(gains[best]) + _bonus(state, seat, hand, size, cards, 0)
    return max(waiting, gain + PATIENCE * _prospect(hand, size - cards, last, gains, chances))


@rule
def _hand_cards(combination: int) -> int:
    """How many cards of the hand a combination lays."""
    return int(_SIZE[combination % KINDS]) - combination // KINDS


@rule
def _bonus(state: Record, seat: int, hand: Cards, size: int, cards: int, accessories: int) -> float:
    """What the last cards of a hand and accessories, once laid, change of the bonuses; it counts the more the nearer the end."""
    laid = cards_laid(state, seat) + cards + accessories
    if laid < LAID_FOR_VARIETY:
        return 0.0
    numbers = 0
    for i in range(int(state.kimono_size[seat])):
        numbers |= 1 << int(state.kimonos[seat, i])
    for i in range(size - cards, size):
        numbers |= 1 << int(hand[i])
    bonus = VARIETY[ones(numbers)] - variety_bonus(state, seat)
    if laid == DOZEN:
        bonus += DOZEN_BONUS
    later = _turns_left(state, seat) - int(state.phase == TAKE)
    return bonus / (1 + later)


@rule
def _weigh_combinations(state: Record, seat: int, gains: Values, chances: Values, actions: Options, weights: Weights) -> None:
    prospects = scratch(HAND_PARTS, np.float64)
    prospects[:] = -1.0
    size = int(state.hand_size[seat])
    last = int(state.hands[seat, size - 1])
    for i in range(len(actions)):
        cards, gain = 0, 0.0
        if actions[i] != DECLINE:
            combination = actions[i] - COMBINE_FROM
            cards = _hand_cards(combination)
            gain = gains[combination] + _bonus(state, seat, state.hands[seat], size, cards, 0)
        if prospects[cards] < 0:
            end = last if cards > 0 else kimono_end(state, seat)
            prospects[cards] = _prospect(state.hands[seat], size - cards, end, gains, chances)
        weights[i] = gain + PATIENCE * prospects[cards]


@rule
def _turns_left(state: Record, seat: int) -> int:
    return TURNS - cards_laid(state, seat) - int(state.hand_size[seat])


@rule
def _outlook(state: Record, seat: int, nearness: float, gains: Values, chances: Values) -> float:
    """A seat's prospects to win, as a number that means something only beside the others'."""
    laid = cards_laid(state, seat)
    facts = scratch(FACTS, np.float64)
    facts[0] = place_points(state, seat) + int(state.accessories[seat])
    facts[1] = laid
    facts[2] = _prospect(state.hands[seat], int(state.hand_size[seat]), kimono_end(state, seat), gains, chances)
    facts[3] = variety_bonus(state, seat) + dozen_bonus(state, seat)
    facts[4] = VARIETY[min(variety(state, seat) + 2, NUMBERS)] * min(laid / LAID_FOR_VARIETY, 1.0)
    facts[5] = _turns_left(state, seat)
    outlook = 0.0
    for fact in range(FACTS):
        outlook += facts[fact] * (_FITTED[fact, 0] + _FITTED[fact, 1] * nearness)
    return float(outlook)
