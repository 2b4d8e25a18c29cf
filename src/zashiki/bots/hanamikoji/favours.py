"""What the favours at the end of a round are worth: the chance to win the match from them, for every way they can lie.

`python -m zashiki.bots.hanamikoji.favours_table` makes the table anew.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.games.hanamikoji.rules import GEISHA, NOBODY

WAYS = 3**GEISHA
"""A way is a number of seven digits to the base 3, one a geisha: 0 with who starts the coming round, 1 the other, 2 nobody."""
ROUNDS_AHEAD = 5
"""With more rounds to go than this it makes no difference how many."""
CHANCES = Path(__file__).with_name("chances.npy")
STAKES = Path(__file__).with_name("stakes.npy")

Chances = npt.NDArray[np.float32]

_DIGIT = np.array([3**geisha for geisha in range(GEISHA)], np.int64)


# By rounds to go and way.
_CHANCES: Chances = np.load(CHANCES)
FINE = 65_535
"""The parts a stake is counted in: as shorter numbers they have room on a GPU, where all constants share 64 KB."""
# By whether it is the last round, way and geisha.
_STAKES = np.rint(np.load(STAKES) * FINE).astype(np.uint16)


@rule
def way_of(markers: npt.NDArray[np.int8], starter: int) -> int:
    """How the favours lie, seen by whoever starts the coming round."""
    way = 0
    for geisha in range(GEISHA):
        owner = int(markers[geisha])
        way += _DIGIT[geisha] * (2 if owner == NOBODY else (owner ^ starter))
    return int(way)


@rule
def chance_of_starter(way: int, rounds: int) -> float:
    """The chance of whoever starts the coming round, with so many rounds to go."""
    return float(_CHANCES[min(rounds, ROUNDS_AHEAD), way])


@rule
def chance_of_first(state: Record) -> float:
    """The chance of seat 0 at the beginning of a round."""
    starter = int(state.starter)
    chance = chance_of_starter(way_of(state.markers, starter), int(state.rounds) - int(state.round_number) + 1)
    return chance if starter == 0 else 1 - chance


@rule
def stake_of(way: int, geisha: int, rounds: int) -> float:
    """How much of the victory one geisha's favour decides in a round that begins so, with so many to go after it."""
    return int(_STAKES[1 if rounds == 0 else 0, way, geisha]) / FINE
