"""What kept reviews say of the seats of their matches, counted."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, select

from zashiki.review.report import SeatReview
from zashiki.server.schema import reviews


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's decisions in a match that was reviewed. `best`: as the strongest level would have decided.

    `risks`: worth less than the best choice, with results further apart; null where the review does not tell.
    """

    decisions: int
    best: int
    blunders: int
    risks: int | None = None


class _Kept(msgspec.Struct):
    """As much of a kept review as is counted, whatever its format."""

    seats: list[SeatReview]


def judged(tables: Sequence[str], connection: Connection) -> dict[str, list[Judged]]:
    """By table, of those with a review that can be read: each seat's decisions."""
    query = select(reviews.c.table_id, reviews.c.content).where(reviews.c.table_id.in_(tables))
    found = ((row.table_id, _seats(row.content)) for row in connection.execute(query))
    return {table: [_count(seat) for seat in seats] for table, seats in found if seats}


def _seats(content: bytes) -> list[SeatReview]:
    try:
        return msgspec.json.decode(zlib.decompress(content), type=_Kept).seats
    except msgspec.ValidationError:
        return []


def _count(seat: SeatReview) -> Judged:
    return Judged(
        decisions=sum(seat.grades.values()),
        best=seat.grades.get("best", 0),
        blunders=seat.grades.get("blunder", 0),
        risks=seat.risks,
    )
