"""How the rest of the program asks bots."""

from __future__ import annotations

import pytest

from zashiki.bots import UnknownBot, find_bot
from zashiki.bots.asking import answer, compare, hints, warm_up
from zashiki.bots.bot import Budget
from zashiki.bots.hanamikoji import endgame
from zashiki.bots.levels import levels_of
from zashiki.core.gears import GEAR
from zashiki.core.match import Match
from zashiki.games import GAMES, find

FEW = Budget(iterations=10)


@pytest.mark.parametrize("game", GAMES)
def test_every_level_answers_with_something_legal(game: str) -> None:
    match = Match(game, seed=2)
    seat = match.to_act[0]
    for level in levels_of(match.game) if GEAR != "python" else ["beginner"]:
        assert answer(match.view(seat), seat, level, seed=1) in match.legal_actions(seat).numbers


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_given_a_hint_out_of_turn_or_after_the_end(game: str) -> None:
    match = Match(game, options={"hanamikoji": {"rounds": 1}, "kohoju": {"target": 10}}.get(game), seed=2)
    bots = [find_bot(match.game, "random").sit_down(seat) for seat in range(match.seats)]
    waiting = [seat for seat in range(match.seats) if seat not in match.to_act]
    assert all(hints(match.view(seat), seat, FEW) == [] for seat in waiting)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, bots[seat].choose(match.view(seat), seat, match.legal_actions(seat).numbers, FEW))
    assert all(hints(match.view(seat), seat, FEW) == [] for seat in range(match.seats))


@pytest.mark.skipif(GEAR == "python", reason="there is nothing to compile")
def test_a_game_that_is_warm_has_its_solver_compiled() -> None:
    warm_up(find("hanamikoji"))
    assert all(getattr(function, "signatures", None) for function in (endgame.lay_out, endgame.solve, endgame.settle))


@pytest.mark.parametrize(
    "name", ["search@0", "search@-1", "search@s", "expert@0.1", "master of all", "zashiki.bots:Nobody", "no.where:Bot"]
)
def test_a_bot_that_is_none_is_refused_in_words(name: str) -> None:
    with pytest.raises(UnknownBot, match=r"there is no bot|cannot be loaded|a budget is"):
        find_bot(find("hanamikoji"), name)


@pytest.mark.skipif(GEAR == "python", reason="it searches")
def test_a_comparison_tries_each_action_as_often_as_the_others() -> None:
    match = Match("kasane", seed=4)
    seat = match.to_act[0]
    actions = match.legal_actions(seat).numbers[:3]
    found = compare(match.view(seat), seat, actions, Budget(iterations=60))
    assert [(estimate.action, estimate.tries) for estimate in found] == [(action, 20) for action in actions]
    assert found == compare(match.view(seat), seat, actions, Budget(iterations=60))
