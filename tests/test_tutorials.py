"""Tutorials: every script is played by the rules, and nothing in it stays without words."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from zashiki.core.match import Match
from zashiki.games.hanamikoji.actions import Secret
from zashiki.games.kawaii.actions import Answer, Throw
from zashiki.tutorials import SCRIPTS, script_of
from zashiki.tutorials.script import LEARNER, Meanwhile, Move, Script, Task
from zashiki.tutorials.telling import ScriptFault, Tutorial, TutorialMoment, tell

WEB = Path(__file__).parents[1] / "web/src/games"
LANGUAGES = ("en", "de", "fr", "it", "es", "nl", "hu", "ja")


def script(game: str) -> Script:
    found = script_of(game)
    assert found is not None
    return found


@pytest.fixture(scope="module", params=SCRIPTS)
def tutorial(request: pytest.FixtureRequest) -> Tutorial:
    return tell(script(request.param))


def said(tutorial: Tutorial) -> set[str]:
    """Every message that can be said."""
    found = {step.says for step in tutorial.steps if step.says}
    return found.union(tutorial.learned, *(step.wrong.values() for step in tutorial.steps))


def moment_before(tutorial: Tutorial, place: int) -> TutorialMoment:
    """What is seen at a step: along any way that leads to it, the same."""
    while place != 0 and tutorial.steps[place].moment is None:
        place = next(
            before for before, step in enumerate(tutorial.steps) if step.next == place or place in step.accepted.values()
        )
    return tutorial.steps[place].moment or tutorial.deal


@pytest.mark.parametrize("game", SCRIPTS)
def test_a_script_is_a_match_by_the_rules(game: str) -> None:
    written = script(game)
    match = Match(game, written.seats, options=dict(written.options), seed=written.seed)
    for step in written.steps:
        if isinstance(step, Task):
            assert all(action in match.legal_actions(LEARNER) for action in step.accepts), step.says
            match.act(LEARNER, step.accepts[0])
        if isinstance(step, Move):
            match.act(step.seat, step.action)
        if isinstance(step, Meanwhile):
            for seat, action in step.moves:
                match.act(seat, action)


def test_every_accepted_action_is_legal_and_leads_to_a_move_of_the_learner(tutorial: Tutorial) -> None:
    for place, step in enumerate(tutorial.steps):
        legal = moment_before(tutorial, place).legal
        for number, after in step.accepted.items():
            moment = tutorial.steps[after].moment
            assert number in legal
            assert moment is not None
            assert moment.events[0].seat == LEARNER


def test_a_wrong_try_of_every_legal_kind_has_an_answer(tutorial: Tutorial) -> None:
    vocabulary = Match(tutorial.game).game.vocabulary
    for place, step in enumerate(tutorial.steps):
        if step.kind != "task":
            continue
        others = set(moment_before(tutorial, place).legal) - step.accepted.keys()
        assert {vocabulary.to_json(number)["type"] for number in others} == step.wrong.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_exists_in_every_language_and_none_is_left_over(tutorial: Tutorial, language: str) -> None:
    words = json.loads((WEB / tutorial.game / "lessons" / f"{language}.json").read_text("utf-8"))
    assert words.keys() == said(tutorial)
    assert all(text.strip() for text in words.values())


def test_a_tutorial_takes_between_twelve_and_twenty_five_decisions(tutorial: Tutorial) -> None:
    assert 12 <= tutorial.tasks <= 25


def test_others_secrets_are_not_in_what_the_learner_is_told(tutorial: Tutorial) -> None:
    written = script(tutorial.game)
    match = Match(tutorial.game, written.seats, options=dict(written.options), seed=written.seed)
    assert tutorial.deal.view == match.game.layout.to_json(match.view(LEARNER).records[0])


def test_every_step_can_be_reached_and_all_of_it_is_small(tutorial: Tutorial) -> None:
    reached: set[int] = set()
    waiting = [0]
    while waiting:
        place = waiting.pop()
        reached.add(place)
        step = tutorial.steps[place]
        after = {*step.accepted.values(), *([] if step.next is None else [step.next])}
        waiting += after - reached
    assert reached == set(range(len(tutorial.steps)))
    assert len(msgspec.json.encode(tutorial)) < 200_000


def test_what_goes_by_for_the_learner_leads_to_something_to_do_or_to_read(tutorial: Tutorial) -> None:
    for step in tutorial.steps:
        while step.brief:
            assert step.moment is not None
            assert step.next is not None
            step = tutorial.steps[step.next]


def test_several_moves_at_once_are_told_together() -> None:
    passes = tuple((seat, Answer("none")) for seat in range(3))
    told = tell(script("kawaii")._replace(steps=(Meanwhile(passes, brief=True),))).steps[0]
    assert told.moment is not None
    assert {event.seat for event in told.moment.events} == {0, 1, 2}
    assert told.moment.view["flips"] == 2


def test_the_learner_of_kawaii_does_everything_that_matters_in_a_whole_round() -> None:
    tutorial = tell(script("kawaii"))
    asked = [action for step in script("kawaii").steps if isinstance(step, Task) for action in step.accepts]
    assert {action.pile for action in asked if isinstance(action, Answer)} == {"none", 0, 1, 2}
    assert any(isinstance(action, Throw) for action in asked)
    end = tutorial.steps[-3].moment
    assert end is not None
    assert end.view["round_number"] == 2
    assert end.view["scored"][LEARNER] == [7, 8, 1, 3, 1]


def test_a_try_without_an_answer_is_a_fault_of_the_script() -> None:
    task = Task("secret", (Secret("hair ornament"),))
    speechless = script("hanamikoji")._replace(wrong={}, steps=(task,))
    with pytest.raises(ScriptFault, match=r"the task secret of hanamikoji has no answer to .*'gift'"):
        tell(speechless)


def test_a_game_without_a_script_has_no_tutorial() -> None:
    assert script_of("lantern") is None
