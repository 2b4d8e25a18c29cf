"""The server's commands: serve, backup, restore, export, migrate, admin. What they need is loaded when they run."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from zashiki.server.admin_commands import add_admin
from zashiki.server.running import command, existing, settings_of


def add_commands(commands: Any) -> None:
    """Adds them to the command line."""
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("--data", type=Path, metavar="FOLDER", help="the data folder (default: $ZASHIKI_DATA, else your own)")
    where.add_argument(
        "--database", metavar="URL", help="where the store is (default: $ZASHIKI_DATABASE, else one file in the data folder)"
    )
    _add_serve(commands, where)

    backup = commands.add_parser("backup", parents=[where], help="copy the whole store into one file, while the server runs")
    backup.add_argument("file", type=Path, metavar="FILE", help="a new file, or a folder for one named after the moment")
    backup.set_defaults(run=command(_backup))

    restore = commands.add_parser("restore", parents=[where], help="fill an empty store from a backup")
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.set_defaults(run=command(_restore))

    export = commands.add_parser("export", parents=[where], help="write every finished match as a saved-match file")
    export.add_argument("folder", type=Path, metavar="FOLDER")
    export.set_defaults(run=command(_export))

    migrate = commands.add_parser("migrate", parents=[where], help="bring the store to this version; `serve` does so by itself")
    migrate.set_defaults(run=command(_migrate))
    add_admin(commands, where)


def _add_serve(commands: Any, where: argparse.ArgumentParser) -> None:
    serve = commands.add_parser(
        "serve", parents=[where], help="open the table to browsers: on this machine, in the house, anywhere"
    )
    serve.add_argument("--host", help="the address to listen at (default: 127.0.0.1, this machine alone)")
    serve.add_argument("--port", type=int, default=8000, help="the port (default: 8000); workers have those after it")
    serve.add_argument("--lan", action="store_true", help="open it to everybody in the same network, with a QR code for phones")
    serve.add_argument(
        "--workers", type=int, default=1, metavar="N", help="how many processes (default: 1); more need PostgreSQL"
    )
    serve.add_argument("--public-url", metavar="URL", help="the address that people use, such as https://cards.example.org")
    serve.add_argument(
        "--behind-proxy", action="store_true", help="believe a proxy at $FORWARDED_ALLOW_IPS, else on this machine, who is asking"
    )
    serve.add_argument(
        "--bot-threads", type=int, default=2, metavar="N", help="how many bots of a process think at once (default: 2)"
    )
    serve.add_argument(
        "--limits",
        type=float,
        default=1.0,
        metavar="TIMES",
        help="how many times the usual limits hold, for load tests (default: 1)",
    )
    serve.add_argument("--no-browser", action="store_true", help="do not open the browser")
    serve.add_argument("--log", choices=["text", "json"], default="text", help="how the log is written (default: text)")
    serve.add_argument("--leaderboards", action="store_true", help="show who is strong, among people who agree to be shown")
    serve.add_argument("--leagues", action="store_true", help="let people hold leagues: tournaments among friends")
    serve.add_argument("--contact", metavar="ADDRESS", help="mailto: or https:, for those who deliver notifications")
    serve.set_defaults(run=command(_serve))


def _serve(arguments: argparse.Namespace) -> None:
    from zashiki.server.serve import WrongAddress, serve

    if arguments.lan and arguments.host:
        raise WrongAddress("--lan listens everywhere and --host at one address: choose one of them")
    settings = settings_of(
        arguments,
        host="0.0.0.0" if arguments.lan else arguments.host or "127.0.0.1",
        port=arguments.port,
        workers=arguments.workers,
        public_url=arguments.public_url,
        behind_proxy=arguments.behind_proxy,
        bot_threads=arguments.bot_threads,
        limits=arguments.limits,
        log=arguments.log,
        metrics_token=os.environ.get("ZASHIKI_METRICS_TOKEN") or None,
        contact=arguments.contact,
        leaderboards=arguments.leaderboards,
        leagues=arguments.leagues,
    )
    raise SystemExit(serve(settings, lan=arguments.lan, browser=not arguments.no_browser))


def _backup(arguments: argparse.Namespace) -> None:
    from zashiki.server.backup import back_up, dated

    settings, file = existing(arguments), dated(arguments.file)
    counts = back_up(settings.database_url, file, settings.secrets_file)
    print(f"{file}: {_told(counts)}")


def _restore(arguments: argparse.Namespace) -> None:
    from zashiki.server.backup import restore

    settings = settings_of(arguments)
    print(f"restored {_told(restore(settings.database_url, arguments.file, settings.secrets_file))}")


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[name]:,} {name}" for name in ("accounts", "tables", "events"))


def _export(arguments: argparse.Namespace) -> None:
    from zashiki.server.engine import engine
    from zashiki.server.export import export
    from zashiki.server.migrate import check

    made = engine(existing(arguments).database_url)
    with made.begin() as connection:
        check(connection, current=True)
        written, kept, skipped = export(connection, arguments.folder)
    made.dispose()
    print(f"{written:,} matches written, {kept:,} were there already")
    if skipped:
        print(f"{skipped:,} were played by other rules than this version knows: export them with the version that played them")


def _migrate(arguments: argparse.Namespace) -> None:
    from zashiki.server.migrate import NEWEST, migrate

    migrate(settings_of(arguments).database_url)
    print(f"the store has schema {NEWEST}")
