"""How long to wait before trying again."""

from __future__ import annotations

import random

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 15.0


class Backoff:
    """How long to wait before the next attempt: longer each time, and never all clients in the same moment."""

    def __init__(self, first: float = FIRST_WAIT_S, longest: float = LONGEST_WAIT_S) -> None:
        self.first = first
        self.longest = longest
        self.attempts = 0

    def next(self) -> float:
        """The next wait, in seconds."""
        wait: float = min(self.longest, self.first * 2 ** min(self.attempts, 30))
        self.attempts += 1
        return wait * random.uniform(0.5, 1)

    def reset(self) -> None:
        """It works again."""
        self.attempts = 0
