"""Kimono, by Hisashi Hayashi: the master splits, everyone votes in secret."""

from zashiki.core.game import Game

GAME = Game(
    id="kimono",
    title="Kimono",
    author="Hisashi Hayashi",
    summary="The master cuts a row of curios in two, all vote in secret: alone you take, together you share the blame.",
    seats=range(3, 7),
    options=(),
    version=1,
    longest=470,
)
