"""What all commands of the server have in common: where its data are, and how a command fails."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zashiki.core.errors import MissingPackages, ZashikiError
from zashiki.server.settings import Settings

Run = Callable[[argparse.Namespace], None]


class NoStore(ZashikiError):
    """There is nothing where the store should be."""


def command(run: Run) -> Run:
    """Says what to install where the server's packages are missing, and tells refusals like any other error."""

    def checked(arguments: argparse.Namespace) -> None:
        try:
            from sqlalchemy.exc import OperationalError

            from zashiki.server.errors import Refused

            try:
                run(arguments)
            except (Refused, OperationalError) as error:
                raise ZashikiError(str(getattr(error, "orig", error)).strip()) from None
        except ModuleNotFoundError as error:
            if (error.name or "zashiki").startswith("zashiki"):
                raise
            raise MissingPackages(f"the server needs {error.name} and more: pip install 'zashiki[server]'") from None

    return checked


def data_folder(chosen: Path | None) -> Path:
    """Where the database and the secrets are kept unless told otherwise."""
    named = chosen or os.environ.get("ZASHIKI_DATA")
    if named:
        return Path(named).expanduser().absolute()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "zashiki"


def existing(arguments: argparse.Namespace) -> Settings:
    """The same for a command that needs a store which is there."""
    settings = settings_of(arguments)
    file = settings.data / "zashiki.db"
    if settings.database is None and not file.exists():
        raise NoStore(f"there is no store at {file}: name the server's folder with --data, or its PostgreSQL with --database")
    return settings


def settings_of(arguments: argparse.Namespace, **more: Any) -> Settings:
    """The server's settings as far as the command line and the environment tell."""
    database = arguments.database or os.environ.get("ZASHIKI_DATABASE") or None
    return Settings(data=data_folder(arguments.data), database=database, **more)
