"""The search that serves all games."""

from __future__ import annotations

import pytest

from zashiki.bots import find_bot
from zashiki.bots.bot import Budget
from zashiki.bots.nodes import is_mixed
from zashiki.bots.searcher import SearchBot
from zashiki.core.gears import GEAR
from zashiki.core.match import Match
from zashiki.games import GAMES, find

TABLES = [(game.id, seats) for game in GAMES.values() for seats in game.seats]
FEW = 200 if GEAR != "python" else 12


def opening(game: str, seats: int, seed: int = 1) -> tuple[Match, int]:
    match = Match(game, seats, seed=seed)
    return match, match.to_act[0]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_same_seed_and_iterations_give_the_same_estimates(game: str, seats: int) -> None:
    match, seat = opening(game, seats)
    first, again, other = (
        SearchBot(match.game, seed).estimates(match.view(seat), seat, Budget(iterations=FEW)) for seed in (5, 5, 6)
    )
    assert first == again
    assert first != other


def test_on_several_cores_too() -> None:
    match, seat = opening("hanamikoji", 2)
    first, again = (SearchBot(match.game, 3).estimates(match.view(seat), seat, Budget(iterations=FEW, cores=2)) for _ in range(2))
    assert first == again


def test_every_core_adds_its_tries() -> None:
    match, seat = opening("hanamikoji", 2)
    view = match.view(seat)
    alone, together = (
        SearchBot(match.game, 3)._think(view, seat, Budget(iterations=count, cores=cores), hasty=False)
        for count, cores in ((FEW, 1), (3 * FEW, 3))
    )
    assert int(together["visits"].sum()) == 3 * int(alone["visits"].sum()) == 3 * FEW
    assert list(together["action"]) == list(alone["action"]) == view.legal(seat)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_chances_are_chances_and_the_first_is_what_it_plays(game: str, seats: int) -> None:
    match, seat = opening(game, seats)
    view, legal = match.view(seat), match.legal_actions(seat).numbers
    estimates = SearchBot(match.game, 2).estimates(view, seat, Budget(iterations=FEW))
    assert all(0 <= estimate.chance <= 1 for estimate in estimates)
    assert {estimate.action for estimate in estimates} <= set(legal)
    assert sum(estimate.tries for estimate in estimates) == FEW
    if len(estimates) > 1 and not is_mixed(view.records, seat):
        assert SearchBot(match.game, 2).choose(view, seat, legal, Budget(iterations=FEW)) == estimates[0].action


@pytest.mark.skipif(GEAR == "python", reason="compiled, this takes a second")
def test_more_iterations_play_better() -> None:
    won = 0.0
    game = find("hanamikoji")
    strong, weak = find_bot(game, "search@400"), find_bot(game, "random")
    for number in range(40):
        match, hero = Match(game, seed=number), number % 2
        bots = [(strong if seat == hero else weak).sit_down(number) for seat in range(2)]
        while not match.over:
            seat = match.to_act[0]
            budget = strong.budget if seat == hero else weak.budget
            match.act(seat, bots[seat].choose(match.view(seat), seat, match.legal_actions(seat).numbers, budget))
        won += match.outcome is not None and match.outcome.winners == (hero,)
    assert won >= 34
