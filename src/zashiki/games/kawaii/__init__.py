"""Kawaii, by Marc-Antoine Hofmann and Ismaël Perrin: spot the pile you like and grab it."""

from zashiki.core.game import Game, Option

GAME = Game(
    id="kawaii",
    title="Kawaii",
    author="Marc-Antoine Hofmann, Ismaël Perrin",
    summary="Ice creams pile up before everyone's eyes: put a token on the pile that suits your secret taste before others do.",
    seats=range(3, 6),
    options=(
        Option("pace", "whether all answer in turns, or everybody grabs in real time", "turns", ("turns", "live")),
        Option("stacked", "whether only the top card of a pile can be seen", False, (False, True)),
    ),
    version=1,
    longest=9900,
)
