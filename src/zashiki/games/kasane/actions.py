"""The actions of Kasane at the edge, in the order of their numbers."""

from __future__ import annotations

from zashiki.core.actions import Action, Vocabulary
from zashiki.games.kasane.cards import Style  # msgspec reads it
from zashiki.games.kasane.combinations import KIND_SIZE, KIND_STYLE
from zashiki.games.kasane.rules import ROWS


class Take(Action, frozen=True, tag="take"):
    """Takes the rightmost card of a row, counted from 0."""

    row: int

    def words(self) -> str:
        """The row."""
        return f"takes the rightmost card of the {('first', 'second', 'third', 'fourth')[self.row]} row"


class Decline(Action, frozen=True, tag="decline"):
    """Plays no combination."""

    def words(self) -> str:
        """That nothing is played."""
        return "plays no combination"


class Combine(Action, frozen=True, tag="combine"):
    """Lays the last `hand` cards of the hand, with the kimono's last card in front of them if `kimono`."""

    style: Style
    hand: int
    kimono: bool

    def words(self) -> str:
        """The style, its size and what is laid."""
        size = self.hand + self.kimono
        laid = "one card" if self.hand == 1 else f"{('two', 'three', 'four', 'five')[self.hand - 2]} cards"
        after = " after the kimono's last card" if self.kimono else ""
        return f"lays {laid}{after} as {self.style} of {size}"


VOCABULARY = Vocabulary(
    [
        *(Take(row) for row in range(max(ROWS))),
        Decline(),
        *(
            Combine(style, size - on_kimono, bool(on_kimono))
            for on_kimono in range(2)
            for style, size in zip(KIND_STYLE, KIND_SIZE, strict=True)
        ),
    ],
    Take | Decline | Combine,
)
