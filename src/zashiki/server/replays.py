"""Matches told again: the answer to whoever wants to look through one that is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import Any

import msgspec

from zashiki.core.errors import SavedMatchError, WrongSeats
from zashiki.core.game import OptionValue
from zashiki.core.match import Event, Match
from zashiki.core.replay import Eyes, Step, check_eyes, steps
from zashiki.core.saved import SavedMatch
from zashiki.server.errors import Refused
from zashiki.server.messages import OutcomeInfo

MOST_MOVES = 10_000
"""Longer matches would be an answer of many megabytes."""


class RevealedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier secret choice that these eyes were shown now."""

    seat: int
    action: Any


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The deal, or a move and what came of it. `seat` and `action`: as these eyes were told it; null where they were not.

    `at`: when, where that is known. `to_act` and `scores`: as in a table's state. The first step has the whole `view`, each later
    one what has `changed` in it: fields that replace those of the same name.
    """

    seat: int | None = None
    action: Any = None
    revealed: list[RevealedChoice] = []
    at: int | None = None
    to_act: list[int] = []
    scores: list[list[int]]
    view: Any = None
    changed: dict[str, Any] = {}


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A match from its deal on, as one pair of `eyes` saw it: a seat's, or null for everything.

    `seats`: their names, null where unknown. `scores` at the end, all cards counted. `outcome`: null if nobody has won.
    """

    game: str
    rules: int
    eyes: int | None
    seats: list[str | None]
    options: dict[str, OptionValue]
    scores: list[list[int]]
    outcome: OutcomeInfo | None
    steps: list[ReplayStep]


def read_match(file: SavedMatch) -> Match:
    """The match of a saved-match file, or why it is none."""
    try:
        return Match.load(msgspec.json.encode(file))
    except SavedMatchError as error:
        raise Refused("wrong match", str(error)) from None


def replay(
    match: Match,
    eyes: Eyes,
    names: Sequence[str | None] | None = None,
    times: Iterable[int] = (),
    outcome: OutcomeInfo | None = None,
) -> Replay:
    """The whole answer. `times`: when each move was made; `outcome`: where the table has decided otherwise than the match."""
    if len(match.history) > MOST_MOVES:
        raise Refused("too large", f"this match has {len(match.history)} moves, too many to be told again: at most {MOST_MOVES}")
    try:
        check_eyes(match, eyes)
    except WrongSeats as error:
        raise Refused("malformed", str(error)) from None
    if outcome is None and match.outcome is not None:
        outcome = OutcomeInfo(winners=list(match.outcome.winners), reason=match.outcome.reason)
    found = zip(steps(match, eyes), chain([None], times, repeat(None)), strict=False)
    return Replay(
        game=match.game.id,
        rules=match.game.version,
        eyes=eyes,
        seats=list(names or [None] * match.seats),
        options=match.options,
        scores=match.state.points().tolist(),
        outcome=outcome,
        steps=[_step(step, at, first=place == 0) for place, (step, at) in enumerate(found)],
    )


def _step(step: Step, at: int | None, *, first: bool) -> ReplayStep:
    return ReplayStep(
        seat=step.told.seat if step.told else None,
        action=step.told.action if step.told else None,
        revealed=[_revealed(event) for event in step.revealed],
        at=at,
        to_act=step.to_act,
        scores=step.scores,
        view=step.changed if first else None,
        changed={} if first else step.changed,
    )


def _revealed(event: Event) -> RevealedChoice:
    return RevealedChoice(seat=event.seat, action=event.action)
