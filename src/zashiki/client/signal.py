"""Waiting until something that others change is as one wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec

P = ParamSpec("P")


class Signal:
    """Wakes everybody who waits; once it has failed, all who wait or will wait hear why."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self._waiting: set[asyncio.Future[None]] = set()

    def wake(self) -> None:
        """Something has changed: all who wait look again."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    def fail(self, failure: Exception) -> None:
        """What they wait for will not come."""
        self.failure = self.failure or failure
        self.wake()

    async def until(self, ready: Callable[P, bool], *args: P.args, **kwargs: P.kwargs) -> None:
        """Back when `ready` says so."""
        while not ready(*args, **kwargs):
            if self.failure:
                raise self.failure
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)
