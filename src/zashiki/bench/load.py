"""People at tables of two, played by one process over real sockets: closed loop, open loop, or just sitting there.

One thread, `epoll` and plain sockets. A table has one move in flight at most; a move is over when both sides have seen it.
What is measured is the time from when a move was due until the *other* side has received it.
"""

from __future__ import annotations

import resource
import select
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from zashiki.bench.wire import CLOSE, PING, PONG, TEXT, ConnectionFailed, Wire, frame

READY, MOVING, BETWEEN = range(3)
AT_ONCE = 64
SPIN = 0.0002
"""So long before a move is due nobody sleeps any more: waking up takes about that."""
DRAIN = 5.0
ENDLESS = 1 << 60
PATIENCE = 120.0
now = time.perf_counter


class Player:
    """One person with one connection, and the tables the person plays at, each with the person's side of it."""

    __slots__ = ("account", "answered", "place", "requests", "secret", "tables", "wire")

    def __init__(self, wire: Wire, place: int = 0, secret: str = "") -> None:
        self.wire = wire
        self.place = place
        self.secret = secret
        self.account: int | None = None
        self.requests = self.answered = 0
        self.tables: dict[str, tuple[Table, int]] = {}

    def send(self, text: str) -> None:
        """Sends one message."""
        self.wire.send(frame(text.encode()))


class Table:
    """What the load must know of one table: whose turn it is, what is legal, and who has yet to see the move in flight."""

    __slots__ = (
        "actor",
        "asked",
        "decision",
        "due",
        "host",
        "id",
        "left",
        "legal",
        "mover",
        "over",
        "phase",
        "players",
        "queue",
        "since",
        "versions",
        "waiting",
    )

    def __init__(self, identifier: str, players: tuple[Player, Player]) -> None:
        self.id = identifier
        self.players = players
        self.versions = [-1, -1]
        self.since = (-1, -1)
        self.phase = BETWEEN
        self.actor = self.mover = 0
        self.legal: Sequence[int] = ()
        self.over = False
        self.waiting = self.asked = self.decision = self.left = 0
        self.host: int | None = None
        self.due = 0.0
        self.queue: deque[float] = deque()


class Dialect(Protocol):
    """How one kind of server is talked to."""

    def seat(self, load: Load, tables: int, players: int) -> None:
        """Opens tables with two people each and starts their matches; all are then READY in `load.tables`."""

    def receive(self, load: Load, player: Player, text: bytes, at: float) -> None:
        """Takes one message of the server: brings the table up to date and tells `load.saw` of moves."""

    def move(self, table: Table, choice: float) -> bytes:
        """The frame of a legal action of the one whose turn it is; `choice` is between 0 and 1."""

    def renew(self, load: Load, table: Table) -> None:
        """Follows a finished match with another; says `load.begun` when it can be played."""

    def return_to(self, load: Load, table: Table) -> float:
        """Whoever is to act comes back over a new connection and acts at once; the seconds until that was answered."""


