"""What is due when: one queue and one timer for every clock of every table."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Callable, Hashable
from itertools import count

LONGEST_S = 3600.0

logger = logging.getLogger("zashiki.deadlines")


class Deadlines:
    """Calls functions when the service's own time has come. A key has one deadline: the latest that was set.

    A deadline that moves to later, as with every action at a table with a clock, costs nothing: the queue keeps the earlier
    moment and looks again then.
    """

    def __init__(self, ticks: Callable[[], int]) -> None:
        self._ticks = ticks
        self._heap: list[tuple[int, int, Hashable]] = []
        self._queued: dict[Hashable, int] = {}
        self._set: dict[Hashable, tuple[int, Callable[[], None]]] = {}
        self._counter = count()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_due = 0

    def __len__(self) -> int:
        return len(self._set)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._set

    def set(self, key: Hashable, due: int, function: Callable[[], None]) -> None:
        """Calls `function` when it is `due`, unless something else is set for this key before."""
        self._set[key] = (due, function)
        queued = self._queued.get(key)
        if queued is None or queued > due:
            self._push(key, due)
            if self._timer is None or due < self._timer_due:
                self._wind()

    def drop(self, key: Hashable) -> None:
        """Nothing is due for this key any more."""
        self._set.pop(key, None)

    def close(self) -> None:
        """Nothing is due at all."""
        self._set.clear()
        self._heap.clear()
        self._queued.clear()
        if self._timer:
            self._timer.cancel()

    def _push(self, key: Hashable, due: int) -> None:
        self._queued[key] = due
        heapq.heappush(self._heap, (due, next(self._counter), key))

    def _wind(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._heap:
            self._timer_due = self._heap[0][0]
            delay = min(LONGEST_S, max(0.0, (self._timer_due - self._ticks()) / 1000))
            self._timer = asyncio.get_running_loop().call_later(delay, self.ring)

    def ring(self) -> None:
        """Calls whatever is due by now. Where one stumbles, the others are called nevertheless."""
        for function in self._due(self._ticks()):
            try:
                function()
            except Exception:
                logger.exception("what was due at a table failed")
        self._wind()

    def _due(self, now: int) -> list[Callable[[], None]]:
        functions = []
        while self._heap and self._heap[0][0] <= now:
            when, _, key = heapq.heappop(self._heap)
            if self._queued.get(key) != when:
                continue
            del self._queued[key]
            entry = self._set.get(key)
            if entry is None:
                continue
            if entry[0] > now:
                self._push(key, entry[0])
            else:
                del self._set[key]
                functions.append(entry[1])
        return functions
