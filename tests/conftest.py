"""What tests of several parts need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.learned import write_weights
from zashiki.games import GAMES


@pytest.fixture
def learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every game has been learned, badly: the folder with its weights."""
    for game in GAMES.values():
        write_weights(tmp_path, game)
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    return tmp_path
