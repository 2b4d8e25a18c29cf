"""The actions of Hanamikoji at the edge, in the order of their numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from zashiki.core.actions import Action, Secrecy, Vocabulary, a, listed
from zashiki.games.hanamikoji.cards import ITEMS, Item
from zashiki.games.hanamikoji.rules import DOUBLES, PAIRS, TRIPLES

Pair = tuple[Item, Item]


class Secret(Action, frozen=True, tag="secret"):
    """Keeps one card face down until scoring."""

    secrecy: ClassVar[Secrecy] = "sealed"
    card: Item | None

    def words(self) -> str:
        """What is kept, as far as it is known."""
        return f"keeps {a(self.card)} in secret" if self.card else "keeps a card in secret"

    def veiled(self) -> Secret:
        """That a card is kept."""
        return Secret(None)


class TradeOff(Action, frozen=True, tag="trade-off"):
    """Puts two cards out of the round, face down."""

    secrecy: ClassVar[Secrecy] = "hidden"
    cards: Pair | None

    def __post_init__(self) -> None:
        """Two cards have no order."""
        if self.cards:
            msgspec.structs.force_setattr(self, "cards", _sorted(self.cards))

    def words(self) -> str:
        """What is discarded, as far as it is known."""
        return f"discards {_counted(self.cards)}" if self.cards else "discards two cards face down"

    def veiled(self) -> TradeOff:
        """That two cards are discarded."""
        return TradeOff(None)


class Gift(Action, frozen=True, tag="gift"):
    """Offers three cards of which the other player takes one."""

    cards: tuple[Item, Item, Item]

    def __post_init__(self) -> None:
        """Three cards have no order."""
        msgspec.structs.force_setattr(self, "cards", _sorted(self.cards))

    def words(self) -> str:
        """The offer."""
        return f"offers {_counted(self.cards)} as a gift"


class Competition(Action, frozen=True, tag="competition"):
    """Offers two pairs of which the other player takes one."""

    pairs: tuple[Pair, Pair]

    def __post_init__(self) -> None:
        """Neither the pairs nor their cards have an order."""
        first, second = (_sorted(pair) for pair in self.pairs)
        msgspec.structs.force_setattr(self, "pairs", tuple(sorted((first, second), key=_places)))

    def words(self) -> str:
        """The offer."""
        return f"offers {_counted(self.pairs[0])}, or {_counted(self.pairs[1])}"


class Take(Action, frozen=True, tag="take"):
    """Takes one card of a gift."""

    card: Item

    def words(self) -> str:
        """The card taken."""
        return f"takes the {self.card}"


class TakePair(Action, frozen=True, tag="take pair"):
    """Takes the first (0) or the second (1) pair of a competition."""

    pair: int

    def words(self) -> str:
        """The pair taken."""
        return f"takes the {('first', 'second')[self.pair]} pair"


def _counted(items: tuple[Item, ...]) -> str:
    """Cards in words: "two fans and a scroll"."""
    counts = {item: items.count(item) for item in items}
    return listed([a(item) if count == 1 else f"{('two', 'three', 'four')[count - 2]} {item}s" for item, count in counts.items()])


def _places(items: Pair) -> tuple[int, ...]:
    return tuple(ITEMS.index(item) for item in items)


def _sorted(items: tuple[Item, ...]) -> Any:
    return tuple(sorted(items, key=ITEMS.index))


def _named(items: tuple[int, ...]) -> Any:
    return tuple(ITEMS[item] for item in items)


VOCABULARY = Vocabulary(
    [
        *(Secret(item) for item in ITEMS),
        *(TradeOff(_named(pair)) for pair in PAIRS),
        *(Gift(_named(triple)) for triple in TRIPLES),
        *(Competition((_named(first), _named(second))) for first, second in DOUBLES),
        *(Take(item) for item in ITEMS),
        *(TakePair(pair) for pair in range(2)),
    ],
    Secret | TradeOff | Gift | Competition | Take | TakePair,
)
