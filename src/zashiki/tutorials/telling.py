"""A script, played by the engine: every step with what the learner sees then, for a browser that knows no rules."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from zashiki.core.actions import Action
from zashiki.core.errors import ZashikiError
from zashiki.core.game import OptionValue
from zashiki.core.match import Match, told
from zashiki.core.writing import Painter
from zashiki.tutorials.script import LEARNER, Meanwhile, Move, Script, Task, Word


class ScriptFault(ZashikiError):
    """A script asks for what the rules do not allow, or leaves a try without an answer."""


class ToldAction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An action as the learner is told of it. `revealed`: an earlier secret choice that is shown now."""

    seat: int
    action: Any
    revealed: bool = False


class TutorialMoment(msgspec.Struct, frozen=True, kw_only=True):
    """What the learner sees, and may do, after something was played: as a table's state tells it. `events`: what was played."""

    view: Any
    to_act: list[int]
    legal: list[int]
    scores: list[list[int]]
    events: list[ToldAction] = []


class TutorialStep(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A step: a word of the coach, a task of the learner, or a move that was made, sometimes several at once.

    `says`: the key of what the coach says. `at`: the part of the board that it is about. `moment`: what a move led to; at other
    steps nothing has changed. `brief`: it goes on by itself. `next`: the step after it, null at the end. Of a task: `number`,
    counted from 1; `accepted`, the step after each accepted action by the action's number; `wrong`, what is said to a try of
    every other kind.
    """

    kind: Literal["word", "task", "move"]
    says: str = ""
    at: str = ""
    moment: TutorialMoment | None = None
    brief: bool = False
    next: int | None = None
    number: int = 0
    accepted: dict[int, int] = {}
    wrong: dict[str, str] = {}


class Tutorial(msgspec.Struct, frozen=True, kw_only=True):
    """A tutorial. `names`: of everybody but the learner, in seat 0. `deal`: what is seen first. `learned`: said at the end."""

    game: str
    rules: int
    names: list[str]
    options: dict[str, OptionValue]
    tasks: int
    deal: TutorialMoment
    steps: list[TutorialStep]
    learned: list[str]


def tell(script: Script) -> Tutorial:
    """The whole tutorial."""
    match = Match(script.game, script.seats, options=dict(script.options), seed=script.seed)
    teller = _Teller(script, Painter(match.game))
    deal = teller.moment(match, 0)
    teller.go_on(0, match)
    return Tutorial(
        game=script.game,
        rules=match.game.version,
        names=list(script.names),
        options=match.options,
        tasks=sum(isinstance(step, Task) for step in script.steps),
        deal=deal,
        steps=teller.steps,
        learned=list(script.learned),
    )


class _Teller:
    """Walks through a script; where several actions are accepted, along each of them."""

    def __init__(self, script: Script, painter: Painter) -> None:
        self.script = script
        self.painter = painter
        self.steps: list[TutorialStep] = []
        self._told: dict[tuple[int, bytes], int] = {}
        """Where ways meet again they go on together."""

    def go_on(self, place: int, match: Match) -> int | None:
        """Tells the rest of the script from one of its steps on; gives where it begins."""
        if place == len(self.script.steps):
            return None
        here = place, match.state.records.tobytes()
        if here not in self._told:
            self._told[here] = self._step(place, match)
        return self._told[here]

    def _step(self, place: int, match: Match) -> int:
        step = self.script.steps[place]
        if isinstance(step, Move):
            return self._meanwhile(place, match, Meanwhile(((step.seat, step.action),), step.says, step.at))
        if isinstance(step, Meanwhile):
            return self._meanwhile(place, match, step)
        if isinstance(step, Task):
            return self._task(place, match, step)
        return self._word(place, match, step)

    def moment(self, match: Match, lines: int) -> TutorialMoment:
        """What the learner sees now; the lines of the log from that one on are told."""
        seen = msgspec.json.decode(b"{%s}" % self.painter.sight(match.state.records, LEARNER).text)
        events = filter(None, (told(match.game, LEARNER, entry) for entry in match.log[lines:]))
        lately = [ToldAction(seat=event.seat, action=event.action, revealed=event.revealed) for event in events]
        return TutorialMoment(**seen, events=lately)

    def _word(self, place: int, match: Match, word: Word) -> int:
        number = self._add(TutorialStep(kind="word", says=word.says, at=word.at))
        self.steps[number].next = self.go_on(place + 1, match)
        return number

    def _task(self, place: int, match: Match, task: Task) -> int:
        step = TutorialStep(kind="task", says=task.says, at=task.at, wrong=self._wrong(match, task))
        step.number = sum(isinstance(each, Task) for each in self.script.steps[: place + 1])
        number = self._add(step)
        step.accepted = {
            match.game.vocabulary.number(action): self._meanwhile(place, match, Meanwhile(((LEARNER, action),), task.then))
            for action in task.accepts
        }
        return number

    def _meanwhile(self, place: int, match: Match, step: Meanwhile) -> int:
        after = match.copy()
        for seat, action in step.moves:
            after.act(seat, action)
        moment = self.moment(after, len(match.log))
        number = self._add(TutorialStep(kind="move", says=step.says, at=step.at, moment=moment, brief=step.brief))
        self.steps[number].next = self.go_on(place + 1, after)
        return number

    def _wrong(self, match: Match, task: Task) -> dict[str, str]:
        """What is said to every kind of try that is not accepted."""
        kinds = {type(action) for action in match.legal_actions(LEARNER) if action not in task.accepts}
        answers = {**self.script.wrong, **task.wrong}
        if missing := kinds - answers.keys():
            raise ScriptFault(f"the task {task.says} of {self.script.game} has no answer to {sorted(map(_tag, missing))}")
        return {_tag(kind): answers[kind] for kind in sorted(kinds, key=_tag)}

    def _add(self, step: TutorialStep) -> int:
        self.steps.append(step)
        return len(self.steps) - 1


def _tag(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)
