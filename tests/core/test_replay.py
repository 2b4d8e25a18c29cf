"""A match told again: folded, it is what those eyes saw at every step."""

from __future__ import annotations

import random
from typing import Any

import pytest

from zashiki import GAMES, SPECTATOR, Match
from zashiki.core.errors import WrongSeats
from zashiki.core.layout import CLOCK
from zashiki.core.match import REVEALED, TOLD, Event
from zashiki.core.replay import Eyes, Step, check_eyes, steps

LONGEST = 150
EVERY_GAME = [*((game, {}) for game in GAMES), ("kawaii", {"pace": "live"})]
every_game = pytest.mark.parametrize(("game", "options"), EVERY_GAME, ids=lambda each: str(each))


def played(game: str, options: dict[str, Any], seats: int, seed: int = 3) -> Match:
    """A match of random moves, to its end or to where it gets long."""
    match, chance = Match(game, seats, options=options, seed=seed), random.Random(seed)
    while not match.over and len(match.history) < LONGEST:
        seat = chance.choice(match.to_act)
        match.play(seat, chance.choice(match.legal_actions(seat).numbers))
    return match


def events(match: Match, eyes: Eyes) -> list[Event]:
    """All that the steps tell, in order."""
    found = ([step.told, *step.revealed] for step in steps(match, eyes))
    return [event for told in found for event in told if event]


def has_null(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is None or any(map(has_null, parts))


@every_game
def test_folding_what_changed_gives_the_view_at_every_step(game: str, options: dict[str, Any]) -> None:
    for seats in GAMES[game].seats:
        match = played(game, options, seats)
        for eyes in (SPECTATOR, *range(seats)):
            folded: dict[str, Any] = {}
            told_again = steps(match, eyes)
            for moment in match.replay():
                step, view = next(told_again), moment.view(eyes)
                folded |= step.changed
                assert folded == view.to_json()
                assert step.scores == view.points().tolist()
                assert step.to_act == [seat for seat in range(seats) if view.to_act() >> seat & 1]
            assert next(told_again, None) is None


@every_game
def test_eyes_are_told_the_events_they_were_told_in_the_match(game: str, options: dict[str, Any]) -> None:
    match = played(game, options, GAMES[game].seats[-1])
    for eyes in (SPECTATOR, *range(match.seats)):
        assert events(match, eyes) == match.events(eyes)


@every_game
def test_whoever_sees_everything_sees_no_null_and_every_move(game: str, options: dict[str, Any]) -> None:
    match = played(game, options, GAMES[game].seats[-1])
    found: list[Step] = list(steps(match, None))
    folded: dict[str, Any] = {}
    for step, moment in zip(found, match.replay(), strict=True):
        folded |= step.changed
        assert folded == moment.state.to_json()
        assert not has_null(folded)
        assert step.scores == moment.state.points().tolist()
    moves = [(step.told.seat, step.told.action) for step in found if step.told]
    assert moves == [(seat, match.game.vocabulary[action]) for seat, action in match.history]


def test_the_deal_is_a_step_that_nobody_made() -> None:
    first = next(steps(played("hanamikoji", {}, 2), 0))
    assert (first.told, first.revealed, len(first.changed)) == (None, [], len(Match("hanamikoji").view(0).to_json()))


def test_a_silent_move_of_another_is_a_step_that_tells_nothing() -> None:
    match = played("kawaii", {"pace": "live"}, 3)
    moves = [entry for entry in match.log if entry.kind != REVEALED]
    silent = [
        entry.seat != 0 and entry.kind == TOLD and match.game.vocabulary[entry.action].secrecy == "silent" for entry in moves
    ]
    assert any(silent)
    assert [step.told is None for step in steps(match, 0)] == [True, *silent]


def test_time_is_a_seat_of_its_own() -> None:
    assert CLOCK in {step.told.seat for step in steps(played("kawaii", {"pace": "live"}, 3), 0) if step.told}


def test_what_was_hidden_of_a_choice_is_null_and_comes_with_the_step_that_reveals_it() -> None:
    match = played("kawaii", {}, 3)
    found = list(steps(match, 0))
    place, shown = next((place, step.revealed[0]) for place, step in enumerate(found) if step.revealed)
    before = [step.told.action for step in found[:place] if step.told and step.told.seat == shown.seat]
    assert shown.revealed
    assert before[-1] == shown.action.veiled() != shown.action


def test_the_same_match_is_told_in_the_same_words() -> None:
    one, other = (list(steps(Match.load(played("kohoju", {}, 3).save()), 1)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("eyes", [-1, 2, CLOCK])
def test_nobody_has_the_eyes_of_a_seat_that_is_not_there(eyes: int) -> None:
    with pytest.raises(WrongSeats, match="this match has seats 0 to 1"):
        check_eyes(Match("hanamikoji"), eyes)
