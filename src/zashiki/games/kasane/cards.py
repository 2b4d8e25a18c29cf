"""The cards and the board of Kasane: nine fabrics, accessories that are all alike, nine styles with thirty places.

R: printed in the rulebook. F: seen in another public source. I: follows from these. H: a house number, ours.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Motif = Literal["animal", "plant"]
Mark = Literal["chidori", "sakura", "asanoha"]
Style = Literal[
    "Katchou Fuugetsu",
    "Setsu Getsu Fuuka",
    "Kasane",
    "Kagen no Tsuki",
    "Jougen no Tsuki",
    "Juu",
    "Chidori",
    "Sakura Chirashi",
    "Asanoha",
]


class Fabric(NamedTuple):
    """What is printed on all fabrics of one number."""

    number: int
    motif: Motif
    mark: Mark


FABRICS = (
    Fabric(1, "animal", "chidori"),  # motif F/I, mark F
    Fabric(2, "plant", "chidori"),  # motif F/I, mark F
    Fabric(3, "animal", "sakura"),  # motif F/I, mark H
    Fabric(4, "plant", "asanoha"),  # motif F/I, mark H
    Fabric(5, "animal", "asanoha"),  # motif F/I, mark H
    Fabric(6, "plant", "chidori"),  # motif F/I, mark F
    Fabric(7, "animal", "sakura"),  # motif F/I, mark H
    Fabric(8, "plant", "sakura"),  # motif F/I, mark H
    Fabric(9, "animal", "asanoha"),  # motif F/I, mark H
)

POINTS: dict[Style, tuple[int, ...]] = {
    # A place of 2, 3, 4 and 5 cards.
    "Katchou Fuugetsu": (1, 2, 3, 4),  # H
    "Setsu Getsu Fuuka": (1, 2, 3, 4),  # 3 cards F, the rest H
    "Kasane": (2, 4, 6, 9),  # H
    "Kagen no Tsuki": (1, 3, 5, 8),  # 4 cards R, the rest H
    "Jougen no Tsuki": (1, 3, 5, 8),  # H
    "Juu": (2, 3, 4, 5),  # H
    # Two places of 3 cards; the dearer is taken first (R).
    "Chidori": (4, 3),  # H
    "Sakura Chirashi": (4, 3),  # H
    "Asanoha": (4, 3),  # H
}

STYLES: tuple[Style, ...] = tuple(POINTS)

MARK_STYLES: dict[Style, Mark] = {"Chidori": "chidori", "Sakura Chirashi": "sakura", "Asanoha": "asanoha"}

VARIETY = (0, 5, 4, 3, 2, 0, 2, 3, 4, 5)
"""The bonus for 1 to 9 different fabrics in a kimono (R)."""

HOUSE_NUMBERS = {
    "draper's marks": "{1, 2, 6} is known, the marks of the other fabrics are ours",
    "motifs": "odd numbers animals, even numbers plants: inferred",
    "points of the places": "ours, but for Setsu Getsu Fuuka of 3 and Kagen no Tsuki of 4",
    "sizes of the places": "ours: 2 to 5 cards for six styles, twice 3 cards for each mark, 30 as printed",
    "the variety bonus": "accessories count towards the 8 cards laid: inferred",
    "hands": "public, since everybody saw every card taken: our reading",
    "the last market of 4 players": "the discarded cards are shuffled into the stack, as printed for 3: our reading",
    "a combination after an accessory": "with `accessory_combo` it ends with the rightmost fabric of the hand: our reading",
}
