"""No bot reads anything outside its view: told only the bytes of its views, in another process, it plays the same match."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.arena.tournaments import played_here, untimed
from zashiki import GAMES
from zashiki.arena.schedule import arrange
from zashiki.bots import KINDS
from zashiki.bots.levels import LEVELS

KNOWN = [game for game in GAMES if find_spec(f"zashiki.bots.heuristics.{game}")]


@pytest.mark.parametrize("game", KNOWN)
def test_every_bot_plays_the_same_where_it_is_told_only_its_view(game: str, learned: Path) -> None:
    # With iterations instead of seconds every bot plays the same twice.
    here = arrange(
        game, [f"{name}@8" for name in dict.fromkeys((*LEVELS, *KINDS))], matches=1, seats=GAMES[game].seats[0], seed=2
    )
    results = played_here(here)
    assert untimed(played_here(replace(here, apart=True))) == untimed(results)
    assert not any(result.forfeit for result in results.values())


def test_a_skill_plays_the_same_where_it_is_told_only_its_view(skilled: Path) -> None:
    here = arrange("kohoju", ["master@8", "master-fast", "random"], matches=1, seats=2, seed=2, options={"target": 10})
    results = played_here(here)
    assert untimed(played_here(replace(here, apart=True))) == untimed(results)
    assert not any(result.forfeit for result in results.values())


def test_a_bot_whose_process_dies_forfeits_that_match_alone() -> None:
    tournament = arrange("hanamikoji", ["tests.arena.bots:Vanishing", "random"], matches=2, apart=True)
    for result in played_here(tournament).values():
        assert result.forfeit
        assert result.forfeit.reason == "BotFailed: its process died"
        assert result.forfeit.seat == result.seating


def test_what_goes_wrong_apart_is_told_in_the_same_words() -> None:
    tournament = arrange("hanamikoji", ["tests.arena.bots:Stumbling", "random"], matches=2, apart=True)
    assert all("I have lost my glasses" in str(result.forfeit) for result in played_here(tournament).values())
