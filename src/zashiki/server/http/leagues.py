"""Leagues over HTTP: each handler decodes, asks, and sends what it is told."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter, SkipValidation

from zashiki.server.errors import Refused
from zashiki.server.http.asking import SECURITY
from zashiki.server.http.authority import Asker
from zashiki.server.http.problems import refusals
from zashiki.server.http.tables import TableId
from zashiki.server.leagues import NewLeague
from zashiki.server.opening import is_table_id
from zashiki.server.tournaments import LeagueOf, LeagueState, Tournaments

TheTournaments = NamedDependency[SkipValidation[Tournaments]]
LeagueId = Annotated[
    str,
    PathParameter(
        description="a league's id: whoever knows it may join", examples=[Example("a league", value="k3v7q2xw5m1zt8pd")]
    ),
]


class LeagueList(msgspec.Struct, frozen=True, kw_only=True):
    """Whether leagues are open here, and those that I hold or play in, the latest first."""

    open: bool
    leagues: list[LeagueState]


class NewLeagueId(msgspec.Struct, frozen=True, kw_only=True):
    """The league that was made."""

    league: str


def known(league: str) -> str:
    """A league's id, if it can be one at all."""
    if not is_table_id(league):
        raise Refused("not found", "there is no such league")
    return league


SHOWN = refusals(401, 403, 404)
ASKED = refusals(401, 403, 404, 409)


class Leagues(Controller):
    """Tournaments among friends, where the host has opened leagues."""

    path = "/api/leagues"
    tags = ("leagues",)
    security = SECURITY

    @get("/", summary="My leagues", responses=refusals(401, 403))
    async def list_mine(self, tournaments: TheTournaments, account: Asker) -> LeagueList:
        """The leagues that I hold or play in."""
        return LeagueList(open=tournaments.open, leagues=await tournaments.mine(account))

    @post("/", summary="Hold a league", responses=refusals(401, 403, 404, 409, 413, 415, 422))
    async def make(self, tournaments: TheTournaments, account: Asker, data: JSONBody[NewLeague]) -> NewLeagueId:
        """Makes a league with this account as its host and first player."""
        return NewLeagueId(league=await tournaments.create(account, data))

    @get("/{league_id:str}", summary="A league", responses=SHOWN)
    async def look(self, tournaments: TheTournaments, account: Asker, league_id: LeagueId) -> LeagueState:
        """Standings and tables."""
        return await tournaments.look(account, known(league_id))

    @post("/{league_id:str}/join", summary="Join a league", responses=ASKED, status_code=200)
    async def join(self, tournaments: TheTournaments, account: Asker, league_id: LeagueId) -> LeagueState:
        """Joins before it begins."""
        return await tournaments.join(account, known(league_id))

    @post("/{league_id:str}/leave", summary="Leave a league", responses=ASKED, status_code=200)
    async def leave(self, tournaments: TheTournaments, account: Asker, league_id: LeagueId) -> LeagueState:
        """Leaves before it begins."""
        return await tournaments.leave(account, known(league_id))

    @post("/{league_id:str}/start", summary="Begin a league", responses=ASKED, status_code=200)
    async def start(self, tournaments: TheTournaments, account: Asker, league_id: LeagueId) -> LeagueState:
        """The host begins: bots fill up, and the first round is laid."""
        return await tournaments.start(account, known(league_id))

    @post("/{league_id:str}/close", summary="End a league early", responses=ASKED, status_code=200)
    async def close(self, tournaments: TheTournaments, account: Asker, league_id: LeagueId) -> LeagueState:
        """The host ends it; no further round is laid."""
        return await tournaments.close(account, known(league_id))


class LeagueOfTable(Controller):
    """From a table to its league."""

    path = "/api/tables/{table_id:str}/league"
    tags = ("leagues",)
    security = SECURITY

    @get("/", summary="The league of a table", responses=refusals(401, 403))
    async def show(self, tournaments: TheTournaments, account: Asker, table_id: TableId) -> LeagueOf:
        """Which of my leagues it belongs to, if any."""
        return await tournaments.league_of(account, table_id)
