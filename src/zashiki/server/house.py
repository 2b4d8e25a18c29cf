"""The house: the tables this process has in memory, and the one way to do something at them.

A request is checked against the table, written to the log, and only when it is durable folded into the table and shown. So memory
is never ahead of the log; whatever goes wrong in between, the log is read again. One event of a table is in flight at a time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError

from zashiki.core.layout import SPECTATOR
from zashiki.server import messages
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.ledger import folded, listed, opened, read_events, read_table, write_status, write_table
from zashiki.server.live import Asker, LiveTable, Watcher, Watching
from zashiki.server.log import Event, Kind
from zashiki.server.messages import NewTable
from zashiki.server.opening import first_rows, is_table_id, next_rows, sitting
from zashiki.server.pictures import Pictures
from zashiki.server.statements import INSERT_EVENT, Beside
from zashiki.server.store import LOST, WON, Store, now_ms, unavailable
from zashiki.server.table import Table

LONGEST_QUEUE = 64
"""Requests that may wait at one table."""
READ_AGAIN_S = 1.0
"""When a log could not be read, it is tried again after this."""
ATTEMPTS = 4
"""How often a request is tried that loses against other processes."""

Settled = Callable[[Event, str | Exception], None]
"""Hears whether an event WON or LOST, or why neither is known."""

logger = logging.getLogger("zashiki.tables")


class House:
    """The tables in memory. `ticks` is the service's own time; `after` hears of every table that has changed."""

    def __init__(self, store: Store, ticks: Callable[[], int], clock: Callable[[], int] = now_ms) -> None:
        self.store = store
        self.ticks = ticks
        self.clock = clock
        self.tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.after: Callable[[LiveTable, Event | None], None] = lambda live, event: None
        self.on_forget: Callable[[LiveTable], None] = lambda live: None
        self.observe_action: Callable[[str, float], None] = lambda game, seconds: None

    # Opening a table

    async def create(self, account: Account, wanted: NewTable, new_id: str | None = None) -> str:
        """Opens a table and seats the host and the bots; begins at once if asked to and nobody is missing.

        The same id again is the same table.
        """
        row, events = first_rows(account.id, wanted, sitting(account, wanted), self.clock(), self.ticks(), new_id)
        new_id = str(row["id"])
        try:
            await self.store.write(partial(write_table, row, events), news=[f"lobby:{new_id}"])
        except IntegrityError:
            return new_id
        self.keep(folded(row, events), ours=True)
        return new_id

    def keep(self, table: Table, event: Event | None = None, *, ours: bool = False) -> LiveTable:
        """Takes a table into memory; `ours`: this process has just made it; `event`: what people must be told of."""
        live = self.tables.setdefault(table.id, LiveTable(table))
        live.ours = live.ours or ours
        self.after(live, event)
        return live

    # Doing something at a table

    def ask(self, asker: Asker, request: messages.TableRequest, key: str | None = None) -> None:
        """Carries a request out; the asker hears what came of it, now or later."""
        live = self.tables.get(request.table)
        if live is None:
            self.spawn(self._ask_later(asker, request, key))
        elif live.busy or live.behind:
            self._queue(live, asker, request, key)
            self._go_on(live)  # The log could not be read before; perhaps it can now.
        else:
            self._handle(live, asker, request, key)

    async def _ask_later(self, asker: Asker, request: messages.TableRequest, key: str | None) -> None:
        try:
            live = await self.load(request.table)
        except Refused as refusal:
            asker.refused(request.request, request.table, refusal)
            return
        except Exception:
            logger.exception("a table could not be loaded")
            asker.refused(request.request, request.table, Refused("broken", "this table cannot be shown"))
            return
        self._queue(live, asker, request, key)
        self._go_on(live)

    def _queue(self, live: LiveTable, asker: Asker, request: messages.TableRequest, key: str | None) -> None:
        if len(live.queue) >= LONGEST_QUEUE:
            refusal = Refused("too many", "too many requests wait at this table", retry_after_ms=100)
            asker.refused(request.request, request.table, refusal)
        else:
            live.queue.append((asker, request, key, 1))

    def _handle(self, live: LiveTable, asker: Asker, request: messages.TableRequest, key: str | None, attempt: int = 1) -> None:
        table = live.table
        try:
            if key is not None and table.has_done(asker.account.id, key):
                self._answer(live, asker, request, repeated=True)
                return
            kind, seat, action, detail = self._checked(live, asker.account, request)
        except Refused as refusal:
            if self.store.shared and attempt == 1 and refusal.code != "malformed":
                # Another process may have written what makes it right: nothing is refused from memory alone.
                live.behind = True
                live.queue.insert(0, (asker, request, key, attempt + 1))
                self._go_on(live)
            else:
                asker.refused(request.request, request.table, refusal)
            return
        event = self.event(table, kind, seat, action, detail, asker.account.id, key)
        settled = partial(self._settled, live, asker, request, key, attempt, perf_counter())
        if kind == Kind.REMATCH and table.wants_rematch(seat):
            self.play_again(live, settled, event)
        else:
            self.commit(live, [event], settled)

    def _checked(
        self, live: LiveTable, account: Account, request: messages.TableRequest
    ) -> tuple[Kind, int | None, int | None, Any]:
        table = live.table
        match request:
            case messages.Act():
                seat = table.seat_of(account.id)
                stale = seat is not None and request.version is not None and request.version < live.pictures.decision(seat)
                return table.check_act(account.id, request.action, stale)
            case messages.Sit():
                return table.check_sit(account, request.seat, request.bot)
            case messages.Stand():
                return table.check_stand(account.id, request.seat)
            case messages.Start():
                return table.check_start(account.id)
            case messages.Resign():
                return table.check_resign(account.id)
            case messages.TakeBack():
                return table.check_take_back(account.id, request.answer)
            case messages.Rematch():
                return table.check_rematch(account.id, request.agree)
            case messages.Close():
                return table.check_close(account.id)
        raise Refused("malformed", "this cannot be asked of a table")

    def event(
        self,
        table: Table,
        kind: Kind,
        seat: int | None,
        action: int | None = None,
        detail: Any = None,
        account: int | None = None,
        key: str | None = None,
    ) -> Event:
        """The next event of a table."""
        ticks = max(self.ticks(), table.last_ticks)
        text = None if detail is None else msgspec.json.encode(detail).decode()
        due = table.due_after(ticks) if kind != Kind.START else ticks
        return Event(table.id, table.number + 1, int(kind), seat, action, self.clock(), ticks, due, account, key, text)

    def commit(
        self,
        live: LiveTable,
        events: list[Event],
        settled: Settled,
        beside: Sequence[Beside] = (),
    ) -> None:
        """Writes the next events together; when they are durable they are folded, and `settled` hears how it went and shows it.

        What lists must know of them is written with them, and so is `beside`.
        """
        event = events[0]
        status = live.table.status_after(event)
        more = [(INSERT_EVENT, each._asdict()) for each in events[1:]]
        wide = [*listed(event, status), *more, *beside]
        live.busy = True
        done = partial(self._committed, live, events, settled)
        self.store.append(event, done, self._news(event.table_id, wide), wide)

    def _news(self, table: str, wide: list[Beside]) -> tuple[str, ...]:
        """What the other processes must hear; whoever is alone says nothing."""
        if not self.store.shared:
            return ()
        return (f"table:{table}", f"lobby:{table}") if wide else (f"table:{table}",)

    def play_again(self, live: LiveTable, settled: Settled, last: Event | None = None) -> None:
        """Opens the next table, with the word of whoever was the `last` to agree; of several processes one succeeds."""
        table = live.table
        row, first = next_rows(table, self.clock(), self.ticks())
        event = self.event(table, Kind.NEXT, None, None, {"table": row["id"]})
        events = [event] if last is None else [last, event._replace(number=last.number + 1)]

        def begun(event: Event, result: str | Exception) -> None:
            if result == WON:
                self.keep(folded(row, first, table.settings), first[-1], ours=True)
            settled(event, result)

        self.commit(live, events, begun, opened(row, first))

    def _committed(
        self,
        live: LiveTable,
        events: list[Event],
        settled: Settled,
        result: str | Exception,
    ) -> None:
        live.busy = False
        try:
            if result == WON:
                live.ours = True
                self._fold(live, events)
            else:
                live.behind = True
            settled(events[0], result)
            if result == WON:
                self.after(live, events[-1])
        finally:  # Whoever stumbles, the others at the table go on.
            self._go_on(live)

    def _settled(
        self,
        live: LiveTable,
        asker: Asker,
        request: messages.TableRequest,
        key: str | None,
        attempt: int,
        began: float,
        event: Event,
        result: str | Exception,
    ) -> None:
        if result == WON:
            self.show(live, asker, request.request)
            if event.kind == Kind.ACT:
                self.observe_action(live.table.game.id, perf_counter() - began)
        elif attempt < (ATTEMPTS if result == LOST else 2) and (result == LOST or isinstance(result, Refused)):
            # Somebody else was first, or nobody knows whether it was written: the log is read, then it is tried again.
            live.queue.insert(0, (asker, request, key, attempt + 1))
        elif isinstance(result, Refused):
            asker.refused(request.request, request.table, result)
        else:
            logger.error("event %d of a table could not be written: %s", event.number, result)
            asker.refused(request.request, request.table, unavailable())

    def _go_on(self, live: LiveTable) -> None:
        """Takes what waits at a table, after reading what others wrote."""
        if live.behind and not live.busy:
            live.busy = True
            self.spawn(self._refresh(live))
        while live.queue and not live.busy:
            self._handle(live, *live.queue.pop(0))

    async def _refresh(self, live: LiveTable) -> None:
        """Reads what others wrote, or whether what we wrote arrived."""
        live.behind = False
        try:
            if live.rewritten:
                await self._read_anew(live)
            events = await self.store.read(partial(read_events, live.table.id, live.table.number))
        except Exception as error:
            self._could_not_read(live, error)
            return
        live.busy = False
        if events:
            live.ours = False
            self._fold(live, events)
            self.show(live)
            self.after(live, None)
        self._go_on(live)

    def _could_not_read(self, live: LiveTable, error: Exception) -> None:
        """Whoever waits is refused; in a moment it is tried again."""
        refusal = error if isinstance(error, Refused) else unavailable()
        if refusal is not error:
            logger.error("the log of a table could not be read", exc_info=error)
        live.behind, live.busy = True, False
        while live.queue:
            asker, request, *_ = live.queue.pop(0)
            asker.refused(request.request, request.table, refusal)
        asyncio.get_running_loop().call_later(READ_AGAIN_S, self._go_on, live)

    async def _read_anew(self, live: LiveTable) -> None:
        """Reads the whole log again, and shows what it now says."""
        live.rewritten = False
        try:
            table, _, _ = await self.store.read(partial(read_table, live.table.id))
        except Refused:
            live.rewritten = True
            raise
        live.table, live.pictures = table, Pictures(table)
        self._reseat(live)
        for watcher in list(live.watchers):
            if watcher.paused:
                watcher.catch_up(table.id)
            else:
                self.show_latest(watcher, table.id)
        self.after(live, None)

    def _fold(self, live: LiveTable, events: list[Event]) -> None:
        try:
            for event in events:
                live.table.fold(event)
                live.pictures.changed(event.kind, event.seat)
                if event.kind in (Kind.SIT, Kind.STAND, Kind.START):
                    self._reseat(live)
        except Exception:
            # The table in memory is worth nothing now; the log is what counts.
            logger.exception("table dropped from memory: an event of its log could not be folded")
            self.tables.pop(live.table.id, None)
            raise

    def _reseat(self, live: LiveTable) -> None:
        """Who looks from which seat may have changed; from nobody's seat not everybody may look."""
        for watcher, watching in list(live.watchers.items()):
            seat = live.table.seat_of(watcher.account.id)
            watching.seat = SPECTATOR if seat is None else seat
            if seat is None and live.table.match is not None and not live.table.settings.spectators:
                del live.watchers[watcher]
                watcher.refused(None, live.table.id, Refused("forbidden", "nobody may watch this match"))

    def _answer(self, live: LiveTable, asker: Asker, request: messages.TableRequest, *, repeated: bool = False) -> None:
        seat = live.table.seat_of(asker.account.id)
        version = live.table.version(SPECTATOR if seat is None else seat)
        asker.done(request.request, live.table.id, version, repeated)

    # Looking at a table

    def watch(self, watcher: Watcher, live: LiveTable, request: messages.Watch) -> None:
        """Shows a table now, and from now on whenever it changes."""
        seat = self.may_look(live.table, watcher.account)
        version = live.table.version(seat)
        since = request.version if request.version is not None and 0 <= request.version <= version else 0
        live.watchers[watcher] = Watching(seat, version)
        watcher.show(live.pictures.first_frame(seat, since, request.request, live.present))

    def unwatch(self, watcher: Watcher, table: str) -> None:
        """Shows it no more."""
        live = self.tables.get(table)
        if live is not None:
            live.watchers.pop(watcher, None)
            if live.table.next and live.is_idle:
                self.forget(live)  # Everybody has gone on to the next table.

    def forget(self, live: LiveTable) -> None:
        """Lets a table leave the memory."""
        del self.tables[live.table.id]
        self.on_forget(live)

    def may_look(self, table: Table, account: Account) -> int:
        """The seat from which somebody sees a table."""
        seat = table.seat_of(account.id)
        if seat is None and table.match is not None and not table.settings.spectators:
            raise Refused("forbidden", "nobody may watch this match")
        return SPECTATOR if seat is None else seat

    def show(self, live: LiveTable, asker: Asker | None = None, request: int = 0) -> None:
        """Shows a table to everybody who looks at it and was told something new; the asker's answer is with it."""
        table, pictures = live.table, live.pictures
        for watcher, watching in list(live.watchers.items()):
            if watcher is asker:
                continue
            version = table.told[watching.seat]
            if version == watching.version:
                continue
            if watcher.paused:
                watcher.catch_up(table.id)
                continue
            watcher.show(b"{" + pictures.frame(watching.seat, watching.version))
            watching.version = version
        if asker is not None:
            self._show_answer(live, asker, request)
        pictures.put_away()

    def _show_answer(self, live: LiveTable, asker: Any, request: int) -> None:
        watching = live.watchers.get(asker)
        if watching is None or asker.paused:
            seat = live.table.seat_of(asker.account.id)
            asker.done(request, live.table.id, live.table.version(SPECTATOR if seat is None else seat), False)
            if watching is not None:
                asker.catch_up(live.table.id)
            return
        asker.show(b'{"request":%d,' % request + live.pictures.frame(watching.seat, watching.version))
        watching.version = live.table.told[watching.seat]

    def show_latest(self, watcher: Watcher, table: str) -> None:
        """Shows a table to somebody who could not keep up."""
        live = self.tables.get(table)
        watching = live.watchers.get(watcher) if live else None
        if live is not None and watching is not None:
            watcher.show(b"{" + live.pictures.frame(watching.seat, watching.version))
            watching.version = live.table.version(watching.seat)

    # Loading

    async def load(self, wanted: str) -> LiveTable:
        """A table, from memory or rebuilt from its log."""
        live = self.tables.get(wanted)
        if live is not None:
            return live
        if not is_table_id(wanted):
            raise Refused("unknown table", "there is no such table: an id has 16 letters, digits, - or _")
        loading = self._loading.get(wanted)
        if loading is None:
            loading = self._loading[wanted] = asyncio.get_running_loop().create_future()
            self.spawn(self._load(wanted, loading))
        return await asyncio.shield(loading)

    async def _load(self, wanted: str, loading: asyncio.Future[LiveTable]) -> None:
        try:
            table, status, _ = await self.store.read(partial(read_table, wanted))
        except Exception as error:
            del self._loading[wanted]
            loading.set_exception(error)
            loading.exception()  # Whoever waits is told; if nobody does any more, that is no fault.
            return
        del self._loading[wanted]
        if status != table.status:
            self.spawn(self.mend_status(table.id, table.status, table.last_at))
        loading.set_result(self.keep(table))

    async def mend_status(self, table: str, status: str, at: int) -> None:
        """Writes what lists show of a table whose log says otherwise; if that cannot be, whoever loads it next does."""
        with suppress(Refused):
            await self.store.write(partial(write_status, table, status, at), news=[f"lobby:{table}"])

    def heard(self, table: str) -> None:
        """Another process has written to a table."""
        live = self.tables.get(table)
        if live is not None:
            live.behind = True
            self._go_on(live)
        elif table in self._loading:  # It may have read the log as it was.
            self._loading[table].add_done_callback(lambda _: self.heard(table))

    def heard_everything(self) -> None:
        """Other processes may have written to any table."""
        for table in [*self.tables, *self._loading]:
            self.heard(table)

    def rewritten(self, table: str) -> None:
        """Lines of a table's log were rewritten, as when somebody's name is erased: it is read anew."""
        live = self.tables.get(table)
        if live is not None:
            live.rewritten = live.behind = True
            self._go_on(live)
        elif table in self._loading:  # It may have read the lines as they were.
            self._loading[table].add_done_callback(lambda _: self.rewritten(table))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs something beside; it is kept until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("work beside a table failed", exc_info=task.exception())

    async def close(self) -> None:
        """Waits for what is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks, timeout=5)
