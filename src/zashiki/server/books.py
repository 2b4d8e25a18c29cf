"""The books: the result of every match that is over, and the ratings that follow from them in the order of their numbers.

Results are what the logs lead to, so that writing one again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, select, text, tuple_, update

from zashiki.server.engine import by_driver
from zashiki.server.errors import Refused
from zashiki.server.ledger import folded, read_events
from zashiki.server.migrate import LOCK
from zashiki.server.rating import Rating, of_bot, rated
from zashiki.server.results import Result, SeatResult, result_of, untold
from zashiki.server.schema import accounts, hinted, ratings, result_seats, results, tables
from zashiki.server.statements import text_of

Place = tuple[int, str]
"""Where we are among the tables: when one last changed, and its id."""
Known = dict[int, Rating]
SeatRatings = list[tuple[Rating, Rating] | None]


def missing(after: Place, until: int | None, limit: int, connection: Connection) -> Sequence[Row[Any]]:
    """Tables whose match is over and has no result, in the order in which they ended."""
    moment = tuple_(tables.c.updated_at, tables.c.id)
    query = select(tables).outerjoin(results, results.c.table_id == tables.c.id)
    query = query.where(tables.c.status == "over", results.c.number.is_(None), moment > after)
    if until is not None:
        query = query.where(tables.c.updated_at < until)
    return connection.execute(query.order_by(tables.c.updated_at, tables.c.id).limit(limit)).all()


def read_result(row: Row[Any], connection: Connection) -> Result | None:
    """The result of a match that is over, from its log; None if the log says that it is not."""
    log = read_events(row.id, 0, connection)
    try:
        return result_of(folded(row._mapping, log))
    except Refused:
        return untold(row._mapping, log)


def write_results(found: Sequence[Result], connection: Connection) -> None:
    """Writes what is not written yet, and the ratings that follow. Processes do so one after the other."""
    if not found:
        return
    take_turns(connection)
    written = select(results.c.table_id).where(results.c.table_id.in_([each.table for each in found]))
    known = set(connection.execute(written).scalars())
    fresh = {each.table: each for each in found if each.table not in known}
    if fresh:
        _write_fresh(list(fresh.values()), connection)


def write_hinted(table: str, at: int, connection: Connection) -> None:
    """Notes that somebody was given a hint at a table."""
    if connection.execute(select(hinted.c.at).where(hinted.c.table_id == table)).scalar() is None:
        connection.execute(insert(hinted).values(table_id=table, at=at))


def take_turns(connection: Connection) -> None:
    """Waits for whoever else writes results; SQLite has one writer anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK + 1})"))


def _write_fresh(found: Sequence[Result], connection: Connection) -> None:
    owners = _owners({seat.account for each in found for seat in each.seats if seat.account is not None}, connection)
    helped = set(
        connection.execute(select(hinted.c.table_id).where(hinted.c.table_id.in_([each.table for each in found]))).scalars()
    )
    for result in found:
        unrated = why_unrated(result, owners, hints=result.table in helped)
        number = _insert_result(result, unrated, connection)
        changes: SeatRatings = [None] * len(result.seats)
        if unrated is None:
            changes = changed(result, _ratings(result, owners, connection))
        _insert_seats(number, result, changes, owners, connection)
        _keep_ratings(result, changes, owners, connection)


def _owners(wanted: Iterable[int], connection: Connection) -> dict[int, int]:
    """Who is behind each account: a companion's or program's owner, else the account itself. Who was erased is not there."""
    query = select(accounts.c.id, accounts.c.owner_id).where(accounts.c.id.in_(list(wanted)), accounts.c.erased_at.is_(None))
    return {row.id: row.owner_id or row.id for row in connection.execute(query)}


def why_unrated(result: Result, owners: dict[int, int], *, hints: bool) -> str | None:
    """Why a match does not count for ratings; None: it does."""
    people = [seat.account for seat in result.seats if seat.account is not None]
    behind = [owners.get(each, each) for each in people]
    if result.reason is None:
        return "other rules"
    if not people:
        return "bots alone"
    if len(set(behind)) < len(behind):
        return "same person"
    if result.taken_back:
        return "taken back"
    if hints:
        return "hints"
    if any(seat.account is None and of_bot(result.game, seat.bot or "") is None for seat in result.seats):
        return "unmeasured bot"
    return None


def changed(result: Result, known: Known) -> SeatRatings:
    """The rating of each seat before and after a match. Bots stay what they are, and whoever was not there at the end is last."""
    before = [_before(result.game, seat, known) for seat in result.seats]
    last = max(seat.place or 0 for seat in result.seats) + 1
    ranks = [last if seat.left and seat.account is not None else seat.place or last for seat in result.seats]
    after = rated(before, ranks)
    seats = zip(result.seats, before, after, strict=True)
    return [(old, new) if seat.account is not None else (old, old) for seat, old, new in seats]


def _before(game: str, seat: SeatResult, known: Known) -> Rating:
    if seat.account is not None:
        return known.get(seat.account, Rating())
    return of_bot(game, seat.bot or "") or Rating()


def _ratings(result: Result, owners: dict[int, int], connection: Connection) -> Known:
    people = [seat.account for seat in result.seats if seat.account in owners]
    query = select(ratings).where(ratings.c.game == result.game, ratings.c.account_id.in_(people))
    return {row.account_id: Rating(row.rating, row.deviation) for row in connection.execute(query)}


def _insert_result(result: Result, unrated: str | None, connection: Connection) -> int:
    row = {
        "table_id": result.table,
        "game": result.game,
        "began_at": result.began_at,
        "ended_at": result.ended_at,
        "reason": result.reason,
        "moves": result.moves,
        "unrated": unrated,
    }
    key = connection.execute(insert(results).values(row)).inserted_primary_key
    assert key is not None
    return int(key[0])


_INSERT_SEAT = insert(result_seats)


def _insert_seats(number: int, result: Result, changes: SeatRatings, owners: dict[int, int], connection: Connection) -> None:
    statement = text_of(connection.dialect, _INSERT_SEAT)
    rows = []
    for seat, change in zip(result.seats, changes, strict=True):
        mine = msgspec.structs.asdict(seat)
        gone = seat.account is not None and seat.account not in owners
        if gone:
            mine["thinking_ms"] = 0
        mine |= {"result": number, "account_id": mine.pop("account"), **rating_columns(None if gone else change)}
        rows.append(statement.row(mine))
    by_driver(connection, statement.text, rows)


def rating_columns(change: tuple[Rating, Rating] | None) -> dict[str, float | None]:
    """A change of rating as the store keeps it."""
    if change is None:
        return dict.fromkeys(("rating_before", "deviation_before", "rating_after", "deviation_after"))
    (rating, deviation), (later, surer) = change
    return {"rating_before": rating, "deviation_before": deviation, "rating_after": later, "deviation_after": surer}


def _keep_ratings(result: Result, changes: SeatRatings, owners: dict[int, int], connection: Connection) -> None:
    for seat, change in zip(result.seats, changes, strict=True):
        if change is None or seat.account is None or seat.account not in owners:
            continue
        new = {"rating": change[1].rating, "deviation": change[1].deviation, "updated_at": result.ended_at}
        here = (ratings.c.account_id == seat.account) & (ratings.c.game == result.game)
        kept = connection.execute(update(ratings).where(here).values(new | {"matches": ratings.c.matches + 1}))
        if not kept.rowcount:
            row = new | {"account_id": seat.account, "game": result.game, "matches": 1}
            connection.execute(insert(ratings).values(row))
