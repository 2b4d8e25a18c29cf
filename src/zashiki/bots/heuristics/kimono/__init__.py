"""Kimono as a sensible person plays it: counts what a group would bring to everyone, and who is likely to want it."""

from __future__ import annotations

from math import exp

import numpy as np

from zashiki.bots.bot import Budget
from zashiki.bots.heuristics.kimono.values import (
    ALL_KINDS,
    MASTER_VALUE,
    Counts,
    add_copy,
    break_gain,
    break_two,
    copy_gain,
    foresee,
    gain,
    holding,
    kimono_gain,
)
from zashiki.bots.heuristics.kimono.votes import GROUPS, Reals, count_cards, foresee_votes, share
from zashiki.bots.sense import Taste, Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones, scratch
from zashiki.core.layout import Record
from zashiki.core.random import Words
from zashiki.games.kimono.action_cards import PAIRS
from zashiki.games.kimono.cards import APPRENTICE, BREAKAGE, CAT, COPY, ROUNDS
from zashiki.games.kimono.rules import (
    BREAK_FROM,
    CHOOSE_FROM,
    COPY_FROM,
    CUTTING,
    PLACING,
    SEATS,
    VOTING,
    WITH_MASTER,
)
from zashiki.games.kimono.scoring import IN_FRONT

EXPLORE = 0.9
CUT = 200
"""More than a round takes: playouts end with the round."""
TASTE = Taste(explore=0.9, learned=0.7, ease=1.0, trust=1.0, cut=0, sides=False, foresee=0.4, finish=True)
TEMPERATURE = 0.0
LEVELS = {
    "beginner": ("careless", Budget()),
    "club": ("search", Budget(seconds=0.2, iterations=100)),
    "expert": ("search", Budget(seconds=1.0)),
}
SHARPNESS = 0.5
"""How much likelier a choice becomes with each point."""
# From 32,000 matches of the heuristic against itself, the likeliest for one to four rounds to come; the ends go on from there.
LEAD = np.array([2.0, 7.8, 11.5, 13.5, 15.0, 17.0])
"""The lead in points that makes a victory e times as likely, by the rounds to come."""
EVEN = 0.03
"""How likely the second of two choices alike is made."""
SURELY = 20.0
"""More points than there are at stake."""

_PAIRS = np.array(PAIRS, np.int64)


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """Votes: by what everyone can expect; cuts: those that bring the master most and the leaders least."""
    steps = scratch(IN_FRONT, np.int64)
    foresee(state, ROUNDS - int(state.round_number), steps)
    if state.phase == VOTING:
        _weigh_votes(state, seat, steps, weights)
    elif state.phase == CUTTING:
        _weigh_cuts(state, seat, steps, actions, weights)
    elif state.phase == PLACING:
        _weigh_places(state, seat, steps, actions, weights)
    else:
        for i in range(len(actions)):
            weights[i] = exp(2 * SHARPNESS * _answer_gain(state, seat, actions[i], steps))


@rule
def _answer_gain(state: Record, seat: int, action: int, steps: Counts) -> float:
    """What an answer to an action card brings."""
    if action < BREAK_FROM:
        return _order_gain(state, seat, CAT + action - CHOOSE_FROM, steps)
    if action < COPY_FROM:
        pair = _PAIRS[action - BREAK_FROM]
        return break_gain(state.front[seat], pair[0], pair[1], steps)
    return copy_gain(state.front[seat], action - COPY_FROM, steps)


@rule
def _order_gain(state: Record, seat: int, card: int, steps: Counts) -> float:
    """Cats come first, since what they draw may change what is best; then the better order of one breakage and one copy."""
    front = scratch(IN_FRONT, np.int64)
    for sort in range(IN_FRONT):
        front[sort] = int(state.front[seat, sort])
    if card == CAT:
        return SURELY
    if card == BREAKAGE:
        return break_two(front, steps) + add_copy(front, steps)
    return add_copy(front, steps) + break_two(front, steps)


@rule
def _weigh_votes(state: Record, seat: int, steps: Counts, weights: Weights) -> None:
    first, second = scratch(ALL_KINDS, np.int64), scratch(ALL_KINDS, np.int64)
    chances, expected = scratch(SEATS, np.float64), scratch(GROUPS, np.float64)
    count_cards(state, int(state.piece_from), int(state.cut_after), first)
    count_cards(state, int(state.cut_after), int(state.piece_to), second)
    foresee_votes(state, int(state.voters), first, second, steps, chances, expected)
    left = chances[seat]
    weights[0] = 1 - left if state.right_first == 1 else left
    weights[1] = 1 - weights[0]


