"""A table: the fold of its log. It decides what may be done and what comes of it, and does no I/O."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from zashiki.bots.levels import LEVELS
from zashiki.core import entries
from zashiki.core.errors import IllegalAction, MalformedAction, MatchOver, NotYourTurn
from zashiki.core.game import Game
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.match import OPENED, REVEALED, Entry, Match
from zashiki.games import find
from zashiki.server import takeback
from zashiki.server.clocks import SeatClocks
from zashiki.server.errors import Refused
from zashiki.server.log import Event, Kind
from zashiki.server.settings import TableSettings

REMEMBERED = 64
"""So many of the latest requests are recognised when they come again."""
FLIP_MS = 20_000
"""Where time acts and the table has no clock, this is how long a player may dither."""


class Sitter(msgspec.Struct):
    """Who sits in a seat: a person or a program with an account, or a bot of the house."""

    name: str
    account: int | None = None
    bot: str | None = None
    program: bool = False
    away: bool = False
    resigned: bool = False

    @property
    def is_person(self) -> bool:
        """Somebody with an account who has not given up."""
        return self.account is not None and not self.resigned

    @property
    def plays(self) -> bool:
        """Whether the own hand decides, not a bot's."""
        return self.account is not None and not self.away and not self.resigned


class Decided(NamedTuple):
    """Who won and why."""

    winners: tuple[int, ...]
    reason: str


class Line(NamedTuple):
    """A line of the log; `entry` for what was done in the match itself, which not everybody is told."""

    kind: int
    at: int
    seat: int | None
    entry: Entry | None
    detail: str | None


