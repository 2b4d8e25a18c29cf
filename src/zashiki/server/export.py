"""Finished matches out of the store, as saved-match files that anybody can replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from zashiki.core.errors import ZashikiError
from zashiki.core.match import Match, Move
from zashiki.games import GAMES
from zashiki.server.log import Event, standing
from zashiki.server.schema import events, tables


class OtherRulesPlayed(ZashikiError):
    """The match was played by rules that this version does not know."""


class Exported(NamedTuple):
    """How many matches were written, were there already, or belong to rules that this version does not know."""

    written: int
    kept: int
    skipped: int


def moves_of(log: Iterable[Event]) -> list[Move]:
    """The moves that stand: those made, less those taken back."""
    moves: list[Move] = []
    for event in standing(log):
        assert event.seat is not None
        assert event.action is not None
        moves.append(Move(event.seat, event.action))
    return moves


def match_of(table: Row[Any], log: Iterable[Event]) -> Match:
    """A table's match after all that is in its log."""
    game = GAMES.get(table.game)
    if game is None or game.version != table.rules:
        raise OtherRulesPlayed(f"table {table.id} plays {table.game} by version {table.rules} of its rules, not known here")
    match = Match(game, table.seats, options=table.settings["options"], seed=table.seed)
    for seat, action in moves_of(log):
        match.act(seat, action)
    return match


def log_of(connection: Connection, table_id: str) -> list[Event]:
    """All that has happened at a table."""
    query = events.select().where(events.c.table_id == table_id).order_by(events.c.number)
    return [Event._make(row) for row in connection.execute(query)]


def export(connection: Connection, folder: Path) -> Exported:
    """Writes each finished match that is not there yet into a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    written = kept = skipped = 0
    for table in finished(connection):
        file = folder / _name(table)
        if file.exists():
            kept += 1
            continue
        try:
            text = match_of(table, log_of(connection, table.id)).save()
        except OtherRulesPlayed:
            skipped += 1
            continue
        _put(file, text)
        written += 1
    return Exported(written, kept, skipped)


def finished(connection: Connection) -> Iterator[Row[Any]]:
    """The tables whose match is over, oldest first."""
    over = select(tables).where(tables.c.status == "over").order_by(tables.c.created_at, tables.c.id)
    yield from connection.execute(over).all()


def _name(table: Row[Any]) -> str:
    day = datetime.fromtimestamp(table.created_at / 1000, UTC).date()
    return f"{table.game}-{day}-{table.id}.zashiki.json"


def _put(file: Path, text: str) -> None:
    """All of it or nothing: a file that is there counts as written."""
    partial = file.with_suffix(".partial")
    partial.write_text(text, "utf-8")
    partial.rename(file)
