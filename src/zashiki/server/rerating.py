"""All ratings worked out again from the results, as when the scale has changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from zashiki.server.books import changed, rating_columns, take_turns
from zashiki.server.rating import Rating
from zashiki.server.results import Result, SeatResult
from zashiki.server.schema import accounts, ratings, result_seats, results

Standings = dict[tuple[int, str], tuple[Rating, int, int]]
"""By account and game: the rating, how many matches it comes from, and when the last of them ended."""


def recompute(connection: Connection) -> int:
    """Works all ratings out again from the results; how many results count. Who was erased counts for the others' sake."""
    take_turns(connection)
    gone = set(connection.execute(select(accounts.c.id).where(accounts.c.erased_at.is_not(None))).scalars())
    known: Standings = {}
    found = list(_rated_results(connection))
    rows = [row for number, result in found for row in _rerated(number, result, known, gone)]
    if rows:
        connection.execute(_SET_RATINGS, rows)
    _keep(known, gone, connection)
    return len(found)


def _rerated(number: int, result: Result, known: Standings, gone: set[int]) -> Iterator[dict[str, Any]]:
    """What the store is told of each seat; `known` goes on with the match."""
    people = [seat.account for seat in result.seats if seat.account is not None]
    before = {account: known.get((account, result.game), (Rating(), 0, 0)) for account in people}
    changes = changed(result, {account: standing[0] for account, standing in before.items()})
    for seat, change in zip(result.seats, changes, strict=True):
        assert change is not None
        if seat.account is not None:
            known[seat.account, result.game] = (change[1], before[seat.account][1] + 1, result.ended_at)
        yield {"of_result": number, "of_seat": seat.seat, **rating_columns(None if seat.account in gone else change)}


def _rated_results(connection: Connection) -> Iterator[tuple[int, Result]]:
    seats: dict[int, list[SeatResult]] = {}
    counts = results.c.unrated.is_(None)
    query = select(result_seats).join(results).where(counts).order_by(result_seats.c.result, result_seats.c.seat)
    for seat in connection.execute(query).mappings():
        fields = {name: seat[name] for name in SeatResult.__struct_fields__ if name != "account"}
        seats.setdefault(seat["result"], []).append(SeatResult(account=seat["account_id"], **fields))
    for row in connection.execute(select(results).where(counts).order_by(results.c.number)).mappings():
        fields = {name: row[name] for name in ("game", "began_at", "ended_at", "reason", "moves")}
        yield row["number"], Result(table=row["table_id"], taken_back=False, seats=seats[row["number"]], **fields)


_SET_RATINGS = (
    update(result_seats)
    .where(result_seats.c.result == bindparam("of_result"), result_seats.c.seat == bindparam("of_seat"))
    .values({name: bindparam(name) for name in rating_columns(None)})
)


def _keep(known: Standings, gone: set[int], connection: Connection) -> None:
    connection.execute(delete(ratings))
    kept = [
        {"account_id": account, "game": game, **rating._asdict(), "matches": matches, "updated_at": at}
        for (account, game), (rating, matches, at) in known.items()
        if account not in gone
    ]
    if kept:
        connection.execute(insert(ratings), kept)
