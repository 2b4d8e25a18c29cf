"""The cards of Kohoju: 25 kinds, of each a guide card and point cards with one to five points."""

from __future__ import annotations

from typing import Literal

Colour = Literal["blue", "red", "green", "yellow", "purple"]
Symbol = Literal["circle", "square", "triangle", "star", "cross"]

# Only the blue circle is named in print; the other names are ours and have no effect on play.
COLOURS: tuple[Colour, ...] = ("blue", "red", "green", "yellow", "purple")
SYMBOLS: tuple[Symbol, ...] = ("circle", "square", "triangle", "star", "cross")


# Inferred (I) from what is printed, or house numbers (H): correct them here.
POINTS = 5  # I
FEWEST_PLAYERS, MOST_PLAYERS = 2, 6  # H
TURNS_A_DEAL = 60  # H
LEAST_DEALS, POINTS_A_DEAL = 10, 5  # H

HOUSE_NUMBERS = {
    "point cards of each kind": "with 1, 2, 3, 4 and 5 points: inferred",
    "players": "2 to 6; the printed rules name no number, more would leave too small a stock",
    "turns in a deal": "60 of each player, then it is scored as it stands",
    "deals in a match": "10, and one more for every 5 points of the target, then the highest total wins",
    "names of colours and symbols": "ours, but for the blue circle; they have no effect on play",
}

KINDS = len(COLOURS) * len(SYMBOLS)
CARDS = KINDS * POINTS

KIND_NAMES: tuple[str, ...] = tuple(f"{colour} {symbol}" for colour in COLOURS for symbol in SYMBOLS)
"""Colour and symbol together, in the order of their numbers."""

CARD_NAMES: tuple[str, ...] = tuple(f"{kind} {points}" for kind in KIND_NAMES for points in range(1, POINTS + 1))
"""The point cards in the order of their numbers: kind × 5 + points − 1."""
