"""Puzzles: packaged whole, by the rules of today, with answers that are legal and clearly apart."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from importlib.resources import files

import msgspec
import pytest

from zashiki import GAMES
from zashiki.bots.asking import hints
from zashiki.bots.bot import Budget
from zashiki.bots.plain import weights
from zashiki.core.gears import GEAR
from zashiki.puzzles import FORMAT, Puzzles, of_the_day, puzzles
from zashiki.puzzles.making import MARGINS, OBVIOUS, Look, candidates, make, puzzle_at


def packaged(game: str) -> Puzzles:
    file = files("zashiki.puzzles").joinpath(f"{game}.json")
    return msgspec.json.decode(file.read_bytes(), type=Puzzles)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_at_least_twenty_puzzles_of_its_present_rules(game: str) -> None:
    found = packaged(game)
    assert (found.format, found.game, found.rules) == (FORMAT, game, GAMES[game].version)
    assert len(puzzles(game)) == len(found.puzzles) >= 20


@pytest.mark.skipif(GEAR == "python", reason="many matches are replayed")
@pytest.mark.parametrize("game", GAMES)
def test_every_answer_is_a_legal_action_and_the_first_is_clearly_best(game: str) -> None:
    for puzzle in puzzles(game).values():
        match = puzzle.match(GAMES[game])
        best, second = puzzle.answers[:2]
        assert puzzle.seat in match.to_act
        assert {answer.action for answer in puzzle.answers} <= set(match.legal_actions(puzzle.seat).numbers)
        assert best.chance - second.chance >= MARGINS[game] - 0.001
        assert [answer.chance for answer in puzzle.answers] == sorted((each.chance for each in puzzle.answers), reverse=True)


def test_the_answers_of_hanamikoji_are_proven() -> None:
    assert all(puzzle.exact for puzzle in puzzles("hanamikoji").values())


@pytest.mark.skipif(GEAR == "python", reason="it solves")
def test_a_proven_answer_is_found_again() -> None:
    puzzle = next(iter(puzzles("hanamikoji").values()))
    view = puzzle.match(GAMES["hanamikoji"]).view(puzzle.seat)
    found = hints(view, puzzle.seat, Budget(iterations=400), seed=9)
    assert found[0].exact
    assert found[0].action == puzzle.answers[0].action
    assert found[0].chance == pytest.approx(puzzle.answers[0].chance, abs=0.02)


def test_every_day_has_a_puzzle_and_the_games_take_turns() -> None:
    days = [of_the_day(date(2030, 1, 1) + timedelta(days=day)) for day in range(len(GAMES))]
    assert {game for game, _ in days} == set(GAMES)
    assert all(puzzle in puzzles(game) for game, puzzle in days)


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes puzzles without the long looks."""
    monkeypatch.setattr("zashiki.puzzles.making.LOOKS", (Look(1_000, 40, 0.5), Look(4, 100, 0.9)))
    monkeypatch.setattr("zashiki.puzzles.making.CHECK", Look(4, 100, 1.0))
    monkeypatch.setattr("zashiki.puzzles.making.SEARCH", 300)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_puzzles_of_every_difficulty(game: str) -> None:
    assert Counter(puzzle.difficulty for puzzle in puzzles(game).values()).keys() == {"easy", "medium", "hard"}


def test_a_quarter_of_the_puzzles_of_kohoju_are_medium_and_as_many_hard() -> None:
    found = Counter(puzzle.difficulty for puzzle in puzzles("kohoju").values())
    assert min(found["medium"], found["hard"]) * 4 >= found.total()


@pytest.mark.skipif(GEAR == "python", reason="it searches")
def test_puzzles_are_made_of_every_difficulty_none_of_them_plain_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    made = make(GAMES["kasane"], 5).puzzles
    assert sorted(Counter(puzzle.difficulty for puzzle in made).values()) == [1, 2, 2]
    for puzzle in made:
        view = puzzle.match(GAMES["kasane"]).view(puzzle.seat)
        found = weights(view, puzzle.seat, view.legal(puzzle.seat))
        assert found[view.legal(puzzle.seat).index(puzzle.answers[0].action)] < OBVIOUS * sum(found)


@pytest.mark.skipif(GEAR == "python", reason="it searches")
@pytest.mark.parametrize("count", [1, 4])
def test_a_few_puzzles_can_be_made_as_well(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    assert len(make(GAMES["kasane"], count).puzzles) == count


@pytest.mark.skipif(GEAR == "python", reason="it searches")
def test_what_is_not_wanted_is_not_looked_at_any_further(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    made = next(candidates(GAMES["kasane"], 0))
    match = made.match(GAMES["kasane"])
    assert puzzle_at(match, made.seat, match.view(made.seat), lambda difficulty: difficulty != made.difficulty) is None


@pytest.mark.skipif(GEAR == "python", reason="it searches")
def test_puzzles_are_made_from_what_a_seat_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    made = next(candidates(GAMES["kasane"], 0))
    match = made.match(GAMES["kasane"])
    again = puzzle_at(match, made.seat, match.view(made.seat))
    assert again == made
