"""The time each seat has left, counted in the service's own time."""

from __future__ import annotations

from zashiki.server.settings import BankClock, Clock, MoveClock, NoClock

HOUR_MS = 3_600_000
WELCOME_S = 30
"""Whoever comes back to a seat has at least so much of the store of seconds, or what was in it at the start."""


class SeatClocks:
    """How long every seat may still think, and for whom time runs."""

    __slots__ = ("left", "limit", "since")

    def __init__(self, limit: Clock, seats: int) -> None:
        self.limit = limit
        self.left = [] if isinstance(limit, NoClock) else [limit.seconds * 1000] * seats
        self.since: dict[int, int] = {}
        """The seats whose time runs, and since when."""

    def settle(self, actor: int | None, running: int, ticks: int) -> None:
        """After an event: `actor` has decided, time runs on for the seats `running`, as bits."""
        for seat in tuple(self.since):
            if seat == actor or not running >> seat & 1:
                self._stop(seat, ticks, decided=seat == actor)
        seat = 0
        while running >> seat:
            if running >> seat & 1:
                self.since.setdefault(seat, ticks)
            seat += 1

    def _stop(self, seat: int, ticks: int, *, decided: bool) -> None:
        since = self.since.pop(seat)
        if isinstance(self.limit, BankClock):
            self.left[seat] = max(0, self.left[seat] - (ticks - since)) + self.limit.increment * 1000 * decided

    def left_at(self, ticks: int) -> list[int]:
        """Each seat's time left in that moment."""
        return [max(0, left - (ticks - self.since.get(seat, ticks))) for seat, left in enumerate(self.left)]

    def deadline(self) -> tuple[int, int] | None:
        """When the next seat's time is up, and whose."""
        if not self.since:
            return None
        return min([(since + self.left[seat], seat) for seat, since in self.since.items()])

    def up_at(self, ticks: int) -> list[int]:
        """The seats whose time has run out by then."""
        return [seat for seat, since in self.since.items() if since + self.left[seat] <= ticks]

    def welcome(self, seat: int) -> None:
        """Somebody is back whose store of seconds may be empty: that would be the end of it at once."""
        if isinstance(self.limit, BankClock):
            self.left[seat] = max(self.left[seat], min(self.limit.seconds, WELCOME_S) * 1000)

    def soonest(self, ticks: int) -> int | None:
        """Before when no seat's time can be up, whatever the next action is."""
        if isinstance(self.limit, NoClock):
            return None
        soonest = ticks + min(self.left)
        for seat, since in self.since.items():
            soonest = min(soonest, since + self.left[seat])
        return soonest

    @property
    def by_correspondence(self) -> bool:
        """Whether a decision may take so long that nobody is expected to sit and wait."""
        return isinstance(self.limit, MoveClock) and self.limit.seconds * 1000 >= HOUR_MS
