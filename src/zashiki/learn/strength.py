"""How strong somebody is, as far as matches can tell."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

import numpy as np


class Strength(NamedTuple):
    """A share of the victories, with its standard error, and how many fair shares that is."""

    share: float
    error: float
    fair_shares: float
    matches: int

    def __str__(self) -> str:
        fair_error = self.error * self.fair_shares / self.share if self.share else 0.0
        return (
            f"{self.share:.1%} ± {1.96 * self.error:.1%} "
            f"({self.fair_shares:.2f} ± {1.96 * fair_error:.2f} fair shares, {self.matches:,} matches)"
        )


def strength(shares: Iterable[float], seats: int) -> Strength:
    """From the shares of single matches, or of groups of as many each."""
    each = np.array(list(shares))
    mean = float(each.mean())
    return Strength(mean, float(each.std(ddof=1)) / sqrt(len(each)) if len(each) > 1 else 0.5, mean * seats, len(each))
