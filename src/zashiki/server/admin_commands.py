"""`zashiki admin`: the desk on the command line."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from zashiki.core.errors import ZashikiError
from zashiki.server.running import command, existing

if TYPE_CHECKING:
    from zashiki.server.admin import Desk


def add_admin(commands: Any, where: argparse.ArgumentParser) -> None:
    """Adds it to the command line."""
    admin = commands.add_parser("admin", help="see and decide what happens on the server, beside it while it runs")
    actions = admin.add_subparsers(title="what", required=True, metavar="WHAT")

    def add(name: str, work: Callable[[Desk, argparse.Namespace], Awaitable[None]], help_text: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = actions.add_parser(name, parents=[where], help=help_text)
        parser.set_defaults(run=command(lambda arguments: _at_desk(work, arguments)))
        return parser

    tables = add("tables", _tables, "list tables, the latest changed first")
    tables.add_argument("--status", choices=["waiting", "playing", "over", "closed"])
    tables.add_argument("--game")
    tables.add_argument("--account", metavar="NAME|ID", help="only those where somebody sits or which somebody opened")
    accounts = add("accounts", _accounts, "list accounts, the latest seen first")
    accounts.add_argument("text", nargs="?", default="", help="only names that contain this")
    accounts.add_argument("--banned", action="store_true", help="only those who are kept out")
    for parser in (tables, accounts):
        parser.add_argument("--limit", type=int, default=50, help="how many (default: 50)")

    table = add("table", _table, "one table with its log, without what is hidden")
    table.add_argument("--secrets", action="store_true", help="with what is hidden: the seed and everybody's choices")
    close = add("close", _close, "close a table")
    close.add_argument("--reason", help="told to whoever sits there")
    for parser in (table, close):
        parser.add_argument("id", metavar="ID")
    for parser in (tables, accounts, table):
        parser.add_argument("--json", action="store_true", help="print JSON for programs")

    ban = add("ban", _ban, "keep an account and its programs out")
    ban.add_argument("--days", type=float, help="for so long (default: for ever)")
    ban.add_argument("--reason", default="", help="told to whoever is kept out")
    unban = add("unban", _unban, "let it in again")
    personal = add("export-account", _export_account, "everything that is known about somebody, as JSON")
    erase = add("erase", _erase, "erase somebody's personal data; matches stay, without a name")
    erase.add_argument("--yes", action="store_true", help="do not ask")
    add("recompute-ratings", _recompute_ratings, "work all ratings out again from the results of matches")
    for parser in (ban, unban, personal, erase):
        parser.add_argument("account", metavar="NAME|ID")


def _at_desk(work: Callable[[Desk, argparse.Namespace], Awaitable[None]], arguments: argparse.Namespace) -> None:
    from zashiki.server.admin import desk

    async def main() -> None:
        async with desk(existing(arguments).database_url) as opened:
            await work(opened, arguments)

    asyncio.run(main())


async def _tables(desk: Desk, arguments: argparse.Namespace) -> None:
    from zashiki.server import sheets

    account = (await desk.find(arguments.account)).id if arguments.account else None
    rows = await desk.tables(status=arguments.status, game=arguments.game, account=account, limit=arguments.limit)
    _show(sheets.print_tables, rows, arguments)


async def _table(desk: Desk, arguments: argparse.Namespace) -> None:
    from zashiki.server import sheets

    _show(sheets.print_table, await desk.table(arguments.id, show_secrets=arguments.secrets), arguments)


async def _accounts(desk: Desk, arguments: argparse.Namespace) -> None:
    from zashiki.server import sheets

    rows = await desk.accounts(arguments.text, banned=arguments.banned, limit=arguments.limit)
    _show(sheets.print_accounts, rows, arguments)


def _show(show: Callable[[Any, Any], None], value: Any, arguments: argparse.Namespace) -> None:
    from rich.console import Console

    from zashiki.server import sheets

    if arguments.json:
        print(sheets.as_json(value))
    else:
        show(Console(highlight=False, width=None if sys.stdout.isatty() else 200), value)


async def _close(desk: Desk, arguments: argparse.Namespace) -> None:
    await desk.close(arguments.id, arguments.reason)
    print(f"table {arguments.id} is closed")


async def _ban(desk: Desk, arguments: argparse.Namespace) -> None:
    from zashiki.server.sheets import moment

    account = await desk.find(arguments.account)
    until = await desk.ban(account.id, arguments.days, arguments.reason)
    print(f"{account.name} (account {account.id}) is kept out: {moment(until)}")


async def _unban(desk: Desk, arguments: argparse.Namespace) -> None:
    account = await desk.find(arguments.account)
    await desk.unban(account.id)
    print(f"{account.name} (account {account.id}) may come in again")


async def _export_account(desk: Desk, arguments: argparse.Namespace) -> None:
    from zashiki.server.sheets import as_json

    print(as_json(await desk.personal_data((await desk.find(arguments.account)).id)))


async def _recompute_ratings(desk: Desk, arguments: argparse.Namespace) -> None:
    print(f"{await desk.recompute_ratings():,} matches were rated again")


async def _erase(desk: Desk, arguments: argparse.Namespace) -> None:
    account = await desk.find(arguments.account)
    if not arguments.yes:
        question = f"Erase {account.name} (account {account.id})? It cannot be undone. Type yes: "
        if not sys.stdin.isatty() or input(question) != "yes":
            raise ZashikiError("nothing was erased: answer yes, or say --yes")
    await desk.erase(account.id)
    print(f"account {account.id} and its programs are erased")
