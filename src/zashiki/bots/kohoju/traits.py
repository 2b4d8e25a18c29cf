"""What a good player of Kohoju looks at in an action, as numbers: what it does for a kohoju, what is given away, what is let go.

Each sort of action has traits of its own; the names below are theirs, in order, and the functions fill them in the same order.
What is let go with a card (or gained with one taken) is described alike for pool, discard and draw: the keepsake's traits follow
the others there. A policy weighs the traits, with weights that depend on how far the deal is and how many kohojus are begun.
"""

from __future__ import annotations

import numpy as np

from zashiki.bots.kohoju.sight import (
    POINT_SUPPORT,
    Sight,
    better_line,
    column_of,
    kinds_of,
    points_in,
    row_of,
    support,
    to_come,
    worse_line,
)
from zashiki.bots.sense import Weights
from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.core.layout import Record
from zashiki.games.kohoju.cards import CARDS, COLOURS, KINDS, POINTS
from zashiki.games.kohoju.piles import CROSS
from zashiki.games.kohoju.rules import DISCARD_FROM, DRAW_DISCARD, FIRST_FROM, HAND, OPEN_FROM, POOL_FROM, SECOND_FROM

KEEPSAKE = (
    "the guide's kind, and a kohoju may be opened",
    "in a line begun",
    "its points there",
    "fits, but not the line to be filled",
    "early: how well the better line is supported",
    "planned",
    "its points there",
    "in a line begun: kinds it lacks",
    "kinds of it in hand",
    "unseen cards of the kind",
    "how likely what it lacks may come",
    "in the guide pile",
    "how well the better line is supported then",
    "fits nothing: unseen cards of the kind",
    "how likely what the better line lacks may come",
    "how well the worse line is supported",
    "points",
    "how well the better line is supported, squared",
    "fits, but not the line: unseen cards of the kind",
    "its points there",
    "a better card of the kind is in hand",
    "its points then",
    "unseen cards of the kind then",
    "in a line begun then",
    "in the line that the hand supports best",
    "in the second best",
    "kinds of the better line in hand that are in the guide pile",
    "the guide's kind is in the better line",
)
OPENING = (
    "always",
    "points",
    "how well the better line is supported",
    "early",
    "kinds of the better line in hand",
    "how likely the others may come",
    "how well the worse line is supported",
    "three or more of the line in hand",
    "late: points",
    "points less than on the best card of the kind",
    "late: kinds of the line in hand",
    "somebody has three cards or fewer",
    "three cards or fewer in hand",
    "more cards of the kind in hand",
    "ends the deal",
    "ends the deal: lead",
    "cards for the kohojus begun in hand",
)
ADDING = (
    "always",
    "points",
    "kinds lacking then",
    "finishes",
    "support in hand for those lacking",
    "early",
    "kinds of those lacking in hand",
    "how likely the others may come",
    "settles the line",
    "fits the other kohoju too",
    "points less than on the best card of the kind",
    "late: points",
    "the guide's kind",
    "the guide's kind, and a kohoju may be opened",
    "somebody has three cards or fewer",
    "all that will be lacking is in hand",
    "ends the deal",
    "ends the deal: lead",
    "cards for the other kohoju in hand",
)
POOLING = (
    "always",
    "a better card of the kind is in hand",
    "points",
    "lead",
    "the guide's kind",
    "the guide's kind, and a kohoju may be opened",
    "the guide's kind: others who may open",
    "cards in the pool",
    "points in hand that fit nothing",
    "somebody has three cards or fewer",
    "three cards or fewer in hand",
    "kinds in hand that may follow then",
    "kinds that may follow then",
    "kinds in hand that may be pooled",
    "the pool is nearly full",
    "something fits a kohoju",
    "ends the deal",
    "ends the deal: lead",
    "ends the deal: cards in others' hands",
    "the pool is nearly full: lead",
)
DISCARDING = (
    "a card may still be laid",
    "points",
    "late: points",
    "a better card of the kind is in hand",
    "might be pooled",
    "might be pooled, late",
    "might be pooled: points",
    "fits the next seat",
    "fits the next seat: points",
    "finishes a kohoju there",
    "fits a settled line there",
    "fits the next seat, late",
    "the next seat may open, early",
    "the next seat may open, and the kind is in the guide pile",
    "the guide's kind",
    "the guide's kind, and a kohoju may be opened",
    "the guide's kind: others who may open",
    "unseen cards of the kind",
    "more cards of the kind in hand",
    "something fits a kohoju and may be laid",
    "something may be pooled",
    "a card may be laid, and somebody has three cards or fewer",
    "a kohoju may be opened now",
    "ends the deal",
    "ends the deal: lead",
    "might be pooled by a next seat with three cards or fewer",
)
TAKING = (
    "always",
    "points",
    "points in hand that fit nothing",
    "fits a kohoju",
    "points more than in hand for it",
    "planned",
    "points more than in hand for it",
    "finishes a kohoju",
    "all else of a line is in hand",
    "early: how well the better line is supported",
    "the guide's kind",
    "goes out",
    "might be pooled",
    "might be pooled, and nothing else in hand",
    "might be pooled: points",
    "three cards or fewer in hand",
    "somebody has three cards or fewer",
    "something in hand may be pooled",
    "something in hand fits a kohoju",
    "a card of the kind in hand has as many points",
)
SORTS = (OPENING, ADDING, (*POOLING, *KEEPSAKE), (*DISCARDING, *KEEPSAKE), (*TAKING, *KEEPSAKE))
"""The sorts of actions, with the names of their traits. To draw from the stock has none: taking is weighed against it."""
OPEN, ADD, POOL, DISCARD, TAKE = range(len(SORTS))
SIZES = np.array([len(names) for names in SORTS], np.int64)
OFFSETS = np.cumsum(SIZES) - SIZES
TRAITS = int(SIZES.sum())
MOST_TRAITS = int(SIZES.max())
"""Of one action."""
FEW = 3
NEARLY_FULL = 22

