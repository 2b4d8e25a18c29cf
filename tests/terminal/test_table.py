"""The table in a terminal, played by a script."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, ConsoleDimensions

from zashiki import GAMES, SPECTATOR, Match
from zashiki.bots.bot import Budget
from zashiki.terminal import board
from zashiki.terminal.table import TerminalTable
from zashiki.terminal.words import for_seat, second_person

SHORT = {"kohoju": {"target": 10}, "hanamikoji": {"rounds": 1}}


class Script(TerminalTable):
    """A person who types these answers, then always the first choice."""

    def __init__(self, match: Match, *answers: str, seat: int = 0) -> None:
        self.output = StringIO()
        console = Console(file=self.output, width=100, force_terminal=False)
        super().__init__(match, seat, level="beginner", console=console, hint=Budget(iterations=20))
        self.answers = iter(answers)
        console.input = lambda *_, **__: next(self.answers, "" if match.over else "1")  # type: ignore[method-assign]  # the person

    def text(self) -> str:
        """All that was shown, line breaks and columns aside."""
        return " ".join(self.output.getvalue().split())


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_every_game_can_be_played(game: str) -> None:
    table = Script(Match(game, options=SHORT.get(game), seed=3))
    table.play()
    assert table.match.over
    assert "The result" in table.text()
    assert "Won by" in table.text()


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_and_a_spectator_see_a_board_that_fits_into_a_hundred_columns_with_its_frame(game: str) -> None:
    for seats in GAMES[game].seats:
        match = Match(game, seats, seed=3)
        for _ in range(60):
            if match.over:
                break
            seat = match.to_act[-1]
            match.act(seat, match.legal_actions(seat)[0])
        for viewer in (SPECTATOR, *range(seats)):
            console = Console(file=StringIO(), width=300, record=True)
            console.print(board(match.view(viewer), viewer))
            lines = console.export_text().splitlines()
            assert len(lines) > 5
            # Sentences may be broken where they please; whatever stands in columns may not.
            assert [line for line in lines if len(line.rstrip()) > 96 and "  " in line.strip()] == []


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_match_can_be_left_saved_and_resumed(here: Path) -> None:
    table = Script(Match("hanamikoji", seed=3), "1", "1", "s", "q", "q")
    table.play()
    assert not table.match.over
    (file,) = here.glob("*.json")
    again = Match.load(file.read_text("utf-8"))
    assert again.history == table.match.history
    assert file.name in table.text()


def test_a_hint_names_actions_with_their_worth() -> None:
    table = Script(Match("hanamikoji", seed=3), "h", "q")
    table.play()
    assert "The chance to win, and the points to expect, as the strongest bot sees it" in table.text()
    assert "%" in table.text()


def test_taking_back_returns_to_my_last_decision() -> None:
    match = Match("hanamikoji", seed=3)
    table = Script(match, "secret", "1", "u", "q", "q")
    table.play()
    assert all(move.seat != 0 for move in table.match.history)


def test_with_nothing_done_there_is_nothing_to_take_back() -> None:
    table = Script(Match("hanamikoji", seed=3), "u", "q")
    table.play()
    assert "nothing yet that could be taken back" in table.text()


def test_words_narrow_the_list_and_enter_widens_it_again() -> None:
    table = Script(Match("hanamikoji", seed=3), "gift tea", "", "competition", "q")
    table.play()
    assert "narrowed by “gift tea”" in table.text()
    assert "more: narrow them by words" in table.text()


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("99", "There is no 99"),
        ("0", "There is no 0"),
        ("zeppelin", "Nothing you may do now"),
        ("²", "Nothing you may do now"),
        ("[/b]", "Nothing you may do now"),
    ],
)
def test_a_mistake_is_explained_and_changes_nothing(answer: str, reply: str) -> None:
    match = Match("hanamikoji", seed=3)
    table = Script(match, answer, "q", "q")
    table.play()
    assert reply in table.text()
    assert not [move for move in match.history if move.seat == 0]


def test_the_rules_can_be_read_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Script(Match("hanamikoji", seed=3), "?", "q")
    monkeypatch.setattr("pydoc.pager", table.output.write)
    table.play()
    assert "charm" in table.text()


def test_a_match_in_play_is_left_only_when_asked_twice() -> None:
    table = Script(Match("hanamikoji", seed=3), "1", "1", "q", "h", "q", "q")
    table.play()
    assert "Leave this match?" in table.text()
    assert not table.match.over


def test_words_narrow_further_what_is_narrowed_already() -> None:
    table = Script(Match("hanamikoji", seed=3), "gift", "fan", "q")
    table.play()
    assert "narrowed by “gift fan”" in table.text()


def test_a_save_that_fails_is_told_and_the_match_goes_on(here: Path) -> None:
    match = Match("hanamikoji", seed=3)
    (here / f"hanamikoji-{match.seed:x}.zashiki.json").mkdir()
    table = Script(match, "s", "q")
    table.play()
    assert "could not be written" in table.text()


def test_a_finished_match_can_be_saved(here: Path) -> None:
    match = Match("hanamikoji", options={"rounds": 1}, seed=3)
    table = Script(match)
    answers = iter(["s"])
    table.console.input = lambda *_, **__: next(answers, "") if match.over else "1"  # type: ignore[method-assign]  # the person
    table.play()
    (file,) = here.glob("*.json")
    assert Match.load(file.read_text("utf-8")).over


def test_choices_name_the_cards_they_are_about() -> None:
    table = Script(Match("kasane", seed=3), "q", seat=Match("kasane", seed=3).to_act[0])
    table.play()
    assert "that ends row 1" in table.text()


@pytest.mark.parametrize(
    ("third", "second"),
    [("keeps a fan", "keep a fan"), ("passes", "pass"), ("has answered", "have answered"), ("is done", "are done")],
)
def test_what_i_do_is_said_to_me(third: str, second: str) -> None:
    assert second_person(third) == second


def test_my_own_seat_is_called_you() -> None:
    assert for_seat("claims the pile of seat 0", 0) == "claims your pile"
    assert for_seat("claims the pile of seat 1", 0) == "claims the pile of seat 1"
    assert for_seat("gives seat 0 a card", 0) == "gives you a card"


def test_a_small_terminal_is_told_what_the_board_needs() -> None:
    table = Script(Match("kohoju", seed=3), "q", "q")
    table.console.size = ConsoleDimensions(80, 24)
    table.play()
    assert "drawn for a terminal of 100 columns" in table.text()
