"""The actions of Kimono at the edge, in the order of their numbers."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from zashiki.core.actions import Action, Secrecy, Vocabulary, a, listed
from zashiki.games.kimono.action_cards import PAIRS
from zashiki.games.kimono.cards import CURIOS, TO_DO, Curio, ToDo
from zashiki.games.kimono.rules import ROW

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")


class Cut(Action, frozen=True, tag="cut"):
    """Cuts the row, or a piece of it, after a place counted from 1; one side becomes group 1."""

    after: int
    first: Side

    def words(self) -> str:
        """The cut, and the numbering."""
        return f"cuts after card {self.after}; group 1 is on the {self.first}"


class PlaceApprentice(Action, frozen=True, tag="apprentice"):
    """Inserts the apprentice: places are counted from 0, and both sides of the cut are a place."""

    place: int

    def words(self) -> str:
        """The place, counted as people do."""
        return f"puts the apprentice into place {self.place + 1}"


class Vote(Action, frozen=True, tag="vote"):
    """Votes for a group."""

    secrecy: ClassVar[Secrecy] = "sealed"
    group: Literal[1, 2] | None

    def words(self) -> str:
        """The group, as far as it is known."""
        return f"votes for group {self.group}" if self.group else "has voted"

    def veiled(self) -> Vote:
        """That there is a vote."""
        return Vote(None)


class CarryOut(Action, frozen=True, tag="carry out"):
    """Chooses the action card that comes next."""

    card: ToDo

    def words(self) -> str:
        """The card."""
        return f"carries out a {self.card}"


class Break(Action, frozen=True, tag="break"):
    """Loses two curios to a breakage."""

    curios: tuple[Curio, Curio]

    def __post_init__(self) -> None:
        """Two curios have no order."""
        msgspec.structs.force_setattr(self, "curios", tuple(sorted(self.curios, key=CURIOS.index)))

    def words(self) -> str:
        """What breaks."""
        first, second = self.curios
        return f"breaks {_two(first) if first == second else listed([_one(first), _one(second)])}"


class Copy(Action, frozen=True, tag="copy"):
    """Adds a copy to one of the sorts that tie for most cards."""

    curio: Curio

    def words(self) -> str:
        """The sort."""
        return f"adds a copy to the {self.curio.removesuffix('s')}s"


def _one(curio: Curio) -> str:
    return a("pair of chopsticks" if curio == "chopsticks" else curio)


def _two(curio: Curio) -> str:
    return "two pairs of chopsticks" if curio == "chopsticks" else f"two {curio}s"


VOCABULARY = Vocabulary(
    [
        *(Cut(after, first) for after in range(1, ROW) for first in SIDES),
        *(PlaceApprentice(place) for place in range(ROW + 1)),
        Vote(1),
        Vote(2),
        *(CarryOut(card) for card in TO_DO),
        *(Break((CURIOS[a], CURIOS[b])) for a, b in PAIRS),
        *(Copy(curio) for curio in CURIOS),
    ],
    Cut | PlaceApprentice | Vote | CarryOut | Break | Copy,
)
