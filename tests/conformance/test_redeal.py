"""A redeal is a state that could be behind a view, and every such state is equally likely."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.conformance.games import RedealCase, known
from tests.conformance.walks import SETTINGS, SLOW, Setting, positions, seats_in
from zashiki.core.state import State
from zashiki.games import GAMES, find

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
DRAWS = 2_000 if SLOW else 40_000


@every_setting
def test_a_redealt_state_looks_the_same_to_the_viewer(setting: Setting) -> None:
    rng = np.array([1, 2, 3, 4], np.uint32)
    for seed in range(1 if SLOW else 4):
        for state in positions(setting, seed, 80 if SLOW else 400, 6 if SLOW else 25):
            for seat in range(-1, setting.seats):
                view = state.view(seat)
                again = view.redealt(seat, rng)
                assert again.view(seat).to_bytes() == view.to_bytes()
                known(setting.game).check_laws(again.record)


@every_setting
def test_a_redealt_state_can_be_played_on(setting: Setting) -> None:
    rng = np.array([5, 6, 7, 8], np.uint32)
    for state in positions(setting, 20, 200, 3 if SLOW else 8):
        again = state.view(0).redealt(0, rng)
        for _ in range(10 if SLOW else 50):
            bits = again.to_act()
            if bits == 0:
                break
            seat = seats_in(bits)[-1]
            again.apply(seat, again.legal(seat)[-1])
            known(setting.game).check_laws(again.record)


@every_setting
def test_a_redealt_state_has_a_future_of_its_own(setting: Setting) -> None:
    view = setting.deal(1).view(0)
    keys = {view.redealt(0, np.array([1, 2, 3, seed], np.uint32)).records["rng_key"].tobytes() for seed in range(5)}
    assert len(keys) == 5


def cases() -> list[Any]:
    return [
        pytest.param(game, case, id=f"{game}-{place}") for game in GAMES for place, case in enumerate(known(game).redeal_cases())
    ]


@pytest.mark.parametrize(("game", "case"), cases())
def test_every_deal_behind_a_view_is_equally_likely(game: str, case: RedealCase) -> None:
    view = State(find(game))
    view.records[0] = case.view
    rng = np.array([9, 9, 9, 9], np.uint32)
    drawn = Counter(case.key(view.redealt(case.seat, rng).record) for _ in range(DRAWS))
    assert abs(sum(case.expected.values()) - 1) < 1e-9
    assert set(drawn) <= set(case.expected), "a deal that cannot be"
    off = sum((drawn[key] - DRAWS * share) ** 2 / (DRAWS * share) for key, share in case.expected.items())
    assert off < _least_improbable(len(case.expected) - 1)


def _least_improbable(freedom: int) -> float:
    """The value that chi-square exceeds once in a million (Wilson and Hilferty's approximation)."""
    if freedom == 0:
        return 1e-9
    ninth = 2 / (9 * freedom)
    return float(freedom * (1 - ninth + 4.753 * ninth**0.5) ** 3)
