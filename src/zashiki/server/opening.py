"""Opening a table: who sits where from the start, and the first rows of its log."""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from typing import Any

import msgspec

from zashiki.core.errors import UnknownGame, WrongOption, WrongSeats
from zashiki.games import find
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.log import Event, Kind
from zashiki.server.messages import NewTable
from zashiki.server.names import bot_name
from zashiki.server.table import Table, check_level

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16}")

Sitting = dict[int, dict[str, Any]]
"""Who sits where, as the log tells it."""


SEED_BYTES, NAME_BYTES = 16, 10
"""A table's name has 80 bits that nobody guesses."""


def drawn() -> tuple[str, str]:
    """A new table's seed and name, from one look at the operating system's entropy."""
    entropy = secrets.token_bytes(SEED_BYTES + NAME_BYTES)
    return entropy[:SEED_BYTES].hex(), b32encode(entropy[SEED_BYTES:]).decode().lower()


def is_table_id(text: str) -> bool:
    """Whether this can be a table's name at all."""
    return _TABLE_ID.fullmatch(text) is not None


def sitting(account: Account, wanted: NewTable) -> Sitting:
    """Who sits where at the start, if the wanted table can be."""
    seats = _check_game(wanted)
    for level in (*wanted.bots.values(), wanted.settings.stand_in):
        check_level(find(wanted.game), level)
    found: Sitting = {seat: {"name": bot_name(seat), "bot": level} for seat, level in wanted.bots.items()}
    if wanted.seat is not None:
        if wanted.seat in found:
            raise Refused("seat taken", f"seat {wanted.seat} is the host's own, no bot can sit there")
        found[wanted.seat] = {"name": account.name, "account": account.id, "program": account.kind == "bot"}
    wrong = [seat for seat in found if not 0 <= seat < seats]
    if wrong:
        raise Refused("wrong settings", f"this table has seats 0 to {seats - 1}, there is no seat {wrong[0]}")
    return found


def _check_game(wanted: NewTable) -> int:
    try:
        game = find(wanted.game)
        game.full_options(wanted.settings.options)
        return game.check_seats(game.seats[0] if wanted.seats is None else wanted.seats)
    except UnknownGame as error:
        raise Refused("unknown game", str(error)) from None
    except (WrongSeats, WrongOption) as error:
        raise Refused("wrong settings", str(error)) from None


def first_rows(
    host: int, wanted: NewTable, found: Sitting, at: int, ticks: int, name: str | None = None
) -> tuple[dict[str, Any], list[Event]]:
    """The row of a new table, under a new name if it has none, and the first events of its log."""
    seed, new_id = drawn()
    new_id = name or new_id
    game = find(wanted.game)
    seats = wanted.seats or game.seats[0]
    settings = msgspec.structs.replace(wanted.settings, options=game.full_options(wanted.settings.options))
    starts = wanted.start and len(found) == seats
    row = {
        "id": new_id,
        "game": game.id,
        "rules": game.version,
        "seats": seats,
        "settings": msgspec.to_builtins(settings),
        "seed": seed,
        "listed": not settings.private,
        "status": "playing" if starts else "waiting",
        "host_id": host,
        "created_at": at,
        "updated_at": at,
    }
    steps: list[tuple[Kind, int | None, str | None]] = [
        (Kind.SIT, seat, msgspec.json.encode(detail).decode()) for seat, detail in sorted(found.items())
    ]
    if starts:
        steps.append((Kind.START, None, None))
    due = ticks if starts else None
    events = [
        Event(new_id, number, kind, seat, None, at, ticks, due, host, None, detail)
        for number, (kind, seat, detail) in enumerate(steps, 1)
    ]
    return row, events


def next_rows(table: Table, at: int, ticks: int) -> tuple[dict[str, Any], list[Event]]:
    """The same for a rematch: a new table with the same people and options, at which the match begins at once."""
    found: Sitting = {
        seat: {"name": sitter.name, "account": sitter.account, "bot": sitter.bot, "program": sitter.program}
        for seat, sitter in enumerate(table.seats)
        if sitter is not None
    }
    wanted = NewTable(game=table.game.id, seats=len(table.seats), settings=table.settings, start=True)
    return first_rows(table.host, wanted, found, at, ticks)