class Load:
    """The tables, their people and what was counted."""

    def __init__(self, dialect: Dialect, seed: int | str = 0) -> None:
        self.dialect = dialect
        self.random = Random(seed)
        self.tables: list[Table] = []
        self.players: dict[int, Player] = {}
        self.errors: Counter[str] = Counter()
        self._epoll = select.epoll()
        self._eager = False
        self._reset(0.0, 0.0)
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def _reset(self, begin: float, end: float) -> None:
        self._begin, self._end = begin, end
        self._moves = self._matches = 0
        self._latencies = array("d")
        self._lags = array("d")

    # People and their sockets

    def join(self, player: Player) -> Player:
        """From now on this person's messages are heard."""
        descriptor = player.wire.socket.fileno()
        self.players[descriptor] = player
        self._epoll.register(descriptor, select.EPOLLIN)
        for opcode, payload in player.wire.messages(b""):
            self._take(player, opcode, payload, now())
        return player

    def hang_up(self) -> None:
        """Everybody's connection ends; the tables are remembered."""
        for descriptor, player in self.players.items():
            self._epoll.unregister(descriptor)
            player.wire.socket.close()
        self.players.clear()

    def leave(self) -> None:
        """Everybody is gone for good."""
        self.hang_up()
        self.tables.clear()

    def listen(self, seconds: float) -> None:
        """Waits so long for messages and takes what has come."""
        ready = self._epoll.poll(0, AT_ONCE)
        if not ready and seconds > SPIN:
            # `epoll.poll` counts in milliseconds, `select` in microseconds.
            select.select([self._epoll], [], [], seconds - SPIN)
            ready = self._epoll.poll(0, AT_ONCE)
        for descriptor, _ in ready:
            player = self.players[descriptor]
            messages = player.wire.receive()
            at = now()
            for opcode, payload in messages:
                self._take(player, opcode, payload, at)
            if player.wire.closed:
                self._hung_up(descriptor)

    def _take(self, player: Player, opcode: int, payload: bytes, at: float) -> None:
        if opcode == TEXT:
            self.dialect.receive(self, player, payload, at)
        elif opcode == PING:
            player.wire.send(frame(payload, PONG))
        elif opcode == CLOSE:
            self.errors["closed: " + payload[2:].decode(errors="replace")] += 1

    def _hung_up(self, descriptor: int) -> None:
        self.errors["hung up"] += 1
        self._epoll.unregister(descriptor)
        self.players.pop(descriptor).wire.socket.close()

    def until(self, reached: Callable[[], bool], what: str) -> None:
        """Listens until this is so; a server that takes too long over it has failed."""
        deadline = now() + PATIENCE
        while not reached():
            self.listen(0.01)
            if now() > deadline:
                raise ConnectionFailed(f"{what}: not within {PATIENCE:.0f} s; errors so far: {dict(self.errors)}")

    # Moves

    def _send(self, table: Table, due: float) -> None:
        table.phase, table.mover, table.due, table.waiting = MOVING, table.actor, due, 3
        table.since = (table.versions[0], table.versions[1])
        whole = self.dialect.move(table, self.random.random())
        if not self._eager:
            self._lags.append(now() - due)
        try:
            table.players[table.actor].wire.send(whole)
        except OSError as error:
            self.errors[f"sending: {error}"] += 1

    def saw(self, table: Table, side: int, at: float) -> None:
        """One side of the table has received a newer state."""
        if not table.waiting >> side & 1 or table.versions[side] <= table.since[side]:
            return
        table.waiting &= ~(1 << side)
        if side != table.mover and self._begin <= table.due < self._end:
            self._latencies.append(at - table.due)
        if not table.waiting:
            self._moves += self._begin <= at < self._end
            self._moved(table)

    def _moved(self, table: Table) -> None:
        if table.over:
            self._matches += 1
            table.phase = BETWEEN
            self.dialect.renew(self, table)
        else:
            self.begun(table)

    def begun(self, table: Table) -> None:
        """The table waits for a move."""
        table.phase = READY
        if table.queue:
            self._send(table, table.queue.popleft())
        elif self._eager and table.left:
            table.left -= 1
            self._send(table, now())

    # What can be asked for

    def closed(self, begin: float, seconds: float) -> dict[str, Any]:
        """Every table moves as soon as both sides have seen the last move. Counts between `begin` and `seconds` later."""
        self._start(begin, begin + seconds)
        self._let_go(ENDLESS)
        while now() < self._end:
            self.listen(0.01)
        self._eager = False
        return self._finish()

    def _let_go(self, moves: int) -> None:
        """From now on each table moves as soon as it can, so many times."""
        self._eager = True
        for table in self.tables:
            table.left = moves
            if table.phase == READY:
                self.begun(table)

    def open(self, begin: float, seconds: float, rate: float) -> dict[str, Any]:
        """Moves fall due at random times fixed in advance, `rate` a second, whatever becomes of the ones before."""
        self._start(begin, begin + seconds)
        waiting = deque(self._due_times(rate))
        order = self.random.sample(self.tables, len(self.tables))
        turn = 0
        while waiting:
            if (wait := waiting[0] - now()) > 0:
                self.listen(min(wait, 0.01))
                continue
            turn = self._launch(order, turn, waiting.popleft())
            self.listen(0)
        return self._finish()

    def _due_times(self, rate: float) -> list[float]:
        times, at = [], now()
        while (at := at + self.random.expovariate(rate)) < self._end:
            times.append(at)
        return times

    def _launch(self, order: list[Table], turn: int, due: float) -> int:
        """The next table moves, or will when it has seen its last move; a table between two matches is passed over."""
        for step in range(len(order)):
            table = order[(turn + step) % len(order)]
            if table.phase == READY:
                self._send(table, due)
            elif table.phase == MOVING:
                table.queue.append(due)
            else:
                continue
            return (turn + step + 1) % len(order)
        self.errors["all tables are between two matches"] += 1
        return turn

    def _start(self, begin: float, end: float) -> None:
        self._reset(begin, end)
        self._cpu, self._since = time.process_time(), now()

    def _finish(self) -> dict[str, Any]:
        """Lets what is under way come to its end, and reports."""
        busy = (time.process_time() - self._cpu) / (now() - self._since)
        deadline = now() + DRAIN
        while any(table.phase != READY for table in self.tables) and now() < deadline:
            self.listen(0.01)
        if stuck := sum(table.phase == MOVING for table in self.tables):
            self.errors["moves that somebody never saw"] += stuck
        return {
            "moves": self._moves,
            "matches": self._matches,
            "latencies": [round(each * 1e6) for each in self._latencies],
            "lags": [round(each * 1e6) for each in self._lags],
            "busy": busy,
            "errors": self.mistakes(),
        }

    def mistakes(self) -> dict[str, int]:
        """What has gone wrong since this was asked last."""
        errors, self.errors = dict(self.errors), Counter()
        return errors

    def some(self, moves: int) -> dict[str, Any]:
        """So many moves at every table, closed loop."""
        self._start(now(), now() + PATIENCE)
        self._let_go(moves)
        self.until(lambda: not any(table.left or table.phase != READY for table in self.tables), "some moves at every table")
        self._eager = False
        return self._finish()

    def returns(self) -> dict[str, Any]:
        """At each table, one after the other, somebody comes back and acts."""
        seconds = [self.dialect.return_to(self, table) for table in self.tables if table.phase == READY]
        return {"milliseconds": [each * 1000 for each in seconds], "errors": self.mistakes()}

    def idle(self, descriptor: int) -> None:
        """Just sits there, answering the server's pings, until something can be read from the descriptor."""
        while descriptor not in select.select([self._epoll.fileno(), descriptor], [], [])[0]:
            self.listen(0)
