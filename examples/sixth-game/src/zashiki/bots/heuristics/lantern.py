"""Lantern as a sensible person plays it: bright lanterns first, dim ones first in the dark."""

from __future__ import annotations

from math import exp

from zashiki.bots.bot import Budget
from zashiki.bots.sense import Weights, Worth
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.core.random import Words

CUT = 12
EXPLORE = 0.9
LEVELS = {
    "beginner": ("careless", Budget()),
    "club": ("heuristic", Budget()),
    "expert": ("search", Budget(seconds=1.0)),
}
SHARPNESS = 0.3
"""How much likelier a lantern becomes with each step of brightness."""


@rule
def weigh(state: Record, seat: int, actions: Options, weights: Weights) -> None:
    """By brightness, or by the lack of it."""
    sign = -SHARPNESS if state.dark == 1 else SHARPNESS
    for i in range(len(actions)):
        weights[i] = exp(sign * actions[i])


@rule
def evaluate(state: Record, worth: Worth) -> None:
    """By the streets lit so far."""
    seats = int(state.seats)
    total = float(seats)
    for seat in range(seats):
        total += state.lit[seat]
    for seat in range(seats):
        worth[seat] = (1.0 + state.lit[seat]) / total


@rule
def chapter(state: Record) -> int:
    """A match is one chapter."""
    return 0


@rule
def mixed(state: Record, seat: int) -> bool:
    """Nobody chooses at the same time as others."""
    return False


@rule
def imagine(state: Record, seat: int, rng: Words) -> None:
    """Every deal is as likely as any other."""
