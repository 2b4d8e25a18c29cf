"""The administrator's lists on paper: plain tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from zashiki.server.admin import FOR_EVER, AccountRow, TableRow, TableSheet


def as_json(value: Any) -> str:
    """Anything from the desk, readable."""
    return json.dumps(msgspec.to_builtins(value), indent=2, ensure_ascii=False)


def print_tables(console: Console, rows: Sequence[TableRow]) -> None:
    """A list of tables."""
    grid = _grid("table", "game", "status", "people", "host", "changed")
    for row in rows:
        status = f"{row.status}, private" if row.private else row.status
        people = f"{len(row.people)}/{row.seats} {', '.join(row.people)}"
        _add(grid, row.id, row.game, status, people, row.host, moment(row.updated_at))
    console.print(grid)


def print_accounts(console: Console, rows: Sequence[AccountRow]) -> None:
    """A list of accounts."""
    grid = _grid("id", "kind", "name", "since", "last seen", "")
    for row in rows:
        _add(grid, row.id, row.kind, row.name, moment(row.created_at), moment(row.seen_at), _remark(row))
    console.print(grid)


def print_table(console: Console, sheet: TableSheet) -> None:
    """One table."""
    lines = [
        f"{sheet.game} (rules {sheet.rules}), {sheet.status}, opened {moment(sheet.created_at)} by {sheet.host}",
        f"settings: {json.dumps(sheet.settings, ensure_ascii=False)}",
        *(f"seat {seat}: {_sitter(sitter)}" for seat, sitter in enumerate(sheet.seats)),
        *([f"seed: {sheet.seed}"] if sheet.seed else []),
        *(f"{number}. {line}" for number, line in enumerate(sheet.log, 1)),
        *([f"won by {sheet.outcome}"] if sheet.outcome else []),
    ]
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def moment(at: int) -> str:
    """A time as people write it."""
    return "for ever" if at >= FOR_EVER else datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _grid(*headings: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        grid.add_column(heading, overflow="fold", no_wrap=heading != "people")
    return grid


def _add(grid: Grid, *cells: Any) -> None:
    # Names are text that somebody chose, not markup.
    grid.add_row(*(Text(str(cell)) for cell in cells))


def _remark(row: AccountRow) -> str:
    if row.erased_at:
        return f"erased {moment(row.erased_at)}"
    if row.banned_until:
        return f"banned until {moment(row.banned_until)}" + (f": {row.ban_reason}" if row.ban_reason else "")
    return f"program of {row.owner}" if row.owner else ""


def _sitter(sitter: Any) -> str:
    if sitter is None:
        return "empty"
    kind = f"bot, {sitter.bot}" if sitter.bot else f"account {sitter.account}{', a program' if sitter.program else ''}"
    state = ", resigned" if sitter.resigned else ", away" if sitter.away else ""
    return f"{sitter.name} ({kind}{state})"
