"""What each audience of a table is sent: encoded once for all who see the same, as bytes of JSON put together."""

from __future__ import annotations

from functools import cache

import msgspec

from zashiki.core.actions import Action
from zashiki.core.game import Game
from zashiki.core.layout import SPECTATOR
from zashiki.core.match import told
from zashiki.core.writing import ViewWriter
from zashiki.games import find
from zashiki.server.log import Kind
from zashiki.server.messages import OutcomeInfo, SeatInfo, TableInfo
from zashiki.server.table import Line, Sitter, Table, is_told

encode = msgspec.json.Encoder().encode


@cache
def writer(game: str) -> ViewWriter:
    """The one writer of a game's views."""
    return ViewWriter(find(game).layout)


class Pictures:
    """The messages about one table, kept until the table changes."""

    __slots__ = ("_decisions", "_frames", "_legal", "_pictures", "_seats", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._pictures: dict[int, bytes] = {}
        self._frames: dict[tuple[int, int], bytes] = {}
        self._seats: bytes | None = None
        self._legal: dict[int, list[int]] = {}
        self._decisions: dict[int, tuple[int, list[int]]] = {}

    def changed(self, kind: int, seat: int | None) -> None:
        """The table has taken an event."""
        self._pictures.clear()
        self._frames.clear()
        self._legal.clear()
        if kind != Kind.ACT:
            self._seats = None
        elif seat is not None:
            self._decisions.pop(seat, None)

    def legal(self, seat: int) -> list[int]:
        """What a seat's own hand may do now."""
        found = self._legal.get(seat)
        if found is None:
            self._legal[seat] = found = self._legal_now(seat)
        return found

    def _legal_now(self, seat: int) -> list[int]:
        table = self.table
        sitter = table.seats[seat] if seat != SPECTATOR else None
        if sitter is None or table.match is None or table.status != "playing" or not sitter.plays:
            return []
        if not table.match.state.to_act() >> seat & 1:
            return []
        return table.match.state.legal(seat)

    def decision(self, seat: int) -> int:
        """The version at which a seat's present decision came up."""
        legal = self.legal(seat)
        before = self._decisions.get(seat)
        if before is None or before[1] != legal:
            self._decisions[seat] = before = (self.table.version(seat), legal)
        return before[0]

    def frame(self, seat: int, since: int) -> bytes:
        """The state message for a seat, or a spectator, that has seen version `since`; without its opening brace."""
        found = self._frames.get((seat, since))
        if found is None:
            found = self._frames[seat, since] = b'"type":"state","since":%d,"events":[%s],%s' % (
                since,
                b",".join(lines_after(self.table, seat, since)),
                self._picture(seat),
            )
        return found

    def first_frame(self, seat: int, since: int, request: int | None) -> bytes:
        """The answer to `watch`: what never changes stands here too."""
        table = self.table
        number = b"" if request is None else b'"request":%d,' % request
        constant = b'"game":"%s","host":%d,"settings":%s,' % (table.game.id.encode(), table.host, encode(table.settings))
        return b"{" + number + constant + self.frame(seat, since)

    def _picture(self, seat: int) -> bytes:
        found = self._pictures.get(seat)
        if found is None:
            found = self._pictures[seat] = self._drawn(seat)
        return found

    def _drawn(self, seat: int) -> bytes:
        table = self.table
        if self._seats is None:
            self._seats = _standing(table)
        head = b'"table":"%s","version":%d,"status":"%s","seat":%s,%s' % (
            table.id.encode(),
            table.version(seat),
            table.status.encode(),
            b"null" if seat == SPECTATOR else b"%d" % seat,
            self._seats,
        )
        if table.match is None:
            return head + b"}"
        view = table.match.view(seat)
        bits = view.to_act() if table.status == "playing" else 0
        return b'%s,"view":%s,"to_act":%s,"legal":%s,"decision":%d,"scores":%s%s%s}' % (
            head,
            writer(table.game.id).write(view.records),
            encode([other for other in range(len(table.seats)) if bits >> other & 1]),
            encode(self.legal(seat)),
            self.decision(seat),
            _scores(table.game.id, len(table.seats)) % tuple(view.points().ravel().tolist()),
            _clock(table),
            _outcome(table),
        )


def lines_after(table: Table, seat: int, since: int) -> list[bytes]:
    """The lines that a seat, or a spectator, was told after version `since`, encoded."""
    wanted = table.version(seat) - since
    found: list[bytes] = []
    place = len(table.lines)
    while place > 0 and len(found) < wanted:
        place -= 1
        line = table.lines[place]
        if is_told(table.game, seat, line):
            found.append(_line(table.game, seat, line))
    return found[::-1]


def _line(game: Game, seat: int, line: Line) -> bytes:
    who = b"" if line.seat is None else b',"seat":%d' % line.seat
    head = b'{"kind":"%s","at":%d%s' % (_word(line.kind), line.at, who)
    if line.entry is None:
        return head + (b"}" if line.detail is None else b',"detail":%s}' % line.detail.encode())
    event = told(game, seat, line.entry)
    assert event is not None
    revealed = b',"revealed":true' if event.revealed else b""
    return b'%s,"action":%s%s}' % (head, _action(event.action), revealed)


@cache
def _scores(game: str, seats: int) -> bytes:
    """The JSON of the points of every seat, the numbers left open."""
    parts = b",".join(b'"%s":%%d' % part.encode() for part in find(game).rules.PARTS)
    return b"[" + b",".join([b"{%s}" % parts] * seats) + b"]"


@cache
def _word(kind: int) -> bytes:
    return Kind(kind).word.encode()


@cache
def _action(action: Action) -> bytes:
    return encode(action)


def _standing(table: Table) -> bytes:
    """Who sits where and what is open between them: it changes seldom."""
    extras = b""
    if table.asked_back:
        extras += b',"asked_back":%d' % table.asked_back[0]
    if table.rematch:
        extras += b',"rematch":%s' % encode(sorted(table.rematch))
    if table.next:
        extras += b',"next":"%s"' % table.next.encode()
    return b'"seats":%s%s' % (encode([seat_info(sitter) for sitter in table.seats]), extras)


def seat_info(sitter: Sitter | None) -> SeatInfo:
    """Who sits in a seat, as everybody may know it."""
    if sitter is None:
        return SeatInfo()
    return SeatInfo(
        name=sitter.name,
        account=sitter.account,
        bot=sitter.bot,
        program=sitter.program,
        away=sitter.away,
        resigned=sitter.resigned,
    )


def _clock(table: Table) -> bytes:
    clocks = table.clocks
    if not clocks.left:
        return b""
    left = clocks.left_at(table.last_ticks)
    return b',"clock":{"at":%d,"left":%s,"running":%s}' % (table.last_at, encode(left), encode(sorted(clocks.since)))


def _outcome(table: Table) -> bytes:
    if table.decided is None:
        return b""
    return b',"outcome":%s' % encode(OutcomeInfo(winners=list(table.decided.winners), reason=table.decided.reason))


def table_info(table: Table, *, waits_for_me: bool = False) -> TableInfo:
    """A table as a list shows it."""
    return TableInfo(
        id=table.id,
        game=table.game.id,
        status=table.status,
        seats=[seat_info(sitter) for sitter in table.seats],
        settings=msgspec.to_builtins(table.settings),
        host=table.host,
        created_at=table.created_at,
        updated_at=table.last_at,
        waits_for_me=waits_for_me,
    )
