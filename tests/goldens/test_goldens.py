"""The goldens say what they said."""

from __future__ import annotations

import pytest

from tests.goldens.make import FOLDER, playthrough, trees
from zashiki import GAMES

PLAYTHROUGHS = [(game.id, seats) for game in GAMES.values() for seats in sorted({game.seats[0], game.seats[-1]})]
CHANGED = "a rule changed: raise the game's version and run `make goldens`"


def golden(name: str) -> str:
    file = FOLDER / name
    assert file.exists(), f"{name} is missing: run `make goldens`"
    return file.read_text("utf-8")


@pytest.mark.parametrize(("game", "seats"), PLAYTHROUGHS)
def test_a_playthrough_reads_as_before(game: str, seats: int) -> None:
    assert playthrough(GAMES[game], seats) == golden(f"{game}-{seats}.txt"), CHANGED


@pytest.mark.parametrize("game", GAMES)
def test_the_first_moves_branch_as_before(game: str) -> None:
    assert trees(GAMES[game]) == golden(f"{game}-tree.txt"), CHANGED


def test_no_golden_is_left_over() -> None:
    wanted = {f"{game}-{seats}.txt" for game, seats in PLAYTHROUGHS} | {f"{game}-tree.txt" for game in GAMES}
    assert {file.name for file in FOLDER.glob("*.txt")} == wanted
