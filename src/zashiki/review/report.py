"""What a review says, as it is stored and sent. Chances are shares of the victory, from 0 to 1."""

from __future__ import annotations

from typing import Literal

import msgspec

FORMAT = 1
"""Moves when a stored review would be read as something else."""

Grade = Literal["best", "good", "slip", "blunder"]
Cause = Literal["luck", "decision", "table"]


class Alternative(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An action with the chance it leads to; null for doing nothing then, where nobody had to act."""

    action: int | None
    chance: float


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A choice that somebody had: the match's move of this number, from 0.

    `chance`: the seat's own, with the best action, from what it knew. `lost`: how much less the `played` action was worth.
    `best`: what the strongest level would have done; null: nothing just then. `exact`: worked out rather than estimated.
    `risky`: the result of the `played` action lies clearly further apart than the best one's, for less.
    `alternatives`: the best few, and the one played.
    """

    move: int
    seat: int
    played: int
    best: int | None
    chance: float
    lost: float = 0.0
    grade: Grade = "best"
    exact: bool = False
    risky: bool = False
    alternatives: list[Alternative] = []


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a seat's chance changed much: by its own decision there, by luck and others, or as the table decided.

    Between the positions after `since` and after `until` moves.
    """

    since: int
    until: int
    change: float
    cause: Cause


class SeatReview(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's match. `result` − `start` is `luck` − `lost` + `decided`, to the last digit.

    `decided`: what the table itself changed, when somebody gave up or ran out of time. `turns`: the largest first.
    `risks`: how many of the decisions were risky; null where nobody must act in turn, and in reviews that did not look at it.
    """

    start: float
    result: float
    luck: float
    lost: float
    decided: float
    grades: dict[Grade, int]
    turns: list[Turn]
    risks: int | None = None


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `level`: who judged. `seats`: one for each; `decisions`: in the order of the moves."""

    format: int
    game: str
    rules: int
    level: str
    moves: int
    seats: list[SeatReview]
    decisions: list[Decision]
