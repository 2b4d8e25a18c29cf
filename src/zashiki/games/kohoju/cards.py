"""The cards of Kohoju: 25 kinds, of each a guide card and point cards with one to five points."""

from __future__ import annotations

from typing import Literal, NamedTuple

Colour = Literal["blue", "red", "green", "yellow", "purple"]
Symbol = Literal["circle", "square", "triangle", "star", "cross"]

# Only the blue circle is named in print; the other names are ours and have no effect on play.
COLOURS: tuple[Colour, ...] = ("blue", "red", "green", "yellow", "purple")
SYMBOLS: tuple[Symbol, ...] = ("circle", "square", "triangle", "star", "cross")


class HouseNumber(NamedTuple):
    """A number nobody could find in print: inferred (I) from what is printed, or a house number (H)."""

    value: int
    mark: Literal["I", "H"]
    meaning: str


HOUSE_NUMBERS = {
    "points": HouseNumber(5, "I", "point cards of each kind, with 1, 2, 3, 4 and 5 points"),
    "turns": HouseNumber(60, "H", "turns of each player after which a deal is scored as it stands"),
    "deals": HouseNumber(10, "H", "deals a match has at most, besides those the target gives"),
    "points a deal": HouseNumber(5, "H", "points of the target that give one deal more"),
    "fewest players": HouseNumber(2, "H", "the printed rules name no number of players"),
    "most players": HouseNumber(6, "H", "more would leave too small a stock"),
}

POINTS = HOUSE_NUMBERS["points"].value
KINDS = len(COLOURS) * len(SYMBOLS)
CARDS = KINDS * POINTS

KIND_NAMES: tuple[str, ...] = tuple(f"{colour} {symbol}" for colour in COLOURS for symbol in SYMBOLS)
"""Colour and symbol together, in the order of their numbers."""

CARD_NAMES: tuple[str, ...] = tuple(f"{kind} {points}" for kind in KIND_NAMES for points in range(1, POINTS + 1))
"""The point cards in the order of their numbers: kind × 5 + points − 1."""
