"""Starting beside a store that is not there yet, as when a machine has just come up: it is asked again for a while."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import OperationalError

from zashiki.server.errors import Refused
from zashiki.server.migrate import migrate

T = TypeVar("T")

PATIENCE_S = 60.0
PAUSE_S = 0.5

logger = logging.getLogger("zashiki.patience")


def migrate_when_there(url: str) -> None:
    """Brings the store up to date as soon as it answers. A file is there or will never be."""
    end, told = time.monotonic() + PATIENCE_S, False
    while True:
        try:
            return migrate(url)
        except OperationalError as error:
            if url.startswith("sqlite") or time.monotonic() > end:
                raise
            if not told:
                logger.warning("the store does not answer; asking again for %.0f s: %s", PATIENCE_S, str(error.orig).strip())
                told = True
        time.sleep(PAUSE_S)


async def when_there(step: Callable[[], Awaitable[T]]) -> T:
    """The same for a step of the start that may be taken again."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await step()
        except Refused as refusal:
            if refusal.code != "unavailable" or time.monotonic() > end:
                raise
        await asyncio.sleep(PAUSE_S)
