"""Intervals of 95 % where what is counted comes in clusters: the matches of one deal depend on each other, deals do not.

A deal played in all seatings gives one number, the mean of its matches. The variance between those numbers is that of the whole,
whatever the dependence within. An interval for a share is Wilson's, with as many trials as would have had that variance, and with
Student's quantile, since the variance is an estimate; so it stays within 0 and 1 and is right where somebody wins nearly always.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
NORMAL = 1.959963984540054
"""95 % of a normal distribution lies within so many deviations."""

DOUBT = 0.5
"""Deals that are thought won, and as many lost, when it is judged how much deals vary."""


class Interval(msgspec.Struct, frozen=True):
    """An estimate and the ends of its interval of 95 %."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Interval:
        """The same in other units."""
        return Interval(self.value * factor, self.low * factor, self.high * factor)


def quantile_95(freedom: int) -> float:
    """Student's quantile for an interval of 95 %, by Cornish and Fisher: good to 1 % from 3 degrees of freedom on."""
    z, n = NORMAL, max(freedom, 1)
    first = (z**3 + z) / (4 * n)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return z + first + second + third


def share_interval(deals: npt.ArrayLike) -> Interval:
    """The interval of a share between 0 and 1, from one share a deal."""
    shares: Numbers = np.asarray(deals, np.float64)
    count, share = len(shares), float(shares.mean())
    trials = count / _dependence(shares)
    squared = quantile_95(count) ** 2 / trials
    middle = (share + squared / 2) / (1 + squared)
    half = sqrt(squared * share * (1 - share) + squared**2 / 4) / (1 + squared)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def _dependence(shares: Numbers) -> float:
    """How much deals vary, compared with deals that are won or lost as a whole: 1 if they are, less if seatings even out.

    DOUBT is added on both sides: few deals that happen to agree prove little.
    """
    weights = np.append(np.ones(len(shares)), [DOUBT, DOUBT])
    doubted = np.append(shares, [0.0, 1.0])
    share = float(np.average(doubted, weights=weights))
    return float(np.average((doubted - share) ** 2, weights=weights)) / (share * (1 - share))


def ratio_interval(parts: npt.ArrayLike, wholes: npt.ArrayLike) -> Interval:
    """The interval of a ratio of sums, from a part and a whole a match."""
    part: Numbers = np.asarray(parts, np.float64)
    whole: Numbers = np.asarray(wholes, np.float64)
    ratio = float(part.sum() / whole.sum())
    half = _reach((part - ratio * whole) / whole.sum())
    return Interval(ratio, max(0.0, ratio - half), min(1.0, ratio + half))


def slope_interval(times: npt.NDArray[Any], worth: Numbers, cluster: npt.NDArray[np.int64]) -> Interval:
    """How much worth rises with times, by least squares, where those of one cluster depend on each other.

    Where times are only 0 and 1, it is the difference between the means of the two.
    """
    apart: Numbers = times - times.mean()
    square = float((apart**2).sum())
    slope = float((apart * worth).sum()) / square
    left = worth - worth.mean() - slope * apart
    sums: Numbers = np.bincount(cluster, apart * left / square).astype(np.float64)
    half = _reach(sums[np.unique(cluster)])
    return Interval(slope, slope - half, slope + half)


def _reach(influence: Numbers) -> float:
    """Half of an interval, from how much each cluster moves the estimate."""
    count = len(influence)
    if count < 2:
        return float("inf")
    return quantile_95(count - 1) * sqrt(float((influence**2).sum()) * count / (count - 1))
