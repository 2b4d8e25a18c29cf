"""Who leads, as observations show it: sharply, since close to the end one point decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule

if TYPE_CHECKING:
    from zashiki.core.contract import Tensor

FINE = 256
"""What a point counts in a standing; what breaks ties counts 1, and less than half of this in all."""
LEADS = 3
"""A lead is shown thrice: as one point, four and twelve make much of a difference."""
SHOWN = "L / (1 + |L|), L / (4 + |L|), L / (12 + |L|)"

_SCALES = np.array((1, 4, 12), np.int64)


@rule
def lead(standings: npt.NDArray[np.int64], seats: int, seat: int) -> int:
    """By how much a seat is ahead of the best other, in half points: what breaks ties makes one of them."""
    best = -FINE * FINE
    for other in range(seats):
        if other != seat:
            best = max(best, int(standings[other]))
    ahead = int(standings[seat]) - best
    points = (ahead + FINE // 2) // FINE
    rest = ahead - FINE * points
    return 2 * points + (rest > 0) - (rest < 0)


@rule
def show_lead(lead: float, tensor: Tensor, place: int) -> None:
    """Writes a lead in half points, which may be negative."""
    for i in range(LEADS):
        tensor[place + i] = lead / (2 * _SCALES[i] + abs(lead))