class Table:
    """A match on the server with its seats and clock."""

    __slots__ = (
        "abandoning",
        "asked_back",
        "bits",
        "clocks",
        "closed",
        "created_at",
        "decided",
        "game",
        "host",
        "id",
        "last_at",
        "last_ticks",
        "lines",
        "match",
        "next",
        "number",
        "own_hands",
        "places",
        "rematch",
        "requests",
        "seats",
        "seed",
        "settings",
        "told",
    )

    def __init__(
        self, table_id: str, game: str, seats: int, settings: TableSettings, seed: str, host: int, created_at: int
    ) -> None:
        self.id = table_id
        self.game: Game = find(game)
        self.settings = settings
        self.seed = seed
        self.host = host
        self.created_at = created_at
        self.seats: list[Sitter | None] = [None] * seats
        self.places: dict[int, int] = {}
        """Where each account sits."""
        self.own_hands = 0
        """The seats whose own people decide, not bots, as bits."""
        self.bits = 0
        """The seats that may act, and time, as bits. Not for everybody's eyes."""
        self.match: Match | None = None
        self.decided: Decided | None = None
        self.closed = False
        self.clocks = SeatClocks(settings.clock, seats)
        self.number = 0
        self.last_at = created_at
        self.last_ticks = 0
        self.lines: list[Line] = []
        self.told = [0] * (seats + 1)
        """How many lines each seat, and last a spectator, was told."""
        self.requests: dict[str, int] = {}
        self.asked_back: tuple[int, int, frozenset[int]] | None = None
        """Who asks, how many moves that undoes, and who has agreed."""
        self.rematch: set[int] = set()
        self.abandoning: set[int] = set()
        self.next: str | None = None

    # What anybody may ask about it

    @property
    def status(self) -> str:
        """waiting, playing, over or closed."""
        if self.match is None:
            return "closed" if self.closed else "waiting"
        return "over" if self.decided else "closed" if self.closed else "playing"

    def seat_of(self, account: int) -> int | None:
        """Where somebody sits."""
        return self.places.get(account)

    def version(self, seat: int) -> int:
        """How many lines a seat, or a spectator, was told."""
        return self.told[seat]

    def persons(self) -> list[int]:
        """The seats of people and programs that have not given up."""
        return [seat for seat, sitter in enumerate(self.seats) if sitter and sitter.is_person]

    def waits_for(self, seat: int) -> bool:
        """Whether a seat has something to decide, as that seat may know it."""
        if self.status != "playing" or self.match is None:
            return False
        return bool(self.match.view(seat).to_act() >> seat & 1)

    def hands(self) -> list[int]:
        """The seats that a bot must decide for now: those of bots, and of whoever is away or has given up."""
        hands = self.bits & ~self.own_hands & ~(1 << CLOCK)
        if not hands or self.status != "playing":
            return []
        return [seat for seat in range(len(self.seats)) if hands >> seat & 1]

    def level_of(self, seat: int) -> str:
        """The level of the bot that plays a seat."""
        sitter = self.seats[seat]
        return (sitter.bot if sitter else None) or self.settings.stand_in

    @property
    def patience_ms(self) -> int:
        """How long a player may dither where time itself acts."""
        clock = self.settings.clock
        return getattr(clock, "seconds", 0) * 1000 or FLIP_MS

    def due_after(self, ticks: int) -> int | None:
        """Before when nobody needs to look at this table again if something happens now; None: never."""
        if self.match is None or self.decided or self.closed:
            return None
        if self.game.timed or self.own_hands.bit_count() < len(self.seats):
            return ticks
        return self.clocks.soonest(ticks)

    # What may be done: each gives the event's kind, seat, action and detail, or refuses

    def check_sit(self, account: Any, seat: int | None, bot: str | None) -> tuple[Kind, int, int | None, Any]:
        """Somebody sits down, or comes back to a seat a bot was keeping; the host may seat a bot."""
        mine = self.seat_of(account.id)
        if mine is not None and bot is None and self.status == "playing":
            return self._check_return(mine)
        self._check_waiting()
        if bot is not None:
            return self._check_bot(account.id, seat, bot)
        if mine is not None and seat in (None, mine):
            raise Refused("seat taken", f"you sit in seat {mine} already")
        free = self._check_free(seat)
        # Whoever changes seats leaves the old one with the same event.
        detail = {"name": account.name, "account": account.id, "program": account.kind == "bot"}
        return Kind.SIT, free, None, detail

    def _check_bot(self, account: int, seat: int | None, level: str) -> tuple[Kind, int, int | None, Any]:
        self._check_host(account)
        if level not in LEVELS:
            raise Refused("wrong settings", f"there are bots of level {', '.join(LEVELS)}, not {level[:40]!r}")
        return Kind.SIT, self._check_free(seat), None, {"name": LEVELS[level].title, "bot": level}

    def _check_return(self, seat: int) -> tuple[Kind, int, int | None, Any]:
        sitter = self.seats[seat]
        if sitter is None or not sitter.away or sitter.resigned:
            raise Refused("seat taken", f"you sit in seat {seat} already")
        return Kind.RETURN, seat, None, None

    def check_stand(self, account: int, seat: int | None) -> tuple[Kind, int, int | None, Any]:
        """Somebody leaves a seat before the start; the host may empty any."""
        self._check_waiting()
        mine = self.seat_of(account)
        seat = mine if seat is None else seat
        if seat is None or not 0 <= seat < len(self.seats) or self.seats[seat] is None:
            raise Refused("not seated", "there is nobody in that seat" if mine is not None else "you have no seat at this table")
        if seat != mine:
            self._check_host(account)
        return Kind.STAND, seat, None, None

    def check_start(self, account: int) -> tuple[Kind, int | None, int | None, Any]:
        """The match begins."""
        self._check_waiting()
        self._check_host(account)
        empty = [seat for seat, sitter in enumerate(self.seats) if sitter is None]
        if empty:
            raise Refused("not started", f"seat {empty[0]} is empty: somebody must sit there, or a bot")
        return Kind.START, None, None, None

    def check_act(self, account: int, action: Any, stale: bool) -> tuple[Kind, int, int | None, Any]:
        """A seat's own hand does something. `stale`: it decided about something else."""
        seat = self._check_playing(account)
        assert self.match is not None
        try:
            number = self.game.vocabulary.number(action)
        except MalformedAction as error:
            raise Refused("malformed", str(error)) from None
        if stale:
            raise Refused("stale", "the table has moved on since you decided: look at it again")
        if self.match.state.refusal(seat, number) != entries.DONE:
            raise self._refusal(seat, number)
        return Kind.ACT, seat, number, None

    def _refusal(self, seat: int, number: int) -> Refused:
        assert self.match is not None
        try:
            self.match.copy().act(seat, number)
        except MatchOver as error:
            return Refused("match over", str(error))
        except NotYourTurn as error:
            return Refused("not your turn", str(error))
        except IllegalAction as error:
            return Refused("illegal action", str(error))
        raise AssertionError("what is refused is not legal")

    def check_resign(self, account: int) -> tuple[Kind, int, int | None, Any]:
        """A player gives up."""
        return Kind.RESIGN, self._check_playing(account), None, None

    def check_take_back(self, account: int, answer: str) -> tuple[Kind, int, int | None, Any]:
        """A player asks to take the last action back, agrees or refuses. Among bots nobody needs to be asked."""
        seat = self._check_playing(account)
        assert self.match is not None
        if answer == "ask":
            count = takeback.moves_undone(self.match, seat, self.persons())
            alone = all(other == seat for other in self.persons())
            return (Kind.TAKE_BACK if alone else Kind.ASK_BACK), seat, count, None
        if self.asked_back is None or self.asked_back[0] == seat:
            raise Refused("nothing to answer", "nobody else has asked to take an action back")
        asker, count, agreed = self.asked_back
        if answer == "refuse":
            return Kind.REFUSE_BACK, seat, None, None
        if all(other in (asker, seat) or other in agreed for other in self.persons()):
            return Kind.TAKE_BACK, asker, count, None
        return Kind.AGREE_BACK, seat, None, None

    def check_rematch(self, account: int, agree: bool) -> tuple[Kind, int, int | None, Any]:
        """A player wants to play again, or not."""
        seat = self._check_seated(account)
        if self.status != "over":
            raise Refused("not over", "the match is not over yet")
        if self.next:
            raise Refused("already started", f"the next match is at table {self.next}")
        return (Kind.REMATCH if agree else Kind.NO_REMATCH), seat, None, None

    def check_close(self, account: int) -> tuple[Kind, int | None, int | None, Any]:
        """The host closes the table before the match; later all people must agree to abandon it."""
        if self.status == "waiting":
            self._check_host(account)
            return Kind.CLOSE, None, None, {"reason": "closed by the host"}
        seat = self._check_playing(account)
        others = [other for other in self.persons() if other != seat]
        if all(other in self.abandoning for other in others):
            return Kind.CLOSE, seat, None, {"reason": "abandoned by all players"}
        return Kind.ABANDON, seat, None, None

    def wants_rematch(self) -> bool:
        """Whether everybody who could wants to play again."""
        here = [seat for seat, sitter in enumerate(self.seats) if sitter and sitter.account is not None]
        return self.status == "over" and not self.next and bool(here) and self.rematch >= set(here)

    def _check_waiting(self) -> None:
        if self.status == "closed":
            raise Refused("match over", "this table is closed")
        if self.status != "waiting":
            raise Refused("already started", "the match has begun")

    def _check_host(self, account: int) -> None:
        if account != self.host:
            raise Refused("not the host", "only the host of the table may do that")

    def _check_free(self, seat: int | None) -> int:
        free = [place for place, sitter in enumerate(self.seats) if sitter is None]
        if seat is not None and not 0 <= seat < len(self.seats):
            raise Refused("malformed", f"this table has seats 0 to {len(self.seats) - 1}, there is no seat {seat}")
        if not free:
            raise Refused("table full", "every seat is taken")
        if seat is not None and seat not in free:
            raise Refused("seat taken", f"seat {seat} is taken")
        return free[0] if seat is None else seat

    def _check_seated(self, account: int) -> int:
        seat = self.seat_of(account)
        if seat is None:
            raise Refused("not seated", "you have no seat at this table")
        return seat

    def _check_playing(self, account: int) -> int:
        seat = self._check_seated(account)
        if self.status == "waiting":
            raise Refused("not started", "the match has not begun")
        if self.status != "playing":
            raise Refused("match over", "the match is over")
        sitter = self.seats[seat]
        assert sitter is not None
        if sitter.resigned:
            raise Refused("match over", "you have given up this match")
        if sitter.away:
            raise Refused("stale", "a bot keeps your seat: sit down again to play on")
        return seat

    # What comes of it

    def fold(self, event: Event) -> None:
        """Takes the next event of the log; it has been checked when it was written."""
        if event.number != self.number + 1:
            raise ValueError(f"event {event.number} of table {self.id} cannot follow {self.number}")
        self.number = event.number
        self.last_at, self.last_ticks = event.at, event.ticks
        if event.request:
            self.requests[event.request] = event.number
            if len(self.requests) > REMEMBERED:
                del self.requests[next(iter(self.requests))]
        if event.kind == Kind.ACT:
            self._fold_act(event)
        else:
            _FOLDS[Kind(event.kind)](self, event)
            self._tell(Line(event.kind, event.at, event.seat, None, event.detail))
            self._look_around()
        if self.match is not None:
            self._settle(event)

    def fold_all(self, events: Iterable[Event]) -> None:
        """Takes several."""
        for event in events:
            self.fold(event)

    def _fold_act(self, event: Event) -> None:
        assert self.match is not None
        assert event.seat is not None
        assert event.action is not None
        before = len(self.match.log)
        self.match.play(event.seat, event.action)
        for entry in self.match.log[before:]:
            self._tell(Line(event.kind, event.at, entry.seat, entry, None))
        if self.asked_back:
            # Whatever happens next answers the question.
            self.asked_back = None
        self.bits = self.match.state.to_act()
        if self.bits == 0:
            outcome = self.match.outcome
            assert outcome is not None
            self.decided = Decided(outcome.winners, outcome.reason)

    def _fold_sit(self, event: Event) -> None:
        assert event.seat is not None
        sitter = msgspec.convert(event.content, Sitter)
        if sitter.account is not None:
            before = self.seat_of(sitter.account)
            if before is not None:
                self.seats[before] = None
        self.seats[event.seat] = sitter

    def _fold_stand(self, event: Event) -> None:
        assert event.seat is not None
        self.seats[event.seat] = None

    def _fold_start(self, event: Event) -> None:
        self.match = Match(self.game, len(self.seats), options=self.settings.options, seed=self.seed)

    def _fold_resign(self, event: Event) -> None:
        sitter = self._sitter(event)
        sitter.resigned = True
        self._without(event, "resigned")

    def _fold_timeout(self, event: Event) -> None:
        self._fold_absence(event, "time")

    def _fold_gone(self, event: Event) -> None:
        self._fold_absence(event, "absence")

    def _fold_absence(self, event: Event, reason: str) -> None:
        self._sitter(event).away = True
        if self.settings.absent == "decide":
            self._decide(reason, {event.seat})

    def _without(self, event: Event, reason: str) -> None:
        """Somebody has given up: two cannot go on, more can while a person is left."""
        if len(self.seats) == 2 or not self.persons():
            self._decide(reason, {seat for seat, sitter in enumerate(self.seats) if sitter and sitter.resigned})

    def _decide(self, reason: str, losers: set[int | None]) -> None:
        """The match ends early: whoever is ahead among the others wins."""
        assert self.match is not None
        others = [seat for seat in range(len(self.seats)) if seat not in losers] or list(range(len(self.seats)))
        points = [sum(parts.values()) for parts in self.match.scores()]
        best = max(points[seat] for seat in others)
        self.decided = Decided(tuple(seat for seat in others if points[seat] == best), reason)

    def _fold_return(self, event: Event) -> None:
        self._sitter(event).away = False

    def _fold_ask_back(self, event: Event) -> None:
        assert event.seat is not None
        assert event.action is not None
        self.asked_back = (event.seat, event.action, frozenset())

    def _fold_agree_back(self, event: Event) -> None:
        if self.asked_back and event.seat is not None:
            asker, count, agreed = self.asked_back
            self.asked_back = (asker, count, agreed | {event.seat})

    def _fold_refuse_back(self, event: Event) -> None:
        self.asked_back = None

    def _fold_take_back(self, event: Event) -> None:
        assert self.match is not None
        assert event.action is not None
        self.match.take_back(event.action)
        self.asked_back = None

    def _fold_rematch(self, event: Event) -> None:
        assert event.seat is not None
        self.rematch.add(event.seat)

    def _fold_no_rematch(self, event: Event) -> None:
        self.rematch.clear()

    def _fold_next(self, event: Event) -> None:
        self.next = str(event.content["table"])

    def _fold_abandon(self, event: Event) -> None:
        assert event.seat is not None
        self.abandoning.add(event.seat)

    def _fold_close(self, event: Event) -> None:
        self.closed = True

    def _sitter(self, event: Event) -> Sitter:
        assert event.seat is not None
        sitter = self.seats[event.seat]
        assert sitter is not None
        return sitter

    def _tell(self, line: Line) -> None:
        self.lines.append(line)
        for place in range(len(self.told)):
            seat = place if place < len(self.seats) else SPECTATOR
            self.told[place] += is_told(self.game, seat, line)

    def _look_around(self) -> None:
        """Who sits where, and whose own hand decides: it changes seldom."""
        self.places = {sitter.account: seat for seat, sitter in enumerate(self.seats) if sitter and sitter.account is not None}
        self.own_hands = sum(1 << seat for seat, sitter in enumerate(self.seats) if sitter and sitter.plays)
        self.bits = self.match.state.to_act() if self.match else 0

    def _settle(self, event: Event) -> None:
        if not self.clocks.left:
            return
        self.clocks.settle(event.seat if event.kind == Kind.ACT else None, self._deciding(), event.ticks)

    def _deciding(self) -> int:
        """The seats whose time runs, as bits, as everybody can see it; none where time itself acts."""
        assert self.match is not None
        if self.decided or self.closed:
            return 0
        bits = self.match.view(SPECTATOR).to_act() if self.game.timed else self.bits
        return 0 if bits >> CLOCK & 1 else bits & self.own_hands


def is_told(game: Game, seat: int, line: Line) -> bool:
    """Whether a seat, or a spectator, is told of a line at all."""
    entry = line.entry
    if entry is None:
        return True
    if entry.seat == seat:
        return entry.kind != REVEALED
    return entry.kind in (OPENED, REVEALED) or game.vocabulary[entry.action].secrecy != "silent"


_FOLDS = {
    Kind.SIT: Table._fold_sit,
    Kind.STAND: Table._fold_stand,
    Kind.START: Table._fold_start,
    Kind.RESIGN: Table._fold_resign,
    Kind.TIMEOUT: Table._fold_timeout,
    Kind.GONE: Table._fold_gone,
    Kind.RETURN: Table._fold_return,
    Kind.ASK_BACK: Table._fold_ask_back,
    Kind.AGREE_BACK: Table._fold_agree_back,
    Kind.REFUSE_BACK: Table._fold_refuse_back,
    Kind.TAKE_BACK: Table._fold_take_back,
    Kind.REMATCH: Table._fold_rematch,
    Kind.NO_REMATCH: Table._fold_no_rematch,
    Kind.NEXT: Table._fold_next,
    Kind.ABANDON: Table._fold_abandon,
    Kind.CLOSE: Table._fold_close,
}
