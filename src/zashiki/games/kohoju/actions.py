"""The actions of Kohoju at the edge, in the order of their numbers."""

from __future__ import annotations

from typing import Literal

from zashiki.core.actions import Action, Vocabulary
from zashiki.games.kohoju.cards import CARD_NAMES


class Draw(Action, frozen=True, tag="draw"):
    """Draws the top card of the stock, which the others do not see, or of the discard pile."""

    source: Literal["stock", "discard pile"]

    def words(self) -> str:
        """Where the card comes from."""
        return f"draws from the {self.source}"


class Open(Action, frozen=True, tag="open"):
    """Opens a kohoju with a card of the guide card's kind."""

    card: str

    def words(self) -> str:
        """The first card."""
        return f"opens a kohoju with {self.card}"


class Add(Action, frozen=True, tag="add"):
    """Adds a card to the first (0) or the second (1) of the own unfinished kohojus."""

    card: str
    kohoju: Literal[0, 1]

    def words(self) -> str:
        """The card, and where it goes."""
        return f"adds {self.card} to the {('first', 'second')[self.kohoju]} unfinished kohoju"


class Pool(Action, frozen=True, tag="pool"):
    """Adds a card to the pool."""

    card: str

    def words(self) -> str:
        """The card given away."""
        return f"lays {self.card} in the pool"


class Discard(Action, frozen=True, tag="discard"):
    """Discards a card, which ends the turn."""

    card: str

    def words(self) -> str:
        """The card discarded."""
        return f"discards {self.card}"


VOCABULARY = Vocabulary(
    [
        Draw("stock"),
        Draw("discard pile"),
        *(Open(card) for card in CARD_NAMES),
        *(Add(card, 0) for card in CARD_NAMES),
        *(Add(card, 1) for card in CARD_NAMES),
        *(Pool(card) for card in CARD_NAMES),
        *(Discard(card) for card in CARD_NAMES),
    ],
    Draw | Open | Add | Pool | Discard,
)
