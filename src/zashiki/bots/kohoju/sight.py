"""What somebody sees who is about to decide in Kohoju: the own hand by kinds and lines, and what may still come of it.

Kinds are bits of a word, as in the rules, so that a line's kinds can be counted in one instruction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones
from zashiki.core.layout import Record
from zashiki.games.kohoju.cards import COLOURS, KINDS, POINTS, SYMBOLS
from zashiki.games.kohoju.piles import CROSS, KNOWN
from zashiki.games.kohoju.rules import FINISHED_BONUS, HAND

SYMBOL_COUNT = len(SYMBOLS)
LINES = len(COLOURS) + len(SYMBOLS)
"""The colours, then the symbols."""
POINT_SUPPORT = 0.1
"""How much more a card with a point more supports a line."""

_ROW = (1 << SYMBOL_COUNT) - 1
_COLUMN = sum(1 << SYMBOL_COUNT * row for row in range(len(COLOURS)))

Counts = npt.NDArray[np.int64]
Support = npt.NDArray[np.float64]


class Sight(NamedTuple):
    """What a seat sees. Sets of kinds are words of bits.

    `best`, `cards`  by kind: the most points on a card of it in hand, and how many of them there are
    `lines`          by line: how well the hand supports it
    `unseen`         by kind: cards that nobody has shown, the own ones aside
    `hand`           kinds in hand; `size` its cards, `loose` the points of those that fit nothing begun or planned
    `once`, `twice`, `thrice`  kinds of which at least so many cards are unseen
    `first`, `second`          kinds that fit each own unfinished kohoju
    `first_line`, `second_line`  those of them it is to be filled with
    `planned`        kinds that are to follow a card of the guide's kind in hand
    `guide`, `coming`  the guide's kind, and kinds left in the guide pile
    `pool`, `pool_fits`  kinds in the pool, and those that may be added to it
    `begun`          own unfinished kohojus; `room` whether another may be opened
    `top`, `runner_up`  the lines that the hand supports best
    `fewest`         cards in the smallest of the others' hands; `others` their mean, of 12
    `rooms`          the share of the others who may open a kohoju
    `lead`           points laid more than the others have on average, of 10
    `next_first`, `next_second`, `next_size`  the kinds that fit the next seat's kohojus, and its cards
    """

    best: Counts
    cards: Counts
    lines: Support
    unseen: Counts
    hand: int
    size: int
    loose: float
    once: int
    twice: int
    thrice: int
    first: int
    second: int
    first_line: int
    second_line: int
    planned: int
    guide: int
    coming: int
    pool: int
    pool_fits: int
    begun: int
    room: bool
    top: int
    runner_up: int
    fewest: int
    others: float
    rooms: float
    lead: float
    next_first: int
    next_second: int
    next_size: int


@rule
def look(state: Record, seat: int, best: Counts, count: Counts, lines: Support, unseen: Counts) -> Sight:
    """What a seat sees; the arrays are the caller's and are filled."""
    hand = take_stock(state, seat, best, count, lines)
    _count_unseen(state, seat, unseen)
    once, twice, thrice = _at_least(unseen, 1), _at_least(unseen, 2), _at_least(unseen, 3)
    first, second = int(state.fits[seat, 0]), int(state.fits[seat, 1])
    first_line, second_line = line_of(first, best), line_of(second, best)
    guide = int(state.guide)
    planned = line_of(int(CROSS[guide]), best) if second == 0 and best[guide] > 0 else 0
    top = _heaviest(lines, -1)
    fewest, others, rooms, theirs = _look_at_others(state, seat)
    following = (seat + 1) % int(state.seats)
    return Sight(
        best,
        count,
        lines,
        unseen,
        hand,
        int(state.hand_size[seat]),
        _points_beside(state, seat, first_line | second_line | planned),
        once,
        twice,
        thrice,
        first,
        second,
        first_line,
        second_line,
        planned,
        guide,
        int(state.guide_pile),
        int(state.pool),
        int(state.pool_fits),
        (1 if first != 0 else 0) + (1 if second != 0 else 0),
        second == 0,
        top,
        _heaviest(lines, top),
        fewest,
        others,
        rooms,
        (laid(state, seat) - theirs) / 10,
        int(state.fits[following, 0]),
        int(state.fits[following, 1]),
        int(state.hand_size[following]),
    )


@rule
def take_stock(state: Record, seat: int, best: Counts, count: Counts, lines: Support) -> int:
    """Fills in a hand by kinds and by lines; tells its kinds."""
    best[:] = 0
    count[:] = 0
    lines[:] = 0
    hand = 0
    for i in range(int(state.hand_size[seat])):
        card = int(state.hands[seat, i])
        kind = card // POINTS
        best[kind] = max(best[kind], card % POINTS + 1)
        count[kind] += 1
        hand |= 1 << kind
    kinds = hand
    while kinds != 0:
        kind = lowest(kinds)
        kinds &= kinds - 1
        lines[row_of(kind)] += support(int(best[kind]))
        lines[column_of(kind)] += support(int(best[kind]))
    return hand


