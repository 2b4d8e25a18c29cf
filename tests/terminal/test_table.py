"""The table in a terminal, played by a script."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from zashiki import GAMES, SPECTATOR, Match
from zashiki.bots.simple import SimpleBot
from zashiki.terminal import board
from zashiki.terminal.table import TerminalTable

SHORT = {"kohoju": {"target": 10}, "hanamikoji": {"rounds": 1}}


class Script(TerminalTable):
    """A person who types these answers, then always the first choice."""

    def __init__(self, match: Match, *answers: str, seat: int = 0) -> None:
        self.output = StringIO()
        console = Console(file=self.output, width=100, force_terminal=False)
        super().__init__(match, seat, console=console, bot=SimpleBot(seed=1, trials=1))
        self.answers = iter(answers)
        console.input = lambda *_, **__: next(self.answers, "1")  # type: ignore[method-assign]  # the person

    def text(self) -> str:
        """All that was shown, line breaks and columns aside."""
        return " ".join(self.output.getvalue().split())


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_every_game_can_be_played(game: str) -> None:
    table = Script(Match(game, options=SHORT.get(game), seed=3))
    table.play()
    assert table.match.over
    assert "The result" in table.text()
    assert "won" in table.text() or "You win" in table.text()


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_and_a_spectator_see_a_board_within_a_hundred_columns(game: str) -> None:
    for seats in GAMES[game].seats:
        match = Match(game, seats, seed=3)
        for _ in range(60):
            if match.over:
                break
            seat = match.to_act[-1]
            match.act(seat, match.legal_actions(seat)[0])
        for viewer in (SPECTATOR, *range(seats)):
            console = Console(file=StringIO(), width=100, record=True)
            console.print(board(match.view(viewer), viewer))
            lines = console.export_text().splitlines()
            assert len(lines) > 5
            assert max(map(len, lines)) <= 100


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_match_can_be_left_saved_and_resumed(here: Path) -> None:
    table = Script(Match("hanamikoji", seed=3), "1", "1", "s", "q")
    table.play()
    assert not table.match.over
    (file,) = here.glob("*.json")
    again = Match.load(file.read_text("utf-8"))
    assert again.history == table.match.history
    assert file.name in table.text()


def test_a_hint_names_actions_with_their_worth() -> None:
    table = Script(Match("hanamikoji", seed=3), "h", "q")
    table.play()
    assert "A simple bot would try" in table.text()
    assert "%" in table.text()


def test_taking_back_returns_to_my_last_decision() -> None:
    match = Match("hanamikoji", seed=3)
    table = Script(match, "secret", "1", "u", "q")
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


@pytest.mark.parametrize(("answer", "reply"), [("99", "There is no 99"), ("zeppelin", "Nothing you may do now")])
def test_a_mistake_is_explained_and_changes_nothing(answer: str, reply: str) -> None:
    match = Match("hanamikoji", seed=3)
    table = Script(match, answer, "q")
    table.play()
    assert reply in table.text()
    assert not [move for move in match.history if move.seat == 0]


def test_the_rules_can_be_read_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Script(Match("hanamikoji", seed=3), "?", "q")
    monkeypatch.setattr("pydoc.pager", table.output.write)
    table.play()
    assert "charm" in table.text()
