"""Kohoju: rummy for two to six, with kohojus of one's own and a pool for all."""

from zashiki.core.game import Game, Option
from zashiki.games.kohoju.cards import FEWEST_PLAYERS, MOST_PLAYERS

GAME = Game(
    id="kohoju",
    title="Kohoju",
    author="unknown",
    summary="Draw, lay, discard: open kohojus with the guide card, fill them with one colour or one symbol, and go out in time.",
    seats=range(FEWEST_PLAYERS, MOST_PLAYERS + 1),
    options=(Option("target", "the points that win the match", 100, range(10, 501)),),
    version=1,
    # 110 deals to 500 points, in each of them six players with 60 draws, 60 discards and 13 lays.
    longest=87_780,
)
