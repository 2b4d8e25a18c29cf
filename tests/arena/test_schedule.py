"""Who meets whom."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.arena.tournaments import hanamikoji
from zashiki import WrongOption, WrongSeats
from zashiki.arena.schedule import WrongTournament, arrange, bot_seed, deal_seed, pairings, sittings


def test_with_two_seats_everybody_meets_everybody_in_both_seatings() -> None:
    met = pairings(hanamikoji("random", "heuristic", "careless"))
    assert [pairing.title for pairing in met] == [
        "random against heuristic",
        "random against careless",
        "heuristic against careless",
    ]
    assert met[1].seatings == ((0, 2), (2, 0))


def test_with_more_seats_each_bot_is_alone_among_each_other() -> None:
    met = pairings(arrange("kohoju", ["random", "heuristic"], matches=1, seats=4))
    assert [pairing.title for pairing in met] == ["one random among 3 heuristic", "one heuristic among 3 random"]
    assert met[0].seatings == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert met[1].bots == [1, 0]


def test_the_first_bot_may_be_the_only_one_that_meets_the_others() -> None:
    bots = ["random", "heuristic", "careless"]
    met = pairings(arrange("kohoju", bots, matches=1, seats=4, alone=True))
    assert [pairing.title for pairing in met] == ["one random among 3 heuristic", "one random among 3 careless"]
    two = pairings(arrange("hanamikoji", bots, matches=1, alone=True))
    assert [pairing.title for pairing in two] == ["random against heuristic", "random against careless"]


def test_three_bots_together_sit_in_every_order() -> None:
    bots = ["random", "heuristic", "careless"]
    (together,) = pairings(arrange("kasane", bots, matches=1, seats=3, together=True))
    assert len(set(together.seatings)) == 6


def test_four_bots_together_rotate_so_that_each_sits_everywhere_once() -> None:
    bots = ["random", "heuristic", "careless", "search"]
    (together,) = pairings(arrange("kasane", bots, matches=1, seats=4, together=True))
    assert Counter(place for lineup in together.seatings for place in enumerate(lineup)) == Counter(
        {(seat, bot): 1 for seat in range(4) for bot in range(4)}
    )


def test_matches_are_rounded_up_to_whole_deals() -> None:
    tournament = hanamikoji("random", "heuristic", matches=5)
    assert tournament.deals == 3
    assert len(list(sittings(tournament))) == 6


def test_a_deal_is_the_same_in_all_seatings_and_bots_have_their_own_seeds() -> None:
    tournament = hanamikoji("random", "heuristic", matches=40)
    assert len({deal_seed(tournament, deal) for deal in range(20)}) == 20
    seeds = {bot_seed(tournament, sitting, seat) for sitting in sittings(tournament) for seat in range(2)}
    assert len(seeds) == 80


@pytest.mark.parametrize(
    ("bots", "more", "wrong"),
    [
        (["random", "random"], {}, WrongTournament),
        (["random", "heuristic"], {"matches": 0}, WrongTournament),
        (["random", "heuristic"], {"seats": 3, "together": True}, WrongSeats),
        (["random"], {"alone": True}, WrongTournament),
        (["random", "heuristic", "club"], {"seats": 3, "together": True, "alone": True}, WrongTournament),
        (["random", "heuristic"], {"options": {"pace": "live"}}, WrongOption),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(bots: list[str], more: dict[str, object], wrong: type[Exception]) -> None:
    asked: dict[str, object] = {"matches": 4, **more}
    with pytest.raises(wrong):
        arrange("kawaii", bots, **asked)  # type: ignore[arg-type]  # wrong on purpose
