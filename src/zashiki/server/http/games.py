"""The games: what they are, their actions by number, and their rules."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from zashiki.bots import levels
from zashiki.bots.levels import LEVELS
from zashiki.core.game import Game, Option, OptionValue
from zashiki.games import GAMES
from zashiki.server.errors import Refused
from zashiki.server.http.fixed import AN_HOUR, ASK_AGAIN, Fixed
from zashiki.server.http.problems import refusals
from zashiki.tutorials import script_of
from zashiki.tutorials.telling import Tutorial, tell

JSON = "application/json"
GameId = Annotated[str, PathParameter(description="a game's id", examples=[Example("a game", value="hanamikoji")])]


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A choice made before a match: one of `values`, or a whole number from `least` to `most`."""

    name: str
    meaning: str
    default: OptionValue
    values: list[OptionValue] | None = None
    least: int | None = None
    most: int | None = None


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list. `seats`: by how many it can be played. `rules`: the version of its rules."""

    id: str
    title: str
    author: str
    summary: str
    seats: list[int]
    options: list[OptionInfo]
    rules: int


class GameInfo(GameSummary, frozen=True, kw_only=True):
    """A game. `actions`: how many there are. `parts`: what the points of a seat are made of, in the order of `scores`.

    `house_numbers`: numbers and readings of ours, where the printed are unknown.
    """

    actions: int
    parts: list[str]
    longest: int
    house_numbers: dict[str, str]


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """All games."""

    games: list[GameSummary]


class ActionList(msgspec.Struct, frozen=True, kw_only=True):
    """Every action of a game, in the order of their numbers. `words` finish a sentence that begins with the player's name."""

    game: str
    rules: int
    actions: list[dict[str, Any]]
    words: list[str]


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A level of the bots of the house: what such a bot is called, how it plays, how many seconds it takes at most.

    `games`: the ids of those that have it.
    """

    id: str
    title: str
    strength: str
    seconds: float
    games: list[str]


class LevelList(msgspec.Struct, frozen=True, kw_only=True):
    """The levels of the bots, from the weakest."""

    levels: list[Level]


def game_of(game_id: str) -> Game:
    """The game of that id."""
    try:
        return GAMES[game_id]
    except KeyError:
        raise Refused("unknown game", f"there is no such game; the games are {', '.join(GAMES)}") from None


def summary(game: Game) -> GameSummary:
    """A game for the list; its rules are not loaded."""
    return GameSummary(**_summary(game))


def info(game: Game) -> GameInfo:
    """A game with everything that is worth knowing before a match."""
    return GameInfo(
        **_summary(game),
        actions=len(game.vocabulary),
        parts=list(game.rules.PARTS),
        longest=game.longest,
        house_numbers=dict(game.house_numbers),
    )


def actions(game: Game) -> ActionList:
    """A game's vocabulary."""
    numbers = range(len(game.vocabulary))
    return ActionList(
        game=game.id,
        rules=game.version,
        actions=[game.vocabulary.to_json(number) for number in numbers],
        words=[game.vocabulary[number].words() for number in numbers],
    )


def _summary(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "author": game.author,
        "summary": game.summary,
        "seats": list(game.seats),
        "options": [_option(option) for option in game.options],
        "rules": game.version,
    }


def _option(option: Option) -> OptionInfo:
    about: dict[str, Any] = {"name": option.name, "meaning": option.meaning, "default": option.default}
    if isinstance(option.values, range):
        return OptionInfo(**about, least=option.values[0], most=option.values[-1])
    return OptionInfo(**about, values=list(option.values))


@cache
def _all_games() -> Fixed:
    return Fixed(msgspec.json.encode(GameList(games=[summary(game) for game in GAMES.values()])), JSON)


@cache
def _game(game_id: str) -> Fixed:
    return Fixed(msgspec.json.encode(info(game_of(game_id))), JSON)


@cache
def _actions(game_id: str) -> Fixed:
    return Fixed(msgspec.json.encode(actions(game_of(game_id))), JSON, AN_HOUR)


@cache
def _rules(game_id: str) -> Fixed:
    return Fixed(game_of(game_id).rulebook().encode(), "text/markdown; charset=utf-8", ASK_AGAIN)


@cache
def _tutorial(game_id: str) -> Fixed:
    script = script_of(game_of(game_id).id)
    if script is None:
        raise Refused("not found", "there is no tutorial of this game")
    return Fixed(msgspec.json.encode(tell(script)), JSON)


def _documented(kind: Any, media_type: str = JSON) -> dict[int, ResponseSpec]:
    found = ResponseSpec(kind, generate_examples=False, description="as it is now", media_type=media_type)
    return {200: found, 304: ResponseSpec(None, description="still the same")}


class Games(Controller):
    """What can be played. These answers are the same for everybody and bear an ETag."""

    path = "/api"
    tags = ("games",)

    # The first answers load a game's modules, which takes its time: in a thread.
    @get("/games", summary="All games", responses={**refusals(), **_documented(GameList)}, sync_to_thread=True)
    def list_games(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """All games with their options."""
        return _all_games().response(request)

    @get("/games/{game_id:str}", summary="A game", responses={**refusals(404), **_documented(GameInfo)}, sync_to_thread=True)
    def show_game(self, request: Request[Any, Any, Any], game_id: GameId) -> Response[bytes]:
        """One game, with the numbers that are ours."""
        return _game(game_id).response(request)

    @get(
        "/games/{game_id:str}/actions",
        summary="A game's actions",
        responses={**refusals(404), **_documented(ActionList)},
        sync_to_thread=True,
    )
    def list_actions(self, request: Request[Any, Any, Any], game_id: GameId) -> Response[bytes]:
        """What each action's number means. It changes only with the version of the rules."""
        return _actions(game_id).response(request)

    @get(
        "/games/{game_id:str}/rules",
        summary="A game's rules",
        responses={**refusals(404), **_documented(str, "text/markdown")},
        sync_to_thread=True,
    )
    def show_rules(self, request: Request[Any, Any, Any], game_id: GameId) -> Response[bytes]:
        """The rules in English, as Markdown."""
        return _rules(game_id).response(request)

    @get(
        "/games/{game_id:str}/tutorial",
        summary="A game's tutorial",
        responses={**refusals(404), **_documented(Tutorial)},
        sync_to_thread=True,
    )
    def show_tutorial(self, request: Request[Any, Any, Any], game_id: GameId) -> Response[bytes]:
        """A match with a fixed seed as the learner sees it: what to do, what is accepted, what is said to other tries."""
        return _tutorial(game_id).response(request)

    @get("/levels", summary="The levels of the bots", responses=refusals())
    async def list_levels(self) -> LevelList:
        """The levels that can be put into a seat, from the weakest."""
        told = [_told(level) for level in LEVELS.values()]
        return LevelList(levels=[level for level in told if level.games])


def _told(level: levels.Level) -> Level:
    games = [game.id for game in GAMES.values() if level.name in levels.levels_of(game)]
    return Level(id=level.name, title=level.title, strength=level.strength, seconds=level.seconds, games=games)
