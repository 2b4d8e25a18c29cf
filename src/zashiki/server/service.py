"""Everything a server process keeps, put together: the store, the tables, the people, the bots."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Set
from contextlib import suppress
from functools import partial
from itertools import count, takewhile

import msgspec
from sqlalchemy import select

from zashiki.bots.asking import warm_up
from zashiki.core.game import Game
from zashiki.core.match import Match
from zashiki.core.replay import Eyes
from zashiki.core.saved import SavedMatch
from zashiki.games import GAMES
from zashiki.server import messages, schema
from zashiki.server.accounts import Account
from zashiki.server.advice import Adviser, Hints, Warned
from zashiki.server.bookkeeping import Bookkeeper
from zashiki.server.botroom import BotRoom, any_action, think
from zashiki.server.deadlines import Deadlines
from zashiki.server.errors import Refused
from zashiki.server.house import House
from zashiki.server.ledger import read_events
from zashiki.server.limits import Limits, RuleName
from zashiki.server.live import LiveTable
from zashiki.server.lobby import Lobby
from zashiki.server.log import Kind, standing
from zashiki.server.memory import give_back
from zashiki.server.messages import Done, NewTable, OutcomeInfo, TableInfo, TableState, TalkLine
from zashiki.server.names import ERASED
from zashiki.server.news import EVERYTHING
from zashiki.server.pictures import painter
from zashiki.server.presence import Presence
from zashiki.server.replays import Replay, read_match, replay
from zashiki.server.reviews import Reviewer, ReviewState, Wanted
from zashiki.server.steward import Steward
from zashiki.server.store import Store, now_ms
from zashiki.server.table import Table
from zashiki.server.takeback import moves_undone
from zashiki.server.talking import Talking
from zashiki.server.tournaments import Tournaments

TIDY_S = 5.0
SWEEP_ROUNDS = 12
MANY_LEFT = 100
"""When so many tables leave the memory together, it is worth the milliseconds that giving it back takes."""

logger = logging.getLogger("zashiki.service")


def process_name() -> str:
    """A name that no other process has: where it runs, and some chance."""
    return f"{socket.gethostname()[:8]}-{os.getpid() % 10**6}-{secrets.token_hex(3)}"


class Service:
    """One process of the server."""

    def __init__(
        self,
        store: Store,
        ticks: Callable[[], int] = now_ms,
        *,
        bot_threads: int = 2,
        clock: Callable[[], int] = now_ms,
        limits: Limits | None = None,
    ) -> None:
        self.store = store
        self.limits = limits
        self.house = House(store, ticks, clock)
        self.deadlines = Deadlines(ticks)
        self.bots = BotRoom(bot_threads, think, any_action)
        self.adviser = Adviser()
        self.reviewer = Reviewer(store)
        self.steward = Steward(self.house, self.bots, self.deadlines)
        self.presence = Presence(self.house, self.steward, self.deadlines)
        self.lobby = Lobby(self.house)
        self.talking = Talking(self.house)
        self.bookkeeper = Bookkeeper(self.house)
        self.tournaments = Tournaments(self)
        self.alive: Callable[[], Set[str]] = set
        self._known_alive: Set[str] = frozenset()
        self.name_for: Callable[[Account, str], str | None] = lambda account, key: None
        """The id of the table that an account opens with a key: nobody else can guess it."""
        self.on_account: Callable[[int], None] = lambda account: None
        self.on_everything: Callable[[], None] = lambda: None
        self.push_turn: Callable[[int, str, str], None] = lambda account, table, game: None
        self.steward.on_turn = self._tell_turn
        self.steward.on_change = self._changed
        self._telling = asyncio.Semaphore(1)
        """One match is told again at a time: that is work for a thread."""
        self._tidying: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begins to serve, or not at all if the store cannot. It must be open, its news told to `heard`."""
        await self.presence.forget_the_dead(self.alive())
        await self.steward.resume()
        self.house.spawn(self._fill_books())
        self.bots.open()
        self.adviser.room.open()
        self.reviewer.open()
        self._tidying = asyncio.get_running_loop().create_task(self._tidy())

    async def close(self) -> None:
        """Ends cleanly: what was accepted is written."""
        if self._tidying:
            self._tidying.cancel()
        self.bookkeeper.closing = True
        self.deadlines.close()
        self.bots.close()
        self.adviser.room.close()
        self.reviewer.close()
        await self.house.close()
        await self.store.close()

    async def _tidy(self) -> None:
        """Housekeeping: whatever no event brings about."""
        for rounds in count():
            await asyncio.sleep(TIDY_S)
            try:
                await self._tidy_once(sweep=rounds % SWEEP_ROUNDS == 0)
            except Refused:
                continue  # The store is away; in a moment, then.
            except Exception:
                logger.exception("housekeeping failed; it goes on")

    async def _tidy_once(self, *, sweep: bool) -> None:
        left = self.steward.tidy()
        self.talking.tidy()
        if left >= MANY_LEFT:
            await asyncio.to_thread(give_back)
        await self._mourn()
        if sweep:
            await self.steward.close_dead(self.presence.__contains__)
            await self.bookkeeper.look()
            await self.tournaments.look_after()

    async def _fill_books(self) -> None:
        """After a start: what a crash, or a version that kept no books, has left out."""
        try:
            await self.bookkeeper.catch_up()
            await self.tournaments.look_after()
        except Refused:
            return  # The store is away; the next look finds what is of today, the next start the rest.

    async def _mourn(self) -> None:
        """When another process has died, what it kept is kept by whoever notices."""
        alive = frozenset(self.alive())
        if alive != self._known_alive:
            # What a process says before we know that it lives is not believed: look again.
            await self.presence.look_elsewhere(None, alive)
        if self._known_alive - alive:
            await self.presence.forget_the_dead(alive)
            await self.steward.resume()
        self._known_alive = alive

    # What the other processes tell

    def heard(self, news: list[str]) -> None:
        """News of what others have written."""
        for each in news:
            kind, _, rest = each.partition(":")
            if each == EVERYTHING:
                self._heard_everything()
            elif kind == "table":
                self.house.heard(rest)
            elif kind == "rewritten":
                self.rewritten(rest)
            elif kind == "lobby":
                self.lobby.heard(rest)
            elif kind == "talk":
                self.house.spawn(self.talking.heard(rest))
            elif kind == "present":
                self.house.spawn(self.presence.look_elsewhere(int(rest), self.alive()))
            elif kind == "account":
                self.on_account(int(rest))
            elif kind == "turn":
                account, _, table = rest.partition(":")
                self._show_turn(int(account), *table.split(":"))

    def _heard_everything(self) -> None:
        self.on_everything()
        self.house.heard_everything()
        self.lobby.forget()
        for account in list(self.presence.here):
            self.on_account(account)
        self.house.spawn(self.presence.look_elsewhere(None, self.alive()))
        self.house.spawn(self._look_for_erased())

    def rewritten(self, table: str) -> None:
        """Somebody's name was erased from a table's log."""
        self.house.rewritten(table)
        self.lobby.heard(table)

    async def _look_for_erased(self) -> None:
        """Among the tables in memory, those that still name somebody who was erased meanwhile."""
        if not self.house.tables:
            return
        query = select(schema.accounts.c.id).where(schema.accounts.c.erased_at.is_not(None))
        try:
            erased = set(await self.store.read(lambda connection: connection.execute(query).scalars().all()))
        except Refused:  # When the store is back, it is asked again.
            return
        for table in [live.table for live in self.house.tables.values() if erased and _names(live.table, erased)]:
            self.rewritten(table.id)

    # Whose turn it is

    def _changed(self, live: LiveTable) -> None:
        self.lobby.changed(live)
        self.presence.attend(live)
        self.bookkeeper.ended(live)

    def _tell_turn(self, live: LiveTable, seat: int) -> None:
        sitter, table = live.table.seats[seat], live.table
        assert sitter is not None
        assert sitter.account is not None
        self._show_turn(sitter.account, table.id, table.game.id)
        if self.store.shared:
            self.house.spawn(self._announce(f"turn:{sitter.account}:{table.id}:{table.game.id}"))
        if table.clocks.by_correspondence and sitter.account not in self.presence:
            self.push_turn(sitter.account, table.id, table.game.id)

    def _show_turn(self, account: int, table: str, game: str) -> None:
        for connection in self.presence.here.get(account, ()):
            if table not in connection.watching:
                connection.tell(messages.YourTurn(table=table, game=game))

    def call(self, account: int, table: str, game: str) -> None:
        """Somebody is expected at a table: every socket is told, and where there is none, a notification is sent."""
        self._show_turn(account, table, game)
        if self.store.shared:
            self.house.spawn(self._announce(f"turn:{account}:{table}:{game}"))
        if account not in self.presence:
            self.push_turn(account, table, game)

    async def _announce(self, news: str) -> None:
        try:
            await self.store.write(lambda connection: None, news=[news])
        except Refused:
            return

    # What can be asked from outside, over HTTP as over the socket

    async def create(self, account: Account, wanted: NewTable, key: str | None = None, address: str | None = None) -> str:
        """Opens a table; gives its id. The same key again is the same table."""
        if self.limits:
            await self.limits.spend("tables", account.answerable)
            if address is not None:
                await self.limits.spend("tables of an address", address)
        return await self.house.create(account, wanted, None if key is None else self.name_for(account, key))

    async def open_tables(self, game: str | None, before: tuple[int, str] | None, limit: int) -> list[TableInfo]:
        """Open tables, the newest first."""
        return await self.lobby.open_tables(game, before, limit)

    async def tables_of(self, account: Account, waiting: bool, before: tuple[int, str] | None, limit: int) -> list[TableInfo]:
        """Somebody's tables, those changed last first."""
        return await self.lobby.tables_of(account, waiting, before, limit)

    async def ask(self, account: Account, request: messages.TableRequest, key: str | None = None) -> Done:
        """Carries out a request about a table."""
        key = None if key is None else f"{account.id}:{key}"
        self.presence.seen(account.id)
        if isinstance(request, messages.Talk):
            self._spend("talk", account)
            line = await self.talking.say(account, request.table, request.text, key)
            return Done(request=request.request, table=request.table, version=line.number)
        asker = _Waiting(account)
        self.house.ask(asker, request, key)
        return await asker.future

    async def look(self, account: Account, table: str, since: int | None = None) -> TableState:
        """A table as somebody may know it."""
        self.presence.seen(account.id)
        live = await self.house.load(table)
        seat = self.house.may_look(live.table, account)
        version = live.table.version(seat)
        frame = live.pictures.first_frame(seat, since if since is not None and 0 <= since <= version else 0, None, live.present)
        return msgspec.json.decode(frame, type=TableState)

    async def talk_of(self, account: Account, table: str, before: int | None = None, limit: int = 50) -> list[TalkLine]:
        """What was said at a table."""
        return await self.talking.lines(account, table, before, limit)

    async def saved_match(self, account: Account, table: str) -> str:
        """The saved-match file of a match that is over."""
        live = await self.house.load(table)
        await self._check_told(account, live.table)
        return saved_match(live.table)

    async def _check_told(self, account: Account, table: Table) -> None:
        """Refuses whoever may not be told a match that is over; while others play the same cards, that is everybody."""
        if not await self.tournaments.check_told(account, table.id):
            self.house.may_look(table, account)

    async def replay(self, account: Account, table: str, eyes: Eyes) -> bytes:
        """A match that is over, told again as some eyes saw it."""
        self._spend("replays", account)
        live = await self.house.load(table)
        await self._check_told(account, live.table)
        match, names = finished(live.table), [sitter.name if sitter else None for sitter in live.table.seats]
        log = await self.store.read(partial(read_events, table, 0))
        times, decided = [event.at for event in standing(log)], live.table.decided
        outcome = OutcomeInfo(winners=list(decided.winners), reason=decided.reason) if decided else None
        return await self._told_again(lambda: replay(match, eyes, names, times, outcome))

    async def replay_file(self, account: Account, file: SavedMatch, eyes: Eyes) -> bytes:
        """The same of a saved match."""
        self._spend("replays", account)
        return await self._told_again(lambda: replay(read_match(file), eyes))

    async def _told_again(self, work: Callable[[], Replay]) -> bytes:
        async with self._telling:
            return await asyncio.to_thread(lambda: msgspec.json.encode(work()))

    async def hints(self, account: Account, table: str) -> Hints:
        """What the strongest bot would think of in somebody's seat, where that is allowed."""
        self._spend("hints", account)
        live = await self.house.load(table)
        hints = await self.adviser.hints(live.table, live.table.check_hints(account.id))
        await self.bookkeeper.note_hint(table)
        return hints

    async def warning(self, account: Account, table: str, action: int) -> Warned:
        """What it would say to an action before it is done."""
        self._spend("hints", account)
        live = await self.house.load(table)
        warned = await self.adviser.warn(live.table, live.table.check_warning(account.id, action), action)
        await self.bookkeeper.note_hint(table)
        return warned

    async def review(self, account: Account, table: str, key: str | None, *, start: bool) -> ReviewState:
        """The review of a match that is over, or how far it is. Its players may `start` it; others need the key to read it."""
        if start:
            self._spend("reviews", account)
        live = await self.house.load(table)
        match, playing = finished(live.table), live.table.seat_of(account.id) is not None
        await self.tournaments.check_told(account, table)
        kept = await self.reviewer.kept(table)
        if not playing and (kept is None or key != kept[0]):
            raise Refused("forbidden", "a review is for those who played, and for whom they give the link")
        if kept is not None:
            return ReviewState(state="ready", progress=1.0, share=kept[0], review=kept[1])
        if start:
            decided = live.table.decided
            self.reviewer.ask(table, Wanted(match.copy(), decided.winners if decided else None))
        return self.reviewer.state(table)

    def _spend(self, rule: RuleName, account: Account) -> None:
        if self.limits:
            self.limits.spend_now(rule, account.answerable)

    async def warm_up(self, stopping: Callable[[], bool]) -> None:
        """Loads the compiled rules of every game, so that nobody waits for them at the first action."""
        for game in GAMES.values():
            if not stopping():
                await _beside(_warm_up, game)


