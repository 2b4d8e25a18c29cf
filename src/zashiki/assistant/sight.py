"""A table as an assistant is shown it: in words and as a structure, all of it from its own seat's state."""

from __future__ import annotations

from io import StringIO
from typing import Any

import msgspec
from pydantic import BaseModel, Field
from rich.console import Console

from zashiki.client.state import State as Shown
from zashiki.core.actions import Vocabulary
from zashiki.core.game import Game, as_game
from zashiki.core.layout import CLOCK, SPECTATOR
from zashiki.core.state import State
from zashiki.server.messages import LogLine, TalkLine
from zashiki.terminal import board, described
from zashiki.terminal.words import for_seat, second_person

WIDTH = 100
LISTED = 60
"""More legal actions than this are not listed without being asked for."""
KINDS = {
    "sit": "sat down",
    "stand": "stood up",
    "start": "the match began",
    "resign": "gave up",
    "timeout": "ran out of time",
    "gone": "has been away too long: a bot keeps the seat",
    "return": "came back",
    "ask back": "asks to take back",
    "take back": "took back",
    "rematch": "wants to play again",
    "no rematch": "does not want to play again",
    "close": "the table was closed",
    "abandon": "would rather not go on",
}


class LegalAction(BaseModel):
    """Something you may do now."""

    number: int = Field(description="give this to `act`")
    words: str
    structure: dict[str, Any]


class Sight(BaseModel):
    """A table as your seat may know it."""

    table: str = Field(description="the table's id")
    link: str = Field(description="where people find it in a browser")
    game: str
    status: str = Field(description="waiting, playing, over or closed")
    seat: int | None = Field(description="yours; null if you only watch")
    seats: list[str] = Field(description="who sits where")
    your_turn: bool
    to_act: list[int] = Field(description="the seats that may act, as far as you may know")
    legal_count: int = Field(description="how many actions are legal for you now")
    legal: list[LegalAction] = Field(description=f"the first {LISTED} of them; `legal_actions` has them all")
    board: str = Field(description="the table in words and signs")
    view: dict[str, Any] | None = Field(description="the same as facts: null is unknown to you, -2 an empty place")
    scores: list[dict[str, int]] = Field(description="each seat's points by their parts, as far as you may know")
    news: list[str] = Field(description="what happened since you last looked")
    talk: list[str] = Field(description="what was said since you last looked")
    outcome: str | None = Field(description="at the end: who won and why")

    def told(self) -> str:
        """All of it in words."""
        parts = [f"{self.game}, table {self.table}: {self.status}. {self._who()}"]
        parts += ["What happened:\n" + "\n".join(f"  {line}" for line in self.news)] if self.news else []
        parts += ["What was said:\n" + "\n".join(f"  {line}" for line in self.talk)] if self.talk else []
        parts += [self.board] if self.board else []
        parts += [self._turn()]
        return "\n\n".join(parts)

    def _who(self) -> str:
        return "; ".join(f"seat {seat}: {name}" for seat, name in enumerate(self.seats))

    def _turn(self) -> str:
        if self.outcome:
            return self.outcome
        if self.status == "waiting":
            return f"The match has not begun. People join at {self.link}"
        if not self.your_turn:
            return f"It is not your turn; {_seats(self.to_act)} may act. Use wait_for_turn."
        more = self.legal_count - len(self.legal)
        rest = f"\n  … and {more} more: legal_actions lists those with the words you give it" if more else ""
        return f"It is your turn. You may:\n{listed(self.legal)}{rest}"


def listed(legal: list[LegalAction]) -> str:
    """Actions with their numbers, a line each."""
    return "\n".join(f"  {action.number}: {action.words}" for action in legal)


def sight(state: Shown, link: str, lines: list[LogLine], talk: list[TalkLine]) -> Sight:
    """What there is to see in a state."""
    game = as_game(state.game)
    legal = legal_actions(state)
    return Sight(
        table=state.table,
        link=link,
        game=state.game,
        status=state.status,
        seat=state.seat,
        seats=[_name(state, seat) for seat in range(len(state.seats))],
        your_turn=state.my_turn,
        to_act=state.to_act,
        legal_count=len(legal),
        legal=legal[:LISTED],
        board=_board(game, state),
        view=state.view,
        scores=[dict(zip(game.rules.PARTS, parts, strict=True)) for parts in state.scores],
        news=[_told(game.vocabulary, state, line) for line in lines],
        talk=[f"{line.name}: {line.text}" for line in talk],
        outcome=_outcome(state),
    )


def legal_actions(state: Shown) -> list[LegalAction]:
    """Everything the seat may do now, in the words of the table."""
    if state.view is None or state.seat is None:
        return []
    game, seat = as_game(state.game), state.seat
    view = State.from_json(game, state.view)

    def action(number: int) -> LegalAction:
        words = second_person(for_seat(described(view, game.vocabulary[number]), seat))
        return LegalAction(number=number, words=words, structure=game.vocabulary.to_json(number))

    return [action(number) for number in state.legal]


def _board(game: Game, state: Shown) -> str:
    """The board of the terminal, without colours."""
    if state.view is None:
        return ""
    drawn = Console(file=StringIO(), width=WIDTH, color_system=None, legacy_windows=False)
    drawn.print(board(State.from_json(game, state.view), SPECTATOR if state.seat is None else state.seat))
    assert isinstance(drawn.file, StringIO)
    return "\n".join(line.rstrip() for line in drawn.file.getvalue().splitlines()).strip("\n")


def _name(state: Shown, seat: int) -> str:
    sitter = state.seats[seat]
    told = sitter.name or "nobody yet"
    return f"{told} (you)" if seat == state.seat else f"{told} (a bot keeps the seat)" if sitter.away else told


def _told(vocabulary: Vocabulary, state: Shown, line: LogLine) -> str:
    who = "time" if line.seat == CLOCK else "you" if line.seat == state.seat else f"seat {line.seat}"
    if line.kind != "act":
        words = KINDS.get(line.kind, line.kind)
        return words if line.seat is None else f"{who}: {words}"
    words = msgspec.convert(line.action, vocabulary.union).words()
    return f"{who}{' (shown now)' if line.revealed else ''}: {words if state.seat is None else for_seat(words, state.seat)}"


def _outcome(state: Shown) -> str | None:
    if state.outcome is None:
        return "The table was closed." if state.status == "closed" else None
    points = ", ".join(f"seat {seat}: {sum(parts)}" for seat, parts in enumerate(state.scores))
    verdict = "" if state.seat is None else " You have won." if state.seat in state.outcome.winners else " You have lost."
    return f"The match is over: {_seats(state.outcome.winners)} won ({state.outcome.reason}). Points: {points}.{verdict}"


def _seats(seats: list[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats) or "nobody"
