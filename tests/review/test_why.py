"""Reasons: certain from the view, or not given."""

from __future__ import annotations

import pytest

from tests.review.matches import careless
from zashiki import GAMES
from zashiki.bots.bot import WAIT, Estimate
from zashiki.core.gears import GEAR
from zashiki.review.looking import choices
from zashiki.review.why import why

pytestmark = pytest.mark.skipif(GEAR == "python", reason="whole matches are played")


def test_an_action_is_compared_with_the_best_other_one() -> None:
    view = next(choices(careless("kasane"))).view
    estimates = [Estimate(WAIT, 0.6, 5.0, 9), Estimate(0, 0.5, 4.0, 9), Estimate(1, 0.2, 9.0, 9)]
    found = why(view, 0, estimates[0], estimates)
    assert (found.ahead, found.points) == (0.1, 1.0)
    assert why(view, 0, estimates[1], estimates).ahead == -0.1


@pytest.mark.parametrize("game", GAMES)
def test_what_an_action_brings_at_once_is_what_it_brought(game: str) -> None:
    match = careless(game)
    parts = match.game.rules.PARTS
    told = 0
    for look in list(choices(match))[::3]:
        found = why(look.view, look.seat, Estimate(look.played, 0.5, None, 1), [])
        before, after = match.at(look.move).state.points(), match.at(look.move + 1).state.points()
        gained = dict(zip(parts, (after - before)[look.seat].tolist(), strict=True))
        if found.parts:
            told += 1
            assert found.parts == {part: points for part, points in gained.items() if points}
    # In the other games points come when all have chosen, or when the round ends.
    assert told or game in ("hanamikoji", "kimono", "kawaii")


@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_said_to_win_at_once_has_won(game: str) -> None:
    match = careless(game)
    assert match.outcome is not None
    for look in list(choices(match))[-10:]:
        found = why(look.view, look.seat, Estimate(look.played, 0.5, None, 1), [])
        if found.wins:
            assert (look.move + 1, match.outcome.winners) == (len(match.history), (look.seat,))
