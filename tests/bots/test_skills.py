"""How skills are laid out, of whatever game."""

from __future__ import annotations

import numpy as np
import pytest

from zashiki.bots.skills import form_of, learned
from zashiki.games import find

SKILLED = pytest.mark.parametrize("game", ["kohoju", "kawaii"])


@SKILLED
def test_a_change_of_rows_is_told_as_a_change_of_the_policy(game: str) -> None:
    """Spreading and gathering are each other's transpose."""
    form, chance = form_of(find(game)), np.random.default_rng(1)
    for seats in form.seats:
        policy, rows = (chance.normal(size=(count, form.traits)) for count in (form.parts, form.situations))
        assert (form.spread(policy, seats) * rows).sum() == pytest.approx((policy * form.gathered(rows, seats)).sum())


@SKILLED
def test_tables_between_the_smallest_and_the_largest_are_weighed_between_them(game: str) -> None:
    form = form_of(find(game))
    policy = np.zeros((form.parts, form.traits))
    policy[-2:] = [[1.0], [3.0]]
    rows = [float(form.spread(policy, seats)[0, 0]) for seats in form.seats]
    assert rows == pytest.approx(np.linspace(1, 3, len(form.seats)))


@SKILLED
def test_stages_are_shares_of_their_corners(game: str) -> None:
    stages = form_of(find(game)).stages
    assert np.allclose(stages.sum(1), 1)
    assert (stages >= 0).all()


@SKILLED
def test_a_first_policy_has_the_shape_of_a_learned_one(game: str) -> None:
    form = form_of(find(game))
    assert learned(find(game)).first_policy().shape == (form.parts, form.traits)
