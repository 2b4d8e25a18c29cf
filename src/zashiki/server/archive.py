"""What the books tell of matches that are over: who sat there, and somebody's own matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, Select, exists, select

from zashiki.games import GAMES
from zashiki.server.judged import Judged, judged
from zashiki.server.messages import SeatInfo
from zashiki.server.names import bot_name
from zashiki.server.schema import accounts, result_seats, results, tables

Ended = Literal["won", "lost"]
Against = Literal["people", "bots"]

_NAMES = select(result_seats, accounts.c.name, accounts.c.kind).outerjoin(accounts, accounts.c.id == result_seats.c.account_id)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches: of a game, won (alone or together) or lost, against at least one person or against bots alone."""

    game: str | None = None
    ended: Ended | None = None
    against: Against | None = None


class MatchSeat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat of a match that is over. `share`: of the victory. `left`: it was given up, or its person was not there at the end.

    `rating` and `deviation`: before a rated match; 95 of 100 ratings are right within two deviations.
    """

    name: str
    account: int | None = None
    bot: str | None = None
    program: bool = False
    points: int | None = None
    place: int | None = None
    share: float | None = None
    left: Literal["resigned", "away"] | None = None
    stood_in: bool = False
    first: bool = False
    rating: float | None = None
    deviation: float | None = None


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A match of mine that is over. `unrated`: why it does not count for ratings. `replayable`: its rules are still known.

    `rating` and `deviation`: mine after it. `seconds`: how long I thought in all my `decisions` together. `judged`: by a review,
    where there is one and no bot played for me.
    """

    number: int
    table: str
    game: str
    began_at: int
    ended_at: int
    reason: str | None
    moves: int
    seat: int
    seats: list[MatchSeat]
    options: dict[str, Any]
    unrated: str | None = None
    rating: float | None = None
    deviation: float | None = None
    decisions: int = 0
    seconds: float = 0.0
    by_correspondence: bool = False
    replayable: bool = True
    judged: Judged | None = None


def seats_of(wanted: Sequence[str], connection: Connection) -> dict[str, list[SeatInfo]]:
    """Who sat at tables whose results are known, as lists of tables show it."""
    query = _NAMES.join(results).where(results.c.table_id.in_(wanted), results.c.reason.is_not(None))
    found: dict[str, list[SeatInfo]] = {}
    for row in connection.execute(query.add_columns(results.c.table_id).order_by(result_seats.c.result, result_seats.c.seat)):
        found.setdefault(row.table_id, []).append(_sitter(row))
    return found


def _sitter(row: Any) -> SeatInfo:
    return SeatInfo(
        name=row.name or bot_name(row.seat),
        account=row.account_id,
        bot=row.bot,
        program=row.kind == "bot",
        away=row.left == "away",
        resigned=row.left == "resigned",
    )


def matches_of(account: int, wanted: Wanted, before: int | None, limit: int, connection: Connection) -> list[MatchInfo]:
    """Somebody's matches that are over, the latest first; `before` is the number that the last page ended with."""
    query = _own(account, wanted).order_by(results.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(results.c.number < before)
    return list(_told(connection.execute(query).all(), connection))


def all_matches(account: int, connection: Connection, game: str | None = None) -> list[MatchInfo]:
    """All of them, the first first."""
    query = _own(account, Wanted(game=game)).order_by(results.c.number)
    return list(_told(connection.execute(query).all(), connection))


def _own(account: int, wanted: Wanted) -> Select[Any]:
    mine = result_seats.c
    columns = [column for column in mine if column.name not in ("result", "account_id")]
    query = select(results, tables.c.settings, tables.c.rules, *columns)
    query = query.join(result_seats).join(tables, tables.c.id == results.c.table_id).where(mine.account_id == account)
    if wanted.game is not None:
        query = query.where(results.c.game == wanted.game)
    if wanted.ended is not None:
        query = query.where(mine.share > 0 if wanted.ended == "won" else mine.share == 0)
    if wanted.against is not None:
        other = result_seats.alias()
        is_there = (other.c.result == results.c.number) & (other.c.account_id != account)
        people = exists(select(other.c.seat).where(is_there))
        query = query.where(people if wanted.against == "people" else ~people)
    return query


MOST_NUMBERS = 500
"""So many results are named in one question: databases limit how much they are told at once."""


def _told(rows: Sequence[Any], connection: Connection) -> Iterator[MatchInfo]:
    for start in range(0, len(rows), MOST_NUMBERS):
        page = rows[start : start + MOST_NUMBERS]
        query = _NAMES.where(result_seats.c.result.in_([row.number for row in page])).order_by(result_seats.c.seat)
        seats: dict[int, list[MatchSeat]] = {}
        for row in connection.execute(query):
            seats.setdefault(row.result, []).append(_seat(row))
        found = judged([row.table_id for row in page], connection)
        yield from (_match(row, seats[row.number], found.get(row.table_id)) for row in page)


def _seat(row: Any) -> MatchSeat:
    return MatchSeat(
        name=row.name or bot_name(row.seat),
        account=row.account_id,
        bot=row.bot,
        program=row.kind == "bot",
        points=row.points,
        place=row.place,
        share=row.share,
        left=row.left,
        stood_in=row.stood_in,
        first=row.first,
        rating=_rounded(row.rating_before),
        deviation=_rounded(row.deviation_before),
    )


def _match(row: Any, seats: list[MatchSeat], found: list[Judged] | None) -> MatchInfo:
    game, clock = GAMES.get(row.game), row.settings.get("clock") or {}
    return MatchInfo(
        number=row.number,
        table=row.table_id,
        game=row.game,
        began_at=row.began_at,
        ended_at=row.ended_at,
        reason=row.reason,
        moves=row.moves,
        seat=row.seat,
        seats=seats,
        options=row.settings.get("options", {}),
        unrated=row.unrated,
        rating=_rounded(row.rating_after),
        deviation=_rounded(row.deviation_after),
        decisions=row.decisions,
        seconds=row.thinking_ms / 1000,
        by_correspondence=clock.get("type") == "move" and clock["seconds"] >= 3600,
        replayable=game is not None and game.version == row.rules,
        judged=None if found is None or row.stood_in else found[row.seat],
    )


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 1)
