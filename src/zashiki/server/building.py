"""The whole server of one process, built from its settings: who needs what is written here and nowhere else."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
from base64 import b32encode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp
from sqlalchemy import Connection, select, update

from zashiki.core.errors import ZashikiError
from zashiki.server import schema
from zashiki.server.accounts import Account, Accounts, Identified
from zashiki.server.app import Entrance, create_app
from zashiki.server.errors import Refused
from zashiki.server.http.asking import Identity, address_of, dependencies
from zashiki.server.http.origin import allowed_origin, origin_guard
from zashiki.server.http.seeing import Health, migrated, reachable
from zashiki.server.limits import Limits
from zashiki.server.metrics import Metrics
from zashiki.server.migrate import NEWEST
from zashiki.server.patience import migrate_when_there, when_there
from zashiki.server.push import Pusher
from zashiki.server.records import Records
from zashiki.server.secrets import Secrets, load_secrets
from zashiki.server.service import Service, process_name
from zashiki.server.service_time import ServiceTime
from zashiki.server.sessions import Sessions
from zashiki.server.settings import DAY, Settings
from zashiki.server.socket import Scope, Socket
from zashiki.server.store import Store

ALLOCATIONS_BETWEEN_LOOKS = 50_000
"""Tables are many small objects that live long: looking for garbage among them more often costs a tenth of the time."""
FORGET_PEOPLE_S = 30.0

logger = logging.getLogger("zashiki.building")


class OtherSecrets(ZashikiError):
    """The servers on one store must share their secrets."""


class Building:
    """One process: its parts, in the order they need each other."""

    def __init__(self, settings: Settings, *, address: str = "") -> None:
        self.settings = settings
        process = process_name()
        self.secrets: Secrets = load_secrets(settings.data)
        self.store = Store(settings.database_url, process=process)
        self.time = ServiceTime(self.store, process, address)
        self.metrics = Metrics(process)
        self.limits = Limits(self.store, multiplier=settings.limits, alone=not self.store.shared)
        self.accounts = Accounts(self.store, self.secrets)
        self.service = Service(self.store, self.time.ticks, bot_threads=settings.bot_threads, limits=self.limits)
        self.socket = Socket(self.service, self._identify, self.accounts.again)
        self.pusher = Pusher(
            self.store,
            self.secrets,
            contact=settings.contact,
            trusted=settings.push_hosts,
            counted=self.metrics.pushed,
            limits=self.limits,
        )
        self.health = Health({"store": reachable(self.store), "schema": migrated(self.store, NEWEST)})
        self._beside: list[asyncio.Task[None]] = []
        self._join()

    def _join(self) -> None:
        """Who tells whom."""
        service, metrics = self.service, self.metrics
        service.alive = self.time.alive
        service.tournaments.open = self.settings.leagues
        service.name_for = self._name_for
        service.push_turn = self.pusher.your_turn
        service.on_everything = self.accounts.forget
        service.on_account = self._account_changed
        self.accounts.on_change = self.socket.follow
        self.accounts.on_rewrite = service.rewritten
        self.store.observe = metrics.group
        service.house.observe_action = metrics.action
        service.bots.observe = metrics.thought
        service.bots.rescued = metrics.rescued
        service.adviser.room.observe = lambda level, seconds: metrics.thought("hints", seconds)
        service.adviser.room.rescued = metrics.rescued
        self.socket.observe = metrics.request
        self.socket.count = metrics.connections.inc
        metrics.watch_tables(lambda: Counter(live.table.status for live in service.house.tables.values()))
        metrics.watch_bots(lambda: service.bots.waiting)

    def app(self) -> Entrance:
        """The application that uvicorn serves."""
        identity = Identity(self.accounts, self.limits, self.settings)
        provided = dependencies(identity)
        return create_app(
            settings=self.settings,
            house=self.service,
            socket=cast(ASGIApp, self.socket),
            who=provided["account"].dependency,
            tournaments=self.service.tournaments,
            records=Records(self.store, boards=self.settings.leaderboards),
            pusher=self.pusher,
            health=self.health,
            metrics=self.metrics,
            dependencies=provided,
            guards=[origin_guard(self.settings), self._limit_requests],
            lifespan=[self.open],
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Everything runs while this is entered."""
        await asyncio.to_thread(migrate_when_there, self.settings.database_url)
        self.store.open(self.service.heard)
        try:
            await self._begin()
            yield
        finally:
            await self._close()

    async def _begin(self) -> None:
        def check_secrets() -> Awaitable[None]:
            return self.store.write(self._check_secrets)

        await when_there(check_secrets)  # Before anything is written by a server that should not be here.
        await when_there(self.time.start)
        await when_there(check_secrets)  # The very first start has made the row just now.
        await when_there(self.service.open)
        for work in (self.time.keep_beating, self.limits.run, self._sweep, self._forget_people, self._warm_up):
            self._run_beside(work)

    async def _close(self) -> None:
        self.health.stopping = True
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        await self.socket.close()
        await self.pusher.close()
        with suppress(Refused):
            await self.time.stop()
        await self.service.close()

    def _run_beside(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = asyncio.get_running_loop().create_task(work())
        task.add_done_callback(_note_failure)
        self._beside.append(task)

    async def _sweep(self) -> None:
        """Once a day forgets what nobody will ask for."""
        sessions = Sessions(self.accounts)
        while True:
            with suppress(Refused):  # The store is away: tomorrow, then.
                await sessions.sweep()
            await asyncio.sleep(DAY)

    async def _forget_people(self) -> None:
        while True:
            await asyncio.sleep(FORGET_PEOPLE_S)
            self.accounts.tidy()

    async def _warm_up(self) -> None:
        await self.service.warm_up(lambda: self.health.stopping)
        gc.collect()
        gc.freeze()
        gc.set_threshold(ALLOCATIONS_BETWEEN_LOOKS, 20, 50)

    def _check_secrets(self, connection: Connection) -> None:
        """The first server leaves the digest of its secrets; any other must have the same."""
        column = schema.service.c.secrets
        connection.execute(update(schema.service).where(column == "").values(secrets=self.secrets.digest))
        found = connection.execute(select(column)).scalar()
        if found not in (None, self.secrets.digest):
            file = self.settings.data / "secrets.json"
            raise OtherSecrets(f"the servers on this store have other secrets than {file}: copy theirs there")

    async def _identify(self, scope: Scope) -> Identified:
        """Who opens a socket: from one of our own pages, or with a token."""
        headers = scope["headers"]
        if not allowed_origin(headers, self.settings):
            raise Refused("wrong origin", "this page may not speak for you here")
        self.limits.spend_now("connections", address_of(scope))
        identified = await self.accounts.who(headers)
        if identified is None:
            raise Refused("unauthorized", "nobody is known by this request; GET /api/me makes a guest, programs send a token")
        companion = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get("companion")
        return identified if companion is None else await self.accounts.companion(identified, _number(companion[0]))

    def _account_changed(self, account: int) -> None:
        self.accounts.forget(account)
        self.socket.account_changed(account)

    def _name_for(self, account: Account, key: str) -> str:
        signed = self.secrets.sign("table", f"{account.id}:{key}".encode())
        return b32encode(signed[:10]).decode().lower()

    def _limit_requests(self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        self.limits.spend_now("requests", address_of(connection.scope))


def _number(word: str) -> int:
    if not re.fullmatch("[0-9]{1,15}", word):
        raise Refused("malformed", "a companion is named by its number")
    return int(word)


def _note_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        logger.error("work beside the tables has ended", exc_info=task.exception())


def build_app(settings: Settings, *, address: str = "") -> Entrance:
    """The application of one process."""
    Path(settings.data).mkdir(parents=True, exist_ok=True, mode=0o700)
    return Building(settings, address=address).app()
