"""How a master is learned: every number that matters, and the ones that each game's master came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Share:
    """A part of the matches: how many seats they have, with which options, and how large the part is beside the others."""

    seats: int
    options: dict[str, Any] = field(default_factory=dict)
    weight: float = 1.0


@dataclass(frozen=True)
class Recipe:
    """The loop plays `steps` decisions in each of `matches` matches, then learns from them in pieces, `passes` times over.

    `trace` is how much of what came later counts beside what was expected (the lambda of a lambda-return). `wander` keeps the
    policy from becoming certain too early (entropy); `pull` draws it towards how it was at the last `refresh` (the magnet of
    magnetic mirror descent), so that it settles instead of running in circles. A share `old` of the matches is played against
    past selves, one of which is kept every `keep_every` decisions. Rate and wandering go down from their first number to the
    second over the run, which lasts `decisions` of the learner's own.
    """

    shares: tuple[Share, ...]
    decisions: int = 1_000_000_000
    matches: int = 131_072
    steps: int = 16
    piece: int = 32_768
    passes: int = 1
    width: int = 512
    depth: int = 3
    rate: tuple[float, float] = (1e-3, 1e-4)
    clip: float = 0.2
    trace: float = 0.95
    wander: tuple[float, float] = (0.03, 0.004)
    pull: float = 0.05
    refresh: int = 100_000_000
    worth: float = 0.5
    steepest: float = 1.0
    old: float = 0.125
    keep_every: int = 100_000_000
    kept: int = 12
    opponents: int = 3


RECIPES = {
    "hanamikoji": Recipe((Share(2),), decisions=1_920_000_000, wander=(0.06, 0.01), pull=0.1, refresh=150_000_000),
    "kimono": Recipe(tuple(Share(seats) for seats in (3, 4, 5, 6)), trace=0.97),
    "kasane": Recipe((Share(2, weight=2), Share(3), Share(4), Share(2, {"accessory_combo": True}, 0.3))),
    "kawaii": Recipe((Share(3), Share(4), Share(5), Share(4, {"stacked": True}, 0.3)), trace=0.99, steps=64, matches=32_768),
    "kohoju": Recipe(
        tuple(Share(seats, {"target": target}) for seats in (2, 3, 4, 5, 6) for target in (10, 100)),
        matches=262_144,
        steps=20,
        width=384,
        trace=0.98,
    ),
}
"""The visible list of games that can be learned, and how; docs/learning.md tells how far each has come."""


SMALL_RECIPE = Recipe(
    (Share(2),),
    decisions=900_000,
    matches=1024,
    steps=12,
    piece=2048,
    passes=2,
    width=128,
    depth=1,
    rate=(5e-3, 2e-4),
    trace=1.0,
    wander=(0.2, 0.06),
    pull=0.3,
    refresh=400_000,
    old=0.1,
    keep_every=100_000,
)
"""For the small Hanamikoji, on a processor."""
