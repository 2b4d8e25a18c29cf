from __future__ import annotations

import pytest

from zashiki import GAMES
from zashiki.bots.levels import LEVELS
from zashiki.server.books import changed, why_unrated
from zashiki.server.rating import BOTS, CLUB, DEVIATION, Rating, of_bot, rated
from zashiki.server.results import Result, SeatResult


def seat(place: int, **fields: object) -> SeatResult:
    """A seat that ended in this place."""
    given: dict[str, object] = {"seat": place - 1, "account": None, "bot": None, "points": 0, "share": float(place == 1)}
    return SeatResult(place=place, **(given | fields))  # type: ignore[arg-type]


def result(*seats: SeatResult, **fields: object) -> Result:
    """A match of these seats."""
    given: dict[str, object] = {"table": "x" * 16, "game": "kimono", "began_at": 0, "ended_at": 1, "reason": "end", "moves": 9}
    return Result(taken_back=False, seats=list(seats), **(given | fields))  # type: ignore[arg-type]


def test_who_wins_rises_as_much_as_an_equal_opponent_falls_and_both_are_surer() -> None:
    winner, loser = rated([Rating(), Rating()], [1, 2])
    assert winner.rating - CLUB == pytest.approx(CLUB - loser.rating)
    assert winner.rating > CLUB
    assert winner.deviation == pytest.approx(loser.deviation)
    assert winner.deviation < DEVIATION


def test_a_tie_between_equals_moves_nobody() -> None:
    assert [each.rating for each in rated([Rating(), Rating()], [1, 1])] == pytest.approx([CLUB, CLUB])


def test_at_a_table_of_four_ratings_follow_the_places() -> None:
    found = [each.rating for each in rated([Rating()] * 4, [2, 1, 4, 3])]
    assert sorted(found, reverse=True) == [found[1], found[0], found[3], found[2]]


def test_an_upset_tells_more_than_what_was_expected() -> None:
    strong, weak = Rating(1800, 80), Rating(1400, 80)
    expected = rated([strong, weak], [1, 2])[0].rating - 1800
    upset = rated([strong, weak], [2, 1])[1].rating - 1400
    assert upset > 5 * expected > 0


def test_bots_stand_still() -> None:
    change = changed(result(seat(1, account=7), seat(2, bot="club")), {})
    assert change[0] is not None
    assert change[0][1].rating > CLUB
    assert change[1] == (of_bot("kimono", "club"), of_bot("kimono", "club"))


def test_whoever_was_not_there_at_the_end_is_last() -> None:
    stayed = changed(result(seat(1, account=7), seat(2, account=8), seat(3, bot="club")), {})
    went = changed(result(seat(1, account=7, left="away"), seat(2, account=8), seat(3, bot="club")), {})
    assert stayed[0] is not None
    assert went[0] is not None
    assert stayed[0][1].rating > CLUB > went[0][1].rating


def test_every_level_of_every_game_has_a_rating_and_they_rise() -> None:
    assert set(BOTS) == set(GAMES)
    for levels in BOTS.values():
        assert list(levels)[:3] == list(LEVELS)[:3]
        assert sorted(levels.values()) == list(levels.values())


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (result(seat(1, account=7), seat(2, bot="club")), None),
        (result(seat(1, account=7), seat(2, account=8)), None),
        (result(seat(1, bot="club"), seat(2, bot="club")), "bots alone"),
        (result(seat(1, account=7), seat(2, account=9)), "same person"),
        (result(seat(1, account=7), seat(2, bot="nobody knows")), "unmeasured bot"),
        (result(seat(1, account=7), seat(2, bot="club"), reason=None), "other rules"),
    ],
)
def test_what_is_rated(match: Result, why: str | None) -> None:
    assert why_unrated(match, {7: 7, 8: 8, 9: 7}, hints=False) == why
    if why is None:
        assert why_unrated(match, {7: 7, 8: 8}, hints=True) == "hints"
