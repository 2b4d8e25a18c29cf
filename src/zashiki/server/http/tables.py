"""Tables over HTTP: each handler decodes, asks the house, and sends what it says."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.datastructures import ResponseHeader
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import FromQuery, HeaderParameter, JSONBody, PathParameter, QueryParameter

from zashiki.core.saved import SavedMatch
from zashiki.server import logs, messages
from zashiki.server.advice import Hints, Warned
from zashiki.server.errors import Refused
from zashiki.server.http.asking import SECURITY, AnyRequest, address_of
from zashiki.server.http.authority import Asker, Moment, TheHouse
from zashiki.server.http.games import game_of
from zashiki.server.http.pages import LIMIT, After, Limit, paged, position
from zashiki.server.http.problems import refusals
from zashiki.server.http.replays import ALL, REPLAY, WhoseEyes, eyes_of, told
from zashiki.server.opening import is_table_id
from zashiki.server.reviews import ReviewState

KEY = re.compile(r"[\x21-\x7e]{1,64}")

TableId = Annotated[
    str,
    PathParameter(description="a table's id: whoever knows it may look", examples=[Example("a table", value="Xq2pT8vLr0aZkW3e")]),
]
Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="1 to 64 visible characters, new for each request: the same key again is the same request, done only once",
        examples=[Example("a random key", value="6f1c2a9e-take-the-fan")],
    ),
]

ReviewKey = Annotated[
    str | None,
    QueryParameter(
        max_length=16,
        description="the `share` of a review, from one of the players",
        examples=[Example("a key", value="b3kQ0ZxWn8aT2LrD")],
    ),
]

LineNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class NewTableId(msgspec.Struct, frozen=True, kw_only=True):
    """The table that was made."""

    table: str


class SitBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which seat, or any. The host may put a bot of that level there."""

    seat: int | None = None
    bot: str | None = None


class StandBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which seat is left: one's own, or for the host any."""

    seat: int | None = None


class ActBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action's number or its structure. `version`: refuse if my decision is another by now."""

    action: int | dict[str, Any]
    version: int | None = None


class TakeBackBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """To ask for one's last action back, or to answer whoever asked."""

    answer: Literal["ask", "agree", "refuse"] = "ask"


class RematchBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether to play again."""

    agree: bool = True


class TalkBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=messages.TALK_LENGTH)]


class TablePage(msgspec.Struct, frozen=True, kw_only=True):
    """Tables; `next` is given back as `after` for more."""

    tables: list[messages.TableInfo]
    next: str | None = None


class TalkPage(msgspec.Struct, frozen=True, kw_only=True):
    """What was said, the newest first; `next` is given back as `after` for earlier lines."""

    lines: list[messages.TalkLine]
    next: str | None = None


def known(table_id: str) -> str:
    """A table's id, if it can be one at all."""
    if not is_table_id(table_id):
        raise Refused("unknown table", "there is no such table: an id has 16 letters, digits, - or _")
    logs.about(table=table_id)
    return table_id


def checked(key: str | None) -> str | None:
    """A key against doing things twice, if it can be one."""
    if key is not None and not KEY.fullmatch(key):
        raise Refused("malformed", "an Idempotency-Key has 1 to 64 visible ASCII characters")
    return key


def _made(table: messages.TableInfo) -> Moment:
    return table.created_at, table.id


def _changed(table: messages.TableInfo) -> Moment:
    return table.updated_at, table.id


SHOWN = refusals(401, 403, 404)
ASKED = refusals(401, 403, 404, 409, 413, 415, 422)
_MATCH_FILE = ResponseSpec(SavedMatch, generate_examples=False, description="game, rules, options, seed and actions")


