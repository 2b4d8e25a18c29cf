"""Writes that do not travel in the group of moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlalchemy import Connection

from zashiki.server.store import Store

T = TypeVar("T")


async def write_apart(store: Store, work: Callable[[Connection], T], news: Sequence[str] = ()) -> T:
    """Runs `work` in a transaction of its own, and tells the news."""
    return await store.write_apart(work, news)
