"""What the numbers of an observation mean, for people who read them and for the test that holds them to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["amounts", "flags", "one of"]


@dataclass(frozen=True)
class Features:
    """Neighbouring numbers of an observation with one meaning, `times` times over.

    `flags` are 0 or 1; of `one of` at most one is 1 and the others are 0; `amounts` are scaled to about −1 to 1.
    """

    count: int
    meaning: str
    kind: Kind = "amounts"
    times: int = 1

    @property
    def length(self) -> int:
        """How many numbers they are."""
        return self.count * self.times


@dataclass(frozen=True)
class Repeated:
    """The same features again and again; those of a seat that is not played are all 0."""

    times: int
    each: str
    features: tuple[Features, ...]

    @property
    def length(self) -> int:
        """How many numbers they are."""
        return self.times * sum(features.length for features in self.features)


Observation = tuple[Features | Repeated, ...]


def placed(observation: Observation) -> Iterator[tuple[int, Features]]:
    """Every run of features with the place of its first number, repeated ones each time."""
    place = 0
    for part in observation:
        for features in part.features * part.times if isinstance(part, Repeated) else (part,):
            yield place, features
            place += features.length


def length(observation: Observation) -> int:
    """How many numbers an observation has."""
    return sum(part.length for part in observation)
