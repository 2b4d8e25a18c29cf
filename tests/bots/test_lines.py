"""Engines in processes of their own: told a match in lines of JSON, and never waited for without end."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from zashiki.bots import UnknownBot, find_bot, lines
from zashiki.bots.bot import Budget, Listener
from zashiki.bots.lines import Engine, EngineFailed, LinesBot, Stable
from zashiki.core.match import Match
from zashiki.games import GAMES

REPOSITORY = Path(__file__).parents[2]
PYTHON = f"{sys.executable} {REPOSITORY}/examples/engine.py"


def wrong(way: str) -> str:
    return f"{sys.executable} {REPOSITORY}/tests/bots/engines.py {way}"


def begun(command: str, match: Match, seat: int) -> LinesBot:
    bot = Stable(command)(match.game, 1)
    bot.begin(seat, match.seats, dict(match.options))
    return bot


def choose(bot: LinesBot, match: Match, seat: int, budget: Budget) -> int:
    return bot.choose(match.view(seat), seat, match.legal_actions(seat).numbers, budget)


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_plays_whole_matches_of_every_game(game: str) -> None:
    entrant = find_bot(GAMES[game], f"exec:{PYTHON}")
    for seed in range(2):
        match = Match(game, seed=seed)
        bot = entrant.sit_down(seed)
        assert isinstance(bot, Listener)
        bot.begin(0, match.seats, dict(match.options))
        while not match.over:
            seat = match.to_act[0]
            legal = match.legal_actions(seat).numbers
            match.play(seat, bot.choose(match.view(seat), seat, legal, entrant.budget) if seat == 0 else legal[-1])
        assert match.outcome
        bot.end(match.view(0), list(match.outcome.winners), match.outcome.reason)
    assert isinstance(entrant.bot, Stable)
    assert len(entrant.bot._idle) == 1


def test_an_engine_is_told_its_view_its_actions_and_what_happened(caplog: pytest.LogCaptureFixture) -> None:
    match = Match("hanamikoji", options={"rounds": 2}, seed=3)
    (seat,) = match.to_act
    with caplog.at_level("INFO", logger="zashiki.engine"):
        bot = begun(wrong("repeats"), match, seat)
        events: list[dict[str, Any]] = [{"kind": "act", "seat": 1, "action": {"type": "secret", "card": None}}]
        bot.hear(events)
        legal = match.legal_actions(seat)
        assert choose(bot, match, seat, Budget(seconds=2)) == legal.numbers[0]
        bot.end(match.view(seat), [seat], "done")
        engine = bot._stable.take()
        engine._input.close()
        engine._errors.join()
    # Engines of other tests may still be complaining, from threads whose numbers are given again; their names are not.
    hello, turn, end = (json.loads(record.message) for record in caplog.records if record.threadName == engine._errors.name)
    assert hello["options"] == {"rounds": 2}
    assert (hello["protocol"], hello["seat"], hello["seats"], hello["rules"]) == (1, seat, 2, match.game.version)
    assert turn["view"] == match.view(seat).to_json()
    assert turn["legal"] == legal.numbers
    assert [match.game.vocabulary.number(action) for action in turn["actions"]] == legal.numbers
    assert (turn["events"], turn["budget"]) == (events, {"seconds": 2, "iterations": None})
    assert (end["type"], end["winners"], end["reason"], end["events"]) == ("end", [seat], "done", [])


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("dies", r"has ended by itself \(exit status 3\); its last lines: where are my glasses"),
        ("hangs", r"did not answer within 2\.2 s; its last lines: let me think"),
        ("lies", r"is not one of its \d+ legal actions"),
        ("babbles", r"answered 'good evening'"),
    ],
)
def test_an_engine_that_goes_wrong_is_reported_and_gone(way: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "START_S", 0.0)
    monkeypatch.setattr(lines, "GRACE_S", 2 if way == "hangs" else 30)
    match = Match("hanamikoji", seed=3)
    (seat,) = match.to_act
    bot = begun(wrong(way), match, seat)
    engine = bot._engine
    assert engine
    with pytest.raises(EngineFailed, match=reason):
        choose(bot, match, seat, Budget(seconds=0.2))
    assert not engine.is_running
    bot.end(match.view(seat), [], "forfeit")
    assert not bot._stable._idle or not bot._stable._idle[0].is_running


def test_an_engine_that_does_not_even_read_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "START_S", 0.0)
    engine = Engine("sleep 600")
    with pytest.raises(EngineFailed, match="did not answer within"):
        engine.ask({"much": "x" * 1_000_000}, 0.3)


def test_an_engine_that_cannot_be_started_says_so() -> None:
    with pytest.raises(EngineFailed, match="no-such-engine"):
        Engine("no-such-engine --fast")
    with pytest.raises(EngineFailed, match="cannot be started"):
        Engine("")


def test_an_engine_that_has_ended_between_two_matches_is_replaced() -> None:
    stable = Stable(PYTHON)
    first = stable.take()
    stable.give_back(first)
    first.kill()
    assert stable.take() is not first


def test_a_command_may_have_a_budget_and_an_at_sign_of_its_own() -> None:
    game = GAMES["hanamikoji"]
    assert find_bot(game, "exec:engine@0.5s").budget == Budget(seconds=0.5)
    assert find_bot(game, "exec:engine@300").budget == Budget(iterations=300)
    plain = find_bot(game, "exec:engine --as me@home")
    assert (plain.budget, plain.bot.command) == (Budget(), "engine --as me@home")  # type: ignore[attr-defined]  # a stable
    with pytest.raises(UnknownBot, match="a budget is"):
        find_bot(game, "exec:engine@1.2.3s")