_POOLING, _DISCARDING, _TAKING = len(POOLING), len(DISCARDING), len(TAKING)


@rule
def describe_one(state: Record, sight: Sight, action: int, traits: Weights) -> int:
    """Fills in the traits of a legal action; tells its sort."""
    traits[:] = 0
    if action < OPEN_FROM:
        if action == DRAW_DISCARD and state.discard_size > 0:
            _describe_taking(int(state.discard[int(state.discard_size) - 1]), sight, traits)
        return TAKE
    card = (action - OPEN_FROM) % CARDS
    if action < FIRST_FROM:
        _describe_opening(card, sight, traits)
        return OPEN
    if action < POOL_FROM:
        is_first = action < SECOND_FROM
        _describe_adding(
            card, sight.first if is_first else sight.second, sight.second if is_first else sight.first, sight, traits
        )
        return ADD
    if action < DISCARD_FROM:
        _describe_pooling(card, sight, traits)
        return POOL
    _describe_discarding(card, float(state.may_lay), sight, traits)
    return DISCARD


@rule
def early(sight: Sight) -> float:
    """How much of the deal is left by the smallest hand: from 1 down to 0."""
    return min(sight.fewest, sight.size) / HAND


@rule
def _describe_opening(card: int, sight: Sight, traits: Weights) -> None:
    kind, points = card // POINTS, card % POINTS + 1
    own = support(int(sight.best[kind]))
    late = 1 - early(sight)
    line = better_line(kind, sight.lines)
    rest = kinds_of(line) & ~(1 << kind)
    held = ones(rest & sight.hand)
    ends = sight.size == 1
    traits[0] = 1
    traits[1] = points
    traits[2] = sight.lines[line] - own
    traits[3] = early(sight)
    traits[4] = held
    traits[5] = to_come(rest & ~sight.hand, sight)
    traits[6] = sight.lines[worse_line(kind, sight.lines)] - own
    traits[7] = held >= 3
    traits[8] = late * points
    traits[9] = sight.best[kind] - points
    traits[10] = late * held
    traits[11] = sight.fewest <= FEW
    traits[12] = sight.size <= FEW
    traits[13] = sight.cards[kind] - 1
    traits[14] = ends
    traits[15] = ends * sight.lead
    traits[16] = ones(sight.hand & (sight.first | sight.second))


@rule
def _describe_adding(card: int, fits: int, other: int, sight: Sight, traits: Weights) -> None:
    kind, points = card // POINTS, card % POINTS + 1
    rest = fits & int(CROSS[kind])
    held = rest & sight.hand
    ends = sight.size == 1
    traits[0] = 1
    traits[1] = points
    traits[2] = ones(rest)
    traits[3] = rest == 0
    traits[4] = ones(held) + POINT_SUPPORT * points_in(held, sight.best)
    traits[5] = early(sight)
    traits[6] = ones(held)
    traits[7] = to_come(rest & ~sight.hand, sight)
    traits[8] = ones(fits) > len(COLOURS)
    traits[9] = (other >> kind) & 1
    traits[10] = sight.best[kind] - points
    traits[11] = (1 - early(sight)) * points
    traits[12] = kind == sight.guide
    traits[13] = kind == sight.guide and sight.room
    traits[14] = sight.fewest <= FEW
    traits[15] = rest != 0 and held == rest
    traits[16] = ends
    traits[17] = ends * sight.lead
    traits[18] = ones(other & sight.hand)


