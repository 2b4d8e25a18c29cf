"""What the cards of a combination make: the styles and sizes they fit, wherever its buttons lie.

A *kind* is a style with a size: four for each of the six styles of 2 to 5 cards, then one for each draper's mark, always of 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.games.kasane.cards import FABRICS, MARK_STYLES, POINTS, STYLES, Style

LEAST, MOST = 2, 5
SIZES = MOST - LEAST + 1
SIZED_STYLES = len(STYLES) - len(MARK_STYLES)
FIRST_MARK = SIZED_STYLES * SIZES
KINDS = FIRST_MARK + len(MARK_STYLES)
MARK_SIZE = 3
TEN = 10
LOW, HIGH = range(1, 6), range(5, 10)

KIND_STYLE: tuple[Style, ...] = tuple(style for style in STYLES for _ in range(1 if style in MARK_STYLES else SIZES))
KIND_SIZE = tuple(MARK_SIZE if kind >= FIRST_MARK else LEAST + kind % SIZES for kind in range(KINDS))
PLACE_POINTS = (
    *(points for style in STYLES[:SIZED_STYLES] for points in POINTS[style]),
    *(POINTS[style][0] for style in MARK_STYLES),
    *(POINTS[style][1] for style in MARK_STYLES),
)
"""The points of the thirty places: one of each kind, then the second one of each mark."""

# What two neighbouring cards may have in common, named after the style of cards whose neighbours all have it in common.
_LINKS_OF: tuple[Style, ...] = (
    "Katchou Fuugetsu",
    "Setsu Getsu Fuuka",
    "Kasane",
    "Kagen no Tsuki",
    "Kagen no Tsuki",
    "Jougen no Tsuki",
    "Jougen no Tsuki",
)
_ALL_LINKS = (1 << len(_LINKS_OF)) - 1
_JUU = 1 << (STYLES.index("Juu") * SIZES)


def _in_common(left: int, right: int) -> tuple[bool, ...]:
    """Which of the links hold between two neighbours; a moon rises or falls, but does not turn."""
    motifs = {FABRICS[left - 1].motif, FABRICS[right - 1].motif}
    low, high = {left, right} <= set(LOW), {left, right} <= set(HIGH)
    rises, falls = left < right, left > right
    return (
        motifs == {"animal"},
        motifs == {"plant"},
        left == right,
        low and rises,
        low and falls,
        high and rises,
        high and falls,
    )


def _links() -> npt.NDArray[np.int64]:
    """For each pair of neighbours, what they have in common, as bits."""
    table = np.zeros((10, 10), np.int64)
    for left in range(1, 10):
        for right in range(1, 10):
            for link, holds in enumerate(_in_common(left, right)):
                table[left, right] |= holds << link
    return table


def _kinds_of_two() -> npt.NDArray[np.int64]:
    """For each set of links, the styles it makes, as bits at their kinds of 2 cards."""
    table = np.zeros(_ALL_LINKS + 1, np.int64)
    for links in range(_ALL_LINKS + 1):
        for link, style in enumerate(_LINKS_OF):
            if links >> link & 1:
                table[links] |= 1 << (STYLES.index(style) * SIZES)
    return table


_LINKS = _links()
_KINDS_OF_TWO = _kinds_of_two()
_MARK_NUMBERS = tuple(sum(1 << fabric.number for fabric in FABRICS if fabric.mark == mark) for mark in MARK_STYLES.values())


@rule
def fitting(hand: npt.NDArray[Any], before: int, last: int, kimono: int) -> int:
    """The combinations that end with the card `last`, after the first `before` cards of the hand.

    Bit `kind` for a combination of hand cards alone, bit KINDS + `kind` for one that begins with the kimono's last card. `kimono`
    is that card, or below 1 where there is none.
    """
    found = 0
    links = _ALL_LINKS
    first, total, numbers = last, last, 1 << last
    for size in range(1, MOST + 1):
        if size > 1:
            card = int(hand[before - size + 1])
            links &= links_between(card, first)
            first, total, numbers = card, total + card, numbers | 1 << card
            found |= kinds_of(links, total, numbers, size)
        if kimono > 0 and size < MOST:
            found |= kinds_of(links & links_between(kimono, first), total + kimono, numbers | 1 << kimono, size + 1) << KINDS
        if size > before:
            break
    return found


@rule
def links_between(left: int, right: int) -> int:
    """What two neighbouring cards have in common, as bits."""
    return int(_LINKS[left, right])


@rule
def kinds_of(links: int, total: int, numbers: int, size: int) -> int:
    """The kinds of so many cards with these links, this sum and these numbers among them."""
    kinds = int(_KINDS_OF_TWO[links])
    if total == TEN:
        kinds |= _JUU
    kinds <<= size - LEAST
    if size == MARK_SIZE:
        for mark in range(KINDS - FIRST_MARK):
            if numbers == _MARK_NUMBERS[mark]:
                kinds |= 1 << (FIRST_MARK + mark)
    return kinds
