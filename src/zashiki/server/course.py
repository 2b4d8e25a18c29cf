"""How a match goes: when it began, who began, how long people thought, and what happened that keeps it from being rated."""

from __future__ import annotations

from zashiki.core.layout import CLOCK
from zashiki.server.log import Event, Kind

LEAVING = (Kind.RESIGN, Kind.TIMEOUT, Kind.GONE)


class Course:
    """What is remembered of a match besides its moves."""

    __slots__ = ("began_at", "decisions", "ended_at", "first", "since", "stood_in", "taken_back", "thinking_ms")

    def __init__(self, seats: int) -> None:
        self.began_at = 0
        self.ended_at = 0
        self.first: int | None = None
        """The seat that began; None where several could."""
        self.decisions = [0] * seats
        self.thinking_ms = [0] * seats
        self.since: dict[int, int] = {}
        """Since when each seat's own hand has had something to decide."""
        self.stood_in: set[int] = set()
        """The seats of people for whom a bot has played."""
        self.taken_back = False

    def begin(self, at: int, bits: int) -> None:
        """The cards are dealt; the seats that may act are given as bits."""
        self.began_at = at
        self.first = bits.bit_length() - 1 if bits.bit_count() == 1 else None

    def take(self, event: Event, deciding: int, *, over: bool) -> None:
        """After an event: `deciding` are the seats whose own hands have something to decide now, as bits."""
        if event.kind == Kind.ACT:
            self._decided(event)
        elif event.kind == Kind.TAKE_BACK:
            self.taken_back = True
        elif event.kind in LEAVING and event.seat is not None and not over:
            self.stood_in.add(event.seat)
        if over:
            self.ended_at = self.ended_at or event.at
        self._wait(deciding, event.ticks)

    def _decided(self, event: Event) -> None:
        since = self.since.pop(event.seat, None) if event.seat is not None else None
        if since is not None and event.seat is not None:
            self.decisions[event.seat] += 1
            self.thinking_ms[event.seat] += event.ticks - since

    def _wait(self, deciding: int, ticks: int) -> None:
        if deciding >> CLOCK & 1:
            deciding = 0  # Where everybody acts at any time, nobody can be said to think.
        for seat in [seat for seat in self.since if not deciding >> seat & 1]:
            del self.since[seat]
        seat = 0
        while deciding >> seat:
            if deciding >> seat & 1:
                self.since.setdefault(seat, ticks)
            seat += 1
