"""Puzzles over HTTP: a position as its seat sees it, and afterwards the answer."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import Controller, get, post
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter

from zashiki.bots.bot import Estimate
from zashiki.core.game import OptionValue
from zashiki.core.match import Match
from zashiki.games import GAMES
from zashiki.puzzles import Answer, Difficulty, Puzzle, of_the_day, puzzles
from zashiki.review.why import Why, why
from zashiki.server.errors import Refused
from zashiki.server.http.games import GameId, game_of
from zashiki.server.http.problems import refusals
from zashiki.server.messages import LogLine

KEPT = 64

PuzzleId = Annotated[
    str, PathParameter(description="a puzzle's id", max_length=16, examples=[Example("a puzzle", value="f7ffa038")])
]


class PuzzleName(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle in a list."""

    game: str
    id: str
    difficulty: Difficulty


class PuzzleList(msgspec.Struct, frozen=True, kw_only=True):
    """All puzzles, and the one of today, by UTC."""

    today: PuzzleName
    puzzles: list[PuzzleName]


class PuzzlePosition(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as its seat sees it, in the form of a table's state."""

    game: str
    id: str
    difficulty: Difficulty
    options: dict[str, OptionValue]
    seats: int
    seat: int
    view: Any
    to_act: list[int]
    legal: list[int]
    scores: list[list[int]]
    events: list[LogLine]


class PuzzleTry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of the action that somebody would take."""

    action: int


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether it was right, and what the best few actions are worth, the right one first. `exact`: proven."""

    right: bool
    exact: bool
    answers: list[Answer]
    why: Why


@lru_cache(KEPT)
def _match(game: str, puzzle_id: str) -> Match:
    return _puzzle(game, puzzle_id).match(GAMES[game])


def _puzzle(game: str, puzzle_id: str) -> Puzzle:
    found = puzzles(game_of(game).id).get(puzzle_id)
    if found is None:
        raise Refused("not found", "there is no such puzzle")
    return found


class PuzzleDoors(Controller):
    """Positions with one clearly best action."""

    path = "/api/puzzles"
    tags = ("puzzles",)
    security = ({},)

    @get("/", summary="The puzzles", responses=refusals(), sync_to_thread=False)
    def list_all(self) -> PuzzleList:
        """Every puzzle of every game, and today's."""
        game, today = of_the_day(datetime.now(UTC).date())
        names = [_name(game, puzzle) for game in GAMES for puzzle in puzzles(game).values()]
        return PuzzleList(today=_name(game, puzzles(game)[today]), puzzles=names)

    @get("/{game:str}/{puzzle_id:str}", summary="A puzzle", responses=refusals(404), sync_to_thread=True)
    def show(self, game: GameId, puzzle_id: PuzzleId) -> PuzzlePosition:
        """The position, with no more than its seat knows."""
        puzzle, match = _puzzle(game, puzzle_id), _match(game, puzzle_id)
        view = match.view(puzzle.seat)
        return PuzzlePosition(
            game=game,
            id=puzzle.id,
            difficulty=puzzle.difficulty,
            options=puzzle.options,
            seats=puzzle.seats,
            seat=puzzle.seat,
            view=view.to_json(),
            to_act=[seat for seat in range(match.seats) if view.to_act() >> seat & 1],
            legal=view.legal(puzzle.seat),
            scores=view.points().tolist(),
            events=_events(match, puzzle.seat),
        )

    @post(
        "/{game:str}/{puzzle_id:str}",
        summary="Answer a puzzle",
        responses=refusals(404, 413, 415, 422),
        status_code=200,
        sync_to_thread=True,
    )
    def answer(self, game: GameId, puzzle_id: PuzzleId, data: JSONBody[PuzzleTry]) -> PuzzleAnswer:
        """Whether an action is the best one, and why."""
        puzzle, match = _puzzle(game, puzzle_id), _match(game, puzzle_id)
        if data.action not in match.legal_actions(puzzle.seat).numbers:
            raise Refused("illegal action", "that is not among the legal actions of this position")
        return PuzzleAnswer(
            right=data.action == puzzle.answers[0].action, exact=puzzle.exact, answers=puzzle.answers, why=_why(puzzle, match)
        )


def _name(game: str, puzzle: Puzzle) -> PuzzleName:
    return PuzzleName(game=game, id=puzzle.id, difficulty=puzzle.difficulty)


def _events(match: Match, seat: int) -> list[LogLine]:
    told = match.events(seat)
    return [LogLine(kind="act", at=0, seat=event.seat, action=event.action, revealed=event.revealed) for event in told]


def _why(puzzle: Puzzle, match: Match) -> Why:
    found = [Estimate(each.action, each.chance, None, 0, puzzle.exact) for each in puzzle.answers]
    return msgspec.structs.replace(why(match.view(puzzle.seat), puzzle.seat, found[0], found), points=puzzle.points)
