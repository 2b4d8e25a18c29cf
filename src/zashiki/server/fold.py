"""A table's log, folded: who sits where, the match, the clocks. It takes events that were checked, and does no I/O."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from zashiki.core.game import Game
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.match import OPENED, REVEALED, TOLD, Entry, Match
from zashiki.core.state import State
from zashiki.games import find
from zashiki.server.clocks import SeatClocks
from zashiki.server.course import Course
from zashiki.server.log import Event, Kind
from zashiki.server.settings import MoveClock, TableSettings

REMEMBERED = 16
"""So many of the latest requests of each person are recognised when they come again."""
FLIP_MS = 20_000
"""Where time acts and the table has no time for each move, this is how long a player may dither."""


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


class Fold:
    """What the log of a table leads to."""

    __slots__ = (
        "abandoning",
        "asked_back",
        "bits",
        "clocks",
        "closed",
        "course",
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
        "shown_at",
        "shown_ticks",
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
        self.course = Course(seats)
        self.number = 0
        self.last_at = created_at
        self.last_ticks = 0
        self.shown_at = created_at
        self.shown_ticks = 0
        """When the last thing happened that everybody was told of."""
        self.lines: list[Line] = []
        self.told = [0] * (seats + 1)
        """How many lines each seat, and last a spectator, was told."""
        self.requests: dict[int, dict[str, int]] = {}
        """By account: what others ask in secret must not make a person's own requests forgotten sooner."""
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
        if self.status != "playing" or self.match is None or not self.own_hands >> seat & 1:
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
        return clock.seconds * 1000 if isinstance(clock, MoveClock) else FLIP_MS

    def due_after(self, ticks: int) -> int | None:
        """Before when nobody needs to look at this table again if something happens now; None: never."""
        if self.match is None or self.decided or self.closed:
            return None
        if self.game.timed or self.own_hands.bit_count() < len(self.seats):
            return ticks
        return self.clocks.soonest(ticks)

    def status_after(self, event: Event) -> str | None:
        """The status that an event will give this table; None: the one it has."""
        if event.kind == Kind.ACT:
            return "over" if self._is_last(event) else None
        if event.kind in _STATUSES:
            return _STATUSES[Kind(event.kind)]
        return "over" if self._is_decisive(event) else None

    def _is_last(self, event: Event) -> bool:
        """Whether nobody may act any more after an action."""
        assert self.match is not None
        assert event.seat is not None
        assert event.action is not None
        tried, content = _slate(self.game.id)
        # As bytes: NumPy copies a record field by field, which takes twenty times as long.
        content[:] = np.frombuffer(self.match.state.records, np.uint8)
        tried.apply(event.seat, event.action)
        return tried.to_act() == 0

    def _is_decisive(self, event: Event) -> bool:
        """Whether somebody's leaving decides the match. Two cannot go on without one; more can while a person is left."""
        if event.kind == Kind.RESIGN:
            return len(self.seats) == 2 or not set(self.persons()) - {event.seat}
        return event.kind in (Kind.TIMEOUT, Kind.GONE) and self.settings.absent == "decide"

    # What comes of it

    def fold(self, event: Event) -> None:
        """Takes the next event of the log; it has been checked when it was written."""
        if event.number != self.number + 1:
            raise ValueError(f"event {event.number} of table {self.id} cannot follow {self.number}")
        self.number = event.number
        self.last_at, self.last_ticks = event.at, event.ticks
        if event.request:
            self._remember(event.account_id or 0, event.request, event.number)
        told = self.told[SPECTATOR]
        if event.kind == Kind.ACT:
            self._fold_act(event)
        else:
            _FOLDS[Kind(event.kind)](self, event)
            self._tell(Line(event.kind, event.at, event.seat, None, event.detail))
            self._look_around()
        if self.told[SPECTATOR] != told:
            self.shown_at, self.shown_ticks = event.at, event.ticks
        if self.match is not None:
            self._settle(event)
            self._note(event)

    def _remember(self, account: int, request: str, number: int) -> None:
        own = self.requests.setdefault(account, {})
        own[request] = number
        if len(own) > REMEMBERED:
            del own[next(iter(own))]

    def has_done(self, account: int, request: str) -> bool:
        """Whether a request of somebody has been carried out already."""
        return request in self.requests.get(account, ())

    def fold_all(self, events: Iterable[Event]) -> None:
        """Takes several."""
        for event in events:
            self.fold(event)

    def _fold_act(self, event: Event) -> None:
        assert self.match is not None
        assert event.seat is not None
        assert event.action is not None
        log = self.match.log
        before = len(log)
        self.match.play(event.seat, event.action)
        for entry in log[before:]:
            self._tell(Line(event.kind, event.at, entry.seat, entry, None))
        if self.asked_back:
            # Whatever happens next answers the question.
            self.asked_back = None
        if self.abandoning:
            # Whoever plays on has thought better of it.
            self.abandoning.discard(event.seat)
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
        self.course.begin(event.at, self.match.state.to_act())

    def _fold_resign(self, event: Event) -> None:
        decisive = self._is_decisive(event)
        self._sitter(event).resigned = True
        self.asked_back = None
        if decisive:
            self._decide("resigned", {seat for seat, sitter in enumerate(self.seats) if sitter and sitter.resigned})

    def _fold_timeout(self, event: Event) -> None:
        # Where several decide at once, the time of all may be up in the same moment.
        self._fold_absence(event, "time", {event.seat, *self.clocks.up_at(event.ticks)})

    def _fold_gone(self, event: Event) -> None:
        self._fold_absence(event, "absence", {event.seat})

    def _fold_absence(self, event: Event, reason: str, losers: set[int | None]) -> None:
        self._sitter(event).away = True
        self.asked_back = None
        if self._is_decisive(event):
            self._decide(reason, losers)

    def _decide(self, reason: str, losers: set[int | None]) -> None:
        """The match ends early: whoever is ahead among the others wins."""
        assert self.match is not None
        others = [seat for seat in range(len(self.seats)) if seat not in losers] or list(range(len(self.seats)))
        points = [sum(parts.values()) for parts in self.match.scores()]
        best = max(points[seat] for seat in others)
        self.decided = Decided(tuple(seat for seat in others if points[seat] == best), reason)

    def _fold_return(self, event: Event) -> None:
        assert event.seat is not None
        self._sitter(event).away = False
        self.clocks.welcome(event.seat)

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
        self.asked_back = None

    def _sitter(self, event: Event) -> Sitter:
        assert event.seat is not None
        sitter = self.seats[event.seat]
        assert sitter is not None
        return sitter

    def _tell(self, line: Line) -> None:
        self.lines.append(line)
        if line.entry is None or is_told_to_all(self.game, line.entry):
            self.told = [count + 1 for count in self.told]
            return
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

    def _note(self, event: Event) -> None:
        timed = self.bits & 1 << CLOCK
        self.course.take(event, timed or self.bits & self.own_hands, over=self.decided is not None)

    def _deciding(self) -> int:
        """The seats whose time runs, as bits, as everybody can see it; none where time itself acts."""
        assert self.match is not None
        if self.decided or self.closed:
            return 0
        bits = self.match.view(SPECTATOR).to_act() if self.game.timed else self.bits
        return 0 if bits >> CLOCK & 1 else bits & self.own_hands


