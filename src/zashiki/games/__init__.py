"""The list of games. A new one is a folder here and a line below."""

from __future__ import annotations

from zashiki.core.errors import UnknownGame
from zashiki.core.game import Game
from zashiki.games.hanamikoji import GAME as HANAMIKOJI
from zashiki.games.kasane import GAME as KASANE
from zashiki.games.kawaii import GAME as KAWAII
from zashiki.games.kimono import GAME as KIMONO
from zashiki.games.kohoju import GAME as KOHOJU

GAMES: dict[str, Game] = {
    game.id: game
    for game in (
        HANAMIKOJI,
        KIMONO,
        KASANE,
        KAWAII,
        KOHOJU,
    )
}


def find(name: str) -> Game:
    """The game of that name."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(GAMES)}") from None
