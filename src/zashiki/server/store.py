"""The store: SQLite or PostgreSQL through one SQLAlchemy schema, written in groups.

One transaction is in flight at a time; whatever arrives meanwhile is the next one. So a thousand moves a second cost a few
hundred commits, and each is on disk before anybody hears of it. Reads run beside, in threads of their own.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from zashiki.server import schema
from zashiki.server.errors import Refused

T = TypeVar("T")

WINDOW_S = 0.001
"""How long a group is left to grow while groups are not small."""
BUSY_GROUP = 3
READERS = 4
LOCK_TIMEOUT_S = 5.0
STATEMENT_TIMEOUT_S = 10

EVERYTHING = "*"
"""News that anything may have changed."""

WON, LOST = "won", "lost"
Row = tuple[Any, ...]
Appended = Callable[[str | Exception], None]


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def unavailable() -> Refused:
    """What is said when the store cannot be reached or cannot write."""
    return Refused("unavailable", "the server cannot reach its store just now; nothing was changed", retry_after_ms=1000)


class _Append:
    """A row for the log; it wins or loses against another writer of the same number."""

    __slots__ = ("done", "news", "row")

    def __init__(self, row: Row, done: Appended, news: str | None) -> None:
        self.row = row
        self.done = done
        self.news = news


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
        self._reading = engine(url) if self.is_sqlite else self._writing
        self._insert = str(schema.events.insert().compile(dialect=self._writing.dialect))
        self._readers = ThreadPoolExecutor(READERS, "store-read")
        self._pending: deque[_Append | _Write] = deque()
        self._wake = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._keep_writing, name="store-write", daemon=True)
        self._news: Callable[[list[str]], None] = lambda news: None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.group_times: deque[float] = deque(maxlen=1000)
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
            from zashiki.server.news import Listener

            self._listener: Any = Listener(self.url, self.process, lambda news: self._tell(on_news, news))
            self._listener.start()

    async def close(self) -> None:
        """Writes what is pending, then closes."""
        self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)
        if hasattr(self, "_listener"):
            await asyncio.to_thread(self._listener.stop)
        await asyncio.to_thread(self._readers.shutdown)
        self._reading.dispose()
        self._writing.dispose()

    def append(self, row: Row, done: Appended, news: str | None = None) -> None:
        """Adds a row to the log; `done` hears in the event loop whether it WON or LOST, or why neither is known."""
        self._pending.append(_Append(row, done, news))
        self._wake.set()

    async def write(self, work: Callable[[Connection], T], news: Iterable[str] = ()) -> T:
        """Runs `work` in the next transaction; back when that is on disk. `news` is told to the other processes."""
        assert self.loop is not None
        future: asyncio.Future[T] = self.loop.create_future()
        self._pending.append(_Write(work, future, tuple(news)))
        self._wake.set()
        return await future

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` on a consistent picture of the store."""
        assert self.loop is not None
        return await self.loop.run_in_executor(self._readers, self.read_now, work)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """The same in the calling thread."""
        try:
            with self._reading.connect() as connection, connection.begin():
                return work(connection)
        except DBAPIError as error:
            raise unavailable() from error

    def _keep_writing(self) -> None:
        connection: Connection | None = None
        seen = None
        while True:
            self._wake.wait(timeout=0.5)
            if not self._pending:
                if self._closing:
                    break
                connection, seen = self._look_for_strangers(connection, seen)
                self._wake.clear()
                if not self._pending:
                    continue
            if len(self.group_times) and self._last_size >= BUSY_GROUP:
                time.sleep(WINDOW_S)
            self._wake.clear()
            jobs = [self._pending.popleft() for _ in range(len(self._pending))]
            began = time.perf_counter()
            connection, results = self._commit(connection, jobs)
            took = time.perf_counter() - began
            self._last_size = len(jobs)
            self.group_times.append(took)
            self._tell(self._finished, jobs, results, took)
        if connection is not None:
            connection.close()

    _last_size = 0

    def _look_for_strangers(self, connection: Connection | None, seen: int | None) -> tuple[Connection | None, int | None]:
        """SQLite tells nobody that another program, such as an administrator's command, has written: we look."""
        if not self.is_sqlite:
            return connection, seen
        try:
            connection = connection or self._writing.connect()
            version = connection.connection.cursor().execute("PRAGMA data_version").fetchone()[0]
        except Exception:  # whatever is wrong shows at the next write
            return None, seen
        if seen is not None and version != seen:
            self._tell(self._news, [EVERYTHING])
        return connection, version

    def _commit(self, connection: Connection | None, jobs: list[_Append | _Write]) -> tuple[Connection | None, list[Any]]:
        """Carries out a group: all at once if nothing is wrong, one by one if something is."""
        try:
            connection = connection or self._writing.connect()
            try:
                return connection, self._all_at_once(connection, jobs)
            except _SomethingWrong:
                return connection, self._one_by_one(connection, jobs)
        except (SQLAlchemyError, OSError) as error:
            if connection is not None:
                connection.invalidate()
                connection.close()
            return None, [error] * len(jobs)

    def _all_at_once(self, connection: Connection, jobs: list[_Append | _Write]) -> list[Any]:
        rows = [job.row for job in jobs if type(job) is _Append]
        with connection.begin():
            try:
                if rows:
                    connection.exec_driver_sql(self._insert, rows)
                results = [WON if type(job) is _Append else job.work(connection) for job in jobs]  # type: ignore[union-attr]
            except DBAPIError as error:
                if error.connection_invalidated or not isinstance(error, IntegrityError):
                    raise
                raise _SomethingWrong from error
            except Exception as error:
                raise _SomethingWrong from error
            self._announce(connection, jobs)
        return results

    def _one_by_one(self, connection: Connection, jobs: list[_Append | _Write]) -> list[Any]:
        results: list[Any] = []
        with connection.begin():
            for job in jobs:
                try:
                    with connection.begin_nested():
                        if type(job) is _Append:
                            connection.exec_driver_sql(self._insert, [job.row])
                            results.append(WON)
                        else:
                            results.append(job.work(connection))  # type: ignore[union-attr]
                except IntegrityError as error:
                    results.append(LOST if type(job) is _Append else error)
                except DBAPIError:
                    raise
                except Exception as error:  # it belongs to whoever waits for it
                    results.append(error)
            failed = [result is LOST or isinstance(result, Exception) for result in results]
            self._announce(connection, [job for job, bad in zip(jobs, failed, strict=True) if not bad])
        return results

    def _announce(self, connection: Connection, jobs: list[_Append | _Write]) -> None:
        if self.is_sqlite:
            return
        from zashiki.server.news import announce

        news: list[str] = []
        for job in jobs:
            if type(job) is _Append:
                if job.news:
                    news.append(job.news)
            else:
                news += job.news  # type: ignore[arg-type]
        if news:
            announce(connection, self.process, news)

    def _finished(self, jobs: list[_Append | _Write], results: list[Any], took: float) -> None:
        self.observe(len(jobs), took)
        for job, result in zip(jobs, results, strict=True):
            if isinstance(result, SQLAlchemyError | OSError) and not isinstance(result, IntegrityError):
                refusal = unavailable()
                refusal.__cause__ = result
                result = refusal
            if type(job) is _Append:
                job.done(result)
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


class _SomethingWrong(Exception):
    """A job of a group failed; the group is undone and tried job by job."""


def engine(url: str, *, writing: bool = False) -> Engine:
    """A SQLAlchemy engine with the pragmas we count on."""
    parsed = sqlalchemy.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        parsed = parsed.set(drivername="postgresql+psycopg")
        return sqlalchemy.create_engine(
            parsed,
            paramstyle="format",
            pool_size=READERS + 2,
            pool_timeout=LOCK_TIMEOUT_S,
            connect_args={
                "connect_timeout": 5,
                "options": f"-c statement_timeout={STATEMENT_TIMEOUT_S}s -c lock_timeout={int(LOCK_TIMEOUT_S)}s",
            },
        )
    made = sqlalchemy.create_engine(parsed, connect_args={"timeout": LOCK_TIMEOUT_S, "check_same_thread": False})
    begin = "BEGIN IMMEDIATE" if writing else "BEGIN"

    @event.listens_for(made, "connect")
    def _connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(made, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return made
