"""The actions of Kawaii at the edge, in the order of their numbers. A pile is named by the seat of its owner."""

from __future__ import annotations

from typing import ClassVar, Literal

from zashiki.core.actions import Action, Secrecy, Vocabulary
from zashiki.games.kawaii.cards import PILE_NUMBERS, SEATS, SIGNS, Sign


class Answer(Action, frozen=True, tag="answer"):
    """Answers in a window: one pile, or none of them."""

    secrecy: ClassVar[Secrecy] = "sealed"
    pile: int | Literal["none"] | None

    def words(self) -> str:
        """What is claimed, as far as it is known."""
        if self.pile is None:
            return "has answered"
        return "passes" if self.pile == "none" else f"claims the pile of seat {self.pile}"

    def veiled(self) -> Answer:
        """That there is an answer."""
        return Answer(None)


class Throw(Action, frozen=True, tag="throw"):
    """Throws a sign in the contest for a pile."""

    secrecy: ClassVar[Secrecy] = "sealed"
    pile: int | None
    sign: Sign | None

    def words(self) -> str:
        """The sign, as far as it is known."""
        return "throws" if self.sign is None else f"throws {self.sign} for the pile of seat {self.pile}"

    def veiled(self) -> Throw:
        """That a sign is thrown."""
        return Throw(None, None)


class Flip(Action, frozen=True, tag="flip"):
    """Asks to turn the top card of the reserve; silent while it waits for a pile to be settled."""

    secrecy: ClassVar[Secrecy] = "silent"

    def words(self) -> str:
        """That a card is flipped."""
        return "flips a card"


class Done(Action, frozen=True, tag="done"):
    """Wants to capture no more in this round."""

    def words(self) -> str:
        """That nothing more is wanted."""
        return "is done"


class Claim(Action, frozen=True, tag="claim"):
    """Puts a token on the pile that was seen: the owner's seat and the number of the pile."""

    secrecy: ClassVar[Secrecy] = "silent"
    pile: int | None
    number: int | None

    def words(self) -> str:
        """The pile, as far as it is known."""
        return "claims a pile" if self.pile is None else f"claims pile {self.number} of seat {self.pile}"

    def veiled(self) -> Claim:
        """That there is a claim."""
        return Claim(None, None)


class ClosePhotoFinish(Action, frozen=True, tag="close photo finish"):
    """The clock's: later claims on the pile come too late."""

    pile: int

    def words(self) -> str:
        """The pile that is closed."""
        return f"closes the photo finish for the pile of seat {self.pile}"


class ThrowFor(Action, frozen=True, tag="throw for"):
    """The clock's: throws for whoever has not thrown for the pile."""

    pile: int

    def words(self) -> str:
        """The pile that is thrown for."""
        return f"throws for whoever has not thrown yet for the pile of seat {self.pile}"


class FlipFor(Action, frozen=True, tag="flip for"):
    """The clock's: flips for the seat whose turn it is."""

    def words(self) -> str:
        """That a card is flipped."""
        return "flips a card for the player whose turn it is"


class CloseRound(Action, frozen=True, tag="close round"):
    """The clock's: the countdown after the last flip is over."""

    def words(self) -> str:
        """That the round is over."""
        return "closes the round"


VOCABULARY = Vocabulary(
    [
        *(Answer(pile) for pile in range(SEATS)),
        Answer("none"),
        *(Throw(pile, sign) for pile in range(SEATS) for sign in SIGNS),
        Flip(),
        Done(),
        *(Claim(pile, number) for pile in range(SEATS) for number in range(PILE_NUMBERS)),
        *(ClosePhotoFinish(pile) for pile in range(SEATS)),
        *(ThrowFor(pile) for pile in range(SEATS)),
        FlipFor(),
        CloseRound(),
    ],
    Answer | Throw | Flip | Done | Claim | ClosePhotoFinish | ThrowFor | FlipFor | CloseRound,
)
