"""Records and leaderboards, asked from outside: the store's answers to whoever plays here."""

from __future__ import annotations

from functools import partial

from zashiki.server.accounts import Account
from zashiki.server.archive import MatchInfo, Wanted, all_matches, matches_of
from zashiki.server.boards import Board, agree, read_board
from zashiki.server.errors import Refused
from zashiki.server.record import PersonalRecord, record_of
from zashiki.server.store import Store, now_ms


class Records:
    """What is known of matches that are over. `boards`: whether the host has opened leaderboards."""

    def __init__(self, store: Store, *, boards: bool = False) -> None:
        self.store = store
        self.boards = boards

    async def record(self, account: Account) -> PersonalRecord:
        """What somebody's matches add up to."""
        return await self.store.read(lambda connection: record_of(all_matches(account.id, connection)))

    async def matches(self, account: Account, wanted: Wanted, before: int | None, limit: int) -> list[MatchInfo]:
        """Somebody's matches that are over, the latest first."""
        return await self.store.read(partial(matches_of, account.id, wanted, before, limit))

    async def all_matches(self, account: Account) -> list[MatchInfo]:
        """All of them, the first first."""
        return await self.store.read(partial(all_matches, account.id))

    async def board(self, game: str) -> Board:
        """The leaderboard of a game."""
        if not self.boards:
            raise Refused("not found", "the host of this server has not opened leaderboards")
        return await self.store.read(partial(read_board, game, now_ms()))

    async def agree(self, account: Account, shown: bool) -> None:
        """Somebody wants to be shown on leaderboards, or not any more."""
        await self.store.write_apart(partial(agree, account.id, shown))
