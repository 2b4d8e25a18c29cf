"""Intervals hold what they promise, also where the matches of a deal depend on each other."""

from __future__ import annotations

import numpy as np
import pytest

from zashiki.arena.intervals import quantile_95, ratio_interval, share_interval, slope_interval

TRIALS = 600
LEAST, MOST = 0.92, 0.995
"""What 600 trials of a good interval of 95 % may show; towards the wide side, since few deals are doubted."""


@pytest.mark.parametrize("seatings", [2, 4])
@pytest.mark.parametrize("luck", [0.0, 0.5, 0.9])
@pytest.mark.parametrize(("share", "deals"), [(0.5, 20), (0.5, 200), (0.8, 40), (0.95, 60), (0.25, 30)])
def test_a_share_lies_in_its_interval_19_times_in_20(share: float, deals: int, luck: float, seatings: int) -> None:
    chance = np.random.default_rng(11)
    inside = 0
    for _ in range(TRIALS):
        apart = chance.random((deals, seatings)) < share
        decided = np.repeat(chance.random((deals, 1)) < share, seatings, axis=1)
        won = np.where(chance.random((deals, 1)) < luck, decided, apart)
        found = share_interval(won.mean(axis=1))
        inside += found.low <= share <= found.high
    assert LEAST <= inside / TRIALS <= MOST


def test_deals_that_even_out_make_a_narrower_interval() -> None:
    even = share_interval([0.5] * 90 + [1.0] * 10)
    uneven = share_interval([1.0] * 55 + [0.0] * 45)
    assert even.value == uneven.value
    assert even.high - even.low < (uneven.high - uneven.low) / 2


def test_who_won_everything_is_not_certain_to_win_always() -> None:
    found = share_interval([1.0] * 20)
    assert found.high == 1
    assert 0.7 < found.low < 0.95


def test_a_single_deal_says_next_to_nothing() -> None:
    assert share_interval([1.0]).low < 0.2


def test_students_quantile_is_known() -> None:
    assert [round(quantile_95(freedom), 2) for freedom in (5, 10, 30, 1000)] == [2.57, 2.23, 2.04, 1.96]


def test_a_ratio_and_a_slope_lie_in_their_intervals() -> None:
    chance = np.random.default_rng(4)
    ratios = slopes = 0
    for _ in range(TRIALS):
        leaning = chance.uniform(0.1, 0.5, 80)
        whole = chance.integers(3, 9, 80)
        ratio = ratio_interval(chance.binomial(whole, leaning), whole)
        ratios += ratio.low <= 0.3 <= ratio.high
        times, match = chance.integers(0, 4, 160), np.repeat(np.arange(80), 2)
        mood = np.where(np.arange(160) % 2, 1, -1) * chance.normal(size=80).repeat(2)
        slope = slope_interval(times, 0.7 * times + mood + chance.normal(size=160), match)
        slopes += slope.low <= 0.7 <= slope.high
    assert 0.92 <= ratios / TRIALS <= 0.98
    assert 0.92 <= slopes / TRIALS <= 0.98
