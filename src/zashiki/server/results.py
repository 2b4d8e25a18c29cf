"""The result of a match: what a table leads to once it is over, without I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from zashiki.server.fold import Decided, Sitter
from zashiki.server.log import Event, Kind, standing
from zashiki.server.table import Table

Left = Literal["resigned", "away"]


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat got. `left`: whose person was not there at the end; `first`: it alone began."""

    seat: int
    account: int | None
    bot: str | None
    points: int | None
    place: int | None
    share: float | None
    left: Left | None = None
    stood_in: bool = False
    first: bool = False
    decisions: int = 0
    thinking_ms: int = 0


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended. `reason`: null where its rules are not known any more."""

    table: str
    game: str
    began_at: int
    ended_at: int
    reason: str | None
    moves: int
    taken_back: bool
    seats: list[SeatResult]


def result_of(table: Table) -> Result | None:
    """The result of a table; None while its match is not decided."""
    if table.match is None or table.decided is None:
        return None
    points = [sum(parts.values()) for parts in table.match.scores()]
    places = placed(points, table.decided.winners)
    return Result(
        table=table.id,
        game=table.game.id,
        began_at=table.course.began_at,
        ended_at=table.course.ended_at,
        reason=table.decided.reason,
        moves=len(table.match.history),
        taken_back=table.course.taken_back,
        seats=[
            _seat(table, seat, sitter, points[seat], places[seat], table.decided)
            for seat, sitter in enumerate(table.seats)
            if sitter is not None
        ],
    )


def placed(points: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each seat: who won is first whatever the points, the others follow by points."""
    ranks = [(seat not in winners, -each if seat not in winners else 0) for seat, each in enumerate(points)]
    return [1 + sum(other < mine for other in ranks) for mine in ranks]


def _seat(table: Table, seat: int, sitter: Sitter, points: int, place: int, decided: Decided) -> SeatResult:
    course = table.course
    return SeatResult(
        seat=seat,
        account=sitter.account,
        bot=sitter.bot,
        points=points,
        place=place,
        share=1 / len(decided.winners) if seat in decided.winners else 0.0,
        left="resigned" if sitter.resigned else "away" if sitter.away else None,
        stood_in=seat in course.stood_in,
        first=seat == course.first,
        decisions=course.decisions[seat],
        thinking_ms=course.thinking_ms[seat],
    )


def untold(row: Mapping[Any, Any], log: Sequence[Event]) -> Result:
    """What is left to say of a match whose rules are not known here any more: who sat there, and when."""
    sitters = {event.seat: event.content for event in log if event.kind == Kind.SIT}
    began = next((event.at for event in log if event.kind == Kind.START), row["created_at"])
    return Result(
        table=row["id"],
        game=row["game"],
        began_at=began,
        ended_at=row["updated_at"],
        reason=None,
        moves=len(standing(log)),
        taken_back=False,
        seats=[
            SeatResult(seat=seat, account=who.get("account"), bot=who.get("bot"), points=None, place=None, share=None)
            for seat, who in sitters.items()
            if seat is not None
        ],
    )
