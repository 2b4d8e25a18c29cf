"""The games inside OpenSpiel: `register()` once, then `pyspiel.load_game("zashiki_hanamikoji")` and so on.

`zashiki_small_hanamikoji` is a part of that game that exact solvers can solve.
"""

from __future__ import annotations

from functools import cache

from zashiki.core.errors import ZashikiError
from zashiki.games import GAMES


@cache
def register() -> tuple[str, ...]:
    """Makes the games known to OpenSpiel; tells the names of the whole ones."""
    try:
        import pyspiel
    except ModuleNotFoundError:
        raise ZashikiError("OpenSpiel is not installed: pip install 'zashiki[openspiel]'") from None
    from zashiki.adapters.openspiel import games, small_game

    for game in GAMES.values():
        pyspiel.register_game(games.game_type(game), games.class_of(game))
    pyspiel.register_game(small_game.GAME_TYPE, small_game.SmallHanamikoji)
    return tuple(games.short_name(game) for game in GAMES.values())