@rule
def _describe_pooling(card: int, sight: Sight, traits: Weights) -> None:
    kind, points = card // POINTS, card % POINTS + 1
    pooled = ones(sight.pool)
    is_guide, is_nearly_full = kind == sight.guide, pooled >= NEARLY_FULL
    ends = sight.size == 1 or pooled == KINDS - 1
    following = int(CROSS[kind]) & ~sight.pool_fits & ~sight.pool & ~(1 << kind)
    traits[0] = 1
    traits[1] = points < sight.best[kind]
    traits[2] = 0.3 * points
    traits[3] = sight.lead
    traits[4] = is_guide
    traits[5] = is_guide and sight.room
    traits[6] = is_guide * sight.rooms
    traits[7] = pooled / KINDS
    traits[8] = sight.loose
    traits[9] = sight.fewest <= FEW
    traits[10] = sight.size <= FEW
    traits[11] = ones(following & sight.hand)
    traits[12] = 0.3 * ones(following)
    traits[13] = 0.3 * ones(sight.pool_fits & sight.hand & ~(sight.first_line | sight.second_line))
    traits[14] = is_nearly_full
    traits[15] = (sight.hand & (sight.first | sight.second)) != 0
    traits[16] = ends
    traits[17] = ends * sight.lead
    traits[18] = ends * sight.others
    traits[19] = is_nearly_full * sight.lead
    _describe_keepsake(card, sight.hand, sight, -1.0, traits[_POOLING:])


@rule
def _describe_discarding(card: int, may_lay: float, sight: Sight, traits: Weights) -> None:
    kind, points = card // POINTS, card % POINTS + 1
    bit = 1 << kind
    late = 1 - early(sight)
    is_guide, ends = kind == sight.guide, sight.size == 1
    traits[0] = may_lay
    traits[1] = 0.3 * points
    traits[2] = 0.3 * late * points
    traits[3] = points < sight.best[kind]
    if (sight.pool_fits & bit) != 0:
        traits[4] = 1
        traits[5] = late
        traits[6] = 0.3 * points
        traits[25] = sight.next_size <= FEW
    # Nobody can open with a discarded card of the guide's kind: the guide is another one by then.
    if not is_guide and ((sight.next_first | sight.next_second) & bit) != 0:
        traits[7] = 1
        traits[8] = points
        traits[9] = sight.next_first == bit or sight.next_second == bit
        traits[10] = _is_settled(sight.next_first, bit) or _is_settled(sight.next_second, bit)
        traits[11] = late
    elif sight.next_second == 0:
        traits[12] = early(sight)
        traits[13] = (sight.coming & bit) != 0
    traits[14] = is_guide
    traits[15] = is_guide and sight.room
    traits[16] = is_guide * sight.rooms
    traits[17] = 0.3 * sight.unseen[kind]
    traits[18] = sight.cards[kind] - 1
    traits[19] = may_lay * ((sight.hand & (sight.first | sight.second)) != 0)
    traits[20] = may_lay * ((sight.hand & sight.pool_fits) != 0)
    traits[21] = may_lay * (sight.fewest <= FEW)
    traits[22] = may_lay * (sight.room and sight.best[sight.guide] > 0)
    traits[23] = ends
    traits[24] = ends * sight.lead
    _describe_keepsake(card, sight.hand, sight, -1.0, traits[_DISCARDING:])


@rule
def _is_settled(fits: int, bit: int) -> bool:
    """Whether a kind fits a kohoju whose line is settled."""
    return (fits & bit) != 0 and ones(fits) < len(COLOURS)


