"""Risks: the same deals for every action, and only what varies clearly more is one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.review.matches import careless
from zashiki import GAMES
from zashiki.bots.margins import Margins, margins
from zashiki.core.state import State
from zashiki.review import risk
from zashiki.review.looking import choices
from zashiki.review.risk import APART, is_riskier


@pytest.mark.parametrize("game", GAMES)
def test_an_action_is_played_out_in_the_same_deals_every_time(game: str) -> None:
    look = next(choices(careless(game).at(8)))
    first, *_, last = look.view.legal(look.seat)
    found = margins(look.view, look.seat, first, 6, seed=3)
    assert found.tolist() == margins(look.view, look.seat, first, 6, seed=3).tolist()
    assert found.tolist() != margins(look.view, look.seat, first, 6, seed=4).tolist() or found.std() == 0
    assert len(margins(look.view, look.seat, last, 2)) == 2


def test_a_longer_look_begins_like_a_short_one() -> None:
    look = next(choices(careless("hanamikoji")))
    action = look.view.legal(look.seat)[0]
    assert margins(look.view, look.seat, action, 4).tolist() == margins(look.view, look.seat, action, 9).tolist()[:4]


def test_only_what_lies_clearly_further_apart_is_riskier(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = {0: 1.0, 1: APART, 2: 1.01 * APART}

    def told(view: State, seat: int, action: int, tries: int, seed: int) -> Margins:
        return np.array([-apart[action], apart[action]])

    monkeypatch.setattr(risk, "margins", told)
    view = next(choices(careless("hanamikoji"))).view
    assert [is_riskier(view, 0, played, 0, seed=0) for played in (0, 1, 2)] == [False, False, True]
