"""My record and the leaderboards over HTTP."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, Response, get, put
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, SkipValidation

from zashiki.games import GAMES
from zashiki.server.archive import Against, Ended, MatchInfo, Wanted
from zashiki.server.boards import LEAST_MATCHES, Board
from zashiki.server.http.asking import IN_A_BROWSER, SECURITY, AnyRequest, Browser, TheIdentity
from zashiki.server.http.authority import Asker
from zashiki.server.http.games import GameId, game_of
from zashiki.server.http.me import MyAccount, my_account
from zashiki.server.http.pages import LIMIT, After, Limit, paged, position
from zashiki.server.http.problems import refusals
from zashiki.server.record import PersonalRecord, as_csv
from zashiki.server.records import Records

TheRecords = NamedDependency[SkipValidation[Records]]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of mine, the latest first; `next` is given back as `after` for earlier ones."""

    matches: list[MatchInfo]
    next: str | None = None


class Boards(msgspec.Struct, frozen=True, kw_only=True):
    """Whether leaderboards are open here, of which games, and how many rated matches it takes to be shown."""

    open: bool
    games: list[str]
    least_matches: int


class OnBoards(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether I agree to be shown."""

    shown: bool


_FILE = ResponseSpec(list[MatchInfo], generate_examples=False, description="a file: all my matches, the first first")
_TABLE = ResponseSpec(str, generate_examples=False, description="the same as comma-separated values", media_type="text/csv")


class MyRecord(Controller):
    """What my matches add up to."""

    path = "/api/my/record"
    tags = ("record",)
    security = SECURITY

    @get("/", summary="My record", responses=refusals(401, 403))
    async def show(self, records: TheRecords, account: Asker) -> PersonalRecord:
        """My matches by game: victories, rating over time, opponents, streaks, habits."""
        return await records.record(account)

    @get("/matches", summary="My matches", responses=refusals(401, 403, 404))
    async def list_matches(
        self,
        records: TheRecords,
        account: Asker,
        game: FromQuery[str | None] = None,
        ended: FromQuery[Ended | None] = None,
        against: FromQuery[Against | None] = None,
        limit: Limit = LIMIT,
        after: After = None,
    ) -> MatchPage:
        """My matches that are over, the latest first."""
        wanted = Wanted(game=None if game is None else game_of(game).id, ended=ended, against=against)
        found = await records.matches(account, wanted, position(after, Number), limit + 1)
        matches, rest = paged(found, limit, lambda match: match.number)
        return MatchPage(matches=matches, next=rest)

    @get("/file", summary="My matches as a file", responses={**refusals(401, 403), 200: _FILE})
    async def export(self, records: TheRecords, account: Asker) -> Response[bytes]:
        """All my matches that are over, to take along."""
        found = await records.all_matches(account)
        return Response(msgspec.json.encode(found), media_type="application/json", headers=_saved_as("json"))

    @get("/table", summary="My matches as a table", responses={**refusals(401, 403), 200: _TABLE})
    async def export_table(self, records: TheRecords, account: Asker) -> Response[bytes]:
        """The same for a spreadsheet."""
        found = await records.all_matches(account)
        return Response(as_csv(found).encode(), media_type="text/csv", headers=_saved_as("csv"))


def _saved_as(ending: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="zashiki-record.{ending}"'}


class Leaderboards(Controller):
    """Who is strong here, where the host has opened leaderboards."""

    path = "/api/boards"
    tags = ("record",)

    @get("/", summary="Leaderboards", responses=refusals())
    async def list_boards(self, records: TheRecords) -> Boards:
        """Whether there are any."""
        return Boards(open=records.boards, games=list(GAMES) if records.boards else [], least_matches=LEAST_MATCHES)

    @get("/{game_id:str}", summary="A leaderboard", responses=refusals(404))
    async def show(self, records: TheRecords, game_id: GameId) -> Board:
        """The strongest of a game among those who have claimed a name and agreed to be shown."""
        return await records.board(game_of(game_id).id)


class MyBoards(Controller):
    """Whether I am shown."""

    path = "/api/me/boards"
    tags = ("me",)
    security = IN_A_BROWSER

    @put("/", summary="Be shown on leaderboards", responses=refusals(401, 403, 404, 413, 415), status_code=200)
    async def agree(
        self, request: AnyRequest, records: TheRecords, identity: TheIdentity, browser: Browser, data: JSONBody[OnBoards]
    ) -> MyAccount:
        """Agrees to be shown under my claimed name, or not any more."""
        await records.agree(browser.account, data.shown)
        return await my_account(request, identity, browser.account.id)
