"""`Client`: one person's or program's connection to a server, for all the tables it looks at."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from websockets.http11 import Response

from zashiki.client.backoff import Backoff
from zashiki.client.connection import Closed, Connection
from zashiki.client.http import Http
from zashiki.client.lobby import OpenTables
from zashiki.client.signal import Signal
from zashiki.client.state import CODECS, Encoding, State
from zashiki.client.table import Table
from zashiki.server import messages
from zashiki.server.errors import Refused
from zashiki.server.settings import TableSettings

T = TypeVar("T")

RETRY_S = 0.5
LOG = logging.getLogger("zashiki.client")


class _Made(msgspec.Struct):
    """The answer to a request for a table."""

    table: str


class _Page(msgspec.Struct):
    """Some tables, and where more are."""

    tables: list[messages.TableInfo]
    next: str | None = None


class _Asked:
    """A request that has not been answered yet."""

    __slots__ = ("answer", "text")

    def __init__(self, text: str | bytes) -> None:
        self.text = text
        self.answer: asyncio.Future[messages.Done] = asyncio.get_running_loop().create_future()


class Client:
    """A connection to a server, as the account of `token`, as the guest of `cookies`, or as a new guest.

    It comes back by itself when it is lost: what was not answered is asked again under its own number, so that nothing is
    done twice, and every table is taken up where it was left. What takes longer than `timeout` seconds raises TimeoutError.
    A request that is refused until a later moment (too many, or the store is away) is asked again then, also under its own
    number, unless `patient` is false.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        cookies: dict[str, str] | None = None,
        encoding: Encoding = "json",
        timeout: float = 30.0,
        patient: bool = True,
        backoff: Backoff | None = None,
    ) -> None:
        self.http = Http(url, token=token, cookies=cookies, timeout=timeout, patient=patient)
        self.id = secrets.token_hex(8)
        self.timeout = timeout
        self.patient = patient
        self.welcome: messages.Welcome | None = None
        self.tables: dict[str, Table] = {}
        self._codec = CODECS[encoding]
        self.connection = Connection(
            f"{self.http.socket_address}/socket?client={self.id}&format={encoding}",
            headers=self.http.headers,
            shaken=self._shaken,
            greet=self._greet,
            hear=self._hear,
            backoff=backoff,
        )
        self._number = 0
        self._asked: dict[int, _Asked] = {}
        self._watches: dict[int, str] = {}
        self._lobby: OpenTables | None = None
        self._turns: dict[str, messages.YourTurn] = {}
        self._signal = Signal()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Client:
        if not self.http.token and not self.http.cookies:
            await self.http.request("GET", "/api/me")
        self._task = asyncio.create_task(self._run())
        try:
            await self.within(self._signal.until(lambda: self.welcome is not None))
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    @property
    def cookies(self) -> dict[str, str]:
        """What makes a guest the same guest in the next client."""
        return self.http.cookies

    @property
    def account(self) -> int:
        """The number of our account."""
        return self._welcomed.account

    @property
    def name(self) -> str:
        """What others see."""
        return self._welcomed.name

    @property
    def _welcomed(self) -> messages.Welcome:
        if self.welcome is None:
            raise RuntimeError("connect first: async with Client(…) as client: …")
        return self.welcome

    async def create(
        self,
        game: str,
        *,
        seats: int | None = None,
        settings: TableSettings | dict[str, Any] | None = None,
        seat: int | None = 0,
        bots: dict[int, str] | None = None,
        start: bool = False,
    ) -> str:
        """Opens a table with us in that seat and bots of these levels in theirs. Gives its id, which is also its link."""
        body = {"game": game, "seats": seats, "settings": settings or {}, "seat": seat, "bots": bots or {}, "start": start}
        answer = await self.http.request("POST", "/api/tables", body, key=f"{self.id}:{self.number()}")
        return msgspec.json.decode(answer, type=_Made).table

    async def mine(self, *, waiting: bool = False) -> AsyncIterator[messages.TableInfo]:
        """The tables we sit at, those that changed last first; with `waiting`, only those that wait for us."""
        after: str | None = ""
        while after is not None:
            query = urlencode({"waiting": str(waiting).lower(), **({"after": after} if after else {})})
            page = msgspec.json.decode(await self.http.request("GET", f"/api/my/tables?{query}"), type=_Page)
            for table in page.tables:
                yield table
            after = page.next

    async def saved_match(self, table: str) -> str:
        """A match that is over, as a saved-match file."""
        return (await self.http.request("GET", f"/api/tables/{table}/match")).decode()

    def watch(self, table: str) -> Table:
        """The table to look at: `async with client.watch(table) as seat: …`."""
        return Table(self, table)

    def sit(self, table: str, seat: int | None = None) -> Table:
        """The same, taking that seat there or any, unless we have one."""
        return Table(self, table, sit=True, seat=seat)

    def lobby(self) -> OpenTables:
        """The open tables: `async with client.lobby() as lobby: …`."""
        return OpenTables(self)

    async def turns(self) -> AsyncIterator[messages.YourTurn]:
        """Tables that we do not look at and that wait for us."""
        while True:
            await self._signal.until(lambda: bool(self._turns))
            yield self._turns.pop(next(iter(self._turns)))

    async def ping(self) -> None:
        """Back when the server has answered."""
        await self.ask(messages.Ping(request=self.number()))

    @property
    def unanswered(self) -> list[int]:
        """The numbers of the requests that wait for their answers."""
        return list(self._asked)

    def number(self) -> int:
        """The number of our next request."""
        self._number += 1
        return self._number

    async def ask(self, request: messages.Request) -> messages.Done:
        """Sends a request until it is answered; raises `Refused` if it is refused."""
        if self._signal.failure:
            raise self._signal.failure
        text = self._codec.encode(request)
        async with asyncio.timeout(self.timeout) as patience:
            while True:
                try:
                    return await self._ask_once(request.request, text)
                except Refused as refusal:
                    wait = _retry_after(refusal)
                    if wait is None or not self.patient or self._now() + wait > (patience.when() or 0):
                        raise
                    await asyncio.sleep(wait)

    async def _ask_once(self, number: int, text: str | bytes) -> messages.Done:
        asked = self._asked[number] = _Asked(text)
        self.connection.send(text)
        try:
            return await asked.answer
        finally:
            self._asked.pop(number, None)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def within(self, waiting: Coroutine[Any, Any, T] | asyncio.Future[T]) -> T:
        """Waits, but not longer than our patience."""
        async with asyncio.timeout(self.timeout):
            return await waiting

    async def close(self) -> None:
        """Ends the connection; whatever still waits for an answer hears `Closed`."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._fail(Closed("we have closed it"))

    async def _run(self) -> None:
        try:
            await self.connection.run()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        for asked in self._asked.values():
            if not asked.answer.done():
                asked.answer.set_exception(error)
        lobby = [self._lobby.signal] if self._lobby else []
        for signal in (self._signal, *lobby, *(table.signal for table in self.tables.values())):
            signal.fail(error)

    def _shaken(self, response: Response) -> None:
        self.http.keep(response.headers.get_all("Set-Cookie"))

    def _greet(self) -> Iterator[str | bytes]:
        """On a new socket: look again at what we looked at, and ask again what was not answered."""
        self._watches.clear()
        for table in self.tables.values():
            yield self._watch(table)
        if self._lobby:
            yield self._codec.encode(messages.Lobby(request=self.number()))
        for asked in self._asked.values():
            yield asked.text

    def look_at(self, table: Table) -> None:
        """Begins to look at a table."""
        if table.id in self.tables:
            raise ValueError(f"this client looks at table {table.id} already")
        if self._signal.failure:
            raise self._signal.failure
        self.tables[table.id] = table
        self._turns.pop(table.id, None)
        self.connection.send(self._watch(table))

    def _watch(self, table: Table) -> str | bytes:
        number = self.number()
        self._watches[number] = table.id
        return self._codec.encode(messages.Watch(request=number, table=table.id, version=table.version or None))

    def look_away(self, table: Table) -> None:
        """Looks at it no more."""
        if self.tables.pop(table.id, None):
            self.connection.send(self._codec.encode(messages.Unwatch(request=self.number(), table=table.id)))
        table.signal.fail(Closed("we look at this table no more"))

    def look_at_lobby(self, lobby: OpenTables) -> None:
        """Begins to look at the open tables."""
        if self._lobby:
            raise ValueError("this client looks at the lobby already")
        self._lobby = lobby
        self.connection.send(self._codec.encode(messages.Lobby(request=self.number())))

    def look_away_from_lobby(self) -> None:
        """Looks at them no more."""
        if self._lobby:
            self._lobby.signal.fail(Closed("we look at the lobby no more"))
        self._lobby = None
        self.connection.send(self._codec.encode(messages.Lobby(request=self.number(), on=False)))

    def _hear(self, text: str | bytes) -> None:
        try:
            message = self._codec.decode(text)
        except msgspec.MsgspecError as error:
            LOG.warning("a message of the server was not understood: %s", error)
            return
        match message:
            case State():
                self._hear_state(message)
            case messages.Done():
                self._answer(message.request, message)
            case messages.RefusedMessage():
                self._hear_refusal(message)
            case messages.Present():
                if message.table in self.tables:
                    self.tables[message.table].hear_present(message.seats)
            case messages.TalkLine():
                if message.table in self.tables:
                    self.tables[message.table].hear_talk(message)
            case messages.LobbyMessage() | messages.LobbyChange():
                if self._lobby:
                    self._lobby.hear(message)
            case messages.YourTurn():
                self._turns[message.table] = message
                self._signal.wake()
            case messages.Welcome():
                self.welcome = message
                self._signal.wake()
            case messages.Goodbye():
                self.connection.goodbye = message.reason

    def _hear_state(self, state: State) -> None:
        self.connection.backoff.reset()
        if state.request is not None:
            self._watches.pop(state.request, None)
            self._answer(state.request, messages.Done(request=state.request, table=state.table, version=state.version))
        table = self.tables.get(state.table)
        if table and not table.hear_state(state):
            self.connection.send(self._watch(table))

    def _answer(self, number: int | None, answer: messages.Done | Refused) -> None:
        self.connection.backoff.reset()
        asked = self._asked.pop(number, None) if number is not None else None
        if asked is None or asked.answer.done():
            return
        if isinstance(answer, Refused):
            asked.answer.set_exception(answer)
        else:
            asked.answer.set_result(answer)

    def _hear_refusal(self, message: messages.RefusedMessage) -> None:
        refusal = Refused(message.code, message.reason, retry_after_ms=message.retry_after_ms)
        if message.request is None:  # not an answer: we are shown this table no more
            watched = self.tables.get(message.table or "")
        else:
            watched = self.tables.get(self._watches.pop(message.request, ""))
        if watched is None:
            self._answer(message.request, refusal)
        elif (wait := _retry_after(refusal)) is not None:
            asyncio.get_running_loop().call_later(wait, self._watch_again, watched)
        else:
            watched.signal.fail(refusal)

    def _watch_again(self, table: Table) -> None:
        if self.tables.get(table.id) is table:
            self.connection.send(self._watch(table))


def _retry_after(refusal: Refused) -> float | None:
    """When a refused request may be asked again, in seconds; None: not at all."""
    if refusal.retry_after_ms is not None:
        return refusal.retry_after_ms / 1000
    return RETRY_S if refusal.code == "unavailable" else None
