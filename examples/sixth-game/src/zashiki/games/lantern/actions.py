"""The actions of Lantern at the edge, in the order of their numbers."""

from __future__ import annotations

from zashiki.core.actions import Action, Vocabulary
from zashiki.games.lantern.cards import LANTERNS


class Lay(Action, frozen=True, tag="lay"):
    """Lays a lantern of the hand, by its brightness from 1."""

    lantern: int

    def words(self) -> str:
        """The lantern laid."""
        return f"lays lantern {self.lantern}"


VOCABULARY = Vocabulary([Lay(brightness) for brightness in range(1, LANTERNS + 1)], Lay)