@rule
def _describe_taking(card: int, sight: Sight, traits: Weights) -> None:
    kind, points = card // POINTS, card % POINTS + 1
    bit = 1 << kind
    held = int(sight.best[kind])
    fits = ((sight.first | sight.second) & bit) != 0
    traits[0] = 1
    traits[1] = points
    traits[2] = sight.loose
    if points > held:
        if fits:
            traits[3] = 1
            traits[4] = points - held
        elif (sight.planned & bit) != 0:
            traits[5] = 1
            traits[6] = points - held
    if held == 0:
        traits[7] = sight.first == bit or sight.second == bit
        traits[8] = _is_all_lacking(sight.first_line, bit, sight) or _is_all_lacking(sight.second_line, bit, sight)
        if _is_all_lacking(sight.planned, bit, sight):
            traits[8] = 1
        if sight.room:
            traits[9] = early(sight) * sight.lines[better_line(kind, sight.lines)]
            traits[10] = kind == sight.guide
    if (sight.pool_fits & bit) != 0:
        traits[12] = 1
        traits[13] = (sight.hand & sight.pool_fits & ~(sight.first_line | sight.second_line)) == 0
        traits[14] = 0.3 * points
    traits[11] = sight.size == 1 and (fits or (sight.pool_fits & bit) != 0)
    traits[15] = sight.size <= FEW
    traits[16] = sight.fewest <= FEW
    traits[17] = (sight.hand & sight.pool_fits & ~(sight.first | sight.second)) != 0
    traits[18] = (sight.hand & (sight.first | sight.second)) != 0
    traits[19] = points <= held
    if points > held:
        _describe_as_taken(card, sight, traits[_TAKING:])


@rule
def _is_all_lacking(line: int, bit: int, sight: Sight) -> bool:
    """Whether the hand has all of a line but this kind."""
    return line != 0 and (line & ~sight.hand) == bit


@rule
def _describe_as_taken(card: int, sight: Sight, traits: Weights) -> None:
    """What the card would be in hand, as the best of its kind."""
    kind, points = card // POINTS, card % POINTS + 1
    held = int(sight.best[kind])
    more = support(points) - (support(held) if held > 0 else 0.0)
    sight.best[kind] = points
    sight.lines[row_of(kind)] += more
    sight.lines[column_of(kind)] += more
    _describe_keepsake(card, sight.hand | 1 << kind, sight, 1.0, traits)
    sight.best[kind] = held
    sight.lines[row_of(kind)] -= more
    sight.lines[column_of(kind)] -= more


@rule
def _describe_keepsake(card: int, hand: int, sight: Sight, sign: float, traits: Weights) -> None:
    """What a card in hand is good for, counted for or against an action."""
    kind, points = card // POINTS, card % POINTS + 1
    bit = 1 << kind
    unseen = 0.3 * sign * sight.unseen[kind]
    if points < sight.best[kind]:
        traits[20] = sign
        traits[21] = 0.3 * sign * points
        traits[22] = unseen
        traits[23] = sign * (((sight.first_line | sight.second_line) & bit) != 0)
        return
    traits[16] = 0.3 * sign * points
    traits[0] = sign * (kind == sight.guide and sight.room)
    if ((sight.first_line | sight.second_line) & bit) != 0:
        line = sight.first_line if (sight.first_line & bit) != 0 else sight.second_line
        traits[1] = sign
        traits[2] = sign * points
        traits[7] = sign * ones(line)
        traits[8] = sign * ones(line & hand)
        traits[9] = unseen
        traits[10] = sign * to_come(line & ~hand, sight)
    elif ((sight.first | sight.second) & bit) != 0:
        traits[3] = sign
        traits[18] = unseen
        traits[19] = 0.3 * sign * points
    else:
        traits[13] = unseen
        if sight.room:
            _describe_beginning(kind, points, hand, sight, sign, traits)


@rule
def _describe_beginning(kind: int, points: int, hand: int, sight: Sight, sign: float, traits: Weights) -> None:
    """What a card may do for a kohoju that is not begun yet."""
    line, other = better_line(kind, sight.lines), worse_line(kind, sight.lines)
    supported = sight.lines[line] - support(points)
    kinds = kinds_of(line)
    traits[4] = sign * early(sight) * supported
    if (sight.planned >> kind) & 1:
        traits[5] = sign
        traits[6] = sign * points
    if (sight.coming >> kind) & 1:
        traits[11] = sign
        traits[12] = sign * supported
    traits[14] = sign * to_come(kinds & ~hand, sight)
    traits[15] = sign * (sight.lines[other] - support(points))
    traits[17] = 0.2 * sign * supported * supported
    traits[24] = sign * (sight.top in (line, other))
    traits[25] = sign * (sight.runner_up in (line, other))
    traits[26] = 0.5 * sign * ones(kinds & hand & sight.coming)
    traits[27] = sign * ((kinds >> sight.guide) & 1)
