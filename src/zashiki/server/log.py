"""The kinds of events in a table's log, and one event."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, NamedTuple

import msgspec


class Kind(IntEnum):
    """What an event says. The numbers are in the store: none changes its meaning, new ones go to the end."""

    SIT = 1
    STAND = 2
    START = 3
    ACT = 4
    RESIGN = 5
    TIMEOUT = 6
    """The seat's time is up."""
    GONE = 7
    """The seat's person has been away too long."""
    RETURN = 8
    """The person plays the own seat again."""
    ASK_BACK = 9
    """The seat asks to take its last action back; `action`: how many moves that undoes."""
    REFUSE_BACK = 10
    TAKE_BACK = 11
    """`action` moves are undone."""
    REMATCH = 12
    """The seat wants to play again."""
    NO_REMATCH = 13
    NEXT = 14
    """All want to: the next table is `detail`."""
    ABANDON = 15
    """The seat would rather not go on; when all people say so, the table is closed."""
    CLOSE = 16
    """The table is closed; `detail` says why."""
    AGREE_BACK = 17
    """The seat lets the asker take back; others must still agree."""

    @property
    def word(self) -> str:
        """As it stands in messages."""
        return self.name.lower().replace("_", " ")


class Event(NamedTuple):
    """A row of the log, in the order of the store's columns."""

    table_id: str
    number: int
    kind: int
    seat: int | None
    action: int | None
    at: int
    ticks: int
    due: int | None
    account_id: int | None
    request: str | None
    detail: str | None

    @property
    def content(self) -> Any:
        """The detail, read."""
        return None if self.detail is None else msgspec.json.decode(self.detail)


def standing(log: Iterable[Event]) -> list[Event]:
    """The actions of a log that stand: those made, less those taken back."""
    found: list[Event] = []
    for event in log:
        if event.kind == Kind.ACT:
            found.append(event)
        elif event.kind == Kind.TAKE_BACK and event.action:
            del found[-event.action :]
    return found
