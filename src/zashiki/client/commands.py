"""The commands of programs that play at a server: bot, mcp. What they need is loaded when they run."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from zashiki.bots.levels import LEVELS
from zashiki.core.errors import MissingPackages, ZashikiError
from zashiki.games import GAMES
from zashiki.options import options_of

HERE = "http://127.0.0.1:8000"
RESTART_S = 600.0
"""How long a bot that was connected once waits for a server that has gone away."""
Run = Callable[[argparse.Namespace], None]


class NoServer(ZashikiError):
    """The server cannot be reached, or wants no more of us."""


def add_commands(commands: Any) -> None:
    """Adds them to the command line."""
    who = argparse.ArgumentParser(add_help=False)
    who.add_argument("--token", metavar="TOKEN", help="of the program's account (default: $ZASHIKI_TOKEN, else it is a guest)")
    _add_bot(commands, who)
    _add_mcp(commands, who)


def _add_bot(commands: Any, who: argparse.ArgumentParser) -> None:
    bot = commands.add_parser("bot", parents=[who], help="seat a bot of yours, or of the house, at a table of a server")
    bot.add_argument("bot", metavar="BOT", help="package.module:Class, exec:COMMAND, a level or a kind; @500 or @0.2s limits it")
    bot.add_argument("--server", metavar="URL", help=f"where it plays (default: $ZASHIKI_SERVER, else {HERE})")
    bot.add_argument("--table", metavar="LINK", help="sit down at this table: its link or its id")
    bot.add_argument("--seat", type=int, metavar="N", help="in this seat, from 0 (default: any)")
    bot.add_argument("--game", metavar="GAME", help=f"open a table of this game: {', '.join(GAMES)}")
    bot.add_argument("--seats", type=int, metavar="K", help="how many play at it (default: the fewest possible)")
    bot.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    bot.add_argument("--against", choices=LEVELS, help="with bots of the house in the other seats (default: whoever comes)")
    bot.add_argument("--lobby", action="store_true", help="sit down at open tables as they come, with --game only of that game")
    bot.add_argument("--matches", type=int, metavar="N", help="so many, then leave (default: no end; --against: 1)")
    bot.set_defaults(run=_command(_bot, "zashiki[server]"))


def _add_mcp(commands: Any, who: argparse.ArgumentParser) -> None:
    mcp = commands.add_parser(
        "mcp", parents=[who], help="let an assistant play: a Model Context Protocol server on stdin and stdout"
    )
    mcp.add_argument("--server", metavar="URL", help="where it plays (default: $ZASHIKI_SERVER, else a server of its own)")
    mcp.set_defaults(run=_command(_mcp, "zashiki[mcp,server]"))


def _command(run: Run, extra: str) -> Run:
    """Says what to install where packages are missing, and tells what a server refuses like any other error."""

    @wraps(run)
    def checked(arguments: argparse.Namespace) -> None:
        try:
            from zashiki.client import Closed, Refused

            try:
                run(arguments)
            except (Refused, Closed) as error:
                raise NoServer(str(error)) from None
        except ModuleNotFoundError as error:
            package = (error.name or "zashiki").partition(".")[0]
            if package == "zashiki":
                raise
            raise MissingPackages(f"this needs {package} and more: pip install '{extra}'") from None

    return checked


def _bot(arguments: argparse.Namespace) -> None:
    from zashiki.bots import find_bot

    if sum(map(bool, (arguments.table, arguments.lobby, arguments.game and not arguments.lobby))) != 1:
        raise ZashikiError("say where it shall play: --table LINK, --game GAME for a table of its own, or --lobby")
    # Bots of one's own are found where one is.
    sys.path.append(str(Path.cwd()))
    find_bot(GAMES.get(arguments.game or "", next(iter(GAMES.values()))), arguments.bot)
    logging.basicConfig(format="%(message)s")
    logging.getLogger("zashiki.engine").setLevel(logging.INFO)
    asyncio.run(_visit(arguments))


async def _visit(arguments: argparse.Namespace) -> None:
    from zashiki.client.client import Client
    from zashiki.client.visitor import Visitor, table_in

    url = arguments.server or os.environ.get("ZASHIKI_SERVER") or HERE
    matches = 1 if arguments.against and arguments.matches is None else arguments.matches
    try:
        async with Client(url, token=_token(arguments)) as client:
            client.timeout = RESTART_S
            _say(f"is {client.name} at {url}")
            visitor = Visitor(client, arguments.bot, _say, matches)
            if arguments.table:
                await visitor.at(table_in(arguments.table), arguments.seat)
            elif arguments.lobby:
                await visitor.in_lobby(arguments.game)
            else:
                settings = {"options": options_of(arguments.game, arguments.option)}
                await visitor.host(arguments.game, arguments.against, seats=arguments.seats, settings=settings)
    except TimeoutError:
        raise NoServer(f"the server at {url} does not answer") from None
    except ValueError as error:
        raise NoServer(str(error)) from None


def _say(words: str) -> None:
    print(words, flush=True)


def _token(arguments: argparse.Namespace) -> str | None:
    return arguments.token or os.environ.get("ZASHIKI_TOKEN") or None


def _mcp(arguments: argparse.Namespace) -> None:
    from zashiki.assistant.mcp import serve

    serve(arguments.server or os.environ.get("ZASHIKI_SERVER") or None, _token(arguments))
