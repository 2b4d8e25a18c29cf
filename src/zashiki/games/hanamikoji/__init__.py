"""Hanamikoji, by Kota Nakayama: two players court seven geisha."""

from zashiki.core.game import Game, Option

GAME = Game(
    id="hanamikoji",
    title="Hanamikoji",
    author="Kota Nakayama",
    summary="Four actions a round, and the other chooses first from what you offer: win four geisha, or eleven charm.",
    seats=range(2, 3),
    options=(Option("rounds", "the round after which charm decides", 20, range(1, 21)),),
    version=1,
    longest=240,
)