class Tables(Controller):
    """Make, find and look at tables, and do everything at them that can be done."""

    path = "/api/tables"
    tags = ("tables",)
    security = SECURITY

    @post(
        "/",
        summary="Make a table",
        responses=refusals(401, 403, 404, 409, 413, 415, 422),
        response_headers=[ResponseHeader(name="Location", description="where to look at it", documentation_only=True)],
    )
    async def make(
        self, request: AnyRequest, house: TheHouse, account: Asker, data: JSONBody[messages.NewTable], key: Key = None
    ) -> Response[NewTableId]:
        """Makes a table with this account as its host."""
        table_id = known(await house.create(account, data, checked(key), address_of(request.scope)))
        return Response(NewTableId(table=table_id), headers={"location": f"/api/tables/{table_id}"})

    @get("/", summary="Open tables", responses=refusals(404), security=[{}])
    async def list_open(
        self, house: TheHouse, game: FromQuery[str | None] = None, limit: Limit = LIMIT, after: After = None
    ) -> TablePage:
        """The open tables, newest first: those that wait for people, matches that may be watched. The socket tells of changes."""
        wanted = None if game is None else game_of(game).id
        found = await house.open_tables(wanted, position(after, Moment), limit + 1)
        tables, rest = paged(found, limit, _made)
        return TablePage(tables=tables, next=rest)

    @get("/{table_id:str}", summary="A table, as you may know it", responses=SHOWN)
    async def look(
        self,
        house: TheHouse,
        account: Asker,
        table_id: TableId,
        since: Annotated[int | None, QueryParameter(ge=0, le=2**31, description="the last version you have seen")] = None,
    ) -> messages.TableState:
        """Your view, your legal actions, and what you were told since a version."""
        return await house.look(account, known(table_id), since)

    @post("/{table_id:str}/sit", summary="Take a seat", responses=ASKED, status_code=200)
    async def sit(
        self, house: TheHouse, account: Asker, table_id: TableId, data: JSONBody[SitBody | None] = None, key: Key = None
    ) -> messages.Done:
        """Takes a seat before the start; the host may put a bot there."""
        body = data or SitBody()
        return await house.ask(
            account, messages.Sit(request=0, table=known(table_id), seat=body.seat, bot=body.bot), checked(key)
        )

    @post("/{table_id:str}/stand", summary="Leave a seat", responses=ASKED, status_code=200)
    async def stand(
        self, house: TheHouse, account: Asker, table_id: TableId, data: JSONBody[StandBody | None] = None, key: Key = None
    ) -> messages.Done:
        """Leaves a seat before the start; the host may empty any."""
        body = data or StandBody()
        return await house.ask(account, messages.Stand(request=0, table=known(table_id), seat=body.seat), checked(key))

    @post("/{table_id:str}/start", summary="Begin", responses=ASKED, status_code=200)
    async def start(self, house: TheHouse, account: Asker, table_id: TableId, key: Key = None) -> messages.Done:
        """The host begins the match."""
        return await house.ask(account, messages.Start(request=0, table=known(table_id)), checked(key))

    @post("/{table_id:str}/act", summary="Act", responses=ASKED, status_code=200)
    async def act(
        self, house: TheHouse, account: Asker, table_id: TableId, data: JSONBody[ActBody], key: Key = None
    ) -> messages.Done:
        """Carries out an action of the seat; back when it is durable."""
        request = messages.Act(request=0, table=known(table_id), action=data.action, version=data.version)
        return await house.ask(account, request, checked(key))

    @post("/{table_id:str}/resign", summary="Give up", responses=ASKED, status_code=200)
    async def resign(self, house: TheHouse, account: Asker, table_id: TableId, key: Key = None) -> messages.Done:
        """Gives the match up."""
        return await house.ask(account, messages.Resign(request=0, table=known(table_id)), checked(key))

    @post("/{table_id:str}/take-back", summary="Take back", responses=ASKED, status_code=200)
    async def take_back(
        self, house: TheHouse, account: Asker, table_id: TableId, data: JSONBody[TakeBackBody | None] = None, key: Key = None
    ) -> messages.Done:
        """Asks to take the last action back, or answers whoever asked."""
        answer = (data or TakeBackBody()).answer
        return await house.ask(account, messages.TakeBack(request=0, table=known(table_id), answer=answer), checked(key))

    @post("/{table_id:str}/rematch", summary="Play again", responses=ASKED, status_code=200)
    async def rematch(
        self, house: TheHouse, account: Asker, table_id: TableId, data: JSONBody[RematchBody | None] = None, key: Key = None
    ) -> messages.Done:
        """Agrees to play again, or does not."""
        agree = (data or RematchBody()).agree
        return await house.ask(account, messages.Rematch(request=0, table=known(table_id), agree=agree), checked(key))

    @post("/{table_id:str}/close", summary="Close", responses=ASKED, status_code=200)
    async def close(self, house: TheHouse, account: Asker, table_id: TableId, key: Key = None) -> messages.Done:
        """Closes a table before its match, or agrees to abandon it."""
        return await house.ask(account, messages.Close(request=0, table=known(table_id)), checked(key))

    @post("/{table_id:str}/talk", summary="Say something", responses=ASKED, status_code=200)
    async def say(
        self, house: TheHouse, account: Asker, table_id: TableId, data: JSONBody[TalkBody], key: Key = None
    ) -> messages.Done:
        """Says something at the table; it is stored with it."""
        return await house.ask(account, messages.Talk(request=0, table=known(table_id), text=data.text), checked(key))

    @get("/{table_id:str}/talk", summary="What was said", responses=SHOWN)
    async def list_talk(
        self, house: TheHouse, account: Asker, table_id: TableId, limit: Limit = LIMIT, after: After = None
    ) -> TalkPage:
        """What was said at the table, the newest first."""
        found = await house.talk_of(account, known(table_id), position(after, LineNumber), limit + 1)
        newest_first = sorted(found, key=lambda line: -line.number)
        lines, rest = paged(newest_first, limit, lambda line: line.number)
        return TalkPage(lines=lines, next=rest)

    @get(
        "/{table_id:str}/match",
        summary="The saved match",
        responses={**refusals(401, 403, 404, 409), 200: _MATCH_FILE},
    )
    async def save(self, house: TheHouse, account: Asker, table_id: TableId) -> Response[bytes]:
        """The saved-match file, once the match is over: it holds the seed."""
        text = await house.saved_match(account, known(table_id))
        name = 'attachment; filename="match.zashiki.json"'
        return Response(text.encode(), media_type="application/json", headers={"content-disposition": name})

    @get("/{table_id:str}/replay", summary="Replay a match", responses={**refusals(401, 403, 404, 409, 413), 200: REPLAY})
    async def replay(
        self, request: AnyRequest, house: TheHouse, account: Asker, table_id: TableId, eyes: WhoseEyes = ALL
    ) -> Response[bytes]:
        """The match step by step, once it is over, as one seat saw it or with everything. What was taken back is no step."""
        return await told(request, await house.replay(account, known(table_id), eyes_of(eyes)))

    @get("/{table_id:str}/hints", summary="What to do", responses=refusals(401, 403, 404, 409))
    async def hints(self, house: TheHouse, account: Asker, table_id: TableId) -> Hints:
        """What the strongest bot thinks of my seat's actions, against bots of the house alone or where the table allows it."""
        return await house.hints(account, known(table_id))

    @get("/{table_id:str}/warning", summary="Is it a blunder?", responses=refusals(401, 403, 404, 409, 422))
    async def warning(
        self,
        house: TheHouse,
        account: Asker,
        table_id: TableId,
        action: Annotated[int, QueryParameter(ge=0, le=2**31, description="the number of the action I am about to do")],
    ) -> Warned:
        """What speaks clearly against an action before I do it: nothing, unless it is a blunder. Under the same conditions."""
        return await house.warning(account, known(table_id), action)

    @post("/{table_id:str}/review", summary="Have a match reviewed", responses=refusals(401, 403, 404, 409), status_code=200)
    async def start_review(self, house: TheHouse, account: Asker, table_id: TableId) -> ReviewState:
        """Puts a match of mine that is over into the queue, unless it was reviewed already; ask again how far it is."""
        return await house.review(account, known(table_id), None, start=True)

    @get("/{table_id:str}/review", summary="The review of a match", responses=refusals(401, 403, 404, 409))
    async def review(self, house: TheHouse, account: Asker, table_id: TableId, key: ReviewKey = None) -> ReviewState:
        """What each decision was worth and what was luck, or how far that is; for the players and whoever has their `key`."""
        return await house.review(account, known(table_id), key, start=False)


class MyTables(Controller):
    """The asker's own tables."""

    path = "/api/my/tables"
    tags = ("tables",)
    security = SECURITY

    @get("/", summary="My tables", responses=refusals(401, 403))
    async def list_mine(
        self, house: TheHouse, account: Asker, waiting: FromQuery[bool] = False, limit: Limit = LIMIT, after: After = None
    ) -> TablePage:
        """The tables I sit at, those changed last first; with `waiting` only those that wait for me."""
        found = await house.tables_of(account, waiting, position(after, Moment), limit + 1)
        tables, rest = paged(found, limit, _changed)
        return TablePage(tables=tables, next=rest)
