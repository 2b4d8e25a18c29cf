"""The simple bot."""

from __future__ import annotations

import random

import pytest

from zashiki import GAMES, Match
from zashiki.bots.simple import SimpleBot


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_legal_actions_at_every_number_of_seats(game: str) -> None:
    for seats in GAMES[game].seats:
        match, bot = Match(game, seats, seed=1), SimpleBot(trials=1)
        for _ in range(12):
            if match.over:
                break
            seat = match.to_act[0]
            match.act(seat, bot.choose(match.view(seat), seat))


def test_the_same_seed_and_trials_give_the_same_play() -> None:
    match = Match("hanamikoji", seed=4)
    seat = match.to_act[0]
    estimates = [SimpleBot(seed=9, trials=20).estimates(match.view(seat), seat) for _ in range(2)]
    assert estimates[0] == estimates[1]


def test_it_beats_random_play_clearly() -> None:
    won, matches = 0, 30
    for seed in range(matches):
        match, bot, choice = Match("hanamikoji", seed=seed), SimpleBot(seed=seed, trials=15), random.Random(seed)
        me = seed % 2
        while not match.over:
            seat = match.to_act[0]
            action = bot.choose(match.view(seat), seat) if seat == me else choice.choice(match.legal_actions(seat).numbers)
            match.act(seat, action)
        won += match.outcome is not None and me in match.outcome.winners
    assert won >= 20
