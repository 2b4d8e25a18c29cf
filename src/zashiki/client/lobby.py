"""The open tables, as they come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from zashiki.client.signal import Signal
from zashiki.server.messages import LobbyChange, LobbyMessage, TableInfo

if TYPE_CHECKING:
    from zashiki.client.client import Client


class OpenTables:
    """The tables in the lobby by their ids. `async with` it to begin and to stop looking."""

    def __init__(self, client: Client) -> None:
        self.tables: dict[str, TableInfo] = {}
        self.signal = Signal()
        self._client = client
        self._arrived = 0

    async def __aenter__(self) -> OpenTables:
        self._client.look_at_lobby(self)
        try:
            await self._client.within(self.signal.until(self._is_newer, 0))
        except BaseException:
            self._client.look_away_from_lobby()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        self._client.look_away_from_lobby()

    async def changes(self) -> AsyncIterator[dict[str, TableInfo]]:
        """All open tables, now and whenever they have changed."""
        arrived = 0
        while True:
            await self.signal.until(self._is_newer, arrived)
            arrived = self._arrived
            yield dict(self.tables)

    def _is_newer(self, arrived: int) -> bool:
        return self._arrived > arrived

    def hear(self, message: LobbyMessage | LobbyChange) -> None:
        """Takes news from the server."""
        if isinstance(message, LobbyMessage):
            self.tables = {table.id: table for table in message.tables}
        elif message.table:
            self.tables[message.table.id] = message.table
        elif message.gone:
            self.tables.pop(message.gone, None)
        self._arrived += 1
        self.signal.wake()
