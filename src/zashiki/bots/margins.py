"""What an action comes to when it is played out again and again: the margin in points, in deals that the view leaves open."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zashiki.bots.nodes import Desk, new_desk
from zashiki.bots.search import play_out
from zashiki.bots.sense import chapter, heuristics, imagine
from zashiki.core.contract import apply, redeal, scores
from zashiki.core.gears import rule
from zashiki.core.layout import Record, Records
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State

Margins = npt.NDArray[np.float64]


def margins(view: State, seat: int, action: int, tries: int, seed: int = 0) -> Margins:
    """By how many points the seat is ahead of the best other, once for each try; the same seed gives the same deals."""
    found, rng, sense = np.zeros(tries), np.zeros(4, np.uint32), heuristics(view.game)
    _try(view.records, seat, action, new_desk(view.game), rng, seed * tries, sense.CUT, found)
    return found


@rule
def _try(views: Records, seat: int, action: int, desk: Desk, rng: Words, first: int, cut: int, found: Margins) -> None:
    state = desk.states[0]
    for i in range(len(found)):
        # A seed for each deal: two actions are tried in the same ones, however long the tries before were.
        seed_roller(rng, first + i)
        redeal(views[0], seat, rng, state)
        imagine(state, seat, rng)
        began = chapter(state)
        apply(state, seat, action)
        play_out(state, began, desk, rng, cut)
        found[i] = _margin(state, seat, desk)


@rule
def _margin(state: Record, seat: int, desk: Desk) -> float:
    scores(state, desk.table)
    best = -1_000_000
    for other in range(int(state.seats)):
        if other != seat:
            best = max(best, desk.table[other].sum())
    return float(desk.table[seat].sum() - best)
