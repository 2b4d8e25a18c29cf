"""Leagues as people hold them: rounds are made when the last table of one is over, and whoever plays is called."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from zashiki.server import leagues, rounds
from zashiki.server.accounts import Account
from zashiki.server.errors import Refused
from zashiki.server.leagues import League, NewLeague, Status
from zashiki.server.ledger import folded
from zashiki.server.rounds import NewRow
from zashiki.server.standings import Standing, scores_of

if TYPE_CHECKING:
    from zashiki.server.service import Service


class LeagueTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a league. `players`: their numbers by seat; `scores`: what it brought each, null while it is played.

    `told`: whether everybody who knows the league may replay it.
    """

    round: int
    board: int
    table: str
    players: list[int]
    scores: list[float] | None
    told: bool


class LeagueState(msgspec.Struct, frozen=True, kw_only=True):
    """A league as whoever knows its link sees it, the players in the order of the standings.

    `me`: my number in it. `my_table`: where I am expected now.
    """

    id: str
    name: str
    game: str
    agreed: NewLeague
    host: int
    status: Status
    round: int
    rounds: int
    created_at: int
    players: list[Standing]
    tables: list[LeagueTable]
    me: int | None = None
    my_table: str | None = None


class LeagueOf(msgspec.Struct, frozen=True, kw_only=True):
    """The league of mine to which a table belongs; null: none."""

    league: str | None = None
    name: str | None = None


class Tournaments:
    """The leagues of one process. The store decides who makes a round; `open`: whether the host lets people hold leagues."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.open = False
        self.store = service.store
        service.bookkeeper.on_written = self._results_written

    async def create(self, account: Account, wanted: NewLeague) -> str:
        """Opens a league; its id."""
        self._check_open()
        if self.service.limits:
            await self.service.limits.spend("tables", account.answerable)
        return await self.store.write_apart(partial(leagues.create, account, wanted, self.service.house.clock()))

    async def join(self, account: Account, league: str) -> LeagueState:
        """Joins a league that has not begun."""
        self._check_open()
        await self.store.write_apart(partial(leagues.join, league, account))
        return await self.look(account, league)

    async def leave(self, account: Account, league: str) -> LeagueState:
        """Leaves a league that has not begun."""
        self._check_open()
        await self.store.write_apart(partial(leagues.leave, league, account))
        return await self.look(account, league)

    async def start(self, account: Account, league: str) -> LeagueState:
        """Begins a league."""
        self._check_open()
        house = self.service.house
        self._call(await self.store.write_apart(partial(rounds.start, league, account, house.clock(), house.ticks())))
        return await self.look(account, league)

    async def close(self, account: Account, league: str) -> LeagueState:
        """Ends a league before its end."""
        self._check_open()
        await self.store.write_apart(partial(leagues.close, league, account, self.service.house.clock()))
        return await self.look(account, league)

    async def look(self, account: Account, league: str) -> LeagueState:
        """A league as somebody sees it."""
        self._check_open()
        return _state(await self.store.read(partial(leagues.read_league, league)), account)

    async def mine(self, account: Account) -> list[LeagueState]:
        """The leagues that somebody holds or plays in, the latest first."""
        if not self.open:
            return []
        found = await self.store.read(partial(leagues.leagues_of, account.id))
        return [await self.look(account, each) for each in found]

    async def league_of(self, account: Account, table: str) -> LeagueOf:
        """The way back from a table, where there is one."""
        found = await self.store.read(partial(leagues.league_of, table, account.id)) if self.open else None
        return LeagueOf() if found is None else LeagueOf(league=found[0], name=found[1])

    async def check_told(self, account: Account, table: str) -> bool:
        """Whether somebody may be told a match of a league though nobody could watch it; refuses while others play the same."""
        held = await self.store.read(partial(leagues.held_back, table))
        if held:
            raise Refused("not over", "other tables of this round still play the same cards: it is told when they are over")
        return held is False

    async def look_after(self) -> None:
        """Makes rounds that somebody has left unmade."""
        for league in await self.store.read(leagues.playing):
            await self._advance(league)

    def _results_written(self, tables: list[str]) -> None:
        self.service.house.spawn(self._go_on(tables))

    async def _go_on(self, tables: list[str]) -> None:
        try:
            for league in await self.store.read(partial(leagues.of_tables, tables)):
                await self._advance(league)
        except Refused:
            return  # The store is away; whoever looks next makes the round.

    async def _advance(self, league: str) -> None:
        house = self.service.house
        self._call(await self.store.write_apart(partial(rounds.advance, league, house.clock(), house.ticks())))

    def _call(self, made: list[NewRow]) -> None:
        """Bots begin at the new tables, and people are called to them."""
        for row, events in made:
            live = self.service.house.keep(folded(row, events), events[-1], ours=True)
            for sitter in live.table.seats:
                if sitter is not None and sitter.account is not None:
                    self.service.call(sitter.account, live.table.id, live.table.game.id)

    def _check_open(self) -> None:
        if not self.open:
            raise Refused("not found", "the host of this server has not opened leagues")


def _state(league: League, account: Account) -> LeagueState:
    me = next((player.number for player in league.players if player.account == account.id), None)
    mine = next((each.table for each in league.present if me in each.players and not each.ended), None)
    return LeagueState(
        id=league.id,
        name=league.agreed.name,
        game=league.agreed.game,
        agreed=league.agreed,
        host=league.host,
        status=league.status,
        round=league.round,
        rounds=league.rounds,
        created_at=league.created_at,
        players=league.players,
        tables=_tables(league),
        me=me,
        my_table=mine if league.status == "playing" else None,
    )


def _tables(league: League) -> list[LeagueTable]:
    return [
        LeagueTable(
            round=each.round,
            board=each.board,
            table=each.table,
            players=list(each.players),
            scores=scores_of(each, league.counted, duplicate=league.agreed.duplicate) if each in league.counted else None,
            told=each in league.counted and each.seats is not None,
        )
        for each in league.meetings
    ]
