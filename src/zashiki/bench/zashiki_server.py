"""How our own server is talked to: guests with cookies, tables over HTTP, everything else over the socket."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from time import perf_counter
from typing import Any

import msgspec

from zashiki.bench.load import BETWEEN, MOVING, READY, Load, Player, Table
from zashiki.bench.wire import ConnectionFailed, Wire, frame

DAY = 86_400
NEW_TABLE = {
    "game": "hanamikoji",
    "seats": 2,
    # Clocks are on, as at any real table, and long enough that nobody's time is up; so is the patience with the absent.
    "settings": {"clock": {"type": "move", "seconds": DAY}, "grace_seconds": DAY},
}
COOKIE = "zashiki"
SIT, START, REMATCH = 1, 4, 8
"""What has been asked for at a table already, for the second side one bit higher."""


class _Quiet(msgspec.Struct, gc=False, tag_field="type"):
    """A message of which nothing matters here."""


class _Done(_Quiet, tag="done"):
    request: int


class _Present(_Quiet, tag="present"):
    pass


class _Talk(_Quiet, tag="talk"):
    pass


class _Lobby(_Quiet, tag="lobby"):
    pass


class _LobbyChange(_Quiet, tag="lobby change"):
    pass


class _YourTurn(_Quiet, tag="your turn"):
    pass


class _Welcome(_Quiet, tag="welcome"):
    account: int


class _Refused(_Quiet, tag="refused"):
    request: int | None
    code: str
    reason: str


class _Goodbye(_Quiet, tag="goodbye"):
    reason: str


class _State(_Quiet, tag="state"):
    table: str
    version: int
    status: str
    seat: int | None
    seats: msgspec.Raw
    request: int | None = None
    host: int | None = None
    legal: list[int] = []
    decision: int = 0
    next: str | None = None


_Message = _State | _Done | _Present | _Welcome | _Refused | _Goodbye | _YourTurn | _Talk | _Lobby | _LobbyChange
_decode = msgspec.json.Decoder(_Message).decode
_decode_seats = msgspec.json.Decoder(list[dict[str, Any]]).decode


class Zashiki:
    """Guests at tables of hanamikoji. Each does what the table's state asks for: sits down, starts, acts, wants a rematch."""

    def __init__(self, port: int, name: str = "") -> None:
        self._address = ("127.0.0.1", port)
        self._name = name
        self._origin = {"Origin": f"http://127.0.0.1:{port}"}
        self._http = HTTPConnection(*self._address, timeout=60)

    def seat(self, load: Load, tables: int, players: int) -> None:
        """Guests, tables, sockets; then the matches begin. With fewer than two players a table they play at several."""
        cookies = [self._guest() for _ in range(players)]
        hosts = [2 * number % players for number in range(tables)]
        names = [self._table(cookies[host]) for host in hosts]
        self._http.close()
        people = [load.join(Player(self._socket(place, cookie), place, cookie)) for place, cookie in enumerate(cookies)]
        for name, host in zip(names, hosts, strict=True):
            table = Table("", (people[host], people[host + 1]))
            load.tables.append(table)
            self._go_to(table, name)
            load.listen(0)
        load.until(lambda: all(table.phase == READY for table in load.tables), "starting matches")

    def _guest(self) -> str:
        """The cookie of a new guest."""
        self._http.request("GET", "/api/me", headers=self._origin)
        answer = self._http.getresponse()
        body = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            if cookie.startswith(f"{COOKIE}="):
                return cookie.partition(";")[0]
        raise ConnectionFailed(f"/api/me made no guest: {answer.status} {body[:300].decode()}")

    def _table(self, cookie: str) -> str:
        headers = {**self._origin, "Cookie": cookie, "Content-Type": "application/json"}
        self._http.request("POST", "/api/tables", json.dumps(NEW_TABLE), headers)
        answer = self._http.getresponse()
        body = answer.read()
        if answer.status != 201:
            raise ConnectionFailed(f"/api/tables made no table: {answer.status} {body[:300].decode()}")
        return str(json.loads(body)["table"])

    def _socket(self, place: int, cookie: str) -> Wire:
        return Wire(self._address, f"/socket?client=bench-{self._name}-{place}&format=json", {**self._origin, "Cookie": cookie})

    def _ask(self, player: Player, kind: str, table: str) -> None:
        player.requests += 1
        player.send(f'{{"type":"{kind}","request":{player.requests},"table":"{table}"}}')

    def _go_to(self, table: Table, name: str) -> None:
        """Both look at another table, and no longer at the one before."""
        before, table.id = table.id, name
        table.versions, table.over, table.asked, table.legal, table.waiting = [-1, -1], False, 0, (), 3
        for side, player in enumerate(table.players):
            player.tables[name] = table, side
            self._ask(player, "watch", name)
            if before:
                del player.tables[before]
                self._ask(player, "unwatch", before)

    def receive(self, load: Load, player: Player, text: bytes, at: float) -> None:
        """Above all the state of a table."""
        message = _decode(text)
        if type(message) is _State:
            if message.request is not None:
                player.answered = message.request
            place = player.tables.get(message.table)
            if place is not None:
                self._state(load, *place, message, at)
        elif type(message) is _Done:
            player.answered = message.request
        elif type(message) is _Welcome:
            player.account = message.account
        elif type(message) is _Refused:
            player.answered = message.request or 0
            load.errors[f"refused: {message.code}: {message.reason}"] += 1
        elif type(message) is _Goodbye:
            load.errors[f"goodbye: {message.reason}"] += 1

    def _state(self, load: Load, table: Table, side: int, state: _State, at: float) -> None:
        table.versions[side] = state.version
        table.over = state.status == "over"
        if state.legal:
            table.actor, table.legal, table.decision = side, state.legal, state.decision
        if table.phase == MOVING:
            load.saw(table, side, at)
        elif table.phase == BETWEEN:
            self._between(load, table, side, state)

    def _between(self, load: Load, table: Table, side: int, state: _State) -> None:
        if state.host is not None:
            table.host = state.host
        if state.status == "waiting":
            self._before(table, side, state)
        elif state.status == "playing":
            table.waiting &= ~(1 << side)
            if not table.waiting and table.legal:
                load.begun(table)
        elif state.next:
            self._go_to(table, state.next)

    def _before(self, table: Table, side: int, state: _State) -> None:
        """Before the match: who has no seat takes one, and the host starts when none is empty."""
        player = table.players[side]
        if state.seat is None:
            self._once(table, SIT << side, player, "sit")
        elif table.host == player.account and all(seat.get("account") for seat in _decode_seats(state.seats)):
            self._once(table, START, player, "start")

    def _once(self, table: Table, bit: int, player: Player, kind: str) -> None:
        if not table.asked & bit:
            table.asked |= bit
            self._ask(player, kind, table.id)

    def renew(self, load: Load, table: Table) -> None:
        """Both want to play again; the table's state then says where."""
        for side, player in enumerate(table.players):
            self._once(table, REMATCH << side, player, "rematch")

    def return_to(self, load: Load, table: Table) -> float:
        """No look at the table first: the action itself makes the server fetch it."""
        player = table.players[table.actor]
        player.wire, player.account = self._socket(player.place, player.secret), None
        load.join(player)
        load.until(lambda: player.account is not None, "a welcome")
        sent = perf_counter()
        player.wire.send(self.move(table, 0))
        load.until(lambda: player.answered == player.requests, "an answer")
        return perf_counter() - sent

    def move(self, table: Table, choice: float) -> bytes:
        """Any legal action."""
        player, action = table.players[table.actor], table.legal[int(choice * len(table.legal))]
        player.requests += 1
        text = f'{{"type":"act","request":{player.requests},"table":"{table.id}","action":{action},"version":{table.decision}}}'
        return frame(text.encode())
