"""Why an action is good, as far as that is known: what it leads to at once by the rules, and how far it is ahead of the next."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from zashiki.bots.bot import WAIT, Estimate
from zashiki.bots.sense import chapter, heuristics
from zashiki.core.contract import Table
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State

DEALS = 8
"""Deals that the view leaves open, in each of which a reason must hold."""


class Why(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What speaks for an action. All of it is certain from the view, but for `ahead` and `points`.

    `ahead`: how much more, or less, of the victory it is worth than the best other action; `points`: the same in points.
    `exact`: worked out. `wins`: the match, at once. `ends`: the round or deal, at once. `parts`: the points it brings at once, by
    the parts of the score; `gives`: the most that another seat gets at once.
    """

    ahead: float = 0.0
    points: float | None = None
    exact: bool = False
    wins: bool = False
    ends: bool = False
    parts: dict[str, int] = {}
    gives: int = 0


def why(view: State, seat: int, estimate: Estimate, others: Sequence[Estimate]) -> Why:
    """What speaks for an action beside the others."""
    rival = max((other for other in others if other.action != estimate.action), key=lambda other: other.chance, default=None)
    found = Why(exact=estimate.exact)
    if rival is not None:
        found = Why(exact=estimate.exact, ahead=round(estimate.chance - rival.chance, 4), points=_points(estimate, rival))
    known = estimate.action != WAIT and estimate.action in view.legal(seat)
    return _at_once(view, seat, estimate.action, found) if known else found


def _points(estimate: Estimate, rival: Estimate) -> float | None:
    return None if estimate.points is None or rival.points is None else round(estimate.points - rival.points, 1)


def _at_once(view: State, seat: int, action: int, found: Why) -> Why:
    """Adds what the rules say will happen in every deal that the view leaves open."""
    heuristics(view.game)
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, action)
    gains, wins, ends = [], [], []
    for _ in range(DEALS):
        before = view.redealt(seat, rng)
        after = before.copy()
        after.apply(seat, action)
        gains.append(after.points() - before.points())
        wins.append(int(after.record.winners) == 1 << seat)
        ends.append(chapter(after.record) != chapter(before.record) and not int(after.record.winners))
    return msgspec.structs.replace(found, wins=all(wins), ends=all(ends), **_gained(view, seat, gains))


def _gained(view: State, seat: int, gains: list[Table]) -> dict[str, object]:
    """The gains that are the same in every deal."""
    if any((gain != gains[0]).any() for gain in gains):
        return {}
    own = dict(zip(view.game.rules.PARTS, gains[0][seat].tolist(), strict=True))
    others = [int(total) for place, total in enumerate(gains[0].sum(axis=1)) if place != seat]
    return {"parts": {part: points for part, points in own.items() if points}, "gives": max(0, *others)}
