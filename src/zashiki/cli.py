"""The command line: play, bench, replay, games."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from zashiki.core.errors import WrongOption, ZashikiError
from zashiki.games import GAMES, find


def main(arguments: list[str] | None = None) -> None:
    """Runs one command."""
    parsed = _parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except ZashikiError as error:
        raise SystemExit(f"zashiki: {error}") from None
    except (KeyboardInterrupt, EOFError):
        raise SystemExit("") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("zashiki", description="A card table for people, bots and programs.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="play in this terminal against simple bots")
    play.add_argument("game", nargs="?", metavar="GAME", help=", ".join(GAMES))
    play.add_argument("--seats", type=int, help="how many play (default: the fewest possible)")
    play.add_argument("--seat", type=int, default=0, help="where you sit, from 0 (default: 0)")
    play.add_argument("--seed", type=int, help="deal the same cards again")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    play.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved match")
    play.set_defaults(run=_play)

    games = commands.add_parser("games", help="list the games and their options")
    games.set_defaults(run=_games)

    replay = commands.add_parser("replay", help="tell a saved match in words")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.set_defaults(run=_replay)

    bench = commands.add_parser("bench", help="measure this machine")
    benches = bench.add_subparsers(title="what", required=True, metavar="WHAT")
    engine = benches.add_parser("engine", help="the rules engine: decisions per second, sizes, start-up times")
    engine.add_argument("--json", action="store_true", help="print JSON for programs")
    engine.add_argument("--peers", action="store_true", help="also measure other libraries, where they are installed")
    engine.add_argument("--seconds", type=float, default=1.0, help="how long each figure is measured (default: 1)")
    engine.set_defaults(run=_bench_engine)
    gpu = benches.add_parser("gpu", help="the same matches on all cores and on a GPU, compared byte for byte and timed")
    gpu.add_argument("--games", default=",".join(GAMES), help="which games, with commas (default: all)")
    gpu.add_argument("--matches", type=int, default=100_000, help="how many matches are compared (default: 100,000)")
    gpu.add_argument("--steps", type=int, default=400, help="decisions a match in each timing (default: 400)")
    gpu.add_argument("--sizes", default="65536,131072,262144,524288", help="how many matches at once are tried")
    gpu.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    gpu.set_defaults(run=_bench_gpu)
    return parser


def _play(arguments: argparse.Namespace) -> None:
    from zashiki.core.match import Match
    from zashiki.terminal.table import TerminalTable, resumed

    if arguments.resume:
        match = resumed(arguments.resume)
    else:
        game = find(arguments.game or _asked_game())
        match = Match(game, arguments.seats, options=_options(game.id, arguments.option), seed=arguments.seed)
    if match.options.get("pace") == "live":
        raise WrongOption("a terminal is too slow for the live pace: play with pace=turns")
    match._check_seat(arguments.seat)
    TerminalTable(match, arguments.seat).play()


def _asked_game() -> str:
    from rich.console import Console
    from rich.prompt import IntPrompt

    console = Console()
    console.print("[b]Zashiki[/] · what shall we play?\n")
    for place, game in enumerate(GAMES.values(), 1):
        console.print(f" [b]{place}[/] [b]{game.title}[/] [dim]{game.author}, {game.players} players[/]\n   {game.summary}")
    place = IntPrompt.ask("\nNumber", choices=[str(i) for i in range(1, len(GAMES) + 1)], console=console)
    return list(GAMES)[place - 1]


def _options(game: str, pairs: list[str]) -> dict[str, Any]:
    """Options from NAME=VALUE, each value in the type its option has."""
    kinds = {option.name: type(option.default) for option in find(game).options}
    chosen: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        kind = kinds.get(name, str)
        if kind is bool:
            chosen[name] = {"on": True, "true": True, "off": False, "false": False}.get(value.lower(), value)
        else:
            chosen[name] = int(value) if kind is int and value.isdigit() else value
    return chosen


def _games(arguments: argparse.Namespace) -> None:
    for game in GAMES.values():
        print(f"{game.id}: {game.title} by {game.author}, {game.players} players\n    {game.summary}")
        for option in game.options:
            print(f"    {option.name}: {option.meaning}; {option.described()}, {option.default!r} unless chosen")


def _replay(arguments: argparse.Namespace) -> None:
    from zashiki.core.layout import CLOCK
    from zashiki.terminal.table import resumed

    match = resumed(arguments.file)
    print(f"{match.game.title}, {match.seats} seats, options {match.options}")
    for number, (seat, action) in enumerate(match.history, 1):
        print(f"{number}. {'The clock' if seat == CLOCK else f'Seat {seat}'} {match.game.vocabulary[action].words()}")
    if match.outcome:
        print(f"Won by {', '.join(f'seat {seat}' for seat in match.outcome.winners)}: {match.outcome.reason}")
    for seat, parts in enumerate(match.scores()):
        print(f"seat {seat}: {sum(parts.values())} points, {parts}")


def _bench_engine(arguments: argparse.Namespace) -> None:
    from zashiki.bench.engine import main as bench

    sys.stdout.write(bench(seconds=arguments.seconds, peers=arguments.peers, as_json=arguments.json))


def _bench_gpu(arguments: argparse.Namespace) -> None:
    from zashiki.bench.gpu import main as bench

    bench(
        games=arguments.games.split(","),
        matches=arguments.matches,
        steps=arguments.steps,
        sizes=[int(size) for size in arguments.sizes.split(",")],
        file=arguments.json,
    )


if __name__ == "__main__":
    main()
