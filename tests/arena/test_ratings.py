"""Ratings by maximum likelihood."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.arena.tournaments import hanamikoji, made
from zashiki.arena.play import Result
from zashiki.arena.ratings import rate
from zashiki.arena.schedule import Sitting, Tournament, arrange, pairings, sittings

pytest.importorskip("choix")
TRUTH = {"random": 0.0, "heuristic": 150.0, "careless": 320.0}


def drawn(tournament: Tournament, seed: int) -> list[Result]:
    """Results as bots of known strength would have them."""
    chance, met = np.random.default_rng(seed), pairings(tournament)
    results = []
    for sitting in sittings(tournament):
        lineup = met[sitting.pairing].seatings[sitting.seating]
        strengths = np.array([TRUTH[tournament.bots[bot]] for bot in lineup]) * np.log(10) / 400
        winner = int(np.argmax(strengths + chance.gumbel(size=tournament.seats)))
        results.append(made(sitting, winner, seats=tournament.seats))
    return results


@pytest.mark.parametrize("seats", [2, 4])
def test_known_strengths_are_found_again_within_their_intervals(seats: int) -> None:
    tournament = arrange("kasane", list(TRUTH), matches=160, seats=seats)
    inside = total = 0
    for seed in range(20):
        for rating in rate(tournament, drawn(tournament, seed)):
            if rating.low is not None and rating.high is not None:
                inside += rating.low <= TRUTH[rating.bot] <= rating.high
                total += 1
    assert total == 40
    assert inside >= 34


def test_the_random_bot_is_at_0_even_if_another_is_weaker() -> None:
    tournament = hanamikoji("heuristic", "random", matches=40)
    results = [made(sitting, sitting.seating if sitting.deal % 4 else 1 - sitting.seating) for sitting in sittings(tournament)]
    swapped = [made(result.sitting, 1 - result.winners[0]) for result in results]
    assert [rating.bot for rating in rate(tournament, swapped)] == ["random", "heuristic"]
    assert {rating.bot: rating.elo for rating in rate(tournament, swapped)}["random"] == 0
    assert rate(tournament, results)[0].elo == pytest.approx(400 * np.log10(3), abs=8)


def test_shared_victories_are_worth_their_share() -> None:
    tournament = arrange("kasane", ["random", "heuristic"], matches=3, seats=3)
    results = [made(Sitting(pairing, 0, seating), 0, 1, 2, seats=3) for pairing, seating in product(range(2), range(3))]
    assert all(abs(rating.elo) < 1e-6 for rating in rate(tournament, results))


def test_who_always_wins_has_a_rating_but_no_interval() -> None:
    tournament = hanamikoji("heuristic", "random", matches=40)
    best, worst = rate(tournament, [made(sitting, sitting.seating) for sitting in sittings(tournament)])
    assert best.bot == "heuristic"
    assert best.elo > 400
    assert best.low is best.high is worst.low is None


def test_two_who_both_always_beat_the_one_at_0_have_no_interval_either() -> None:
    tournament = hanamikoji("heuristic", "careless", "random", matches=40)
    met = pairings(tournament)
    results = []
    for sitting in sittings(tournament):
        lineup = met[sitting.pairing].seatings[sitting.seating]
        against_random = [seat for seat in range(2) if tournament.bots[lineup[seat]] != "random"]
        results.append(made(sitting, against_random[0] if len(against_random) == 1 else sitting.deal % 2))
    assert [(rating.low, rating.high) for rating in rate(tournament, results)] == [(None, None)] * 3
