"""Kohoju as a sensible person plays it: lay what counts, hold what fits, be rid of dear cards in time, and feed nobody."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from zashiki.bots.bot import Budget
from zashiki.bots.kohoju.skilled import describe as describe
from zashiki.bots.kohoju.skilled import evaluate_by_skill as evaluate_by_skill
from zashiki.bots.kohoju.skilled import gained as gained
from zashiki.bots.kohoju.skilled import hope as hope
from zashiki.bots.kohoju.skilled import scored as scored
from zashiki.bots.kohoju.skilled import weigh_by_skill as weigh_by_skill
from zashiki.bots.kohoju.standing import is_fresh, share_out
from zashiki.bots.sense import Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones, scratch
from zashiki.core.layout import Record
from zashiki.core.random import Words
from zashiki.games.kohoju.cards import CARDS, COLOURS, KINDS, POINTS, SYMBOLS
from zashiki.games.kohoju.piles import CROSS
from zashiki.games.kohoju.rules import (
    DISCARD_FROM,
    DRAW,
    DRAW_DISCARD,
    FINISHED_BONUS,
    FIRST_FROM,
    HAND,
    OPEN_FROM,
    POOL_FROM,
    UNFINISHED,
)

CUT = 48
EXPLORE = 0.9
HASTY = 0.55
LEVELS = {
    "beginner": ("hasty", Budget()),
    "club": ("careless", Budget()),
    "expert": ("search", Budget(seconds=1.0)),
}

# What a choice is worth, in points. Found by self-play of two and four seats: changes that scored more against the rest stayed.
OPENING, OPENING_POINT, OPENING_NEIGHBOUR = 19.8, 1.0, 1.5
ADDING, ADDING_POINT, FINISHING, ADDING_NEIGHBOUR, ADDING_MISSING = 12.9, 0.6, 6.0, 0.7, -1.0
POOLING, POOLING_TWIN = 4.0, -0.5
KEEPING_FIT, KEEPING_FIT_POINT, KEEPING_LOOSE, KEEPING_GUIDE, KEEPING_NEIGHBOUR = 10.5, 1.0, 6.0, 5.3, 0.7
KEEPING_PLANNED, KEEPING_PLANNED_POINT = 3.0, 0.5
KEEPING_FOR_POOL, KEEPING_FOR_POOL_LATE = 0.5, 0.45
DISCARDED_POINT, DISCARDED_POINT_LATE, DISCARDED_TWIN = 0.1, 0.5, 0.7
FEEDING, FEEDING_POINT = 1.1, 0.7
TAKING, TAKEN_POINT, TAKEN_POINT_LATE, TAKING_NEIGHBOUR = -0.5, -0.35, -0.3, 0.3
TAKING_FIT, TAKING_PLANNED, TAKING_PLANNED_POINT, TAKING_LAST, TAKING_FIFTH = 4.1, 3.0, 0.5, 4.0, 6.0
TAKING_GUIDE, TAKING_TO_GO_OUT = 8.0, 14.7
NEIGHBOUR_POINT = 0.1
"""How much more a card with a point more supports its neighbours in a line."""

SPREAD = 0.9
"""The loss in points at which a choice is about a third as likely."""

# What a deal still brings a seat beyond what it would score now. Least squares over 25,000 deals of self-play, two to six seats.
STILL, STILL_FIT_POINT, STILL_COMPLETE = -1.7, 1.9, 5.9
STILL_OTHER_POINT, STILL_OTHER_POINT_EARLY, STILL_SPACE, STILL_BEHIND = 0.6, 0.6, 0.2, -0.4

LINES = len(COLOURS) + len(SYMBOLS)

Best = npt.NDArray[np.int64]
Lines = npt.NDArray[np.float64]

_OF_A_COLOUR = (1 << len(SYMBOLS)) - 1


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """By points: those laid and to be laid, those still in hand at the end, and those given to the next seat."""
    best = scratch(KINDS, np.int64)
    lines = scratch(LINES, np.float64)
    _look_at_hand(state, seat, best, lines)
    begun = _best_line(int(state.fits[seat, 0]), best) | _best_line(int(state.fits[seat, 1]), best)
    planned = _planned(state, seat, best)
    most = -1e9
    for i in range(len(actions)):
        if state.phase == DRAW:
            weights[i] = _value_draw(state, seat, actions[i], best, lines, planned)
        else:
            weights[i] = _value_play(state, seat, actions[i], best, lines, begun, planned)
        most = max(most, weights[i])
    for i in range(len(actions)):
        weights[i] = exp((weights[i] - most) / SPREAD)


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the totals as they will be after this deal, which count more the nearer the target is."""
    for seat in range(int(state.seats)):
        worth[seat] = state.totals[seat]
        # At the end of a deal the next one is dealt already; those hands are nobody's doing, and would only be noise.
        if not is_fresh(state):
            worth[seat] += _expected(state, seat)
    share_out(state, worth)


@rule
def chapter(state: Record) -> int:
    """The deal."""
    return int(state.deal_number)


