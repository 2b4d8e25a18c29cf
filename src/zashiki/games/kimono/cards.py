"""The cards of Kimono: eight sorts of curios, gold coins, four kinds of action cards, and the apprentice."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Curio = Literal["tea bowl", "fan", "sword", "parasol", "lute", "figurine", "chopsticks", "kimono"]
ToDo = Literal["lucky cat", "breakage", "copy"]

CURIOS: tuple[Curio, ...] = get_args(Curio)
TO_DO: tuple[ToDo, ...] = get_args(ToDo)
CARDS = (*CURIOS, "gold coin", "fire", *TO_DO, "apprentice")
"""Every kind of card, in the order of their numbers."""

KIMONO, COIN, FIRE, CAT, BREAKAGE, COPY, APPRENTICE = range(7, 14)

ROUNDS = 5
NO_LIMIT = 127


class Numbers(NamedTuple):
    """What is printed on the cards that count at the end. `marks`: where points and limit come from."""

    copies: int
    points: int
    limit: int
    marks: str


# R: printed in the rulebook. I: follows from what is printed. H: a house number, because nobody could find the printed one; those
# of curios keep to points = 13 − copies and limit = (10 − points) // 2, which pass through all the printed ones.
NUMBERS = {
    #                    copies points limit
    "tea bowl": Numbers(5, 8, 1, "HH"),
    "fan": Numbers(6, 7, 1, "HH"),
    "sword": Numbers(7, 6, 2, "RH"),
    "parasol": Numbers(8, 5, 2, "HH"),
    "lute": Numbers(9, 4, 3, "RH"),
    "figurine": Numbers(10, 3, 3, "HR"),
    "chopsticks": Numbers(11, 2, 4, "HH"),
    "kimono": Numbers(10, 5, 2, "IR"),
    "gold coin": Numbers(9, 1, NO_LIMIT, "HH"),
    "fire": Numbers(3, -4, NO_LIMIT, "RR"),
}

COPIES = (*(number.copies for number in NUMBERS.values()), 2, 2, 2, 1)
"""How many of each kind of card there are."""

HOUSE_NUMBERS = {
    f"{name}: {what}": f"{'none' if value == NO_LIMIT else value}, {'ours' if mark == 'H' else 'inferred'}"
    for name, number in NUMBERS.items()
    for what, value, mark in zip(("points", "limit"), (number.points, number.limit), number.marks, strict=True)
    if mark != "R"
}
