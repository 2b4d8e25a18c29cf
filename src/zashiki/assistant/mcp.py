"""A Model Context Protocol server through which an assistant plays.

It only ever holds what its own seat is shown: everything goes through `zashiki.client` to a server, one that runs already or one
of its own, and no tool reaches past it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from zashiki.assistant.sight import LegalAction, Sight, legal_actions, listed, sight
from zashiki.bots.levels import LEVELS, levels_of
from zashiki.client import Client, Closed, Refused, Table
from zashiki.client.visitor import table_in
from zashiki.core.errors import MalformedAction, ZashikiError
from zashiki.core.game import Game, as_game
from zashiki.games import GAMES, find

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = """\
You can play five card games here against bots and people. list_games and read_rules tell what there is; open_table seats you \
against bots (or leaves seats for people), sit_down takes a seat at a table somebody gave you a link to. Then look at the table, \
choose one of the legal actions by its number with act, and use wait_for_turn when others are to act. You see what your seat may \
know and nothing else. Everything you do is seen by the others at the table."""
LONGEST_WAIT_S = 300.0
SHOWN_TALK = 50
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
ENDS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

GameName = Annotated[str, Field(description="which game", json_schema_extra={"enum": list(GAMES)})]
LEVEL_NAMES = [level for level in LEVELS if any(level in levels_of(game) for game in GAMES.values())]
LevelName = Annotated[str, Field(description="how well the bots play", json_schema_extra={"enum": LEVEL_NAMES})]
TableName = Annotated[str | None, Field(description="a table's id or link; not needed while you are at one table only")]
Seconds = Annotated[float, Field(ge=0, le=LONGEST_WAIT_S, description="how long to wait for your next turn at most")]


class GameSummary(BaseModel):
    """A game that can be played."""

    id: str
    title: str
    author: str
    summary: str
    seats: list[int] = Field(description="how many can play")
    options: dict[str, str] = Field(description="what can be agreed before a match")


class OpenTable(BaseModel):
    """A table with a free seat."""

    table: str
    game: str
    seats: list[str]


Looked = Annotated[CallToolResult, Sight]


def helpful(tool: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Tells the assistant what was refused and why, in the words of the table."""

    @wraps(tool)
    async def told(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return await tool(*arguments, **named)
        except (Refused, Closed, ZashikiError) as error:
            raise ToolError(str(error)) from None
        except TimeoutError:
            raise ToolError("the server does not answer; try again in a while") from None

    return told


class Place:
    """A table the assistant is at, and what it has been told of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._read = 0
        self._heard = 0

    def look(self, link: str) -> CallToolResult:
        """What there is to see, with what is new."""
        lines, said = self.table.log[self._read :], self.table.said
        talk = [line for line in said if line.number > self._heard][-SHOWN_TALK:]
        self._read = len(self.table.log)
        self._heard = max((line.number for line in said), default=0)
        seen = sight(self.table.state, link, lines, talk)
        return CallToolResult(content=[TextContent(type="text", text=seen.told())], structured_content=seen.model_dump())

    async def turn(self, account: int) -> None:
        """Back when there is something to decide, or the match is over. A host begins a match whose seats are taken."""
        async for state in self.table.states():
            if state.my_turn or state.match_over:
                return
            full = all(seat.account or seat.bot for seat in state.seats)
            if state.status == "waiting" and state.host == account and full:
                await self.table.start()


class Assistant:
    """What an assistant can do, a method a tool."""

    def __init__(self, url: str | None, token: str | None) -> None:
        self._url, self._token = url, token
        self._client: Client | None = None
        self._opening = asyncio.Lock()
        self._own = ExitStack()
        self._places: dict[str, Place] = {}

    async def close(self) -> None:
        """Leaves, and ends the own server if there is one."""
        for place in self._places.values():
            await place.table.__aexit__()
        if self._client:
            await self._client.close()
        await asyncio.to_thread(self._own.close)

    async def client(self) -> Client:
        """The connection, made when it is first needed."""
        async with self._opening:
            if self._client is None:
                if self._url is None:
                    self._url = await asyncio.to_thread(self._serve)
                client = Client(self._url, token=self._token)
                self._client = await client.__aenter__()
        return self._client

    def _serve(self) -> str:
        try:
            from zashiki.assistant.loopback import own_server
        except ModuleNotFoundError as error:
            raise ZashikiError(
                f"a server of one's own needs {error.name} and more: pip install 'zashiki[mcp,server]', or name one with --server"
            ) from None
        return self._own.enter_context(own_server())

    def _link(self, table: str) -> str:
        return f"{(self._url or '').rstrip('/')}/table/{table}"

    def _at(self, table: str | None) -> Place:
        """The place at that table, or at the only one."""
        if table is not None:
            found = self._places.get(table_in(table))
            if found is None:
                raise ToolError(f"you are not at that table; sit_down takes a seat there. You are at: {self._tables()}")
            return found
        playing = [place for place in self._places.values() if not place.table.state.match_over] or list(self._places.values())
        if not playing:
            raise ToolError("you are at no table: open_table opens one, sit_down takes a seat at somebody's")
        if len(playing) > 1 and not playing[0].table.state.match_over:
            raise ToolError(f"you are at several tables, say at which: {self._tables()}")
        return playing[-1]

    def _tables(self) -> str:
        return ", ".join(self._places) or "none"

    def _look(self, place: Place) -> CallToolResult:
        return place.look(self._link(place.table.id))

    async def _sit(self, table: str, seat: int | None = None) -> Place:
        if table not in self._places:
            client = await self.client()
            self._places[table] = Place(await client.sit(table, seat).__aenter__())
        place = self._places[table]
        own = place.table.state.seat
        if own is not None and place.table.state.seats[own].away:
            await place.table.sit(own)  # from the bot that kept it
        return place

    async def _wait(self, place: Place, seconds: float) -> CallToolResult:
        account = (await self.client()).account
        with suppress(TimeoutError):  # then what there is to see by now
            await asyncio.wait_for(place.turn(account), seconds)
        return self._look(place)

    @helpful
    async def list_games(self) -> list[GameSummary]:
        """Lists the games that can be played here, by how many, and with which options."""
        return [_summary(game) for game in GAMES.values()]

    @helpful
    async def read_rules(self, game: GameName) -> str:
        """The rules of a game in full, with the numbers that are this table's own. Read them before your first match."""
        found = find(game)
        house = "\n".join(f"- {name}: {words}" for name, words in found.house_numbers.items())
        return f"{found.rulebook()}\n\n## Numbers that are ours\n\n{house}"

    @helpful
    async def list_open_tables(self) -> list[OpenTable]:
        """Lists tables in the lobby where somebody waits for players; sit_down takes a seat at one."""
        client = await self.client()
        async with client.lobby() as lobby:
            waiting = [table for table in lobby.tables.values() if table.status == "waiting"]
        return [
            OpenTable(table=table.id, game=table.game, seats=[seat.name or "free" for seat in table.seats]) for table in waiting
        ]

    @helpful
    async def open_table(
        self,
        game: GameName,
        seats: Annotated[int | None, Field(description="how many play; the fewest possible unless said")] = None,
        options: Annotated[dict[str, Any] | None, Field(description="options of the game, as list_games names them")] = None,
        level: LevelName = "club",
        empty_seats: Annotated[int, Field(ge=0, description="how many seats are left for people, who join by the link")] = 0,
        listed: Annotated[bool, Field(description="whether the table is shown in the lobby")] = False,
    ) -> Looked:
        """Opens a table with you in seat 0, people in the empty seats and bots in the others, and begins when all are there."""
        found = find(game)
        count = found.check_seats(found.seats[0] if seats is None else seats)
        if empty_seats >= count:
            raise ToolError(f"of {count} seats one is yours: at most {count - 1} can be left empty")
        bots = dict.fromkeys(range(1 + empty_seats, count), level)
        settings = {"options": found.full_options(options), "private": not listed}
        client = await self.client()
        table = await client.create(game, seats=count, settings=settings, bots=bots, start=not empty_seats)
        return self._look(await self._sit(table))

    @helpful
    async def sit_down(
        self,
        table: Annotated[str, Field(description="the table's link or id")],
        seat: Annotated[int | None, Field(ge=0, description="which seat; any free one unless said")] = None,
    ) -> Looked:
        """Takes a seat at somebody's table, or goes back to a table you sit at already."""
        return self._look(await self._sit(table_in(table), seat))

    @helpful
    async def look(self, table: TableName = None) -> Looked:
        """Shows the table as your seat may see it: the board, your legal actions, what is new since you last looked."""
        return self._look(self._at(table))

    @helpful
    async def legal_actions(
        self,
        words: Annotated[str, Field(description="only actions that have all of these words in them")] = "",
        table: TableName = None,
    ) -> list[LegalAction]:
        """Lists everything you may do now, or what of it has certain words in it."""
        state = self._at(table).table.state
        return [
            action
            for action in legal_actions(state)
            if all(word in f"{action.structure['type']} {action.words}".lower() for word in words.lower().split())
        ]

    @helpful
    async def act(
        self,
        action: Annotated[int | dict[str, Any], Field(description="the number of a legal action, or its structure")],
        table: TableName = None,
        wait_seconds: Seconds = 5.0,
    ) -> Looked:
        """Does something that is legal for you now, then waits a little for your next turn and shows the table."""
        place = self._at(table)
        number = _legal_number(place.table, action)
        done = await place.table.act(number)
        await place.table.shown(done.version or 0)
        return await self._wait(place, wait_seconds)

    @helpful
    async def wait_for_turn(self, table: TableName = None, seconds: Seconds = 30.0) -> Looked:
        """Waits until it is your turn or the match is over, then shows the table. A table of yours begins when it is full."""
        return await self._wait(self._at(table), seconds)

    @helpful
    async def say(
        self,
        text: Annotated[str, Field(min_length=1, max_length=300, description="what everybody at the table reads")],
        table: TableName = None,
    ) -> str:
        """Says something to everybody at the table."""
        await self._at(table).table.talk(text)
        return "said"

    @helpful
    async def take_back(
        self,
        answer: Annotated[Literal["ask", "agree", "refuse"], Field(description="ask for it, or answer whoever asked")] = "ask",
        table: TableName = None,
    ) -> Looked:
        """Asks to take your last action back, or answers somebody who asked."""
        place = self._at(table)
        await place.table.take_back(answer)
        return self._look(place)

    @helpful
    async def resign(self, table: TableName = None) -> Looked:
        """Gives the match up: with two players that ends it, with more a bot plays your seat to the end."""
        place = self._at(table)
        await place.table.resign()
        return self._look(place)

    @helpful
    async def play_again(self, table: TableName = None, seconds: Seconds = 30.0) -> Looked:
        """After a match: plays again with the same people and options, if all want to, at a new table."""
        place = self._at(table)
        await place.table.rematch()
        try:
            async with asyncio.timeout(seconds):
                async for state in place.table.states():
                    if state.next:
                        return self._look(await self._sit(state.next))
        except TimeoutError:
            pass  # the others have not answered yet
        return self._look(place)

    @helpful
    async def leave_table(self, table: TableName = None) -> str:
        """Leaves a table: before the match it frees your seat (your own table is closed); a match that goes on a bot plays on."""
        place = self._at(table)
        state, client = place.table.state, await self.client()
        if state.status == "waiting":
            await (place.table.close() if state.host == client.account else place.table.stand())
        del self._places[place.table.id]
        await place.table.__aexit__()
        return f"left table {place.table.id}"


def _legal_number(table: Table, action: int | dict[str, Any]) -> int:
    """The number of an action, if it is legal now; else what is."""
    state = table.state
    if state.match_over:
        raise ToolError("the match is over: look shows the result, play_again begins another")
    if not state.my_turn:
        raise ToolError("it is not your turn: use wait_for_turn")
    legal = legal_actions(state)
    few = listed(legal[:20]) + (f"\n  … and {len(legal) - 20} more: see legal_actions" if len(legal) > 20 else "")
    try:
        number = as_game(state.game).vocabulary.number(action)
    except MalformedAction as error:
        raise ToolError(f"{error}. Your legal actions:\n{few}") from None
    if number not in state.legal:
        words = as_game(state.game).vocabulary[number].words()
        raise ToolError(f"not allowed now: {number} ({words}). Your legal actions:\n{few}")
    return number


def _summary(game: Game) -> GameSummary:
    options = {
        option.name: f"{option.meaning}; {option.described()}, {option.spoken(option.default)} unless chosen"
        for option in game.options
    }
    return GameSummary(
        id=game.id, title=game.title, author=game.author, summary=game.summary, seats=list(game.seats), options=options
    )


def make_server(url: str | None = None, token: str | None = None) -> MCPServer[Assistant]:
    """The server: at a Zashiki that runs there, or one of its own."""
    from zashiki import __version__

    assistant = Assistant(url, token)

    @asynccontextmanager
    async def lifespan(server: MCPServer[Assistant]) -> AsyncIterator[Assistant]:
        try:
            yield assistant
        finally:
            await assistant.close()

    server = MCPServer(
        "zashiki", title="Zashiki", instructions=INSTRUCTIONS, version=__version__, lifespan=lifespan, log_level="WARNING"
    )
    for tool, hints in _tools(assistant):
        server.tool(annotations=hints)(tool)
    for game in GAMES:
        server.resource(f"zashiki://rules/{game}", title=f"The rules of {GAMES[game].title}", mime_type="text/markdown")(
            find(game).rulebook
        )
    return server


def _tools(assistant: Assistant) -> list[tuple[Callable[..., Any], ToolAnnotations]]:
    """The visible list of tools."""
    return [
        (assistant.list_games, READS),
        (assistant.read_rules, READS),
        (assistant.list_open_tables, READS),
        (assistant.open_table, CHANGES),
        (assistant.sit_down, CHANGES),
        (assistant.look, READS),
        (assistant.legal_actions, READS),
        (assistant.act, CHANGES),
        (assistant.wait_for_turn, READS),
        (assistant.say, CHANGES),
        (assistant.take_back, CHANGES),
        (assistant.resign, ENDS),
        (assistant.play_again, CHANGES),
        (assistant.leave_table, ENDS),
    ]


def serve(url: str | None, token: str | None) -> None:
    """Serves on standard input and output until that ends."""
    make_server(url, token).run("stdio")
