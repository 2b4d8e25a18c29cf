"""Writes that do not travel in the group of moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlalchemy import Connection

from zashiki.server.news import announce
from zashiki.server.store import Store

T = TypeVar("T")


async def write_apart(store: Store, work: Callable[[Connection], T], news: Sequence[str] = ()) -> T:
    """Runs `work` in a transaction of its own, and tells the news.

    What changes rows that other processes change too would otherwise let two groups wait for each other, and PostgreSQL would
    end one of them with all moves in it. SQLite has one writer: there the group is the better place.
    """
    if store.is_sqlite:
        return await store.write(work, news)

    def alone(connection: Connection) -> T:
        result = work(connection)
        if news:
            announce(connection, store.process, list(news))
        return result

    return await store.read(alone)
