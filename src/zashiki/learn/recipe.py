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
class Leg:
    """A later part of a run: from this share of its decisions on, rate and wandering go down anew."""

    start: float
    rate: tuple[float, float]
    wander: tuple[float, float]


@dataclass(frozen=True)
class Recipe:
    """The loop plays `steps` decisions in each of `matches` matches, then learns from them in pieces, `passes` times over.

    `trace` is how much of what came later counts beside what was expected (the lambda of a lambda-return). `wander` keeps the
    policy from becoming certain too early (entropy); `pull` draws it towards how it was at the last `refresh` (the magnet of
    magnetic mirror descent), so that it settles instead of running in circles. A share `old` of the matches is played against
    past selves, one of which is kept every `keep_every` decisions, a share `crowd` against the game's heuristic. Through the
    first part `imitate` of the run the learner does as the crowd does, less and less. The run lasts `decisions` of the learner's
    own. Rate and wandering go down from their first number to the second, over the whole of it or until the first of its
    `further` legs begins, which has others.

    `span`: a match lasts about so many decisions of all its seats; they begin scattered over it. All dealt at once, they would
    stay in step for long, and each lesson would be about one part of a match.

    `sense`: the policy begins as the heuristic, whose weights to this power are multiplied by the network's; 0: from nothing.

    `sides`: every seat's expectations come from what it sees itself, also out of turn, not from what whoever acts can see; that
    matters where hands are secret. In a share `tries` of the matches every action is tried, for what is expected after it; of
    what really came later only the part `luck` counts beside that.

    `grid`: the network knows which kinds of cards can be exchanged.
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
    further: tuple[Leg, ...] = ()
    clip: float = 0.2
    trace: float = 0.95
    wander: tuple[float, float] = (0.03, 0.004)
    pull: float = 0.05
    refresh: int = 100_000_000
    worth: float = 0.5
    steepest: float = 1.0
    old: float = 0.125
    crowd: float = 0.0
    imitate: float = 0.0
    keep_every: int = 100_000_000
    kept: int = 12
    opponents: int = 3
    span: int = 0
    sense: float = 0.0
    sides: bool = False
    tries: float = 0.0
    luck: float = 1.0
    grid: bool = False

    def pace(self, progress: float) -> tuple[float, float]:
        """Rate and wandering at this progress of the run, from 0 to 1."""
        rates, wanders, start, end = self.rate, self.wander, 0.0, 1.0
        for leg in self.further:
            if progress < leg.start:
                end = leg.start
                break
            rates, wanders, start = leg.rate, leg.wander, leg.start
        part = (progress - start) / (end - start)
        rate, wander = (first + (last - first) * part for first, last in (rates, wanders))
        return rate, wander


RECIPES = {
    "hanamikoji": Recipe(
        (Share(2),),
        decisions=4_320_000_000,
        wander=(0.06, 0.01),
        further=(Leg(0.444, (5e-4, 2e-5), (0.03, 0.012)),),
        pull=0.1,
        refresh=150_000_000,
    ),
    "kimono": Recipe(
        tuple(Share(seats, weight=weight) for seats, weight in ((3, 2.5), (4, 0.6), (5, 0.5), (6, 0.8))),
        decisions=2_675_000_000,
        span=80,
        sense=1.0,
        crowd=0.2,
        piece=16_384,
        rate=(7e-4, 4e-5),
        trace=0.97,
        wander=(0.02, 0.003),
        further=(Leg(0.233, (4e-4, 3e-5), (0.012, 0.002)), Leg(0.663, (4e-4, 2e-5), (0.01, 0.002))),
        pull=0.1,
        refresh=60_000_000,
        keep_every=60_000_000,
        tries=0.4,
        luck=0.2,
    ),
    "kasane": Recipe(
        (Share(2, weight=1.5), Share(3, weight=0.7), Share(4, weight=2), Share(2, {"accessory_combo": True}, 0.2)),
        decisions=3_950_000_000,
        span=60,
        sense=1.0,
        crowd=0.15,
        piece=16_384,
        rate=(7e-4, 4e-5),
        wander=(0.03, 0.008),
        further=(Leg(0.468, (4e-4, 3e-5), (0.02, 0.006)),),
        pull=0.1,
        refresh=60_000_000,
        keep_every=60_000_000,
        tries=0.6,
        luck=0.2,
    ),
    "kawaii": Recipe(
        (Share(3), Share(4, weight=0.6), Share(5, weight=1.6), Share(4, {"stacked": True}, 0.2)),
        decisions=2_465_000_000,
        further=(Leg(0.196, (7e-4, 5e-5), (0.015, 0.003)), Leg(0.452, (7e-4, 4e-5), (0.015, 0.003))),
        span=700,
        sense=1.0,
        crowd=0.1,
        matches=65_536,
        steps=32,
        piece=16_384,
        trace=0.97,
        pull=0.1,
        sides=True,
        tries=0.35,
        luck=0.2,
    ),
    "kohoju": Recipe(
        tuple(
            Share(seats, {"target": target}, weight)
            for seats, target, weight in (
                (2, 10, 2),
                (2, 100, 1),
                (3, 10, 1),
                (4, 40, 1),
                (5, 10, 0.7),
                (6, 10, 1.5),
                (6, 100, 0.8),
            )
        ),
        span=300,
        matches=131_072,
        steps=24,
        piece=16_384,
        width=64,
        depth=4,
        grid=True,
        wander=(0.01, 0.002),
        sides=True,
        tries=0.15,
        luck=0.2,
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
