"""The command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zashiki import GAMES, Match
from zashiki.cli import main
from zashiki.core.gears import GEAR


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(list(arguments))
    return capsys.readouterr().out


def test_games_are_listed_with_their_options(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "games")
    for game in GAMES.values():
        assert game.title in text
        assert all(option.name in text for option in game.options)


def test_a_saved_match_is_told_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = Match("hanamikoji", seed=2)
    while not match.over:
        match.act(match.to_act[0], match.legal_actions()[0])
    file = tmp_path / "match.json"
    file.write_text(match.save(), "utf-8")
    text = said(capsys, "replay", str(file))
    assert text.count("\n") == len(match.history) + 4
    assert "Won by" in text


@pytest.mark.skipif(GEAR == "python", reason="it searches")
def test_a_saved_match_is_reviewed(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zashiki.review.effort.SECONDS", 0.01)
    match = Match("hanamikoji", seed=2)
    while not match.over:
        match.act(match.to_act[0], match.legal_actions()[0])
    file = tmp_path / "match.json"
    file.write_text(match.save(), "utf-8")
    found = json.loads(said(capsys, "review", str(file), "--json"))
    assert found["moves"] == len(match.history)
    text = said(capsys, "review", str(file), "--seat", "1")
    assert text.startswith("Seat 1 began with")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["play", "poker"], "the games are hanamikoji"),
        (["play", "hanamikoji", "--seats", "5"], "is played by 2"),
        (["play", "hanamikoji", "--seat", "4"], "there is no seat 4"),
        (["play", "hanamikoji", "--option", "rounds=99"], "from 1 to 20"),
        (["play", "hanamikoji", "--option", "speed=3"], "has no option 'speed'"),
        (["play", "--resume", "nothing.json"], "cannot be read"),
        (["play", "kasane", "--resume", "nothing.json"], "name only the file"),
        (["replay", "nothing.json"], "cannot be read"),
        (["review", "nothing.json"], "cannot be read"),
        (["puzzles", "poker"], "the games are hanamikoji"),
        (["bench", "gpu"], "needs a GPU"),
    ],
)
def test_a_mistake_is_explained_in_one_line(arguments: list[str], reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zashiki.bench.gpu.available", lambda: False)
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_live_pace_is_not_for_a_terminal() -> None:
    with pytest.raises(SystemExit, match="too slow for the live pace"):
        main(["play", "kawaii", "--option", "pace=live"])


def test_the_bench_prints_json_for_programs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zashiki.bench.engine._first_action", lambda game: (1.0, 1.0))
    figures = json.loads(said(capsys, "bench", "engine", "--json", "--seconds", "0.03"))
    assert [each["game"] for each in figures["games"]] == list(GAMES)
    assert all(each[rate] > 0 for each in figures["games"] for rate in ("compiled", "low_level", "match", "batch"))


def test_the_bench_prints_a_table_for_people(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zashiki.bench.engine._first_action", lambda game: (1.0, 1.0))
    text = said(capsys, "bench", "engine", "--seconds", "0.03", "--peers")
    assert "geometric mean" in text
    for game in GAMES:
        assert game in text


def test_a_level_the_game_has_not_is_refused_before_the_cards_are_dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    with pytest.raises(SystemExit, match="nobody has learned Kohoju yet"):
        main(["play", "kohoju", "--level", "master"])
