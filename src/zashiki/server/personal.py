"""Personal data: all that the server knows about somebody, to take along or to erase."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, Select, Table, bindparam, delete, or_, select, update

from zashiki.server.claims import lock_account
from zashiki.server.judged import judged
from zashiki.server.log import Kind
from zashiki.server.names import ERASED
from zashiki.server.schema import (
    accounts,
    events,
    league_players,
    leagues,
    mutes,
    passkeys,
    players,
    presences,
    push_subscriptions,
    ratings,
    recovery_codes,
    result_seats,
    results,
    reviews,
    sessions,
    tables,
    talk,
    tokens,
)
from zashiki.server.store import now_ms

OF_AN_ACCOUNT = (sessions, tokens, passkeys, recovery_codes, mutes, push_subscriptions, presences, ratings)
"""What goes with its account."""


_OWN_RESULT = [column for column in result_seats.c if column.name not in ("result", "account_id")]


class PersonalData(msgspec.Struct, frozen=True):
    """Everything about one account. Secrets are kept as hashes, and even these stay here."""

    account: dict[str, Any]
    sessions: list[dict[str, Any]]
    passkeys: list[dict[str, Any]]
    recovery_codes_left: int
    bots: list[dict[str, Any]]
    companions: list[dict[str, Any]]
    mutes: list[dict[str, Any]]
    push_subscriptions: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    results: list[dict[str, Any]]
    ratings: list[dict[str, Any]]
    reviews: list[dict[str, Any]]
    leagues: list[dict[str, Any]]
    talk: list[dict[str, Any]]


def personal_data(connection: Connection, account: int) -> PersonalData:
    """A copy of all of it."""

    def rows(query: Select[Any]) -> list[dict[str, Any]]:
        return [dict(row._mapping) for row in connection.execute(query)]

    def of(table: Table, *columns: str) -> list[dict[str, Any]]:
        return rows(select(*(table.c[column] for column in columns)).where(table.c.account_id == account))

    about = ("id", "kind", "name", "created_at", "seen_at", "banned_until", "ban_reason", "on_boards")
    owned = rows(select(*(accounts.c[column] for column in about)).where(accounts.c.owner_id == account))
    played = select(tables.c.id, tables.c.game, tables.c.status, tables.c.created_at, players.c.seat).join(players)
    ended = select(results.c.table_id, results.c.ended_at, results.c.reason, results.c.unrated, *_OWN_RESULT).join(result_seats)
    plays = select(league_players.c.league_id).where(league_players.c.account_id == account)
    held = (leagues.c.host_id == account) | leagues.c.id.in_(plays)
    unused = select(recovery_codes.c.hash).where(recovery_codes.c.account_id == account, recovery_codes.c.used_at.is_(None))
    return PersonalData(
        account=rows(select(*(accounts.c[column] for column in about)).where(accounts.c.id == account))[0],
        sessions=of(sessions, "agent", "created_at", "seen_at"),
        passkeys=of(passkeys, "label", "created_at", "seen_at"),
        recovery_codes_left=len(connection.execute(unused).all()),
        bots=[row | {"tokens": _tokens(connection, row["id"])} for row in owned if row["kind"] == "bot"],
        companions=[row for row in owned if row["kind"] == "guest"],
        mutes=rows(
            select(accounts.c.id, accounts.c.name)
            .join(mutes, mutes.c.muted_id == accounts.c.id)
            .where(mutes.c.account_id == account)
        ),
        push_subscriptions=of(push_subscriptions, "endpoint", "created_at"),
        matches=rows(played.where(players.c.account_id == account).order_by(tables.c.created_at)),
        results=rows(ended.where(result_seats.c.account_id == account).order_by(results.c.number)),
        ratings=of(ratings, "game", "rating", "deviation", "matches", "updated_at"),
        reviews=_reviews(connection, account),
        leagues=rows(select(leagues.c.id, leagues.c.name, leagues.c.game, leagues.c.status, leagues.c.created_at).where(held)),
        talk=rows(select(talk.c.table_id, talk.c.at, talk.c.text).where(talk.c.account_id == account).order_by(talk.c.at)),
    )


def erase(connection: Connection, account: int) -> list[int]:
    """Erases an account with its bots and companions; their numbers are returned.

    Matches and their results stay, without a name, a rating or how long was thought; what was said is blank, reviews are
    deleted. A seat at an unfinished table stays empty, as if its player had gone.
    """
    lock_account(connection, account)
    owned = select(accounts.c.id).where(accounts.c.owner_id == account, accounts.c.erased_at.is_(None))
    erased = [account, *connection.execute(owned).scalars()]
    for table in OF_AN_ACCOUNT:
        connection.execute(delete(table).where(table.c.account_id.in_(erased)))
    connection.execute(delete(mutes).where(mutes.c.muted_id.in_(erased)))
    played = select(players.c.table_id).where(players.c.account_id.in_(erased))
    connection.execute(delete(reviews).where(reviews.c.table_id.in_(played)))
    connection.execute(update(talk).where(talk.c.account_id.in_(erased)).values(text="", name=ERASED))
    unknown = dict.fromkeys(("rating_before", "deviation_before", "rating_after", "deviation_after")) | {"thinking_ms": 0}
    connection.execute(update(result_seats).where(result_seats.c.account_id.in_(erased)).values(unknown))
    nobody = {"name": ERASED, "name_key": None, "password": None, "ban_reason": None, "on_boards": False, "erased_at": now_ms()}
    connection.execute(update(accounts).where(accounts.c.id.in_(erased)).values(nobody))
    return erased


def seats_taken(connection: Connection, erased: list[int]) -> list[dict[str, Any]]:
    """The lines of all logs that name these accounts, without the name.

    There is no index for this: it reads through the logs, which is why it is not part of the change itself.
    """
    named = [events.c.detail.like(f'%"account":{account}{end}%') for account in erased for end in ",}"]
    taken = select(events.c.table_id, events.c.number, events.c.detail).where(events.c.kind == Kind.SIT, or_(*named))
    found = [(row, msgspec.json.decode(row.detail)) for row in connection.execute(taken)]
    return [
        {"of": row.table_id, "line": row.number, "nameless": msgspec.json.encode(detail | {"name": ERASED}).decode()}
        for row, detail in found
        if detail.get("account") in erased
    ]


def blank_seats(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Writes these lines into the logs. Nothing that a match is replayed from changes."""
    line = events.c.table_id == bindparam("of"), events.c.number == bindparam("line")
    connection.execute(update(events).where(*line).values(detail=bindparam("nameless")), rows)


def _reviews(connection: Connection, account: int) -> list[dict[str, Any]]:
    """When matches of an account were reviewed, and how its own decisions were judged."""
    query = select(reviews.c.table_id, reviews.c.at, players.c.seat).join(players, players.c.table_id == reviews.c.table_id)
    rows = connection.execute(query.where(players.c.account_id == account).order_by(reviews.c.at)).all()
    found = judged([row.table_id for row in rows], connection)
    known = [row for row in rows if row.table_id in found]
    return [{"table_id": row.table_id, "at": row.at} | msgspec.structs.asdict(found[row.table_id][row.seat]) for row in known]


def _tokens(connection: Connection, bot: int) -> list[dict[str, Any]]:
    query = select(tokens.c.label, tokens.c.created_at, tokens.c.seen_at).where(tokens.c.account_id == bot)
    return [dict(row._mapping) for row in connection.execute(query)]