class _Waiting:
    """Somebody who waits for an answer with a future."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.future: asyncio.Future[Done] = asyncio.get_running_loop().create_future()

    def done(self, request: int, table: str, version: int, repeated: bool) -> None:
        """The request was carried out."""
        if not self.future.done():
            self.future.set_result(Done(request=request, table=table, version=version, repeated=repeated))

    def refused(self, request: int | None, table: str | None, refusal: Refused) -> None:
        """The request was refused."""
        if not self.future.done():
            self.future.set_exception(refusal)


def _names(table: Table, erased: Set[int]) -> bool:
    """Whether a table in memory calls somebody by a name that was erased."""
    for line in takewhile(lambda line: line.kind != Kind.START, table.lines):
        sitter = msgspec.json.decode(line.detail) if line.kind == Kind.SIT and line.detail else {}
        if sitter.get("account") in erased and sitter["name"] != ERASED:
            return True
    return False


def finished(table: Table) -> Match:
    """A table's match, once it is over."""
    if table.match is None or table.status == "playing":
        raise Refused("not over", "the match is not over yet: its file tells every card")
    return table.match


def saved_match(table: Table) -> str:
    """The saved-match file of a table, once its match is over."""
    return finished(table).save()


async def _beside(function: Callable[[Game], None], game: Game) -> None:
    """Runs something in a thread that nobody waits for when the server stops: compiling takes its time."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def work() -> None:
        try:
            function(game)
        except Exception:
            logger.exception("the rules of %s could not be warmed up", game.id)
        with suppress(RuntimeError):  # The loop may be gone by now.
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=work, name="warm-up", daemon=True).start()
    await done.wait()


def _warm_up(game: Game) -> None:
    """Uses everything of a game once that an action needs."""
    match = Match(game, seed=0)
    seat = match.to_act[0]
    painter(game.id).sight(match.state.records, seat)
    match.view(seat).scores()
    match.state.refusal(seat, 0)
    number = match.legal_actions(seat).numbers[0]
    match.state.sealed(seat, number)
    # A bot that had to wait for its compiled rules would be taken for one that hangs.
    warm_up(game)
    match.play(seat, number)
    with suppress(Refused):
        moves_undone(match, seat, list(range(match.seats)))
