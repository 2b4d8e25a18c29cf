"""Bots in processes of their own, told only what a seat may know: the bytes of its view, its legal actions, its budget."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import msgspec

from zashiki.bots import Entrant, find_bot
from zashiki.bots.bot import Bot, Budget, Listener
from zashiki.core.errors import ZashikiError
from zashiki.core.game import Game, as_game
from zashiki.core.state import State


class BotFailed(ZashikiError):
    """What went wrong with a bot, in its own words."""


class SitDown(msgspec.Struct, tag=True):
    """A new match begins."""

    game: str
    bot: str
    seed: int


class Choose(msgspec.Struct, tag=True):
    """A decision is due."""

    view: bytes
    seat: int
    legal: list[int]
    budget: Budget


class Begin(msgspec.Struct, tag=True):
    """How the match begins, for a bot that listens."""

    seat: int
    seats: int
    options: dict[str, Any]


class Hear(msgspec.Struct, tag=True):
    """What happened, for a bot that listens."""

    events: list[dict[str, Any]]


class End(msgspec.Struct, tag=True):
    """How the match has ended, for a bot that listens."""

    view: bytes
    winners: list[int]
    reason: str


Question = SitDown | Choose | Begin | Hear | End


class Answer(msgspec.Struct):
    """What the bot chose, or why it did not."""

    action: Any = None
    failure: str | None = None


class Booth:
    """A process for the bots of one seat, match after match; another one follows if it dies."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection

    def ask(self, question: Question) -> Any:
        """What is answered."""
        if self._process is None:
            self._open()
        try:
            self._pipe.send_bytes(msgspec.msgpack.encode(question))
            answer = msgspec.msgpack.decode(self._pipe.recv_bytes(), type=Answer)
        except (EOFError, OSError):
            self.close()
            raise BotFailed("its process died") from None
        if answer.failure:
            raise BotFailed(answer.failure)
        return answer.action

    def close(self) -> None:
        """Ends the process."""
        if self._process:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _open(self) -> None:
        context = get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far,), daemon=True)
        self._process.start()
        far.close()


class RemoteBot:
    """A bot in a booth. What only those are told who listen does not go there for one that does not."""

    def __init__(self, booth: Booth, entrant: Entrant, seed: int) -> None:
        self._booth = booth
        self._listens = bool(booth.ask(SitDown(entrant.game.id, entrant.name, seed)))

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> Any:
        """Whatever it answers."""
        return self._booth.ask(Choose(view.to_bytes(), seat, list(legal), budget))

    def begin(self, seat: int, seats: int, options: dict[str, Any]) -> None:
        """Tells it that the match begins."""
        if self._listens:
            self._booth.ask(Begin(seat, seats, options))

    def hear(self, events: list[dict[str, Any]]) -> None:
        """Tells it what happened."""
        if self._listens:
            self._booth.ask(Hear(events))

    def end(self, view: State, winners: list[int], reason: str) -> None:
        """Tells it how the match has ended."""
        if self._listens:
            self._booth.ask(End(view.to_bytes(), winners, reason))


class _Stool:
    """Where the bot of the match sits."""

    game: Game
    bot: Bot

    def answer(self, question: Question) -> object:
        match question:
            case SitDown():
                self.game = as_game(question.game)
                self.bot = find_bot(self.game, question.bot).sit_down(question.seed)
                return isinstance(self.bot, Listener)
            case Choose():
                view = State.from_bytes(self.game, question.view)
                return self.bot.choose(view, question.seat, question.legal, question.budget)
        self._listen(self.bot, question)
        return None

    def _listen(self, bot: Bot, question: Begin | Hear | End) -> None:
        assert isinstance(bot, Listener)
        match question:
            case Begin():
                bot.begin(question.seat, question.seats, question.options)
            case Hear():
                bot.hear(question.events)
            case End():
                bot.end(State.from_bytes(self.game, question.view), question.winners, question.reason)


def _serve(pipe: Connection) -> None:
    """The life of a booth: it ends when nobody is at the other end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stool = _Stool()
    try:
        while True:
            question = msgspec.msgpack.decode(pipe.recv_bytes(), type=Question)
            pipe.send_bytes(_encoded(stool, question))
    except (EOFError, OSError):
        return


def _encoded(stool: _Stool, question: Question) -> bytes:
    try:
        return msgspec.msgpack.encode(Answer(stool.answer(question)))
    except Exception as error:
        return msgspec.msgpack.encode(Answer(failure=f"{type(error).__name__}: {error}"))
