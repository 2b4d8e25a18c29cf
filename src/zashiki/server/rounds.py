"""The rounds of a league: of several processes the store lets one make each of them."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection, func, insert, select

from zashiki.games import find
from zashiki.server.accounts import Account
from zashiki.server.books import take_turns
from zashiki.server.errors import Refused
from zashiki.server.leagues import League, NewLeague, check_host, read_league, set_league, table_of
from zashiki.server.ledger import write_table
from zashiki.server.log import Event
from zashiki.server.opening import SEED_BYTES, Sitting, first_rows
from zashiki.server.pairing import Group, Past, circle, grouped, seated, sizes_of, swiss
from zashiki.server.schema import league_players, league_tables

NewRow = tuple[dict[str, Any], list[Event]]
"""A table's row and its first events."""


def start(league: str, account: Account, at: int, ticks: int, connection: Connection) -> list[NewRow]:
    """The host begins: bots fill up, and the first round is made."""
    take_turns(connection)
    found = read_league(league, connection)
    check_host(found, account)
    if found.status != "gathering":
        return []
    _fill_up(found, connection)
    count = connection.execute(select(func.count()).where(league_players.c.league_id == league)).scalar_one()
    _check_sizes(found.agreed, count)
    everybody = found.agreed.seats == 2 and found.agreed.form == "round robin"
    set_league(league, at, connection, status="playing", rounds=count - 1 + count % 2 if everybody else found.rounds)
    return advance(league, at, ticks, connection)


def _fill_up(found: League, connection: Connection) -> None:
    level, first = found.agreed.bots, 1 + max((player.number for player in found.players), default=0)
    missing = found.agreed.size - len(found.players) if level else 0
    rows = [{"league_id": found.id, "number": number, "bot": level} for number in range(first, first + missing)]
    if rows:
        connection.execute(insert(league_players), rows)


def _check_sizes(agreed: NewLeague, count: int) -> None:
    if count < agreed.seats:
        raise Refused("not started", f"{agreed.seats} play at a table and there are {count}: wait, or let bots fill up")
    sizes = set(sizes_of(count, agreed.seats))
    if agreed.seats == 2:
        sizes = {2}
    if not sizes <= set(find(agreed.game).seats) or (agreed.duplicate and len(sizes) > 1):
        raise Refused("not started", f"{count} cannot be split into tables of {agreed.seats}: let bots fill up")
    if agreed.duplicate and count % agreed.seats:
        raise Refused("not started", "where all play the same deal nobody can rest: let bots fill up")


def advance(league: str, at: int, ticks: int, connection: Connection) -> list[NewRow]:
    """If the present round is over, makes the next, or ends the league; the new tables. Whoever comes second makes nothing."""
    take_turns(connection)
    found = read_league(league, connection)
    if found.status != "playing" or not all(meeting.ended for meeting in found.present):
        return []
    if found.round >= found.rounds:
        set_league(league, at, connection, status="over")
        return []
    set_league(league, at, connection, round=found.round + 1)
    past, seed = found.past(), secrets.token_bytes(SEED_BYTES).hex()
    made = [_open(found, seated(group, past), seed, at, ticks) for group in next_groups(found, past)]
    for board, (row, events, group) in enumerate(made, 1):
        write_table(row, events, connection)
        here = {"league_id": league, "round": found.round + 1, "board": board, "table_id": row["id"], "players": list(group)}
        connection.execute(insert(league_tables).values(here))
    return [(row, events) for row, events, _ in made]


def next_groups(league: League, past: Past) -> list[Group]:
    """Who meets in the next round."""
    agreed, numbers = league.agreed, sorted(player.number for player in league.players)
    order = [player.number for player in league.players] if agreed.form == "swiss" and league.round else numbers
    if agreed.seats == 2:
        return circle(numbers, league.round + 1) if agreed.form == "round robin" else swiss(order, past)
    return grouped(order, sizes_of(len(numbers), agreed.seats), past.met)


def _open(league: League, group: Group, seed: str, at: int, ticks: int) -> tuple[dict[str, Any], list[Event], Group]:
    known = {player.number: player for player in league.players}
    found: Sitting = {}
    for seat, number in enumerate(group):
        player = known[number]
        who = {"bot": player.bot} if player.account is None else {"account": player.account, "program": player.program}
        found[seat] = {"name": player.name, **who}
    row, events = first_rows(league.host, table_of(league.agreed, {}, len(group)), found, at, ticks)
    if league.agreed.duplicate:
        row["seed"] = seed
    return row, events, group
