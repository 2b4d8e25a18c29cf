"""Engines in any language meet the bots of the house, and a bot that listens is told the same wherever it sits."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.arena.bots import Curious
from tests.arena.tournaments import played_here, untimed
from zashiki.arena.play import Host
from zashiki.arena.schedule import Sitting, arrange
from zashiki.bots import lines
from zashiki.cli import main
from zashiki.core.match import Match

REPOSITORY = Path(__file__).parents[2]
PYTHON = f"exec:{sys.executable} {REPOSITORY}/examples/engine.py"
WRONG = f"exec:{sys.executable} {REPOSITORY}/tests/bots/engines.py"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_an_engine_in_javascript_plays_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    engine = f"exec:node {REPOSITORY}/examples/engine.mjs"
    main(["arena", "kasane", engine, "random", "--matches", "20", "--cores", "1", "--json", "-"])
    found = json.loads(capsys.readouterr().out)
    assert found["counted"] == 20
    assert not found["forfeits"]


def test_an_engine_plays_the_same_on_its_own_and_apart() -> None:
    here = arrange("hanamikoji", [PYTHON, "random"], matches=4, seed=1)
    apart = arrange("hanamikoji", [PYTHON, "random"], matches=4, seed=1, apart=True)
    results = played_here(here)
    assert untimed(played_here(apart)) == untimed(results)
    assert not any(result.forfeit for result in results.values())


@pytest.mark.parametrize(("way", "reason"), [("dies", "glasses"), ("hangs", "did not answer"), ("lies", "legal actions")])
def test_an_engine_that_goes_wrong_forfeits_and_the_tournament_goes_on(
    way: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "GRACE_S", 0.1)
    monkeypatch.setattr(lines, "START_S", 1.0)
    results = played_here(arrange("hanamikoji", [f"{WRONG} {way}@0.1s", "random"], matches=2))
    assert len(results) == 2
    for result in results.values():
        assert result.forfeit
        assert result.forfeit.seat == result.seating
        assert reason in result.forfeit.reason


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("game", ["hanamikoji", "kimono"])
def test_a_bot_that_listens_is_told_what_its_seat_may_know_of_the_match(game: str, apart: bool, tmp_path: Path) -> None:
    told = Curious.notes_in(tmp_path)
    tournament = arrange(game, ["tests.arena.bots:Curious"], matches=1, apart=apart)
    result = Host(tournament).play(Sitting(0, 0, 0))
    for seat, notes in enumerate(told()):
        (begins, *_), (ends, winners, reason) = notes[0], notes[-1]
        assert (begins, ends) == ("begin", "end")
        assert (winners, reason) == (result.winners, result.ending)
        events = [event for line in notes if line[0] == "hear" for event in line[1]]
        own = sum(event["seat"] == seat and not event.get("revealed") for event in events)
        assert own == result.decisions[seat]
        assert any(event["seat"] != seat for event in events)
    assert Match(game).seats == len(told())
