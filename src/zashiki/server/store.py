"""The store: SQLite or PostgreSQL through one SQLAlchemy schema, written in groups.

One transaction is in flight at a time; whatever arrives meanwhile is the next one. So a thousand moves a second cost a few
hundred commits, and each is on disk before anybody hears of it. Reads run beside, in threads of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from zashiki.server.engine import READERS, by_driver, engine, is_passing, is_the_stores, snapshots, was_lost
from zashiki.server.errors import Refused
from zashiki.server.news import CHANNEL, EVERYTHING, NOTIFY, Listener, announce, packed
from zashiki.server.statements import INSERT_EVENT, INSERT_PLAYER, INSERT_TABLE, Beside, Row, gathered, text_of

T = TypeVar("T")

WINDOW_S = 0.002
"""How long a group is left to grow while many write."""
MOST_ROWS = 64
ROWS = (1, 2, 4, 8, 16, 32, MOST_ROWS)
BUSY_S = 0.0015
"""Many write when so little time passes between two writes, lately. Of few nobody would share the wait."""
LONGEST_GAP_S, SHARE = 0.01, 0.2
"""A pause counts as so much at most, and the latest group for this part of what we know."""
LOOK_S = 0.5
"""How often we look whether another program has written to a SQLite file."""

IN_TRANSACTION = 2
"""What libpq calls a transaction in which nothing has failed."""
BLIND = -1
"""A version that no SQLite file has."""

WON, LOST = "won", "lost"
Appended = Callable[[str | Exception], None]


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def unavailable() -> Refused:
    """What is said when the store cannot be reached or cannot write."""
    return Refused("unavailable", "the server cannot reach its store just now; try again in a moment", retry_after_ms=1000)


def _refusal(cause: Exception) -> Refused:
    refusal = unavailable()
    refusal.__cause__ = cause
    return refusal


class _Append:
    """A row for the log and what is written together with it; it wins or loses against another writer of the same number."""

    __slots__ = ("beside", "done", "news", "row")

    def __init__(self, row: Row, done: Appended, news: tuple[str, ...], beside: Sequence[Beside]) -> None:
        self.row = row
        self.done = done
        self.news = news
        self.beside = beside


class _Write:
    """Any other change; what it returns or raises goes back to whoever waits."""

    __slots__ = ("future", "news", "work")

    def __init__(self, work: Callable[[Connection], Any], future: asyncio.Future[Any], news: tuple[str, ...]) -> None:
        self.work = work
        self.future = future
        self.news = news


class Store:
    """An open store. Its methods are called from the event loop; the work they are given runs in other threads."""

    def __init__(self, url: str, *, process: str = "") -> None:
        self.url = sqlalchemy.make_url(url)
        self.process = process
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._writing = engine(url, writing=True)
        self._reading = engine(url) if self.is_sqlite else snapshots(self._writing)
        self._dialect = self._writing.dialect
        self._inserts = {statement: self._many(statement) for statement in (INSERT_TABLE, INSERT_EVENT, INSERT_PLAYER)}
        self._readers = ThreadPoolExecutor(READERS, "store-read")
        self._pending: deque[_Append | _Write] = deque()
        self._wake = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._keep_writing, name="store-write", daemon=True)
        self._listener: Any = None
        self._news: Callable[[list[str]], None] = lambda news: None
        self._seen = BLIND
        self._gap, self._last_group = LONGEST_GAP_S, 0.0
        self._asleep = False
        self._committing = False
        self.loop: asyncio.AbstractEventLoop | None = None
        self.observe: Callable[[int, float], None] = lambda size, seconds: None

    @property
    def shared(self) -> bool:
        """Whether other server processes may use it too."""
        return not self.is_sqlite

    def open(self, on_news: Callable[[list[str]], None] | None = None) -> None:
        """Begins to write. `on_news` hears, in the event loop, what other processes have changed."""
        self.loop = asyncio.get_running_loop()
        if on_news:
            self._news = on_news
        self._thread.start()
        if on_news and not self.is_sqlite:
            self._listener = Listener(self.url, self.process, lambda news: self._tell(on_news, news))
            self._listener.start()

    async def close(self) -> None:
        """Writes what is pending, then closes."""
        self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)
        if self._listener:
            await asyncio.to_thread(self._listener.stop)
        await asyncio.to_thread(self._readers.shutdown)
        self._reading.dispose()
        self._writing.dispose()

    def append(self, row: Row, done: Appended, news: tuple[str, ...] = (), beside: Sequence[Beside] = ()) -> None:
        """Adds a row to the log; `done` hears in the event loop whether it WON or LOST, or why neither is known.

        `beside` is written with it or not at all.
        """
        assert self.loop is not None
        if self._closing:
            self.loop.call_soon(done, unavailable())
            return
        self._pending.append(_Append(row, done, news, beside))
        if self._asleep:
            self._wake.set()

    async def write(self, work: Callable[[Connection], T], news: Iterable[str] = ()) -> T:
        """Runs `work` in the next transaction; back when that is on disk. `news` is told to the other processes."""
        assert self.loop is not None
        if self._closing:
            raise unavailable()
        future: asyncio.Future[T] = self.loop.create_future()
        self._pending.append(_Write(work, future, tuple(news)))
        if self._asleep:
            self._wake.set()
        return await future

    async def write_apart(self, work: Callable[[Connection], T], news: Iterable[str] = ()) -> T:
        """The same in a transaction of its own, beside the group of moves.

        It is for rows that other processes change too: two groups that wait for each other's rows would end one of them, with
        all moves in it. SQLite has one writer: there the group is the better place.
        """
        if self.is_sqlite:
            return await self.write(work, news)
        return await self._beside(self._write_now, work, tuple(news))

    def _write_now(self, work: Callable[[Connection], T], news: tuple[str, ...]) -> T:
        with _refusing(), self._writing.begin() as connection:
            result = work(connection)
            if news:
                announce(connection, self.process, list(news))
        return result

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` on a consistent picture of the store."""
        return await self._beside(self.read_now, work)

    async def _beside(self, function: Callable[..., T], *arguments: Any) -> T:
        assert self.loop is not None
        if self._closing:
            raise unavailable()
        return await self.loop.run_in_executor(self._readers, function, *arguments)

    def read_now(self, work: Callable[[Connection], T], *, again: bool = True) -> T:
        """The same in the calling thread."""
        try:
            with _refusing(), self._reading.connect() as connection, connection.begin():
                return work(connection)
        except Refused as refusal:
            if again and was_lost(refusal.__cause__):
                return self.read_now(work, again=False)
            raise

    def _keep_writing(self) -> None:
        connection: Connection | None = None
        look_at = 0.0
        while True:
            if self.is_sqlite and time.monotonic() >= look_at:
                connection = self._look_for_strangers(connection)
                look_at = time.monotonic() + LOOK_S
            self._sleep()
            # Asked before what is pending: once it is closing, nothing is added.
            closing = self._closing
            if not self._pending:
                if closing:
                    break
                continue
            if self._gap < BUSY_S:
                time.sleep(WINDOW_S)
            jobs = [self._pending.popleft() for _ in range(len(self._pending))]
            began = time.perf_counter()
            self._note_gap(began, len(jobs))
            connection, results = self._commit(connection, jobs)
            self._tell(self._finished, jobs, results, time.perf_counter() - began)
        self._give_up(connection)

    def _note_gap(self, now: float, writes: int) -> None:
        gap = min((now - self._last_group) / writes, LONGEST_GAP_S)
        self._gap += (gap - self._gap) * SHARE
        self._last_group = now

    def _sleep(self) -> None:
        """Waits for something to write. Whoever adds something wakes us only if we say that we sleep, which is seldom."""
        self._asleep = True
        if not self._pending and not self._closing:
            self._wake.wait(timeout=LOOK_S)
        self._asleep = False
        self._wake.clear()

    def _look_for_strangers(self, connection: Connection | None) -> Connection | None:
        """SQLite tells nobody that another program, such as an administrator's command, has written: we look."""
        try:
            connection = connection or self._writing.connect()
            version: int = connection.connection.cursor().execute("PRAGMA data_version").fetchone()[0]
        except Exception:  # whatever is wrong shows at the next write
            self._give_up(connection)
            return None
        if self._seen != version:
            self._tell(self._news, [EVERYTHING])
        self._seen = version
        return connection

    def _give_up(self, connection: Connection | None) -> None:
        """Never uses a connection again, and with it what it had seen of others' writes."""
        self._seen = BLIND
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.invalidate()
            with contextlib.suppress(Exception):
                connection.close()

    def _commit(self, connection: Connection | None, jobs: list[_Append | _Write]) -> tuple[Connection | None, list[Any]]:
        """Carries out a group: all at once if nothing is wrong, one by one if something is."""
        kept = connection is not None
        self._committing = False
        try:
            connection = connection or self._writing.connect()
            try:
                if all(type(job) is _Append for job in jobs):
                    return connection, self._moves_only(connection, jobs)  # type: ignore[arg-type]
                return connection, self._all_at_once(connection, jobs)
            except _SomethingWrong:
                return connection, self._one_by_one(connection, jobs)
        except Exception as error:
            self._give_up(connection)
            if kept and was_lost(error) and not self._committing:
                return self._commit(None, jobs)  # it died while nobody looked, and nothing was asked to be kept yet
            return None, [_refusal(error) for _ in jobs]

    def _moves_only(self, connection: Connection, jobs: list[_Append]) -> list[Any]:
        """The group of nearly every moment, by the driver itself: SQLAlchemy's care would cost several times the work."""
        driver: Any = connection.connection.dbapi_connection
        cursor = driver.cursor()
        if self.is_sqlite:
            cursor.execute("BEGIN IMMEDIATE")
        try:
            for statement, rows in self._gathered(jobs):
                self._carry_out(cursor, statement, rows)
            if self.shared:
                for payload in packed(self.process, [each for job in jobs for each in job.news]):
                    cursor.execute(NOTIFY, (CHANNEL, payload))
        except Exception as error:  # one by one it will be seen what it is
            with contextlib.suppress(Exception):
                driver.rollback()
            raise _SomethingWrong from error
        self._committing = True
        driver.commit()
        return [WON] * len(jobs)

    def _gathered(self, jobs: list[_Append]) -> list[tuple[Any, list[Row]]]:
        return gathered(self._dialect, [each for job in jobs for each in job.beside], [job.row for job in jobs])

    def _carry_out(self, cursor: Any, statement: Any, rows: list[Row]) -> None:
        if self.is_sqlite and statement in self._inserts:
            self._insert_many(cursor, self._inserts[statement], rows)
        else:
            cursor.executemany(text_of(self._dialect, statement).text, rows)

    def _many(self, statement: Any) -> dict[int, str]:
        """An INSERT for several rows at once, of each size."""
        head, _, marks = text_of(self._dialect, statement).text.partition(" VALUES ")
        return {size: f"{head} VALUES {', '.join([marks] * size)}" for size in ROWS}

    def _insert_many(self, cursor: Any, inserts: dict[int, str], rows: list[Row]) -> None:
        """Several rows in one statement, so that the GIL is let go of once for all; of few sizes, so that statements are kept."""
        place = 0
        while place < len(rows):
            size = min(MOST_ROWS, 1 << (len(rows) - place).bit_length() - 1)
            values = [value for row in rows[place : place + size] for value in row]
            cursor.execute(inserts[size], values)
            place += size

    def _all_at_once(self, connection: Connection, jobs: list[_Append | _Write]) -> list[Any]:
        appends = [job for job in jobs if type(job) is _Append]
        with connection.begin():
            try:
                self._append_all(connection, appends)
                results = [WON if type(job) is _Append else job.work(connection) for job in jobs]  # type: ignore[union-attr]
            except Exception as error:
                if is_the_stores(error):
                    raise
                raise _SomethingWrong from error
            if not self._is_whole(connection):
                raise _SomethingWrong
            self._announce(connection, jobs)
            self._committing = True
        return results

    def _append_all(self, connection: Connection, jobs: list[_Append]) -> None:
        for statement, rows in self._gathered(jobs):
            by_driver(connection, text_of(self._dialect, statement).text, rows)

    def _one_by_one(self, connection: Connection, jobs: list[_Append | _Write]) -> list[Any]:
        results: list[Any] = []
        with connection.begin():
            for job in jobs:
                try:
                    with connection.begin_nested():
                        if type(job) is _Append:
                            self._append_all(connection, [job])
                            result = WON
                        else:
                            result = job.work(connection)  # type: ignore[union-attr]
                        if not self._is_whole(connection):
                            raise _SomethingWrong("an error was passed over that has undone this write")
                    results.append(result)
                except Exception as error:
                    if is_the_stores(error) or not self._is_whole(connection):
                        raise
                    lost = type(job) is _Append and isinstance(error, IntegrityError)
                    results.append(LOST if lost else error)  # it belongs to whoever waits for it
            failed = [result is LOST or isinstance(result, Exception) for result in results]
            self._announce(connection, [job for job, bad in zip(jobs, failed, strict=True) if not bad])
            self._committing = True
        return results

    def _is_whole(self, connection: Connection) -> bool:
        """Whether the transaction can still be kept: a job may have passed over an error that has undone it."""
        driver: Any = connection.connection.dbapi_connection
        return bool(driver.in_transaction if self.is_sqlite else driver.info.transaction_status == IN_TRANSACTION)

    def _announce(self, connection: Connection, jobs: list[_Append | _Write]) -> None:
        if self.is_sqlite:
            return
        news = [each for job in jobs for each in job.news]
        if news:
            announce(connection, self.process, news)

    def _finished(self, jobs: list[_Append | _Write], results: list[Any], took: float) -> None:
        self.observe(len(jobs), took)
        for job, result in zip(jobs, results, strict=True):
            if isinstance(result, Exception) and is_passing(result):
                result = _refusal(result)
            if type(job) is _Append:
                try:
                    job.done(result)
                except Exception as error:  # one who stumbles must not keep the others waiting
                    self.loop.call_exception_handler({"message": "a row's `done` failed", "exception": error})  # type: ignore[union-attr]
            elif not job.future.done():  # type: ignore[union-attr]
                if isinstance(result, Exception):
                    job.future.set_exception(result)  # type: ignore[union-attr]
                else:
                    job.future.set_result(result)  # type: ignore[union-attr]

    def _tell(self, function: Callable[..., None], *arguments: Any) -> None:
        assert self.loop is not None
        try:
            self.loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            if not self._closing:
                raise


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Says that the store is unavailable where it is."""
    try:
        yield
    except Exception as error:
        if is_the_stores(error) or is_passing(error):
            raise unavailable() from error
        raise


class _SomethingWrong(Exception):
    """A job of a group failed; the group is undone and tried job by job."""
