"""The socket: a plain ASGI callable. A frame goes to a plain function; only what must wait becomes a task."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from secrets import token_hex
from typing import Any, Literal
from urllib.parse import parse_qs

import msgspec

from zashiki.server import messages
from zashiki.server.accounts import Account, Identified
from zashiki.server.connection import Connection, Send
from zashiki.server.doors import Doors
from zashiki.server.errors import Refused
from zashiki.server.http.asking import address_of
from zashiki.server.http.problems import turn_away
from zashiki.server.service import Service
from zashiki.server.store import now_ms

MOST_WATCHED = 50
"""Tables that one connection may look at."""
MOST_MALFORMED = 20
"""A client that keeps sending nonsense is not a client."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Identify = Callable[[Scope], Awaitable[Identified]]
Again = Callable[[Identified], Awaitable[Identified | None]]

CLIENT = re.compile(r"[A-Za-z0-9_-]{1,32}")
SERVICE_RESTART, POLICY = 1012, 1008

FAREWELL = msgspec.json.encode(messages.Goodbye(reason="restart"))

logger = logging.getLogger("zashiki.socket")


class Numbered(msgspec.Struct):
    """What is read of a message that cannot be understood: its number, so that it can be answered."""

    request: int | None = None


class Socket:
    """Takes connections and hands what they send to the service."""

    def __init__(self, service: Service, identify: Identify, again: Again) -> None:
        self.service = service
        self.identify = identify
        self.again = again
        self.doors = Doors(service.limits.multiplier if service.limits else 1)
        self.connections: set[Connection] = set()
        self._companions: dict[int, set[Connection]] = {}
        """By owner: whoever plays at the owner's device."""
        self.observe: Callable[[str, str], None] = lambda kind, answer: None
        self.count: Callable[[float], None] = lambda difference: None
        self._json = msgspec.json.Decoder(messages.Requests)
        self._packed = msgspec.msgpack.Decoder(messages.Requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from its first message on. Where that can be, the rest needs no task: then this returns at once."""
        await receive()
        try:
            connection = await self._enter(scope, send)
        except Refused as refusal:
            await turn_away(refusal, send)
            return
        if connection.wire is not None:
            connection.wire.farewell = connection.encoded(FAREWELL)
            connection.wire.listen(partial(self._heard, connection), partial(self._goodbye, connection))
            return
        try:
            await self._listen(connection, receive)
        finally:
            self._goodbye(connection)

    async def _enter(self, scope: Scope, send: Send) -> Connection:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        identified = await self.identify(scope)
        client = _client(query)
        keys = self.doors.enter(identified.account.answerable, address_of(scope))
        try:
            await send({"type": "websocket.accept"})
            connection = Connection(send, identified, client, packed=query.get("format") == ["msgpack"])
            connection.keys = keys
            connection.show_latest = self.service.house.show_latest
            # A connection lives for hours: what its handshake needed is let go of.
            scope["headers"] = []
            self._welcome(connection)
        except BaseException:
            self.doors.leave(keys)
            raise
        return connection

    async def _listen(self, connection: Connection, receive: Receive) -> None:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive" or connection.closing:
                return
            text = message.get("text")
            self._heard(connection, message["bytes"] if text is None else text.encode("utf-8", "surrogatepass"), text is not None)

    def _heard(self, connection: Connection, data: bytes, is_text: bool) -> None:
        """Decodes a message and takes it: the way of every action."""
        if connection.closing:
            return
        try:
            request = (self._json if is_text else self._packed).decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            self._not_understood(connection, data, is_text, error)
            return
        try:
            self._take(connection, request)
        except Exception:
            logger.exception("a request of kind %s failed", type(request).__name__)
            connection.refused(request.request, None, Refused("unavailable", "the server could not do that"))

    def _welcome(self, connection: Connection) -> None:
        self.connections.add(connection)
        if connection.account.companion_of is not None:
            self._companions.setdefault(connection.account.companion_of, set()).add(connection)
        self.count(1)
        self.service.presence.connected(connection)
        account = connection.account
        connection.tell(
            messages.Welcome(protocol=messages.PROTOCOL, account=account.id, name=account.name, kind=account.kind, now=now_ms())
        )

    def _goodbye(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._forget_companion(connection)
        self.count(-1)
        connection.stop()
        self.doors.leave(connection.keys)
        for table in connection.watching:
            self.service.house.unwatch(connection, table)
        self.service.lobby.leave(connection)
        self.service.presence.disconnected(connection)

    def _forget_companion(self, connection: Connection) -> None:
        owner = connection.account.companion_of
        if owner is not None and owner in self._companions:
            self._companions[owner].discard(connection)
            if not self._companions[owner]:
                del self._companions[owner]

    def _not_understood(self, connection: Connection, data: bytes, is_text: bool, error: Exception) -> None:
        number = None
        with suppress(msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
            decode = msgspec.json.decode if is_text else msgspec.msgpack.decode
            number = decode(data, type=Numbered).request
        self.observe("malformed", "malformed")
        connection.refused(number, None, Refused("malformed", f"this is no request: {str(error)[:200]}"))
        connection.malformed += 1
        if connection.malformed == MOST_MALFORMED:
            self.service.house.spawn(connection.close(POLICY, "malformed"))

    def _take(self, connection: Connection, request: Any) -> None:
        """Hands a request to whoever can answer it."""
        kind = type(request)
        try:
            if self.service.limits:
                self.service.limits.spend_now("messages", connection.account.answerable)
            if kind is messages.Act or kind in _AT_THE_TABLE:
                key = f"{connection.account.id}:{connection.client}:{request.request}"
                self.service.house.ask(connection, request, key)
            elif kind is messages.Watch and request.table in self.service.house.tables:
                self._watch(connection, request)
            elif kind is messages.Unwatch:
                self.service.house.unwatch(connection, request.table)
                connection.watching.discard(request.table)
                connection.done(request.request, request.table, None, False)
            elif kind is messages.Ping:
                connection.done(request.request, None, None, False)
            else:
                self.service.house.spawn(self._take_slowly(connection, request))
        except Refused as refusal:
            self.observe(kind.__name__, refusal.code)
            connection.refused(request.request, getattr(request, "table", None), refusal)

    async def _take_slowly(self, connection: Connection, request: Any) -> None:
        table = getattr(request, "table", None)
        try:
            match request:
                case messages.Watch():
                    await self.service.house.load(request.table)
                    self._watch(connection, request)
                case messages.Lobby():
                    await self._lobby(connection, request)
                case messages.Talk():
                    key = f"{connection.client}:{request.request}"
                    connection.tell(await self.service.ask(connection.account, request, key))
        except Refused as refusal:
            connection.refused(request.request, table, refusal)
        except Exception:
            logger.exception("a request of kind %s failed", type(request).__name__)
            connection.refused(request.request, table, Refused("broken", "the server could not do that"))

    def _watch(self, connection: Connection, request: messages.Watch) -> None:
        if connection not in self.connections:
            return  # It closed meanwhile.
        if len(connection.watching) >= MOST_WATCHED and request.table not in connection.watching:
            raise Refused("too many", f"one connection may look at {MOST_WATCHED} tables")
        live = self.service.house.tables[request.table]
        self.service.presence.show(live)
        self.service.house.watch(connection, live, request)
        connection.watching.add(request.table)
        self._welcome_back(connection, request)

    def _welcome_back(self, connection: Connection, request: messages.Watch) -> None:
        """Whoever looks at a table again whose seat a bot has been keeping sits down again."""
        live = self.service.house.tables[request.table]
        seat = live.table.seat_of(connection.account.id)
        sitter = live.table.seats[seat] if seat is not None else None
        if sitter and sitter.away and not sitter.resigned and live.table.status == "playing":
            self.service.house.spawn(self._sit_again(connection.account, request.table))

    async def _sit_again(self, account: Account, table: str) -> None:
        try:
            await self.service.ask(account, messages.Sit(request=0, table=table))
        except Refused:
            return

    async def _lobby(self, connection: Connection, request: messages.Lobby) -> None:
        if request.on:
            await self.service.lobby.enter(connection, request.request)
        else:
            self.service.lobby.leave(connection)
            connection.done(request.request, None, None, False)

    def account_changed(self, account: int) -> None:
        """Somebody else has heard that an account was changed: its connections follow when they can."""
        self.service.house.spawn(self.follow(account))

    async def follow(self, account: int) -> None:
        """An account was renamed, banned, signed out or has muted somebody: its connections and its companions' have followed."""
        theirs = [*self.service.presence.here.get(account, ()), *self._companions.get(account, ())]
        if theirs:
            await asyncio.wait([self.service.house.spawn(self._follow(connection)) for connection in theirs])

    async def _follow(self, connection: Connection) -> None:
        try:
            identified = await self.again(connection.identified)
        except Refused as refusal:
            if refusal.code == "banned":
                await _send_away(connection, "banned")
            return  # The store is away; when it is back, it is asked again.
        if identified is None:
            await _send_away(connection, "signed out")
        else:
            connection.identified = identified
            connection.account = identified.account

    async def close(self) -> None:
        """The server stops: everybody is told to come again."""
        for connection in list(self.connections):
            connection.tell(messages.Goodbye(reason="restart"))
            await connection.close(SERVICE_RESTART, "restart")


_AT_THE_TABLE = frozenset(
    {
        messages.Act,
        messages.Sit,
        messages.Stand,
        messages.Start,
        messages.Resign,
        messages.TakeBack,
        messages.Rematch,
        messages.Close,
    }
)


def _client(query: dict[str, list[str]]) -> str:
    # Without a name of its own a client counts for itself: its numbers are no other's.
    client = query.get("client", [token_hex(8)])[0]
    if not CLIENT.fullmatch(client):
        raise Refused("malformed", "client is up to 32 letters, digits, - and _")
    return client


async def _send_away(connection: Connection, reason: Literal["banned", "signed out"]) -> None:
    connection.tell(messages.Goodbye(reason=reason))
    await connection.close(POLICY, reason)
