"""Leaderboards, where the host has opened them: people who have claimed a name and agreed to be shown."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from zashiki.server.errors import Refused
from zashiki.server.rating import REACH
from zashiki.server.schema import accounts, ratings

LEAST_MATCHES = 10
"""So many rated matches are needed to be shown."""
SHOWN = 100


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody on a leaderboard. `surely`: what the rating is above with near certainty, by which people are ordered."""

    place: int
    account: int
    name: str
    rating: float
    deviation: float
    surely: float
    matches: int


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The leaderboard of a game."""

    game: str
    least_matches: int
    people: list[BoardRow]


def read_board(game: str, now: int, connection: Connection) -> Board:
    """The strongest of a game."""
    surely = (ratings.c.rating - REACH * ratings.c.deviation).label("surely")
    query = select(ratings, surely, accounts.c.name).join(accounts)
    query = query.where(
        ratings.c.game == game,
        ratings.c.matches >= LEAST_MATCHES,
        accounts.c.kind == "person",
        accounts.c.on_boards,
        accounts.c.banned_until.is_(None) | (accounts.c.banned_until < now),
    )
    rows = connection.execute(query.order_by(surely.desc(), ratings.c.account_id).limit(SHOWN)).all()
    return Board(game=game, least_matches=LEAST_MATCHES, people=[_row(place, row) for place, row in enumerate(rows, 1)])


def _row(place: int, row: Any) -> BoardRow:
    return BoardRow(
        place=place,
        account=row.account_id,
        name=row.name,
        rating=round(row.rating, 1),
        deviation=round(row.deviation, 1),
        surely=round(row.surely, 1),
        matches=row.matches,
    )


def agree(account: int, shown: bool, connection: Connection) -> None:
    """Somebody wants to be shown, or not any more."""
    here = (accounts.c.id == account) & (accounts.c.kind == "person")
    if not connection.execute(update(accounts).where(here).values(on_boards=shown)).rowcount:
        raise Refused("forbidden", "leaderboards show claimed names; claim yours first")
