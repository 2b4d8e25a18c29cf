"""Positions from strong bots' matches in which one action is clearly best, packaged with their answers."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from zashiki.core.game import Game, OptionValue
from zashiki.core.match import Match
from zashiki.games import GAMES, find

FORMAT = "zashiki puzzles 1"

Difficulty = Literal["easy", "medium", "hard"]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An action and the share of the victory it is worth."""

    action: int
    chance: float


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A match up to somebody's decision. `answers`: the best first; the right one is the first alone.

    `exact`: proven, the rest of the round laid out whole. `points`: how many more the best leads to than the next, where known.
    """

    id: str
    seats: int
    options: dict[str, OptionValue]
    seed: str
    actions: list[tuple[int, int]]
    seat: int
    difficulty: Difficulty
    exact: bool
    answers: list[Answer]
    points: float | None

    def match(self, game: Game) -> Match:
        """The match as it stood."""
        found = Match(game, self.seats, options=self.options, seed=self.seed)
        for seat, action in self.actions:
            found.act(seat, action)
        return found


class Puzzles(msgspec.Struct, frozen=True, kw_only=True):
    """The packaged file of a game."""

    format: str
    game: str
    rules: int
    puzzles: list[Puzzle]


@cache
def puzzles(game: str) -> dict[str, Puzzle]:
    """All puzzles of a game by their ids; none where those packaged belong to other rules."""
    file = files(__name__).joinpath(f"{find(game).id}.json")
    found = msgspec.json.decode(file.read_bytes(), type=Puzzles)
    return {puzzle.id: puzzle for puzzle in found.puzzles} if found.rules == find(game).version else {}


def of_the_day(day: date) -> tuple[str, str]:
    """The game and the id of the puzzle for a day: every game in turn, and each of its puzzles in turn."""
    number = day.toordinal()
    names = [game for game in GAMES if puzzles(game)]
    game = names[number % len(names)]
    ids = list(puzzles(game))
    return game, ids[number // len(names) % len(ids)]
