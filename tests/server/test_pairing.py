from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from zashiki.server.pairing import Group, circle, grouped, past_of, seated, sizes_of, swiss
from zashiki.server.standings import Meeting, SeatScore, Standing, standings


@pytest.mark.parametrize("players", range(2, 13))
def test_everybody_meets_everybody_once(players: int) -> None:
    rounds = [circle(range(1, players + 1), number) for number in range(1, players - 1 + players % 2 + 1)]
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == Counter(frozenset(pair) for pair in combinations(range(1, players + 1), 2))
    for pairs in rounds:
        playing = [player for pair in pairs for player in pair]
        assert len(playing) == len(set(playing)) == players - players % 2


@pytest.mark.parametrize("players", [4, 6, 7, 8, 13, 16])
def test_by_standings_nobody_meets_again_while_that_can_be_and_nobody_rests_twice(players: int) -> None:
    tables: list[Group] = []
    order = list(range(1, players + 1))
    for number in range(players // 2):
        past = past_of(tables, order, number)
        pairs = swiss(order, past)
        assert len(past.rested) == (number if players % 2 else 0)
        tables += pairs
        order = [*(pair[0] for pair in pairs), *(player for player in order if player not in {pair[0] for pair in pairs})]
    assert max(Counter(frozenset(pair) for pair in tables).values()) == 1


def test_neighbours_in_the_standings_meet_first() -> None:
    assert swiss([4, 2, 3, 1], past_of([], [1, 2, 3, 4], 0)) == [(4, 2), (3, 1)]
    assert swiss([4, 2, 3, 1], past_of([(2, 4), (1, 3)], [1, 2, 3, 4], 1)) == [(4, 3), (2, 1)]


def test_when_all_have_met_they_meet_again() -> None:
    everybody = [(1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3)]
    assert len(swiss([1, 2, 3, 4], past_of(everybody, [1, 2, 3, 4], 3))) == 2


def test_tables_are_as_full_as_each_other() -> None:
    assert sizes_of(9, 3) == [3, 3, 3]
    assert sizes_of(10, 4) == [4, 3, 3]
    assert sizes_of(7, 4) == [4, 3]


def test_nine_at_tables_of_three_meet_as_seldom_as_can_be() -> None:
    tables: list[Group] = []
    for number in range(3):
        past = past_of(tables, range(1, 10), number)
        tables += grouped(range(1, 10), [3, 3, 3], past.met)
    assert max(Counter(frozenset(pair) for group in tables for pair in combinations(group, 2)).values()) <= 2


def test_whoever_has_sat_in_a_place_sits_elsewhere() -> None:
    assert seated((1, 2, 3), past_of([(1, 2, 3)], [1, 2, 3], 1)) == (2, 3, 1)


def score(place: int, points: int = 0) -> SeatScore:
    return SeatScore(place=place, share=float(place == 1), points=points)


def meeting(number: int, players: Group, seats: list[SeatScore], board: int = 1) -> Meeting:
    return Meeting(round=number, board=board, table="x" * 16, players=players, ended=True, seats=seats)


def people(count: int) -> list[Standing]:
    return [Standing(place=1, number=number, name=f"P{number}") for number in range(1, count + 1)]


def test_ties_are_broken_by_the_opponents_scores() -> None:
    played = [
        meeting(1, (1, 2), [score(1), score(2)]),
        meeting(1, (3, 4), [score(1), score(2)], 2),
        meeting(2, (1, 3), [score(1), score(2)]),
        meeting(2, (2, 4), [score(1), score(2)], 2),
    ]
    found = standings(people(4), played, duplicate=False)
    assert [(each.number, each.place, each.score, each.opponents) for each in found] == [
        (1, 1, 2.0, 2.0),
        (2, 2, 1.0, 2.0),
        (3, 2, 1.0, 2.0),
        (4, 4, 0.0, 2.0),
    ]


def test_at_a_table_of_three_each_opponent_counts() -> None:
    (first, second, third) = standings(people(3), [meeting(1, (1, 2, 3), [score(2), score(1), score(2)])], duplicate=False)
    assert (first.number, first.score, second.score, third.score, third.place) == (2, 1.0, 0.25, 0.25, 2)


def test_of_the_same_deal_those_in_the_same_place_are_compared() -> None:
    played = [meeting(1, (1, 2), [score(1, 11), score(2, 10)]), meeting(1, (3, 4), [score(1, 15), score(2, 3)], 2)]
    found = {each.number: each.score for each in standings(people(4), played, duplicate=True)}
    assert found == {1: 0.0, 3: 1.0, 2: 1.0, 4: 0.0}


def test_who_rests_has_won() -> None:
    assert standings(people(3), [], duplicate=False, rests=[2])[0].number == 2
