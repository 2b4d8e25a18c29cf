"""What tests of several parts need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.learned import random_skill, write_skill, write_weights
from zashiki.bots.sense import heuristics
from zashiki.games import GAMES, find


@pytest.fixture
def learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every game has been learned, badly: the folder with its weights."""
    for game in GAMES.values():
        write_weights(tmp_path, game)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    return tmp_path


@pytest.fixture
def skilled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Kohoju has been learned as a skill, badly: the folder with it."""
    heuristics(find("kohoju"))
    write_skill(tmp_path / "skill", find("kohoju"), random_skill(find("kohoju")))
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path / "skill"))
    return tmp_path / "skill"
