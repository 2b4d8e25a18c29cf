"""`zashiki mcp`: an assistant plays whole matches through its tools, is told what is legal, and learns nothing hidden."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import mcp
import numpy as np
import pytest
from mcp.client.stdio import StdioServerParameters
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, TextResourceContents

from tests.client.serving import Served
from tests.conformance.test_secrecy import permuted
from zashiki.assistant import mcp as adapter
from zashiki.client import Client
from zashiki.core.state import State
from zashiki.games import GAMES

SHORT: dict[str, dict[str, Any]] = {"hanamikoji": {"rounds": 1}, "kohoju": {"target": 10}}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 300))


@asynccontextmanager
async def assistant(url: str, token: str | None = None) -> AsyncIterator[mcp.Client]:
    """An assistant's side of the tools."""
    async with mcp.Client(adapter.make_server(url, token)) as client:
        yield client


async def call(client: mcp.Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result.content
    told: dict[str, Any] = result.structured_content
    return told


async def refused(client: mcp.Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error
    return words(result)


def words(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize("game", GAMES)
def test_an_assistant_plays_a_whole_match_of_every_game(game: str, server: str) -> None:
    async def play() -> None:
        chance = random.Random(1)
        async with assistant(server) as client:
            seen = await call(client, "open_table", game=game, level="beginner", options=SHORT.get(game))
            while seen["status"] == "playing":
                if seen["your_turn"]:
                    assert seen["legal_count"] >= len(seen["legal"]) > 0
                    seen = await call(client, "act", action=chance.choice(seen["legal"])["number"])
                else:
                    seen = await call(client, "wait_for_turn")
            assert seen["status"] == "over"
            assert seen["outcome"].startswith("The match is over")
            assert sum(seen["scores"][0].values()) is not None
            assert (await call(client, "look"))["news"] == []

    run(play())


def test_without_a_server_it_has_one_of_its_own_and_speaks_over_standard_input_and_output() -> None:
    async def play() -> None:
        command = StdioServerParameters(command=sys.executable, args=["-m", "zashiki.cli", "mcp"], env=dict(os.environ))
        async with mcp.Client(command) as client:
            tools = (await client.list_tools()).tools
            assert {"list_games", "read_rules", "open_table", "look", "act", "wait_for_turn", "say", "resign"} <= {
                tool.name for tool in tools
            }
            seen = await call(client, "open_table", game="hanamikoji")
            assert seen["link"].startswith("http://127.0.0.1:")
            assert (await call(client, "resign"))["outcome"].endswith("You have lost.")

    run(play())


def test_games_and_rules_can_be_read(server: str) -> None:
    async def read() -> None:
        async with assistant(server) as client:
            games = (await call(client, "list_games"))["result"]
            assert [game["id"] for game in games] == list(GAMES)
            rules = (await call(client, "read_rules", game="kasane"))["result"]
            assert rules.startswith(GAMES["kasane"].rulebook())
            assert "the games are" in await refused(client, "read_rules", game="poker")
            resources = (await client.list_resources()).resources
            assert len(resources) == len(GAMES)
            (content,) = (await client.read_resource("zashiki://rules/kohoju")).contents
            assert isinstance(content, TextResourceContents)
            assert content.text == GAMES["kohoju"].rulebook()

    run(read())


def test_every_tool_says_what_it_does_and_what_each_argument_means(server: str) -> None:
    async def read() -> None:
        async with assistant(server) as client:
            for tool in (await client.list_tools()).tools:
                assert tool.description
                assert tool.output_schema
                assert all("description" in argument for argument in tool.input_schema["properties"].values()), tool.name

    run(read())


def test_what_is_not_allowed_is_answered_with_what_is(server: str) -> None:
    async def play() -> None:
        async with assistant(server) as client:
            assert "open_table opens one" in await refused(client, "look")
            seen = await call(client, "open_table", game="hanamikoji", level="beginner")
            while not seen["your_turn"]:
                seen = await call(client, "wait_for_turn")
            legal = {action["number"] for action in (await call(client, "legal_actions"))["result"]}
            illegal = next(number for number in range(508) if number not in legal)
            told = await refused(client, "act", action=illegal)
            assert "Your legal actions:" in told
            assert seen["legal"][0]["words"] in told
            assert "numbered from 0 to 507" in await refused(client, "act", action=9999)
            assert "this is no action of the game" in await refused(client, "act", action={"type": "cheat"})
            assert "is played by 2" in await refused(client, "open_table", game="hanamikoji", seats=5)
            assert "has no option" in await refused(client, "open_table", game="hanamikoji", options={"speed": 3})
            assert "not at that table" in await refused(client, "look", table="a" * 16)
            assert "16 signs" in await refused(client, "sit_down", table="the one by the window")
            assert "no such table" in await refused(client, "sit_down", table="a" * 16)
            gifts = (await call(client, "legal_actions", words="gift"))["result"]
            assert all("gift" in json.dumps(action) for action in gifts)
            seen = await call(client, "act", action=seen["legal"][0]["structure"])
            assert any(line.startswith("you: ") for line in seen["news"])

    run(play())


def test_an_assistant_plays_with_a_person_talks_and_plays_again(server: str) -> None:
    async def play() -> None:
        async with assistant(server) as client, Client(server) as person:
            seen = await call(client, "open_table", game="hanamikoji", empty_seats=1, listed=True)
            assert seen["status"] == "waiting"
            tables = (await call(client, "list_open_tables"))["result"]
            assert seen["table"] in [table["table"] for table in tables]
            async with person.sit(seen["table"]) as seat:
                seen = await call(client, "wait_for_turn", seconds=1)
                assert seen["status"] == "playing"
                await call(client, "say", text="good luck!")
                await seat.signal.until(lambda: [line.text for line in seat.said] == ["good luck!"])
                await seat.talk("and to you")
                await seat.resign()
                seen = await call(client, "wait_for_turn")
                assert seen["outcome"].endswith("You have won.")
                assert any(line.endswith(": and to you") for line in seen["talk"] + (await call(client, "look"))["talk"])
                await seat.rematch()
                again = await call(client, "play_again")
                assert again["table"] != seen["table"]
                assert again["status"] == "playing"
            assert "left table" in (await call(client, "leave_table"))["result"]

    run(play())


async def settle(served: Served, table: str) -> None:
    """Waits until no bot of the house thinks and nothing is under way."""
    live = served.building.service.house.tables[table]
    quiet = 0
    while quiet < 5:
        await asyncio.sleep(0.01)
        quiet = 0 if live.thinking or live.busy or live.queue else quiet + 1


def become(served: Served, table: str, state: State) -> None:
    """Puts another state into the table, as if it had been there all the time."""
    live = served.building.service.house.tables[table]
    assert live.table.match is not None
    live.table.match.state = state
    live.table.bits = state.to_act()
    live.pictures._tails.clear()
    live.pictures._frames.clear()
    live.pictures._standing = None


async def everything(url: str, cookies: dict[str, str], table: str, illegal: int) -> list[str]:
    """All that the tools tell somebody who comes to the table now, to the byte."""
    server = adapter.Assistant(url, None)
    server._client = await Client(url, cookies=cookies).__aenter__()
    heard = []
    try:
        for tool, arguments in (
            (server.sit_down, {"table": table}),
            (server.look, {}),
            (server.legal_actions, {}),
            (server.wait_for_turn, {"seconds": 0}),
        ):
            heard.append(repr(await tool(**arguments)))
        for action in (illegal, 100_000, {"type": "cheat"}):
            with pytest.raises(ToolError) as refusal:
                await server.act(action)
            heard.append(str(refusal.value))
    finally:
        await server.close()
    return heard


@pytest.mark.parametrize("game", GAMES)
def test_no_byte_that_a_tool_returns_depends_on_what_is_hidden(game: str, served: Served) -> None:
    async def play() -> None:
        chance, rng = random.Random(3), np.random.default_rng(3)
        compared = different = 0
        async with Client(served.url) as client:
            seats = GAMES[game].seats[0]
            bots = dict.fromkeys(range(1, seats), "beginner")
            table = await client.create(game, bots=bots, start=True)
            async with client.watch(table) as seat:
                async for state in seat.decisions():
                    await settle(served, table)  # where all choose at once, the bots have
                    live = served.building.service.house.tables[table]
                    assert live.table.match is not None
                    truth = live.table.match.state
                    illegal = next(number for number in range(live.table.match.game.rules.ACTIONS) if number not in state.legal)
                    expected = await everything(served.url, client.cookies, table, illegal)
                    for _ in range(2):
                        twin = permuted(truth, 0, rng)
                        different += twin.to_bytes() != truth.to_bytes()
                        become(served, table, twin)
                        assert await everything(served.url, client.cookies, table, illegal) == expected
                        compared += 1
                    become(served, table, truth)
                    if compared >= 12:
                        break
                    await seat.act(chance.choice(state.legal))
        assert compared
        assert different

    run(play())
