"""A bot at a table over the network: it sits down, is asked like in the arena, and acts."""

from __future__ import annotations

import asyncio
import random
import secrets
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec

from zashiki.bots import EXEC, Entrant, find_bot
from zashiki.bots.bot import WAIT, Bot, Listener
from zashiki.bots.levels import LEVELS
from zashiki.bots.lines import patience
from zashiki.bots.live import LiveBot, reaction_ms
from zashiki.client.state import State as Shown
from zashiki.client.table import Table
from zashiki.core.checks import shown, whole
from zashiki.core.errors import ZashikiError
from zashiki.core.game import Game, as_game
from zashiki.core.layout import CLOCK
from zashiki.core.state import State
from zashiki.server.errors import Refused

T = TypeVar("T")
Say = Callable[[str], None]

OVERTAKEN = ("stale", "not your turn", "match over", "not started")
"""Refusals of an action whose moment has passed while the bot was thinking."""


class BotFailed(ZashikiError):
    """A bot went wrong: how, and before which decision."""


class Player:
    """Plays one seat of one match with a bot that was made for it."""

    def __init__(self, table: Table, bot: str, say: Say) -> None:
        self.table = table
        self._say = say
        self._game: Game = as_game(table.state.game)
        seed = secrets.randbits(63)
        self._entrant: Entrant = find_bot(self._game, bot)
        self._bot = self._entrant.sit_down(seed)
        self._level = bot.partition("@")[0]
        self._chance = random.Random(seed)
        # Bots of the house take turns: at the live pace they are translated, and react as they do at home.
        self._reacts = self._level in LEVELS and table.state.settings.get("options", {}).get("pace") == "live"
        self._asked: Bot = LiveBot(self._game, self._bot, seed) if self._reacts else self._bot

    async def play(self) -> None:
        """Plays to the end; a bot that goes wrong gives up, and `BotFailed` tells its author why."""
        try:
            await self._begin()
            async for state in self.table.decisions():
                await self._decide(state)
            await self._end()
        except BotFailed:
            await self._give_up()
            raise

    async def _begin(self) -> None:
        state, bot = self.table.state, self._bot
        if isinstance(bot, Listener) and state.seat is not None:
            options = self._game.full_options(state.settings.get("options"))
            await self._ask(partial(bot.begin, state.seat, len(state.seats), options))

    async def _decide(self, state: Shown) -> None:
        seat, view = state.seat, self._view(state)
        if seat is None:
            return
        waits = bool(view.to_act() >> CLOCK & 1)
        legal = [WAIT, *state.legal] if waits else list(state.legal)
        if isinstance(self._bot, Listener):
            await self._ask(partial(self._bot.hear, _plain(state)), state)
        chosen: object = await self._ask(partial(self._asked.choose, view, seat, legal.copy(), self._entrant.budget), state)
        action = whole(chosen)
        if action is None or action not in legal:
            raise BotFailed(f"it chose {shown(chosen)}, which is not legal\n{self._told(state)}")
        if self._reacts:
            await asyncio.sleep(reaction_ms(self._level, self._chance) / 1000)
        if action != WAIT:
            await self._act(action, state)

    async def _act(self, action: int, state: Shown) -> None:
        try:
            await self.table.act(action, version=state.version)
        except Refused as refusal:
            if refusal.code not in (*OVERTAKEN, "illegal action"):
                raise
            self._say(f"too late for that: {refusal.reason}")

    async def _end(self) -> None:
        state, bot = self.table.state, self._bot
        if isinstance(bot, Listener) and state.view is not None:
            outcome = state.outcome
            winners, reason = (outcome.winners, outcome.reason) if outcome else ([], state.status)
            await self._ask(partial(bot.end, self._view(state), winners, reason), state)

    async def _give_up(self) -> None:
        try:
            await self.table.resign()
            self._say("gave this match up")
        except Refused as refusal:
            self._say(f"could not give this match up: {refusal.reason}")

    async def _ask(self, question: Callable[[], T], state: Shown | None = None) -> T:
        """What the bot answers, thinking beside everything else, but not for ever."""
        limit = patience(self._entrant.budget)
        try:
            # An engine has its own watch, which knows more about it.
            return await asyncio.wait_for(_beside(question), None if self._entrant.name.startswith(EXEC) else limit)
        except TimeoutError:
            raise BotFailed(f"it did not answer within {limit:g} s\n{self._told(state)}") from None
        except ZashikiError as error:
            raise BotFailed(f"{error}\n{self._told(state)}") from None
        except Exception as error:
            lines = "".join(traceback.format_exception(error)).rstrip()
            raise BotFailed(f"it raised {type(error).__name__}\n{lines}\n{self._told(state)}") from None

    def _view(self, state: Shown) -> State:
        return State.from_json(self._game, state.view or {})

    def _told(self, state: Shown | None) -> str:
        """The decision in question, for the bot's author."""
        if state is None:
            return "before its first decision"
        words = self._game.vocabulary
        legal = "\n".join(f"  {number}: {words[number].words()}" for number in state.legal)
        view = msgspec.json.encode(state.view).decode()
        return f"its seat: {state.seat}\nits view: {view}\nits legal actions:\n{legal}"


def _plain(state: Shown) -> list[dict[str, Any]]:
    """The lines of the log without their times."""
    lines: list[dict[str, Any]] = msgspec.to_builtins(state.events)
    return [{name: value for name, value in line.items() if name != "at"} for line in lines]


async def _beside(question: Callable[[], T]) -> T:
    """Runs something in a thread of its own, which nobody waits for at the end of the program."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(settled: Callable[[], None]) -> None:
        if not answer.done():
            settled()

    def work() -> None:
        try:
            settled = partial(answer.set_result, question())
        except Exception as error:
            settled = partial(answer.set_exception, error)
        with suppress(RuntimeError):  # nobody is there any more
            loop.call_soon_threadsafe(settle, settled)

    threading.Thread(target=work, daemon=True).start()
    return await answer
