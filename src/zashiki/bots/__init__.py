"""Bots: who they are, and how to name one.

A bot is named by its level (`club`), by its kind (`random`, `heuristic`, `search`), as a class of any module
(`package.module:Class`) or as a command that plays over its standard input and output (`exec:node engine.mjs`). `@` gives it
another budget: `search@500` searches 500 iterations, `expert@0.3s` thinks 0.3 seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from zashiki.core.checks import shown
from zashiki.core.errors import ZashikiError

if TYPE_CHECKING:
    from zashiki.bots.bot import Bot, Budget
    from zashiki.core.game import Game

KINDS = {
    "random": "zashiki.bots.plain:RandomBot",
    "careless": "zashiki.bots.plain:CarelessBot",
    "hasty": "zashiki.bots.plain:HastyBot",
    "steady": "zashiki.bots.plain:SteadyBot",
    "heuristic": "zashiki.bots.plain:HeuristicBot",
    "search": "zashiki.bots.searcher:SearchBot",
    "solve": "zashiki.bots.hanamikoji.player:HanamikojiBot",
    "master": "zashiki.bots.masters:MasterBot",
    "master-fast": "zashiki.bots.masters:FastMasterBot",
    "master-solve": "zashiki.bots.hanamikoji.player:HanamikojiMaster",
    "master-read": "zashiki.bots.kasane.player:KasaneMaster",
}
"""The visible list of bots, besides the levels."""

LEARNED = tuple(name for name in KINDS if name.startswith("master"))
"""Those of them that play only what somebody has learned."""

SKILLED = {
    "kohoju": {"master": "zashiki.bots.kohoju.player:KohojuMaster", "master-fast": "zashiki.bots.kohoju.player:KohojuFastMaster"}
}
"""By game: who plays if a skill has been learned, where it needs no network. In other games it is the policy beside one."""

EXEC = "exec:"
"""What stands before a command."""


class UnknownBot(ZashikiError):
    """There is no bot of that name."""


@dataclass(frozen=True)
class Entrant:
    """A bot as it was named for a game: what makes it for a match, such as its class, and its budget for each action."""

    name: str
    game: Game
    bot: Callable[[Game, int], Bot]
    budget: Budget

    def sit_down(self, seed: int) -> Bot:
        """The bot for one seat of one match."""
        return self.bot(self.game, seed)


def find_bot(game: Game, name: str) -> Entrant:
    """The bot of that name, as it plays this game."""
    from zashiki.bots.bot import Budget
    from zashiki.bots.levels import LEVELS, strongest
    from zashiki.bots.weights import has_skill, is_learned

    if name.startswith(EXEC):
        return _engine(game, name)
    who, _, limit = name.partition("@")
    if who in LEARNED and not is_learned(game):
        raise UnknownBot(f"nobody has learned {game.title} yet: there is no {who} of it, the strongest bot is {strongest(game)}")
    kind, budget = _player(game, who) if who in LEVELS else (who, Budget())
    if has_skill(game):
        kind = SKILLED.get(game.id, {}).get(kind, kind)
    return Entrant(name, game, _load(KINDS.get(kind, kind)), _limited(budget, limit) if limit else budget)


def _player(game: Game, level: str) -> tuple[str, Budget]:
    """Who plays a level, with which budget."""
    from zashiki.bots.bot import Budget
    from zashiki.bots.levels import LEVELS
    from zashiki.bots.sense import heuristics

    found: tuple[str, Budget] = heuristics(game).LEVELS.get(level) or (level, Budget(seconds=LEVELS[level].seconds))
    return found


def _engine(game: Game, name: str) -> Entrant:
    """An engine in a process of its own. Commands may have an @ in them: only one that ends in a budget sets one."""
    from zashiki.bots.bot import Budget
    from zashiki.bots.lines import Stable

    command, at, limit = name.removeprefix(EXEC).rpartition("@")
    if not at or not re.fullmatch(r"[\d.]+s?", limit):
        return Entrant(name, game, Stable(name.removeprefix(EXEC)), Budget())
    return Entrant(name, game, Stable(command), _limited(Budget(), limit))


def _load(name: str) -> type[Bot]:
    module, colon, attribute = name.partition(":")
    if not colon:
        from zashiki.bots.levels import LEVELS

        names = ", ".join(dict.fromkeys([*LEVELS, *KINDS]))
        raise UnknownBot(f"there is no bot {shown(name)}; there are {names}, package.module:Class or exec:COMMAND")
    try:
        found: type[Bot] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UnknownBot(f"the bot {shown(name)} cannot be loaded: {error}") from None
    return found


def _limited(budget: Budget, limit: str) -> Budget:
    if re.fullmatch(r"0*[1-9]\d*", limit):
        return replace(budget, seconds=None, iterations=int(limit))
    if re.fullmatch(r"\d*\.?\d+s", limit):
        return replace(budget, seconds=float(limit[:-1]), iterations=None)
    raise UnknownBot(f"a budget is a number of iterations (500) or of seconds (0.2s), not {shown(limit)}")
