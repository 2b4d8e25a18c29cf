"""What each audience of a table is sent: encoded once for all who see the same, as bytes of JSON put together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from zashiki.core.actions import Action
from zashiki.core.game import Game
from zashiki.core.layout import SPECTATOR
from zashiki.core.match import Match, told
from zashiki.core.writing import Painter, Sight
from zashiki.games import find
from zashiki.server.log import Kind
from zashiki.server.messages import OutcomeInfo, SeatInfo, TableInfo
from zashiki.server.table import Line, Sitter, Table

encode = msgspec.json.Encoder().encode


@cache
def painter(game: str) -> Painter:
    """The one painter of a game's views."""
    return Painter(find(game))


class Pictures:
    """The messages about one table, kept until the table changes."""

    __slots__ = ("_decisions", "_frames", "_fresh", "_last_sights", "_seats", "_standing", "_tails", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._seats: bytes | None = None
        self._standing: bytes | None = None
        self._tails: dict[int, bytes] = {}
        self._frames: dict[tuple[int, int], bytes] = {}
        self._decisions: dict[int, tuple[int, bytes]] = {}
        self._fresh = 0
        """The seats whose decision is known to be the present one, as bits."""
        self._last_sights: dict[int, Sight] | None = None
        """What is seen when the match is over: it stays the same while people agree on another."""

    def changed(self, kind: int, seat: int | None) -> None:
        """The table has taken an event."""
        self._standing = None
        self._fresh = 0
        self._tails.clear()
        self._frames.clear()
        if kind != Kind.ACT:
            self._seats = None
        elif seat is not None:
            self._decisions.pop(seat, None)

    def put_away(self) -> None:
        """Everybody was shown: whoever looks later gets a picture drawn anew, and thousands of tables need no room for theirs."""
        self._tails.clear()
        self._frames.clear()

    def decision(self, seat: int) -> int:
        """The version at which a seat's present decision came up."""
        if not self._fresh >> seat & 1:
            self._tail(seat)
        return self._decisions.get(seat, (0, b""))[0]

    def frame(self, seat: int, since: int) -> bytes:
        """The state message for a seat, or a spectator, that has seen version `since`; without its opening brace."""
        found = self._frames.get((seat, since))
        if found is None:
            found = self._frames[seat, since] = self._framed(seat, since)
        return found

    def _framed(self, seat: int, since: int) -> bytes:
        lines = b",".join(lines_after(self.table, seat, since))
        return b'"type":"state","since":%d,"events":[%s],%s' % (since, lines, self._tail(seat))

    def first_frame(self, seat: int, since: int, request: int | None, present: Iterable[int] = ()) -> bytes:
        """The answer to `watch`: what never changes stands here too, and whose people are here."""
        table = self.table
        number = b"" if request is None else b'"request":%d,' % request
        constant = b'"game":"%s","host":%d,"settings":%s,' % (table.game.id.encode(), table.host, encode(table.settings))
        return b'{%s%s"present":%s,%s' % (number, constant, encode(sorted(present)), self._framed(seat, since))

    def _tail(self, seat: int) -> bytes:
        found = self._tails.get(seat)
        if found is None:
            found = self._tails[seat] = self._drawn(seat)
        return found

    def _drawn(self, seat: int) -> bytes:
        table = self.table
        version = table.told[seat]
        who = b"null" if seat == SPECTATOR else b"%d" % seat
        if table.match is None:
            return b'"version":%d,"seat":%s,%s}' % (version, who, self._common())
        sight = self._sight(table.match, seat) if table.decided is None else self._last_sight(table.match, seat)
        decision = self._decided(seat, version, sight.legal)
        return b'"version":%d,"seat":%s,%s,%s,"decision":%d}' % (version, who, self._common(), sight.text, decision)

    def _sight(self, match: Match, seat: int) -> Sight:
        table = self.table
        going_on = table.decided is None and not table.closed
        decides = seat != SPECTATOR and bool(table.own_hands >> seat & 1)
        return painter(table.game.id).sight(match.state.records, seat, going_on=going_on, decides=decides)

    def _last_sight(self, match: Match, seat: int) -> Sight:
        if self._last_sights is None:
            self._last_sights = {}
        found = self._last_sights.get(seat)
        if found is None:
            found = self._last_sights[seat] = self._sight(match, seat)
        return found

    def _decided(self, seat: int, version: int, legal: bytes) -> int:
        if seat >= 0:
            self._fresh |= 1 << seat
        before = self._decisions.get(seat)
        if before is None or before[1] != legal:
            self._decisions[seat] = before = (version, legal)
        return before[0]

    def _common(self) -> bytes:
        """What is the same for everybody."""
        if self._standing is None:
            table = self.table
            if self._seats is None:
                self._seats = _standing(table)
            self._standing = b'"table":"%s","status":"%s",%s%s%s%s%s' % (
                table.id.encode(),
                table.status.encode(),
                self._seats,
                _asked_back(table),
                b',"abandoning":%s' % _numbers(table.abandoning) if table.abandoning else b"",
                _clock(table),
                _outcome(table),
            )
        return self._standing


def _asked_back(table: Table) -> bytes:
    """Who asks to take back, and who has agreed so far."""
    if table.asked_back is None:
        return b""
    asker, _, agreed = table.asked_back
    return b',"asked_back":%d' % asker + (b',"agreed_back":%s' % _numbers(agreed) if agreed else b"")


def _numbers(seats: Iterable[int]) -> bytes:
    return b"[%s]" % b",".join(b"%d" % seat for seat in sorted(seats))


def lines_after(table: Table, seat: int, since: int) -> list[bytes]:
    """The lines that a seat, or a spectator, was told after version `since`, encoded."""
    wanted = table.told[seat] - since
    found: list[bytes] = []
    for line in reversed(table.lines):
        if len(found) >= wanted:
            break
        encoded = _line(table.game, seat, line)
        if encoded is not None:
            found.append(encoded)
    found.reverse()
    return found


def _line(game: Game, seat: int, line: Line) -> bytes | None:
    """A line as a seat, or a spectator, is told it."""
    if line.entry is None:
        who = b"" if line.seat is None else b',"seat":%d' % line.seat
        detail = b"" if line.detail is None else b',"detail":%s' % line.detail.encode()
        return b'{"kind":"%s","at":%d%s%s}' % (_word(line.kind), line.at, who, detail)
    event = told(game, seat, line.entry)
    if event is None:
        return None
    return b'{"kind":"act","at":%d,"seat":%d,"action":%s%s}' % (
        line.at,
        event.seat,
        _action(event.action),
        b',"revealed":true' if event.revealed else b"",
    )


@cache
def _word(kind: int) -> bytes:
    return Kind(kind).word.encode()


@cache
def _action(action: Action) -> bytes:
    return encode(action)


def _standing(table: Table) -> bytes:
    """Who sits where, and what comes after the match: it changes seldom."""
    extras = b""
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
    # Of the last thing that everybody knows of: when somebody has claimed in silence is nobody's business.
    left = clocks.left_at(table.shown_ticks)
    return b',"clock":{"at":%d,"left":%s,"running":%s}' % (table.shown_at, encode(left), encode(sorted(clocks.since)))


def _outcome(table: Table) -> bytes:
    if table.decided is None:
        return b""
    return b',"outcome":%s' % encode(OutcomeInfo(winners=list(table.decided.winners), reason=table.decided.reason))


def table_info(table: Table, updated_at: int, *, waits_for_me: bool = False) -> TableInfo:
    """A table as a list shows it; `updated_at` is when its seats or status last changed."""
    return TableInfo(
        id=table.id,
        game=table.game.id,
        status=table.status,
        seats=[seat_info(sitter) for sitter in table.seats],
        settings=msgspec.to_builtins(table.settings),
        host=table.host,
        created_at=table.created_at,
        updated_at=updated_at,
        waits_for_me=waits_for_me,
    )
