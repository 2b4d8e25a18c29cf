"""A best response: a network that learns against one that no longer changes. What it gains tells how exploitable that one is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from zashiki.core.game import Game
from zashiki.learn.field import Field
from zashiki.learn.measuring import against_network
from zashiki.learn.network import Network
from zashiki.learn.recipe import Recipe
from zashiki.learn.run import Report, Run, told_of
from zashiki.learn.strength import Strength

JUDGED = 400_000
"""Matches that judge an answer when it has learned."""


def against(recipe: Recipe, decisions: int) -> Recipe:
    """How an answer is learned: nothing has to settle, so it is neither pulled back nor kept undecided for long.

    Nothing is tried: trials look through the eyes of whoever decides next, whose expectations do not learn here.
    """
    rate = (recipe.rate[0] / 2, recipe.rate[1] / 2)
    alone = replace(recipe, old=1.0, opponents=1, crowd=0.0, imitate=0.0, further=())
    return replace(alone, decisions=decisions, rate=rate, wander=(0.003, 0.0), pull=0.0, tries=0.0)


def learn_answer(
    game: Game, recipe: Recipe, field: Field, frozen: Network, folder: Path, seed: int, on_report: Callable[[Report], None]
) -> Strength:
    """Learns an answer, starting from what the frozen network itself knows, and lets it play without learning at the end."""
    run = Run(replace(recipe, sense=frozen.sense), field, folder, seed, {**told_of(game), "against": "a frozen network"})
    run.start_from(frozen)
    run.face(frozen)
    run.go(on_report)
    return against_network(field, run.network, frozen.to(field.device), JUDGED, recipe.steps)
