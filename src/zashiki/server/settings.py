"""How a table is set up, and how the server is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

DAY = 86_400


class NoClock(msgspec.Struct, frozen=True, tag_field="type", tag="none", forbid_unknown_fields=True):
    """Nobody is hurried."""


class MoveClock(msgspec.Struct, frozen=True, tag_field="type", tag="move", forbid_unknown_fields=True):
    """So many seconds for each decision: a minute or two for a relaxed evening, days for play by correspondence."""

    seconds: Annotated[int, msgspec.Meta(ge=5, le=30 * DAY)]


class BankClock(msgspec.Struct, frozen=True, tag_field="type", tag="bank", forbid_unknown_fields=True):
    """A store of seconds for the whole match, and some more after each decision."""

    seconds: Annotated[int, msgspec.Meta(ge=10, le=3 * 3600)]
    increment: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0


Clock = NoClock | MoveClock | BankClock


class TableSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is agreed before a match. `absent`: what happens when a player's time is up or a player is gone too long.

    `strict`: there are no hints and nothing is taken back.
    `hints`: whether everybody may ask for hints; against bots alone one may in any case.
    """

    options: dict[str, Any] = {}
    clock: Clock = NoClock()
    private: bool = False
    spectators: bool = True
    hints: bool = False
    absent: Literal["bot", "decide"] = "bot"
    stand_in: str = "club"
    strict: bool = False
    grace_seconds: Annotated[int, msgspec.Meta(ge=10, le=30 * DAY)] = 120


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the server runs. `data`: the folder of the database and the secrets.

    `limits`: how many times the usual limits hold, for load tests. `metrics_token`: whoever sends it may read `/metrics`.
    `contact`: the `mailto:` or `https:` address for push services. `push_hosts`: push services (`host:port`) that may be reached
    without TLS and at private addresses, for tests. `leaderboards`: whether people who agree are shown by
    strength. `leagues`: whether people may hold leagues.
    """

    data: Path
    database: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    public_url: str | None = None
    behind_proxy: bool = False
    bot_threads: int = 2
    limits: float = 1.0
    log: Literal["json", "text"] = "text"
    metrics_token: str | None = None
    contact: str | None = None
    leaderboards: bool = False
    leagues: bool = False
    push_hosts: frozenset[str] = frozenset()

    @property
    def database_url(self) -> str:
        """Where the store is: one file in the data folder unless said otherwise."""
        return self.database or f"sqlite:///{self.data / 'zashiki.db'}"

    @property
    def secrets_file(self) -> Path:
        """Where the secrets are that all machines on one store must share."""
        return self.data / "secrets.json"
