"""Kasane, by Hinata Origuchi, also sold as Kimono: an open market, an ordered hand, a race for combinations."""

from zashiki.core.game import Game, Option

GAME = Game(
    id="kasane",
    title="Kasane",
    author="Hinata Origuchi",
    summary="Origuchi's Kimono, first published as Colors of Kasane: "
    "buy cloth at an open market, never sort your hand, and be first to lay each combination.",
    seats=range(2, 5),
    options=(Option("accessory_combo", "a combination may follow an accessory as well", False, (False, True)),),
    version=1,
    longest=96,
)
