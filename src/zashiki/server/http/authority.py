"""What HTTP needs of the house, and of whoever knows people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from zashiki.server import messages
from zashiki.server.accounts import Account
from zashiki.server.settings import TableSettings

Moment = tuple[
    Annotated[int, msgspec.Meta(ge=0, le=2**53)], Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{16}$", max_length=16)]
]
"""A place in a list of tables, newest first: when the table was made, and its id."""


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made. `seats`: how many, the fewest possible unless said. `bots`: the levels of bots by seat."""

    game: str
    seats: int | None = None
    settings: TableSettings = TableSettings()
    bots: dict[int, str] = {}


class House(Protocol):
    """The authority over all tables. Whatever it refuses it raises as `Refused`."""

    async def create(self, account: Account, new: NewTable, key: str | None) -> str:
        """Makes a table; back comes its id. The same key again is the same table."""

    async def ask(self, account: Account, request: messages.TableRequest, key: str | None) -> messages.Done:
        """Carries out a request. The same key again is the same request."""

    async def look(self, account: Account, table_id: str, since: int | None) -> messages.TableState:
        """A table as this account may know it."""

    async def open_tables(self, game: str | None, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        """Open tables, newest first."""

    async def tables_of(self, account: Account, waiting: bool, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        """The tables this account sits at, newest first; with `waiting` only those that wait for it."""

    async def talk_of(self, account: Account, table_id: str, before: int | None, limit: int) -> list[messages.TalkLine]:
        """What was said at a table, the newest first, without those whom the account has muted."""

    async def saved_match(self, account: Account, table_id: str) -> str:
        """The saved-match file of a match that is over."""

    def levels(self) -> Sequence[str]:
        """The levels of the bots, from the weakest."""


TheHouse = NamedDependency[SkipValidation[House]]
Asker = NamedDependency[SkipValidation[Account]]
"""The account that asks; nobody signed in is refused before the handler is called."""
