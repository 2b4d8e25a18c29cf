"""Matches of a tournament in one process."""

from __future__ import annotations

import pytest

from tests.arena.tournaments import hanamikoji, played_here, untimed
from zashiki import GAMES
from zashiki.arena.play import Host
from zashiki.arena.schedule import Sitting, arrange


@pytest.mark.parametrize("game", GAMES)
def test_the_random_bot_plays_every_game_to_its_end(game: str) -> None:
    tournament = arrange(game, ["random"], matches=1, seats=GAMES[game].seats[-1], seed=3)
    result = Host(tournament).play(Sitting(0, 0, 0))
    assert result.winners
    assert not result.forfeit
    assert sum(sum(spans.values()) for spans in result.spans) == sum(result.decisions) > 0


def test_a_tournament_is_the_same_every_time() -> None:
    tournament = hanamikoji("heuristic", "careless", "search@5", matches=4)
    assert untimed(played_here(tournament)) == untimed(played_here(tournament))


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("Stumbling", "ValueError: I have lost my glasses"),
        ("Cheating", "chose -7, which is not one of its"),
        ("Absent", "did not sit down: OSError: caught in the rain"),
    ],
)
def test_a_bot_that_goes_wrong_forfeits_and_the_others_win(bot: str, reason: str) -> None:
    tournament = arrange("kohoju", [f"tests.arena.bots:{bot}", "random"], matches=3, seats=3)
    for sitting, result in played_here(tournament).items():
        assert result.forfeit
        assert result.forfeit.reason.startswith(reason)
        assert result.ending == "forfeit"
        assert result.forfeit.seat not in result.winners
        assert len(result.winners) == 2
        assert sitting == result.sitting
