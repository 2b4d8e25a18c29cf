"""What HTTP needs of the house, and of whoever knows people."""

from __future__ import annotations

from typing import Annotated, Protocol

import msgspec
from litestar.di import NamedDependency
from litestar.params import QueryParameter, SkipValidation

from zashiki.core.replay import Eyes
from zashiki.core.saved import SavedMatch
from zashiki.server import messages
from zashiki.server.accounts import Account
from zashiki.server.advice import Hints, Warned
from zashiki.server.reviews import ReviewState

Moment = tuple[
    Annotated[int, msgspec.Meta(ge=0, le=2**53)], Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{16}$", max_length=16)]
]
"""A place in a list of tables: when the table was made, or in the list of one's own when it last changed, and its id."""


class House(Protocol):
    """The authority over all tables. Whatever it refuses it raises as `Refused`."""

    async def create(self, account: Account, wanted: messages.NewTable, key: str | None, address: str | None) -> str:
        """Makes a table for somebody at an address; back comes its id. The same key again is the same table."""

    async def ask(self, account: Account, request: messages.TableRequest, key: str | None) -> messages.Done:
        """Carries out a request. The same key again is the same request."""

    async def look(self, account: Account, table_id: str, since: int | None) -> messages.TableState:
        """A table as this account may know it."""

    async def open_tables(self, game: str | None, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        """Open tables, newest first."""

    async def tables_of(self, account: Account, waiting: bool, before: Moment | None, limit: int) -> list[messages.TableInfo]:
        """The tables this account sits at, those changed last first; with `waiting` only those that wait for it."""

    async def talk_of(self, account: Account, table_id: str, before: int | None, limit: int) -> list[messages.TalkLine]:
        """What was said at a table, the newest first, without those whom the account has muted."""

    async def saved_match(self, account: Account, table_id: str) -> str:
        """The saved-match file of a match that is over."""

    async def replay(self, account: Account, table_id: str, eyes: Eyes) -> bytes:
        """A match that is over as some eyes saw it, step by step: a `Replay`, encoded."""

    async def replay_file(self, account: Account, file: SavedMatch, eyes: Eyes) -> bytes:
        """The same of a saved match."""

    async def hints(self, account: Account, table_id: str) -> Hints:
        """What this account's seat could do, against bots of the house alone or where the table allows it."""

    async def warning(self, account: Account, table_id: str, action: int) -> Warned:
        """What speaks clearly against an action of this account's seat, under the same conditions."""

    async def review(self, account: Account, table_id: str, key: str | None, *, start: bool) -> ReviewState:
        """The review of a match that is over, or how far it is; with `start`, it is put into the queue."""


TheHouse = NamedDependency[SkipValidation[House]]
Companion = Annotated[int | None, QueryParameter(ge=1, le=2**53, description="one of my companions, for whom I ask")]
Asker = NamedDependency[SkipValidation[Account]]
"""The account that asks, or the companion it asks for; nobody signed in is refused before the handler is called."""
Owner = NamedDependency[SkipValidation[Account]]
"""The account that asks, for itself."""
