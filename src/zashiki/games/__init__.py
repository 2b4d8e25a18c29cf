"""The list of games. A new one is a folder here and a line below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zashiki.core.errors import UnknownGame
from zashiki.games.hanamikoji import GAME as HANAMIKOJI
from zashiki.games.kimono import GAME as KIMONO

if TYPE_CHECKING:
    from zashiki.core.game import Game

GAMES: dict[str, Game] = {game.id: game for game in (HANAMIKOJI, KIMONO)}


def find(name: str) -> Game:
    """The game of that name."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(GAMES)}") from None
