"""The arena's commands: arena and stats. What they need is loaded when they run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zashiki.games import GAMES
from zashiki.options import options_of

if TYPE_CHECKING:
    from zashiki.arena.play import Result
    from zashiki.arena.schedule import Sitting, Tournament

MATCHES = 1000


def add_commands(commands: Any) -> None:
    """Adds them to the command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    common.add_argument("--seats", type=int, metavar="K", help="how many play (default: the fewest possible)")
    common.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    common.add_argument("--seed", type=int, default=0, help="another seed gives other deals and other choices (default: 0)")
    common.add_argument("--cores", type=int, metavar="C", help="how many processes play (default: as many as there are cores)")
    common.add_argument("--ray", metavar="ADDRESS", help="play on the Ray cluster at this address instead")
    common.add_argument("--json", metavar="FILE", help="write the figures there; - prints them instead of tables")
    common.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots there")
    _add_arena(commands, common)
    _add_stats(commands, common)


def _add_arena(commands: Any, common: argparse.ArgumentParser) -> None:
    arena = commands.add_parser("arena", parents=[common], help="let bots play many matches against each other")
    arena.add_argument("bots", nargs="+", metavar="BOT", help="a level, a kind, or package.module:Class; @500 or @0.2s limits it")
    arena.add_argument(
        "--matches",
        type=int,
        default=MATCHES,
        metavar="N",
        help=f"at least so many for each pairing, in whole deals (default: {MATCHES:,})",
    )
    arena.add_argument("--together", action="store_true", help="seat all bots at one table")
    arena.add_argument("--alone", action="store_true", help="only the first bot meets the others, alone among seats of each")
    arena.add_argument("--apart", action="store_true", help="give every seat a process that is told nothing but its view")
    arena.add_argument("--parquet", type=Path, metavar="FILE", help="write a row for every match there")
    arena.add_argument("--resume", type=Path, metavar="FILE", help="keep results there as they come, and go on with those it has")
    arena.set_defaults(run=_arena)


def _add_stats(commands: Any, common: argparse.ArgumentParser) -> None:
    stats = commands.add_parser("stats", parents=[common], help="what a game is like when one bot plays all seats")
    stats.add_argument("--bot", default="club", help="who plays (default: club)")
    stats.add_argument("--matches", type=int, default=MATCHES, metavar="N", help=f"how many (default: {MATCHES:,})")
    stats.set_defaults(run=_stats)


def _arena(arguments: argparse.Namespace) -> None:
    from zashiki.arena.arena_page import arena_page
    from zashiki.arena.parquet import check_parquet, write_parquet
    from zashiki.arena.results import report
    from zashiki.arena.running import run
    from zashiki.arena.tables import console, print_report

    if arguments.parquet:
        check_parquet()
    ways = {name: getattr(arguments, name) for name in ("together", "alone", "apart")}
    tournament = _arranged(arguments, arguments.bots, **ways)
    found: dict[Sitting, Result] = {}

    def arrived(results: list[Result]) -> None:
        found.update((result.sitting, result) for result in results)

    run(tournament, arrived, cores=arguments.cores, ray=arguments.ray, resume=arguments.resume)
    shown = report(tournament, found)
    if arguments.parquet:
        write_parquet(arguments.parquet, tournament, found.values())
    if arguments.html:
        arguments.html.write_text(arena_page(shown), "utf-8")
    if not _written(arguments.json, shown):
        print_report(shown, console())


def _stats(arguments: argparse.Namespace) -> None:
    from zashiki.arena.running import run
    from zashiki.arena.study import Collector
    from zashiki.arena.study_page import study_page
    from zashiki.arena.study_tables import print_study
    from zashiki.arena.tables import console

    tournament = _arranged(arguments, [arguments.bot], noting=True)
    collector = Collector(tournament)
    run(tournament, collector.add, cores=arguments.cores, ray=arguments.ray)
    shown = collector.study()
    if arguments.html:
        arguments.html.write_text(study_page(shown), "utf-8")
    if not _written(arguments.json, shown):
        print_study(shown, console())


def _arranged(arguments: argparse.Namespace, bots: list[str], **ways: bool) -> Tournament:
    from zashiki.arena.schedule import arrange
    from zashiki.bots import find_bot
    from zashiki.games import find

    # Bots of one's own are found where one is.
    sys.path.append(str(Path.cwd()))
    game = find(arguments.game.lower())
    for bot in bots:
        find_bot(game, bot)
    options = options_of(game.id, arguments.option)
    return arrange(game.id, bots, matches=arguments.matches, seats=arguments.seats, options=options, seed=arguments.seed, **ways)


def _written(file: str | None, shown: Any) -> bool:
    """Writes JSON where it is wanted; tells whether that is where the tables would go."""
    import msgspec

    if file is None:
        return False
    text = msgspec.json.format(msgspec.json.encode(shown), indent=1).decode() + "\n"
    if file == "-":
        sys.stdout.write(text)
        return True
    Path(file).write_text(text, "utf-8")
    return False