@rule
def _count_unseen(state: Record, seat: int, unseen: Counts) -> None:
    for kind in range(KINDS):
        hidden = 0
        for card in range(kind * POINTS, (kind + 1) * POINTS):
            hidden += state.place[card] < KNOWN
        unseen[kind] = hidden
    for i in range(int(state.hand_size[seat])):
        card = int(state.hands[seat, i])
        if state.place[card] < KNOWN:
            unseen[card // POINTS] -= 1


@rule
def _at_least(unseen: Counts, count: int) -> int:
    kinds = 0
    for kind in range(KINDS):
        if unseen[kind] >= count:
            kinds |= 1 << kind
    return kinds


@rule
def _points_beside(state: Record, seat: int, kinds: int) -> float:
    """The points in hand on cards of other kinds, of 20."""
    points = 0
    for i in range(int(state.hand_size[seat])):
        card = int(state.hands[seat, i])
        if (kinds >> (card // POINTS)) & 1 == 0:
            points += card % POINTS + 1
    return points / 20


@rule
def _heaviest(lines: Support, but: int) -> int:
    """The line that the hand supports best, but for one."""
    found = 0 if but != 0 else 1
    for line in range(LINES):
        if line != but and lines[line] > lines[found]:
            found = line
    return found


@rule
def _look_at_others(state: Record, seat: int) -> tuple[int, float, float, float]:
    """The cards in the smallest hand, the mean of the hands, the share who may open, and the mean of what is laid."""
    seats = int(state.seats)
    fewest, cards, rooms, theirs = HAND, 0, 0, 0.0
    for further in range(1, seats):
        other = (seat + further) % seats
        fewest = min(fewest, int(state.hand_size[other]))
        cards += int(state.hand_size[other])
        rooms += state.fits[other, 1] == 0
        theirs += laid(state, other)
    return fewest, cards / (seats - 1) / HAND, rooms / (seats - 1), theirs / (seats - 1)


@rule
def laid(state: Record, seat: int) -> float:
    """What a seat's kohojus count."""
    return float(state.laid[seat]) + FINISHED_BONUS * ones(int(state.finished[seat]))


@rule
def line_of(fits: int, best: Counts) -> int:
    """The kinds a kohoju is to be filled with: those that fit, and while its line is open those the hand has more of."""
    if ones(fits) < len(COLOURS):
        return fits
    row = 0
    for colour in range(len(COLOURS)):
        kinds = fits & (_ROW << SYMBOL_COUNT * colour)
        if ones(kinds) > 1:
            row = kinds
    column = fits ^ row
    return row if _held(row, best) >= _held(column, best) else column


@rule
def _held(line: int, best: Counts) -> int:
    """How much the hand has of a line: its cards more than their points."""
    held = 0
    while line != 0:
        kind = lowest(line)
        line &= line - 1
        held += best[kind] + 3 if best[kind] > 0 else 0
    return held


@rule
def points_in(kinds: int, best: Counts) -> int:
    """The points of the best cards of these kinds in hand."""
    points = 0
    while kinds != 0:
        points += best[lowest(kinds)]
        kinds &= kinds - 1
    return points


@rule
def support(points: int) -> float:
    """What a kind in hand counts for its lines."""
    return 1 + POINT_SUPPORT * points


@rule
def row_of(kind: int) -> int:
    """The line of a kind's colour."""
    return kind // SYMBOL_COUNT


@rule
def column_of(kind: int) -> int:
    """The line of a kind's symbol."""
    return len(COLOURS) + kind % SYMBOL_COUNT


@rule
def kinds_of(line: int) -> int:
    """The kinds of a line."""
    return _ROW << SYMBOL_COUNT * line if line < len(COLOURS) else _COLUMN << (line - len(COLOURS))


@rule
def better_line(kind: int, lines: Support) -> int:
    """Of a kind's two lines the one that the hand supports better."""
    return row_of(kind) if lines[row_of(kind)] >= lines[column_of(kind)] else column_of(kind)


@rule
def worse_line(kind: int, lines: Support) -> int:
    """The other."""
    return column_of(kind) if lines[row_of(kind)] >= lines[column_of(kind)] else row_of(kind)


@rule
def to_come(lacking: int, sight: Sight) -> float:
    """How likely these kinds may still come, each from 0 to 1."""
    return (ones(lacking & sight.once) + ones(lacking & sight.twice) + ones(lacking & sight.thrice)) / 3
