"""The command line: play, games, replay, review, puzzles, bench, and the commands of arena, learning, programs and server."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from zashiki import __version__
from zashiki.arena.commands import add_commands as add_arena_commands
from zashiki.bots.levels import LEVELS
from zashiki.client.commands import add_commands as add_client_commands
from zashiki.core.errors import WrongOption, WrongSeats, ZashikiError
from zashiki.core.game import Game
from zashiki.games import GAMES, find
from zashiki.learn.commands import add_commands as add_learn_commands
from zashiki.options import options_of
from zashiki.server.commands import add_commands

BENCH_SERVER = "play,memory,start,rebuild,many,workers"


def main(arguments: list[str] | None = None) -> None:
    """Runs one command."""
    parsed = _parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except ZashikiError as error:
        raise SystemExit(f"zashiki: {error}") from None
    except (KeyboardInterrupt, EOFError):
        print()
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("zashiki", description="A card table for people, bots and programs.")
    parser.add_argument("--version", action="version", version=f"zashiki {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="play in this terminal against bots")
    play.add_argument("game", nargs="?", metavar="GAME", help=", ".join(GAMES))
    play.add_argument("--seats", type=int, help="how many play (default: the fewest possible)")
    play.add_argument("--seat", type=int, default=0, help="where you sit, from 0 (default: 0)")
    play.add_argument("--seed", type=int, help="deal the same cards again")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    play.add_argument(
        "--level", default="club", choices=LEVELS, help=f"how well the bots play: {', '.join(LEVELS)} (default: club)"
    )
    play.add_argument("--pause", type=float, default=0.4, help="how long each bot's move is shown, in seconds (default: 0.4)")
    play.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved match")
    play.set_defaults(run=_play)

    games = commands.add_parser("games", help="list the games and their options")
    games.set_defaults(run=_games)

    replay = commands.add_parser("replay", help="tell a saved match in words")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.set_defaults(run=_replay)

    review = commands.add_parser("review", help="look at a saved match again: what each decision was worth, and what was luck")
    review.add_argument("file", type=Path, metavar="FILE")
    review.add_argument("--seat", type=int, help="only this seat's decisions, from 0 (default: all)")
    review.add_argument("--json", action="store_true", help="print JSON for programs")
    review.set_defaults(run=_review)

    puzzles = commands.add_parser("puzzles", help="make puzzles from strong bots' matches: one action is clearly best")
    puzzles.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    puzzles.add_argument("--count", type=int, default=20, help="how many (default: 20)")
    puzzles.add_argument("--seed", type=int, default=0, help="of the first match (default: 0)")
    puzzles.add_argument("--to", type=Path, metavar="FILE", help="where they are written (default: where they are packaged)")
    puzzles.set_defaults(run=_puzzles)

    bench = commands.add_parser("bench", help="measure this machine")
    benches = bench.add_subparsers(title="what", required=True, metavar="WHAT")
    engine = benches.add_parser("engine", help="the rules engine: decisions per second, sizes, start-up times")
    engine.add_argument("--json", action="store_true", help="print JSON for programs")
    engine.add_argument("--peers", action="store_true", help="also measure other libraries, where they are installed")
    engine.add_argument("--seconds", type=float, default=1.0, help="how long each figure is measured (default: 1)")
    engine.set_defaults(run=_bench_engine)
    gpu = benches.add_parser("gpu", help="the same matches on all cores and on a GPU, compared byte for byte and timed")
    gpu.add_argument("--games", default=",".join(GAMES), help="which games, with commas (default: all)")
    gpu.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of these games")
    gpu.add_argument("--matches", type=int, default=100_000, help="how many matches are compared (default: 100,000)")
    gpu.add_argument("--steps", type=int, default=400, help="decisions a match in each timing (default: 400)")
    gpu.add_argument("--sizes", default="65536,131072,262144,524288", help="how many matches at once are tried")
    gpu.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    gpu.set_defaults(run=_bench_gpu)
    bots = benches.add_parser("bots", help="the bots' search: iterations per second, and how well it keeps to its time")
    bots.add_argument("--json", action="store_true", help="print JSON for programs")
    bots.add_argument("--peers", action="store_true", help="also measure OpenSpiel's search, where it is installed")
    bots.set_defaults(run=_bench_bots)
    adapters = benches.add_parser("adapters", help="the games through other libraries' interfaces: decisions per second")
    adapters.add_argument("--json", action="store_true", help="print JSON for programs")
    adapters.add_argument(
        "--peers", action="store_true", help="also measure those libraries' own games, where they are installed"
    )
    adapters.add_argument("--seconds", type=float, default=2.0, help="how long each figure is measured (default: 2)")
    adapters.set_defaults(run=_bench_adapters)
    server = benches.add_parser("server", help="the server: actions per second, latency, memory")
    server.add_argument("--json", action="store_true", help="print JSON for programs")
    server.add_argument("--peers", action="store_true", help="the same load against boardgame.io, taking turns")
    server.add_argument("--seconds", type=float, default=5.0, help="how long each loop is measured (default: 5)")
    server.add_argument("--rounds", type=int, default=3, help="of which medians are taken (default: 3)")
    server.add_argument("--tables", type=int, default=500, help="how many play (default: 500)")
    server.add_argument("--what", default=BENCH_SERVER, help=f"which parts, with commas (default: {BENCH_SERVER})")
    server.set_defaults(run=_bench_server)
    add_arena_commands(commands)
    add_learn_commands(commands)
    add_client_commands(commands)
    add_commands(commands)
    return parser


def _play(arguments: argparse.Namespace) -> None:
    from zashiki.bots import find_bot
    from zashiki.core.match import Match
    from zashiki.terminal.table import TerminalTable, resumed

    if arguments.resume:
        if arguments.game or arguments.seats or arguments.seed is not None or arguments.option:
            raise WrongOption("a saved match has its game, seats, seed and options: name only the file, and --seat")
        match = resumed(arguments.resume)
    else:
        game, seats = _asked(arguments.game, arguments.seats)
        match = Match(game, seats, options=options_of(game.id, arguments.option), seed=arguments.seed)
    if match.options.get("pace") == "live":
        raise WrongOption("a terminal is too slow for the live pace: play with pace=turns")
    if not 0 <= arguments.seat < match.seats:
        raise WrongSeats(f"this match has seats 0 to {match.seats - 1}, there is no seat {arguments.seat}")
    find_bot(match.game, arguments.level)
    TerminalTable(match, arguments.seat, level=arguments.level, pause=arguments.pause).play()


def _asked(name: str | None, seats: int | None) -> tuple[Game, int | None]:
    """The game and how many play it, asked for where nothing was said."""
    if name:
        return find(name.lower()), seats
    from rich.console import Console
    from rich.prompt import IntPrompt, Prompt

    console = Console()
    console.print("[b]Zashiki[/] · what shall we play?\n")
    for place, game in enumerate(GAMES.values(), 1):
        console.print(f" [b]{place}[/] [b]{game.title}[/] [dim]{game.author}, {game.players} players[/]\n   {game.summary}")
    names = {str(place): game for place, game in enumerate(GAMES.values(), 1)} | GAMES
    game = names[Prompt.ask("\nNumber or name", choices=list(names), show_choices=False, case_sensitive=False, console=console)]
    if seats is None and len(game.seats) > 1:
        allowed = [str(count) for count in game.seats]
        seats = IntPrompt.ask("How many players", choices=allowed, default=game.seats[0], console=console)
    return game, seats


def _games(arguments: argparse.Namespace) -> None:
    for game in GAMES.values():
        print(f"{game.id}: {game.title} by {game.author}, {game.players} players\n    {game.summary}")
        for option in game.options:
            print(f"    {option.name}: {option.meaning}; {option.described()}, {option.spoken(option.default)} unless chosen")


def _replay(arguments: argparse.Namespace) -> None:
    from zashiki.core.layout import CLOCK
    from zashiki.terminal.table import resumed

    match = resumed(arguments.file)
    print(f"{match.game.title}, {match.seats} seats, options {match.options}")
    for number, (seat, action) in enumerate(match.history, 1):
        print(f"{number}. {'The clock' if seat == CLOCK else f'Seat {seat}'} {match.game.vocabulary[action].words()}.")
    if match.outcome:
        print(f"Won by {', '.join(f'seat {seat}' for seat in match.outcome.winners)}: {match.outcome.reason}")
    for seat, parts in enumerate(match.scores()):
        print(f"Seat {seat}: {sum(parts.values())} ({', '.join(f'{part} {points}' for part, points in parts.items())})")


def _review(arguments: argparse.Namespace) -> None:
    import msgspec

    from zashiki.review.reckoning import review
    from zashiki.review.words import summary, table
    from zashiki.terminal.table import resumed

    match, seat = resumed(arguments.file), arguments.seat
    if seat is not None and not 0 <= seat < match.seats:
        raise WrongSeats(f"this match has seats 0 to {match.seats - 1}, there is no seat {seat}")
    found = review(match, progress=_say_how_far if sys.stderr.isatty() else lambda share: None)
    if arguments.json:
        print(msgspec.json.encode(found).decode())
        return
    for each in range(match.seats) if seat is None else [seat]:
        print("\n".join(summary(found, each)))
    print()
    print("\n".join(table(found, seat)))


def _say_how_far(share: float) -> None:
    end = "\n" if share >= 1 else ""
    print(f"\rLooking at the match: {round(100 * share)}%", end=end, file=sys.stderr, flush=True)


def _puzzles(arguments: argparse.Namespace) -> None:
    import msgspec

    import zashiki.puzzles
    from zashiki.puzzles.making import make

    game = find(arguments.game)
    found = make(game, arguments.count, arguments.seed, lambda puzzle: print(puzzle.id, puzzle.difficulty, flush=True))
    file = arguments.to or Path(zashiki.puzzles.__file__).with_name(f"{game.id}.json")
    file.write_bytes(msgspec.json.encode(found) + b"\n")


def _bench_engine(arguments: argparse.Namespace) -> None:
    from zashiki.bench.engine import main as bench

    sys.stdout.write(bench(seconds=arguments.seconds, peers=arguments.peers, as_json=arguments.json))


def _bench_bots(arguments: argparse.Namespace) -> None:
    from zashiki.bench.bots import main as bench

    print(bench(peers=arguments.peers, as_json=arguments.json), end="")


def _bench_adapters(arguments: argparse.Namespace) -> None:
    from zashiki.bench.adapters import main as bench

    sys.stdout.write(bench(seconds=arguments.seconds, peers=arguments.peers, as_json=arguments.json))


def _bench_gpu(arguments: argparse.Namespace) -> None:
    from zashiki.bench.gpu import main as bench

    bench(
        games={name: options_of(name, arguments.option) for name in arguments.games.split(",")},
        matches=arguments.matches,
        steps=arguments.steps,
        sizes=[int(size) for size in arguments.sizes.split(",")],
        file=arguments.json,
    )


def _bench_server(arguments: argparse.Namespace) -> None:
    from zashiki.bench.report import as_json, as_text
    from zashiki.bench.server import main as bench

    found = bench(
        what=arguments.what.split(","),
        seconds=arguments.seconds,
        rounds=arguments.rounds,
        tables=arguments.tables,
        peers=arguments.peers,
    )
    sys.stdout.write(as_json(found) if arguments.json else as_text(found))


if __name__ == "__main__":
    main()
