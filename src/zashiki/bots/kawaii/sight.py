"""What somebody sees who is about to answer in Kawaii: what every pile is worth to him, and what others seem to have and want."""

from __future__ import annotations

from typing import NamedTuple

from zashiki.bots.kawaii.claims import CHERRIES, TALLY, gain_of, rivals_of, tally_pile, value_of
from zashiki.bots.sense import Weights
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.layout import UNKNOWN, Record
from zashiki.games.kawaii.cards import CARDS, CHERRY, CLOSED_SHOP, COPIES, SEATS
from zashiki.games.kawaii.scoring import running_total
from zashiki.games.kawaii.standing import TASTES, guess_one, points_of

TALLIES, LIKES = SEATS * TALLY, SEATS * TASTES
WORTHLESS = -3.0
"""What nobody would gain less by."""
_MINE = 5 * COPIES[0] + 5 * COPIES[0] + COPIES[CHERRY]
"""The points that cards of one's favourites and cherries are worth, all together."""


class Sight(NamedTuple):
    """What a seat sees. Arrays have a place a seat, or the pile before it.

    `tallies`    how many cards of each sort lie on each pile
    `likes`      how likely each flavour and shape is another's favourite
    `values`     the points that each pile brings; `gains` what the heuristic says is gained by taking it now
    `standings`  the points that each seat seems to have in all
    `early`      the share of the round's cards still to be flipped; `rich` the points on each of them, on average
    `newest`     the pile that a card was flipped on last
    `again`      whether piles changed hands since: others have answered to what lies there
    `held`       own closed shops; `tokens` others' tokens, `idle` others without one
    `best`       the best of the others' standings; `ahead` how far the own is before it, of 10
    """

    tallies: Options
    likes: Weights
    values: Weights
    gains: Weights
    standings: Weights
    early: float
    rich: float
    newest: int
    again: bool
    held: int
    tokens: int
    idle: int
    best: float
    ahead: float


@rule
def look(
    state: Record, seat: int, tallies: Options, likes: Weights, values: Weights, gains: Weights, standings: Weights
) -> Sight:
    """Looks around; the arrays are filled in."""
    left = CARDS - int(state.flips)
    points = _look_at_piles(state, seat, tallies, values, gains)
    tokens, idle, best = 0, 0, -1000.0
    for other in range(int(state.seats)):
        points += _taken_by(state, seat, other)
        standings[other] = running_total(state, other)
        own = likes[TASTES * other : TASTES * (other + 1)]
        _guess(state, seat, other, own)
        standings[other] += points_of(state, other, own)
        if other != seat:
            tokens += int(state.tokens[other])
            idle += state.tokens[other] == 0
            best = max(best, standings[other])
    return Sight(
        tallies,
        likes,
        values,
        gains,
        standings,
        left / CARDS,
        (_MINE - points) / max(left, 1),
        _newest(state),
        _is_again(state),
        int(state.captured[seat, CLOSED_SHOP]),
        tokens,
        idle,
        best,
        min(max((standings[seat] - best) / 10, -1.5), 1.5),
    )


@rule
def _look_at_piles(state: Record, seat: int, tallies: Options, values: Weights, gains: Weights) -> float:
    """Tells how many of the points to be had by own favourites and cherries lie there."""
    points, rivals = 0.0, rivals_of(state, seat)
    for pile in range(int(state.seats)):
        tally = tallies[TALLY * pile : TALLY * (pile + 1)]
        tally_pile(state, pile, tally)
        values[pile] = value_of(state, seat, tally)
        gains[pile] = gain_of(state, seat, pile, rivals) if state.pile_size[pile] > 0 else WORTHLESS
        points += tally[int(state.flavours[seat])] + tally[5 + int(state.shapes[seat])] + tally[CHERRIES]
    return points


@rule
def _guess(state: Record, seat: int, other: int, likes: Weights) -> None:
    """How likely each favourite is another's, going by what it captured; of a state no more is read than of a view."""
    flavour, shape = int(state.flavours[seat]), int(state.shapes[seat])
    known = other == seat
    guess_one(state, other, flavour if known else UNKNOWN, flavour, 5, 1, likes[:5])
    guess_one(state, other, shape if known else UNKNOWN, shape, 1, 5, likes[5:])


@rule
def _taken_by(state: Record, seat: int, other: int) -> int:
    """How many of the points that a seat looks for have been captured by another, or itself."""
    points = int(state.captured[other, CHERRY])
    for i in range(5):
        points += int(state.captured[other, 5 * int(state.flavours[seat]) + i])
        points += int(state.captured[other, 5 * i + int(state.shapes[seat])])
    return points


@rule
def _newest(state: Record) -> int:
    """The pile of whoever flipped last."""
    return (int(state.starter) + int(state.flips) - 1) % int(state.seats)


@rule
def _is_again(state: Record) -> bool:
    """Whether a pile was captured since the last flip.

    Who took a pile stands there until all pass. So it may be of before the flip where nothing lay open any more: then a single
    card does. (A new card may also be alone because all other piles were captured since. That cannot be told apart.)
    """
    taken, cards = False, 0
    for pile in range(int(state.seats)):
        taken = taken or state.taker[pile] >= 0
        cards += int(state.pile_size[pile])
    return bool(taken and cards > 1)
