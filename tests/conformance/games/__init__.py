"""One module a game: what the suite must be told to test it. A game without one is a red test."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class RedealCase:
    """A view with so few hidden cards that every deal behind it can be counted by hand."""

    view: Any
    seat: int
    key: Callable[[Any], Hashable]
    expected: dict[Hashable, float]


def known(game: str) -> Any:
    """The module that tells the suite about a game."""
    return import_module(f"tests.conformance.games.{game}")