@rule
def _weigh_cuts(state: Record, seat: int, steps: Counts, actions: Options, weights: Weights) -> None:
    first, second = scratch(ALL_KINDS, np.int64), scratch(ALL_KINDS, np.int64)
    rivalry = scratch(SEATS, np.float64)
    _rivals(state, seat, steps, rivalry)
    start, end = int(state.piece_from), int(state.piece_to)
    count_cards(state, start, start, first)
    count_cards(state, start, end, second)
    other = EVEN if _kimonos_last(state) else 1.0
    for i in range(0, len(actions), 2):
        card = int(state.row[start + i // 2])
        first[card] += 1
        second[card] -= 1
        weights[i] = exp(SHARPNESS * _prospect(state, seat, first, second, steps, rivalry))
        weights[i + 1] = other * weights[i]


@rule
def _kimonos_last(state: Record) -> bool:
    """Whether there are kimonos for all who may still get one in this round, so that the numbering does not matter."""
    wanted = int(state.voters)
    for i in range(int(state.waiting)):
        wanted |= int(state.waiting_for[i])
    return bool(state.kimonos == 0 or state.kimonos >= ones(wanted))


@rule
def _weigh_places(state: Record, seat: int, steps: Counts, actions: Options, weights: Weights) -> None:
    first, second = scratch(ALL_KINDS, np.int64), scratch(ALL_KINDS, np.int64)
    rivalry = scratch(SEATS, np.float64)
    _rivals(state, seat, steps, rivalry)
    middle, end = int(state.cut_after), int(state.piece_to)
    count_cards(state, 0, middle, first)
    count_cards(state, middle, end, second)
    first[APPRENTICE] = 1
    left = exp(SHARPNESS * _prospect(state, seat, first, second, steps, rivalry))
    first[APPRENTICE] = 0
    second[APPRENTICE] = 1
    right = exp(SHARPNESS * _prospect(state, seat, first, second, steps, rivalry))
    for place in range(end + 2):
        at_edge = place == 0 or place == middle or place == middle + 1 or place == end + 1
        weights[place] = (left if place <= middle else right) * (1.0 if at_edge else 0.2)


@rule
def _prospect(state: Record, seat: int, first: Counts, second: Counts, steps: Counts, rivalry: Reals) -> float:
    """What a seat can expect of a vote between these groups, less what its rivals can."""
    chances, expected = scratch(SEATS, np.float64), scratch(GROUPS, np.float64)
    voters = int(state.voters)
    foresee_votes(state, voters, first, second, steps, chances, expected)
    total = 0.0
    for other in range(int(state.seats)):
        if (voters >> other) & 1:
            hoped = chances[other] * expected[2 * other] + (1 - chances[other]) * expected[2 * other + 1]
            total += hoped if other == seat else -rivalry[other] * hoped
    return total


@rule
def _rivals(state: Record, seat: int, steps: Counts, rivalry: Reals) -> None:
    """How much of a seat's chances another's point takes: all rivals together as much as a point of its own brings."""
    for other in range(int(state.seats)):
        rivalry[other] = holding(state, other, steps)
    _to_chances(rivalry, int(state.seats), LEAD[ROUNDS - int(state.round_number) + 1])
    own = 1 - rivalry[seat] + 1e-6
    for other in range(int(state.seats)):
        rivalry[other] /= own


@rule
def _to_chances(points: Reals, seats: int, lead: float) -> None:
    most = -1e9
    for seat in range(seats):
        most = max(most, points[seat])
    total = 0.0
    for seat in range(seats):
        points[seat] = exp((points[seat] - most) / lead)
        total += points[seat]
    for seat in range(seats):
        points[seat] /= total


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the points, what the cards to come may do to them, and what each is about to take."""
    steps = scratch(IN_FRONT, np.int64)
    begins = state.apprentice == WITH_MASTER
    rounds = ROUNDS - int(state.round_number) + int(begins)
    foresee(state, rounds, steps)
    for seat in range(int(state.seats)):
        worth[seat] = holding(state, seat, steps)
    if begins:
        worth[int(state.master)] += MASTER_VALUE[rounds]
    else:
        _add_pending(state, steps, worth)
    _to_chances(worth, int(state.seats), LEAD[rounds])


@rule
def _add_pending(state: Record, steps: Counts, worth: Worth) -> None:
    cards = scratch(ALL_KINDS, np.int64)
    for i in range(int(state.waiting)):
        start, end = int(state.waiting_from[i]), int(state.waiting_to[i])
        _add_piece(state, start, end, int(state.waiting_for[i]), steps, cards, worth)
    if state.phase == CUTTING or state.phase == VOTING:
        _add_piece(state, int(state.piece_from), int(state.piece_to), int(state.voters), steps, cards, worth)
    count_cards(state, 0, 0, cards)
    if state.apprentice < SEATS:
        cards[APPRENTICE] = 1
        worth[int(state.apprentice)] += gain(state, int(state.apprentice), cards, steps)
        cards[APPRENTICE] = 0
    if state.taker >= 0:
        for card in range(CAT, COPY + 1):
            cards[card] = int(state.to_do[card - CAT])
        worth[int(state.taker)] += gain(state, int(state.taker), cards, steps)


@rule
def _add_piece(state: Record, start: int, end: int, wanted: int, steps: Counts, cards: Counts, worth: Worth) -> None:
    others = ones(wanted) - 1
    count_cards(state, start, end, cards)
    while wanted != 0:
        seat = lowest(wanted)
        wanted &= wanted - 1
        alone = gain(state, seat, cards, steps)
        worth[seat] += alone if others == 0 else share(state, alone, kimono_gain(state, seat, steps), end - start, others)


@rule
def chapter(state: Record) -> int:
    """The round."""
    return int(state.round_number)


@rule
def mixed(state: Record, seat: int) -> bool:
    """Votes are given at the same time, but regret needs far more tries to settle than worth does: it plays much worse here."""
    return False


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """Takes back the votes of the others that are still sealed: they have yet to choose, as if after this seat."""
    if state.phase != VOTING:
        return
    for other in range(int(state.seats)):
        if other != seat and state.votes[other] != 0:
            state.votes[other] = 0
            state.asked |= 1 << other
