"""Lantern: everyone lays a lantern, the brightest lights the street."""

from zashiki.core.game import Game, Option

GAME = Game(
    id="lantern",
    title="Lantern",
    author="The Zashiki authors",
    summary="Three lanterns each: lay one a street, and the brightest of all lights it.",
    seats=range(2, 5),
    options=(Option("dark", "whether the dimmest lantern lights the street instead", False, (False, True)),),
    version=1,
    longest=12,
)
