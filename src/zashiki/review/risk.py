"""Risks: choices worth less than the best one whose results, played out, lie clearly further apart."""

from __future__ import annotations

from zashiki.bots.margins import margins
from zashiki.core.state import State

TRIES = 800
"""How often each of two actions is played out."""
APART = 1.15
"""So many times as far must the results lie apart: four times what so many tries are wrong by."""


def is_riskier(view: State, seat: int, played: int, best: int, seed: int) -> bool:
    """Whether the margin in points deviates clearly more after the one action than after the other, in the same deals."""
    risky, steady = (float(margins(view, seat, action, TRIES, seed).std()) for action in (played, best))
    return risky > APART * steady
