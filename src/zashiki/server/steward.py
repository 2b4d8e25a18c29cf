"""The steward: sees to every table after each event. Bots are asked, clocks are set, time acts where the game lets it.

Nothing here is needed for a table to be right: whatever two processes do at once, the log takes one. The process that wrote the
last event asks the bots; the others step in when nothing happens for a while.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from zashiki.bots.bot import WAIT
from zashiki.bots.live import reaction_ms
from zashiki.core.layout import CLOCK
from zashiki.core.match import Move
from zashiki.server.botroom import BotRoom, Question
from zashiki.server.deadlines import Deadlines
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.live import LiveTable
from zashiki.server.log import Event, Kind
from zashiki.server.store import WON
from zashiki.server.sweeping import DEAD_MS, abandoned_tables, due_tables, waiting_tables

STEP_IN_MS = 8_000
"""When the process that should ask a bot has not, another does."""
APART_MS = 5
"""After a start, tables at which something is due are looked at so long after each other, not all at once."""
AGAIN_MS = 1_000
"""When the store could not be reached, it is tried again after this."""
AFTERWARDS = {Kind.REMATCH, Kind.NO_REMATCH, Kind.NEXT}
"""Events of a match that is over, after which everybody sits as before."""
IDLE_S = 30.0
"""A table that nobody looks at leaves the memory after this."""


class Steward:
    """Sees to the tables of one house."""

    def __init__(self, house: House, bots: BotRoom[int], deadlines: Deadlines) -> None:
        self.house = house
        self.bots = bots
        self.deadlines = deadlines
        self.on_turn: Callable[[LiveTable, int], None] = lambda live, seat: None
        self.on_change: Callable[[LiveTable], None] = lambda live: None
        self._seen: dict[str, int] = {}
        """When somebody of a table that waits for players was last seen here."""
        self._looked: dict[str, dict[int, bytes]] = {}
        """By table and seat: what a bot saw last where anybody may act at any time."""
        self._chance = random.Random()
        self._since = house.clock()
        """Since when people could come back to this process."""
        house.after = self.attend

    def attend(self, live: LiveTable, event: Event | None) -> None:
        """A table has changed, or has just been loaded."""
        table = live.table
        if event is not None and event.kind in AFTERWARDS:
            return
        if event is None or event.kind != Kind.ACT or table.decided:
            self.on_change(live)
        if table.status != "playing":
            self._forget(live)
            if table.wants_rematch():
                self._play_again(live)
            return
        self._set_clock(live)
        if table.game.timed:
            self._set_time(live)
        self._ask_bots(live)
        if event is None:
            # Whoever wrote what has happened has told the people.
            live.waiting = table.bits
        else:
            self._tell_turns(live)

    # Clocks

    def _set_clock(self, live: LiveTable) -> None:
        deadline = live.table.clocks.deadline()
        key = ("clock", live.table.id)
        if deadline is None:
            self.deadlines.drop(key)
        else:
            self.deadlines.set(key, deadline[0], partial(self.look, live.table.id))

    def look(self, table: str) -> None:
        """Something may be due at a table: it is loaded, and whoever has run out of time hears it."""
        self.house.spawn(self._look(table))

    async def _look(self, table: str) -> None:
        try:
            live = await self.house.load(table)
        except Refused as refusal:
            if refusal.code == "unavailable":
                self._look_later(table, AGAIN_MS)
            return
        if live.behind and not live.busy:
            # The log could not be read when it should have been.
            self.house.heard(table)
            self._look_later(table, AGAIN_MS)
            return
        deadline = live.table.clocks.deadline()
        if deadline is not None and deadline[0] <= self.house.ticks() and live.table.status == "playing":
            self.write(live, Kind.TIMEOUT, deadline[1])
        else:
            self.attend(live, None)

    def write(self, live: LiveTable, kind: Kind, seat: int | None, action: int | None = None, detail: Any = None) -> bool:
        """Writes an event of the server's own, unless the table is busy; then whatever comes of that is attended to."""
        if live.busy or live.behind:
            self._look_later(live.table.id, AGAIN_MS if live.behind else 20)
            return False
        event = self.house.event(live.table, kind, seat, action, detail)
        self.house.commit(live, [event], partial(self._written, live))
        return True

    def _written(self, live: LiveTable, event: Event, result: str | Exception) -> None:
        if result == WON:
            self.house.show(live)
        else:
            self._look_later(live.table.id, AGAIN_MS if isinstance(result, Exception) else 50)

    def _look_later(self, table: str, delay_ms: int) -> None:
        self.deadlines.set(("look", table), self.house.ticks() + delay_ms, partial(self.look, table))

    # Time itself

    def _set_time(self, live: LiveTable) -> None:
        table = live.table
        assert table.match is not None
        wanted = {each.action: each for each in table.game.deadlines(table.match.state.record, table.patience_ms)}
        for action in [action for action in live.time if action not in wanted]:
            del live.time[action]
            self.deadlines.drop(("time", table.id, action))
        for action, each in wanted.items():
            if live.time.get(action) != each.since:
                live.time[action] = each.since
                due = self.house.ticks() + each.delay_ms
                self.deadlines.set(("time", table.id, action), due, partial(self._time_acts, table.id, action, each.since))

    def _time_acts(self, table: str, action: int, since: tuple[int, ...]) -> None:
        live = self.house.tables.get(table)
        if live is None or live.time.get(action) != since or live.table.match is None:
            return
        if live.busy or live.behind:
            again = partial(self._time_acts, table, action, since)
            self.deadlines.set(("time", table, action), self.house.ticks() + 5, again)
            return
        # If this cannot be written, it is due again.
        del live.time[action]
        if action in live.table.match.state.legal(CLOCK):
            self.write(live, Kind.ACT, CLOCK, action)

    # Bots

    def _ask_bots(self, live: LiveTable) -> None:
        hands = live.table.hands()
        if not hands:
            return
        if self.house.store.shared and not live.ours and not live.thinking:
            # Whoever wrote last asks them; if that process is gone, we do.
            due = self.house.ticks() + STEP_IN_MS
            self.deadlines.set(("step in", live.table.id), due, partial(self._step_in, live.table.id))
            return
        for seat in hands:
            if seat not in live.thinking:
                live.thinking.add(seat)
                self._let_think(live, seat)

    def _step_in(self, table: str) -> None:
        live = self.house.tables.get(table)
        if live is not None and live.table.hands():
            live.ours = True
            self._ask_bots(live)

    def _let_think(self, live: LiveTable, seat: int) -> None:
        if self._anytime(live):
            self._let_react(live, seat)
        else:
            self._ask_bot(live.table.id, seat)

    def _ask_bot(self, table: str, seat: int) -> None:
        live = self.house.tables.get(table)
        if live is None or live.table.match is None or seat not in live.table.hands():
            if live is not None:
                live.thinking.discard(seat)
            return
        view, level = live.table.match.view(seat), live.table.level_of(seat)
        answer = partial(self._bot_answers_to, table, seat, live.table.match.history)
        self.bots.ask(Question(table, view, seat, level, False, answer))

    def _bot_answers_to(self, table: str, seat: int, history: tuple[Move, ...], action: int) -> None:
        """An answer counts only where what it answers still stands: nothing of it was taken back meanwhile."""
        live = self.house.tables.get(table)
        if live is not None and live.table.match is not None and live.table.match.history[: len(history)] != history:
            live.thinking.discard(seat)
            self._ask_bots(live)
        else:
            self._bot_answers(table, seat, action)

    def _let_react(self, live: LiveTable, seat: int) -> None:
        """A bot that sees something new decides on that, while its reaction time runs."""
        assert live.table.match is not None
        table, view, level = live.table.id, live.table.match.view(seat), live.table.level_of(seat)
        looked, seen = self._looked.setdefault(table, {}), view.to_bytes()
        if looked.get(seat) == seen:
            live.thinking.discard(seat)
            return
        looked[seat] = seen
        due = self.house.ticks() + reaction_ms(level, self._chance)
        self.bots.ask(Question(table, view, seat, level, True, partial(self._bot_decides, table, seat, due)))

    def _bot_decides(self, table: str, seat: int, due: int, action: int) -> None:
        self.deadlines.set(("bot", table, seat), due, partial(self._bot_answers, table, seat, action))

    def _bot_answers(self, table: str, seat: int, action: int) -> None:
        live = self.house.tables.get(table)
        if live is None:
            return
        if live.busy:
            again = partial(self._bot_answers, table, seat, action)
            self.deadlines.set(("bot", table, seat), self.house.ticks() + 5, again)
            return
        live.thinking.discard(seat)
        if action != WAIT:
            # Whatever comes of it, the bot looks again.
            self._looked.get(table, {}).pop(seat, None)
        if live.behind:
            self._look_later(table, AGAIN_MS)
            return
        if seat not in live.table.hands() or live.table.match is None:
            return
        if action in live.table.match.state.legal(seat):
            self.write(live, Kind.ACT, seat, action)
        else:
            self._ask_bots(live)

    @staticmethod
    def _anytime(live: LiveTable) -> bool:
        """Whether time acts, so that nobody in particular must."""
        return bool(live.table.bits >> CLOCK & 1)

    # People

    def _tell_turns(self, live: LiveTable) -> None:
        """Tells each person once that the table waits, unless the person is looking at it."""
        table = live.table
        if self._anytime(live):
            return
        fresh = table.bits & ~live.waiting
        live.waiting = table.bits
        if not fresh:
            return
        looking = {watching.seat for watching in live.watchers.values()}
        for seat, sitter in enumerate(table.seats):
            if fresh >> seat & 1 and seat not in looking and sitter and sitter.plays:
                self.on_turn(live, seat)

    def _play_again(self, live: LiveTable) -> None:
        """All have agreed to a rematch, but nobody has opened the next table."""
        if live.busy or live.behind:
            self._look_later(live.table.id, 20)
        else:
            self.house.play_again(live, partial(self._written, live))

    # Coming and going

    def _forget(self, live: LiveTable) -> None:
        table = live.table.id
        for key in [("clock", table), ("look", table), ("step in", table), *(("time", table, action) for action in live.time)]:
            self.deadlines.drop(key)
        self._looked.pop(table, None)
        live.time.clear()
        live.waiting = 0

    def tidy(self) -> int:
        """Lets tables leave the memory that nobody looks at and nothing is under way at; gives how many did."""
        now, before = time.monotonic(), len(self.house.tables)
        for live in list(self.house.tables.values()):
            if not live.is_idle:
                live.idle_since = 0.0
            elif live.idle_since == 0.0:
                live.idle_since = now
            elif now - live.idle_since > IDLE_S:
                self._looked.pop(live.table.id, None)
                self.house.forget(live)
        return before - len(self.house.tables)

    async def close_dead(self, is_here: Callable[[int | None], bool]) -> None:
        """Closes tables that nobody comes back to: waiting ones after a while, matches after weeks."""
        for table in await self._forsaken(is_here) + await self.house.store.read(partial(abandoned_tables, self.house.clock())):
            try:
                live = await self.house.load(table)
            except Refused as refusal:
                if refusal.code == "unavailable":
                    raise
                # Of rules that are not played here any more: nobody can come back to it.
                await self.house.mend_status(table, "closed", self.house.clock())
                continue
            people = [sitter.account for sitter in live.table.seats if sitter] + [live.table.host]
            if live.table.status in ("waiting", "playing") and not any(is_here(account) for account in people):
                self.write(live, Kind.CLOSE, None, None, {"reason": "nobody was there any more"})

    async def _forsaken(self, is_here: Callable[[int | None], bool]) -> list[str]:
        """The tables that have waited for players with nobody there; being away for a moment does not count."""
        now, found, seen = self.house.clock(), [], {}
        for table in await self.house.store.read(waiting_tables):
            last = now if any(map(is_here, table.people)) else self._seen.get(table.id, table.since)
            seen[table.id] = last
            if now - last > table.patience_ms and now - self._since > DEAD_MS:
                found.append(table.id)
        self._seen = seen
        return found

    async def resume(self) -> None:
        """After a start, or when another process has died: whatever is due at any table is put into the queue."""
        now = self.house.ticks()
        for place, (table, due) in enumerate(await self.house.store.read(due_tables)):
            if table not in self.house.tables and ("clock", table) not in self.deadlines:
                self.deadlines.set(("clock", table), max(due, now + place * APART_MS), partial(self.look, table))