def is_told_to_all(game: Game, entry: Entry) -> bool:
    """Whether everybody is told something of a move."""
    return entry.kind == OPENED or (entry.kind == TOLD and game.vocabulary[entry.action].secrecy != "silent")


def is_told(game: Game, seat: int, line: Line) -> bool:
    """Whether a seat, or a spectator, is told of a line at all."""
    entry = line.entry
    if entry is None:
        return True
    if entry.seat == seat:
        return entry.kind != REVEALED
    return entry.kind in (OPENED, REVEALED) or game.vocabulary[entry.action].secrecy != "silent"


@cache
def _slate(game: str) -> tuple[State, npt.NDArray[np.uint8]]:
    """A state to try actions of a game on, and its bytes; only the event loop does."""
    state = State(find(game))
    return state, state.records.view(np.uint8)


_STATUSES = {Kind.START: "playing", Kind.CLOSE: "closed"}
_FOLDS = {
    Kind.SIT: Fold._fold_sit,
    Kind.STAND: Fold._fold_stand,
    Kind.START: Fold._fold_start,
    Kind.RESIGN: Fold._fold_resign,
    Kind.TIMEOUT: Fold._fold_timeout,
    Kind.GONE: Fold._fold_gone,
    Kind.RETURN: Fold._fold_return,
    Kind.ASK_BACK: Fold._fold_ask_back,
    Kind.AGREE_BACK: Fold._fold_agree_back,
    Kind.REFUSE_BACK: Fold._fold_refuse_back,
    Kind.TAKE_BACK: Fold._fold_take_back,
    Kind.REMATCH: Fold._fold_rematch,
    Kind.NO_REMATCH: Fold._fold_no_rematch,
    Kind.NEXT: Fold._fold_next,
    Kind.ABANDON: Fold._fold_abandon,
    Kind.CLOSE: Fold._fold_close,
}
