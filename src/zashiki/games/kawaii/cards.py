"""The cards of Kawaii: ice creams of five flavours and five shapes, closed shops and cherries, and the numbers of the game."""

from __future__ import annotations

from typing import Literal

Flavour = Literal["strawberry", "vanilla", "chocolate", "mint", "blueberry"]
Shape = Literal["cone", "soft-serve", "stick bar", "ice lolly", "cup"]
Sign = Literal["rock", "paper", "scissors"]

FLAVOURS: tuple[Flavour, ...] = ("strawberry", "vanilla", "chocolate", "mint", "blueberry")
SHAPES: tuple[Shape, ...] = ("cone", "soft-serve", "stick bar", "ice lolly", "cup")
SIGNS: tuple[Sign, ...] = ("rock", "paper", "scissors")
"""Each beats the one before it, the first beats the last."""

ICE_CREAMS = 25
"""Kinds of ice cream: flavour × 5 + shape."""
CLOSED_SHOP = 25
CHERRY = 26
KINDS = 27
COPIES = (2,) * ICE_CREAMS + (3, 2)
CARDS = 55

SEATS = 5
"""The most that can play."""
RESERVE = 19
"""The largest reserve, so the largest pile: that of the starter of three."""
TOKENS = 2
ROUNDS = 3
THROWS_AT_MOST = 10
ALL_SHOPS = 3
PILE_NUMBERS = RESERVE
"""Nobody begins more piles in a round: with so many numbers, used in turn, no two piles that meet are called alike."""

PHOTO_FINISH_MS = 150
THROW_MS = 5_000
COUNTDOWN_MS = 10_000

HOUSE_NUMBERS = {
    "two of each ice cream": "inferred: 50 ice creams of 25 kinds",
    "names of flavours and shapes": "ours; they have no effect on play",
    "a claim": "binds its token: no more open claims than tokens, no pile twice, none taken back; a lost one gives it back",
    "more than two throw": "of two different signs the losing one drops out, the rest go on; all alike or all three throw again",
    "throws without a winner": "10, then the seed picks one of those left",
    "photo finish": "150 ms; the printed game says: exactly the same time",
    "time to throw": "5 s, then the seed throws",
    "countdown after the last flip": "10 s; the printed game says: until nobody wants to capture any more",
    "the next starter": "the lowest running total; among several the first clockwise from the last starter's left",
    "a tie at the end": "is shared",
    "turns": "ours, for relaxed play and programs: windows of secret answers, one pile each; when all pass, a card is flipped",
    "live": "ours, for play between people: photo finishes, flips that wait, numbered piles, done, and what the clock does",
    "score piles": "listed in a view, since all their cards lay open; in the printed game nobody looks through one",
    "stacked": "score piles and covered cards are hidden from everybody, the captor too: remembering is the game",
}


def card_name(kind: int) -> str:
    """What is on a card of this kind."""
    if kind == CLOSED_SHOP:
        return "closed shop"
    if kind == CHERRY:
        return "cherry"
    return f"{FLAVOURS[kind // 5]} {SHAPES[kind % 5]}"
