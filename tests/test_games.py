"""A game is whole: whatever is missing is named here."""

from __future__ import annotations

from pathlib import Path

import pytest

from zashiki import GAMES

ROOT = Path(__file__).parents[1]
FILES = (
    "src/zashiki/games/{game}/cards.py",
    "src/zashiki/games/{game}/rules.py",
    "src/zashiki/games/{game}/actions.py",
    "src/zashiki/games/{game}/features.py",
    "src/zashiki/games/{game}/rules.md",
    "src/zashiki/terminal/{game}.py",
    "src/zashiki/bots/heuristics/{game}.py",
    "tests/conformance/games/{game}.py",
    "tests/games/test_{game}.py",
    "docs/games/{game}.md",
    "web/src/games/{game}/Board.svelte",
)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_every_file_it_needs(game: str, file: str) -> None:
    wanted = ROOT / file.format(game=game)
    # A module that has grown is a folder of its own.
    assert wanted.is_file() or wanted.with_suffix("").is_dir(), f"{file.format(game=game)} is missing"