@rule
def mixed(state: Record, seat: int) -> bool:
    """Nobody chooses at the same time as another."""
    return False


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """All deals are taken as they come."""


@rule
def _look_at_hand(state: Record, seat: int, best: Best, lines: Lines) -> None:
    """Of each kind the most points on a card in hand, and of each colour and symbol how well the hand supports it."""
    best[:] = 0
    lines[:] = 0
    for i in range(int(state.hand_size[seat])):
        card = int(state.hands[seat, i])
        best[card // POINTS] = max(best[card // POINTS], card % POINTS + 1)
    for kind in range(KINDS):
        lines[kind // len(SYMBOLS)] += _support(kind, best)
        lines[len(COLOURS) + kind % len(SYMBOLS)] += _support(kind, best)


@rule
def _support(kind: int, best: Best) -> float:
    return 1 + NEIGHBOUR_POINT * best[kind] if best[kind] > 0 else 0.0


@rule
def _neighbours(kind: int, best: Best, lines: Lines) -> float:
    """How well the rest of the hand supports a kohoju that begins with this kind."""
    line = max(lines[kind // len(SYMBOLS)], lines[len(COLOURS) + kind % len(SYMBOLS)])
    return float(line) - _support(kind, best)


@rule
def _early(state: Record) -> float:
    """How much of the deal is left by the smallest hand: from 1 down to 0."""
    return _fewest(state) / HAND


@rule
def _fewest(state: Record) -> int:
    fewest = HAND
    for seat in range(int(state.seats)):
        fewest = min(fewest, int(state.hand_size[seat]))
    return fewest


@rule
def _value_draw(state: Record, seat: int, action: int, best: Best, lines: Lines, planned: int) -> float:
    """What the top of the discard pile is worth more than a card nobody knows."""
    if action != DRAW_DISCARD or state.discard_size == 0:
        return 0.0
    card = int(state.discard[int(state.discard_size) - 1])
    kind, points = card // POINTS, card % POINTS + 1
    value = TAKING + (TAKEN_POINT + TAKEN_POINT_LATE * (1 - _early(state))) * points
    if points > best[kind]:
        value += _value_taking_for_a_line(state, seat, kind, points, best, planned)
    if best[kind] == 0 and state.fits[seat, 1] == 0:
        value += TAKING_NEIGHBOUR * _early(state) * _neighbours(kind, best, lines)
        value += TAKING_GUIDE if kind == state.guide else 0.0
    if state.hand_size[seat] == 1 and ((_fits(state, seat) | int(state.pool_fits)) >> kind) & 1:
        value += TAKING_TO_GO_OUT
    return value


@rule
def _value_taking_for_a_line(state: Record, seat: int, kind: int, points: int, best: Best, planned: int) -> float:
    """A card is worth more as the last that a line lacks, most if all the others are laid."""
    value = 0.0
    if (_fits(state, seat) >> kind) & 1:
        value += TAKING_FIT + ADDING_POINT * (points - best[kind])
    elif (planned >> kind) & 1:
        value += TAKING_PLANNED + TAKING_PLANNED_POINT * (points - best[kind])
    if best[kind] > 0:
        return value
    first, second = int(state.fits[seat, 0]), int(state.fits[seat, 1])
    if first == 1 << kind or second == 1 << kind:
        value += TAKING_FIFTH
    if _lacks_only(first, kind, best) or _lacks_only(second, kind, best) or _lacks_only(planned, kind, best):
        value += TAKING_LAST
    return value


@rule
def _fits(state: Record, seat: int) -> int:
    """The kinds that may be added to a seat's unfinished kohojus."""
    return int(state.fits[seat, 0]) | int(state.fits[seat, 1])


@rule
def _planned(state: Record, seat: int, best: Best) -> int:
    """The kinds that are to follow a card of the guide's kind in hand, once it has opened a kohoju."""
    guide = int(state.guide)
    if state.fits[seat, 1] != 0 or best[guide] == 0:
        return 0
    return _best_line(int(CROSS[guide]), best)


@rule
def _lacks_only(fits: int, kind: int, best: Best) -> bool:
    """Whether the hand has all of a kohoju's line but this kind."""
    line = _best_line(fits, best)
    if (line >> kind) & 1 == 0:
        return False
    line ^= 1 << kind
    while line != 0:
        if best[lowest(line)] == 0:
            return False
        line &= line - 1
    return True


@rule
def _value_play(state: Record, seat: int, action: int, best: Best, lines: Lines, begun: int, planned: int) -> float:
    card = (action - OPEN_FROM) % CARDS
    if action < FIRST_FROM:
        return _value_opening(card, best, lines)
    if action < POOL_FROM:
        return _value_adding(int(state.fits[seat, (action - FIRST_FROM) // CARDS]), card, best)
    is_twin = card % POINTS + 1 < best[card // POINTS]
    keeping = 0.0 if is_twin else _value_keeping(state, seat, card, best, lines, begun, planned)
    if action < DISCARD_FROM:
        return POOLING - keeping + (POOLING_TWIN if is_twin else 0.0)
    return _value_discard(state, seat, card) - keeping + (DISCARDED_TWIN if is_twin else 0.0)


@rule
def _value_opening(card: int, best: Best, lines: Lines) -> float:
    return OPENING + OPENING_POINT * (card % POINTS + 1) + OPENING_NEIGHBOUR * _neighbours(card // POINTS, best, lines)


@rule
def _value_adding(fits: int, card: int, best: Best) -> float:
    """A line that is nearly full, and that the hand can go on with, is better."""
    rest = fits & CROSS[card // POINTS]
    value = ADDING + ADDING_POINT * (card % POINTS + 1) + ADDING_MISSING * ones(rest)
    if rest == 0:
        value += FINISHING
    while rest != 0:
        value += ADDING_NEIGHBOUR * _support(lowest(rest), best)
        rest &= rest - 1
    return value


@rule
def _value_keeping(state: Record, seat: int, card: int, best: Best, lines: Lines, begun: int, planned: int) -> float:
    """What the best card of a kind may still be laid for."""
    kind, points = card // POINTS, card % POINTS + 1
    is_room = state.fits[seat, 1] == 0
    value = KEEPING_GUIDE if kind == state.guide and is_room else 0.0
    if (begun >> kind) & 1:
        value += KEEPING_FIT + KEEPING_FIT_POINT * points
    elif (_fits(state, seat) >> kind) & 1:
        value += KEEPING_LOOSE
    elif is_room:
        value += KEEPING_NEIGHBOUR * _early(state) * _neighbours(kind, best, lines)
        if (planned >> kind) & 1:
            value += KEEPING_PLANNED + KEEPING_PLANNED_POINT * points
    return value


@rule
def _value_discard(state: Record, seat: int, card: int) -> float:
    """The points got rid of, less what the pool would have taken anyway and what the next seat is fed."""
    kind, points = card // POINTS, card % POINTS + 1
    late = 1 - _early(state)
    value = (DISCARDED_POINT + DISCARDED_POINT_LATE * late) * points
    if (int(state.pool_fits) >> kind) & 1:
        value -= KEEPING_FOR_POOL + KEEPING_FOR_POOL_LATE * late
    # Nobody can open with a discarded card of the guide's kind: the guide is another one by then.
    if kind != state.guide and (_fits(state, (seat + 1) % int(state.seats)) >> kind) & 1:
        value -= FEEDING + FEEDING_POINT * points
    return value


@rule
def _expected(state: Record, seat: int) -> float:
    """The points a seat will have from this deal."""
    best = scratch(KINDS, np.int64)
    in_hand = _look_at_points(state, seat, best)
    value = float(state.laid[seat]) + FINISHED_BONUS * ones(int(state.finished[seat])) - in_hand + STILL
    fitting = 0
    for which in range(UNFINISHED):
        line = _best_line(int(state.fits[seat, which]), best)
        if line != 0:
            points, missing = _take_line(line, best)
            fitting += points
            value += STILL_COMPLETE if missing == 0 else 0.0
    planned = _planned(state, seat, best)
    if planned != 0:
        fitting += _take_line(planned | 1 << int(state.guide), best)[0]
    fewest = _fewest(state)
    value += STILL_FIT_POINT * fitting + STILL_BEHIND * (int(state.hand_size[seat]) - fewest)
    value += (STILL_OTHER_POINT + STILL_OTHER_POINT_EARLY * fewest / HAND) * (in_hand - fitting)
    return value + STILL_SPACE * (KINDS - ones(int(state.pool)))


@rule
def _look_at_points(state: Record, seat: int, best: Best) -> int:
    best[:] = 0
    total = 0
    for i in range(int(state.hand_size[seat])):
        card = int(state.hands[seat, i])
        points = card % POINTS + 1
        best[card // POINTS] = max(best[card // POINTS], points)
        total += points
    return total


@rule
def _best_line(fits: int, best: Best) -> int:
    """The kinds a kohoju is to be filled with: those that fit, and while its line is open those the hand has more of."""
    if ones(fits) < len(COLOURS):
        return fits
    colour, symbol = _split(fits)
    return colour if _held(colour, best) >= _held(symbol, best) else symbol


@rule
def _split(fits: int) -> tuple[int, int]:
    """A cross as its colour and its symbol: the one in the row where four of five fit, the other in a column."""
    colour = 0
    for row in range(len(COLOURS)):
        kinds = fits & (_OF_A_COLOUR << len(SYMBOLS) * row)
        if ones(kinds) > 1:
            colour = kinds
    return colour, fits ^ colour


@rule
def _held(line: int, best: Best) -> int:
    """How much the hand has of a line: its cards more than their points."""
    held = 0
    while line != 0:
        kind = lowest(line)
        held += best[kind] + 3 if best[kind] > 0 else 0
        line &= line - 1
    return held


@rule
def _take_line(line: int, best: Best) -> tuple[int, int]:
    """The points the hand can lay in a line, and how many kinds it lacks; the cards are not counted again."""
    points, missing = 0, 0
    while line != 0:
        kind = lowest(line)
        points += best[kind]
        missing += best[kind] == 0
        best[kind] = 0
        line &= line - 1
    return points, missing
