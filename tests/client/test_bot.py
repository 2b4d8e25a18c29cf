"""`zashiki bot`: a program takes a seat, plays match after match, and what goes wrong is told to its author."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.faults.processes import Server
from zashiki.bots import lines
from zashiki.cli import main
from zashiki.client import Client
from zashiki.client.player import BotFailed
from zashiki.client.visitor import Visitor, WrongLink, table_in
from zashiki.games import GAMES

REPOSITORY = Path(__file__).parents[2]
CHECKING = "tests.client.bots:Checking"
SHORT = {"hanamikoji": ["rounds=1"], "kohoju": ["target=10"]}
node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")


def said(capsys: pytest.CaptureFixture[str], server: str, *arguments: str) -> list[str]:
    main(["bot", *arguments, "--server", server])
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_plays_every_game_from_views_that_came_over_the_network(
    game: str, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [word for option in SHORT.get(game, []) for word in ("--option", option)]
    told = said(capsys, server, CHECKING, "--game", game, "--against", "beginner", *options)
    assert told[0].startswith("is ")
    assert told[1].startswith(f"sits in seat 0 of {game} at {server}/table/")
    assert told[-1].startswith(("won", "lost"))


def test_two_bots_meet_at_a_table_and_play_again_until_one_has_enough(server: str) -> None:
    async def meet() -> tuple[list[str], list[str]]:
        one: list[str] = []
        other: list[str] = []
        async with Client(server) as host, Client(server) as guest:
            table = await host.create("hanamikoji", settings={"options": {"rounds": 1}})
            hosting = Visitor(host, CHECKING, one.append)
            visiting = Visitor(guest, "random", other.append, matches=2)
            async with asyncio.timeout(100), asyncio.TaskGroup() as group:
                group.create_task(visiting.at(table, 1))
                playing = group.create_task(hosting.at(table))
                while hosting.played < 2:
                    await asyncio.sleep(0.02)
                playing.cancel()
        return one, other

    one, other = asyncio.run(meet())
    assert sum(line.startswith("sits in seat 1") for line in other) == 2
    results = [[line.split()[0] for line in told if line.startswith(("won", "lost"))] for told in (one, other)]
    assert len(results[0]) == len(results[1]) == 2


def test_in_the_lobby_a_bot_sits_down_at_open_tables_of_its_game(server: str) -> None:
    async def wait_for_company() -> list[str]:
        told: list[str] = []
        async with Client(server) as host, Client(server) as guest, asyncio.timeout(100), asyncio.TaskGroup() as group:
            await host.create("kimono")
            group.create_task(Visitor(guest, "random", told.append, matches=1).in_lobby("hanamikoji"))
            table = await host.create("hanamikoji", settings={"options": {"rounds": 1}})
            await Visitor(host, "random", told.append, matches=1).at(table)
        return told

    told = asyncio.run(wait_for_company())
    assert not any("kimono" in line for line in told)
    assert sum(line.startswith(("won", "lost")) for line in told) == 2


def test_a_bot_of_the_house_plays_at_the_live_pace_too(server: str) -> None:
    async def play() -> int:
        async with Client(server) as client:
            bots = {1: "club", 2: "club"}
            table = await client.create("kawaii", settings={"options": {"pace": "live"}}, bots=bots, start=True)
            playing = asyncio.create_task(Visitor(client, "expert", lambda words: None, matches=1).at(table))
            async with Client(server) as watcher, watcher.watch(table) as seen, asyncio.timeout(100):
                async for _ in seen.states():
                    own = sum(line.kind == "act" and line.seat == 0 for line in seen.log)
                    if own >= 3 or playing.done():
                        break
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            return own

    assert asyncio.run(play()) >= 3


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("tests.arena.bots:Stumbling", "I have lost my glasses"),
        ("tests.arena.bots:Cheating", "chose -7, which is not legal"),
        (f"exec:{sys.executable} {REPOSITORY}/tests/bots/engines.py lies", "is not one of its"),
        (f"exec:{sys.executable} {REPOSITORY}/tests/bots/engines.py hangs@0.2s", "its last lines: let me think"),
        ("tests.client.bots:Sleeping@0.2s", "did not answer within"),
    ],
)
def test_a_bot_that_goes_wrong_gives_up_and_its_author_is_told_why(
    bot: str, reason: str, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "START_S", 2.0)

    async def play() -> str:
        async with Client(server) as client:
            table = await client.create("hanamikoji", bots={1: "beginner"}, start=True)
            with pytest.raises(BotFailed, match=reason) as failure:
                await Visitor(client, bot, lambda words: None).at(table)
            async with client.watch(table) as seat:
                assert seat.state.outcome
                assert (seat.state.outcome.reason, seat.state.outcome.winners) == ("resigned", [1])
        return str(failure.value)

    told = asyncio.run(play())
    assert '"hands":' in told
    assert "its legal actions:" in told


def test_a_restarted_bot_goes_on_where_it_was(server: str) -> None:
    async def play() -> None:
        told: list[str] = []
        async with Client(server) as client:
            table = await client.create("hanamikoji", bots={1: "beginner"}, start=True)
            async with client.watch(table) as seat:
                await seat.act((await anext(seat.decisions())).legal[0])
            cookies = client.cookies
        async with Client(server, cookies=cookies) as client:
            await Visitor(client, "random", told.append, matches=1).at(table)
        assert told[-1].startswith(("won", "lost"))

    asyncio.run(play())


def started(*command: str, server: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "ZASHIKI_SERVER": server},
        # A shell that starts tests in the background lets them ignore it.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def ended(running: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return running.communicate(timeout=240)
    finally:
        running.kill()
        running.communicate()


def test_ctrl_c_ends_it_cleanly_and_closes_the_table_it_has_opened(server: str) -> None:
    running = started(sys.executable, "-m", "zashiki.cli", "bot", "random", "--game", "hanamikoji", server=server)
    assert running.stdout
    running.stdout.readline()
    table = table_in(running.stdout.readline().split()[-1])
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    out, errors = ended(running)
    assert (running.returncode, out.strip(), errors) == (0, "", "")

    async def look() -> str:
        async with Client(server) as client, client.watch(table) as seat:
            return seat.state.status

    assert asyncio.run(look()) == "closed"


def test_a_bot_plays_on_when_its_server_was_killed_and_started_again(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        server.wait_until_ready()
        command = [sys.executable, "-m", "zashiki.cli", "bot", "random", "--game", "kohoju", "--against", "beginner"]
        running = started(*command, "--option", "target=20", server=server.url)
        assert running.stdout
        running.stdout.readline()
        running.stdout.readline()
        time.sleep(0.5)
        server.kill()
        assert running.poll() is None
        server.start_when_possible()
        out, errors = ended(running)
    finally:
        server.kill()
    assert (running.returncode, errors) == (0, "")
    assert out.splitlines()[-1].startswith(("won", "lost"))


def test_the_example_bot_plays_a_match(server: str) -> None:
    example = f"{REPOSITORY}/examples/bot.py"
    running = started(sys.executable, example, "--game", "kasane", "--against", "beginner", server=server)
    out, errors = ended(running)
    assert (running.returncode, errors) == (0, "")
    assert out.splitlines()[-1].startswith(("won", "lost"))


@node
def test_the_bot_in_javascript_plays_a_match_over_the_raw_protocol(server: str) -> None:
    example = f"{REPOSITORY}/examples/bot.mjs"
    running = started("node", "--experimental-websocket", "--no-warnings", example, server, "kasane", server=server)
    out, errors = ended(running)
    assert (running.returncode, errors) == (0, "")
    assert out.startswith(("won", "lost"))


@node
def test_an_engine_in_javascript_plays_at_a_table(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    engine = f"exec:node {REPOSITORY}/examples/engine.mjs"
    told = said(capsys, server, engine, "--game", "kasane", "--against", "beginner")
    assert told[-1].startswith(("won", "lost"))


def test_a_table_is_known_by_its_link_or_its_id() -> None:
    table = "ur2wetkqdd6ulbvq"
    for link in (table, f"http://127.0.0.1:8000/table/{table}", f"https://cards.example.org/cards/table/{table}/"):
        assert table_in(link) == table
    with pytest.raises(WrongLink, match="16 signs"):
        table_in("my table")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["random"], "say where it shall play"),
        (["random", "--table", "x", "--lobby"], "say where it shall play"),
        (["grandmaster", "--lobby"], "there is no bot 'grandmaster'"),
        (["random", "--game", "poker"], "the games are"),
        (["random", "--table", "here"], "16 signs"),
        (["random", "--table", "ur2wetkqdd6ulbvq"], "there is no such table"),
        (["random", "--lobby", "--token", "nonsense"], "token"),
    ],
)
def test_a_mistake_is_explained_in_one_line(arguments: list[str], reason: str, server: str) -> None:
    with pytest.raises(SystemExit, match=reason) as caught:
        main(["bot", *arguments, "--server", server])
    assert "\n" not in str(caught.value)


def test_an_address_that_is_none_is_explained() -> None:
    with pytest.raises(SystemExit, match="a server's address looks like"):
        main(["bot", "random", "--lobby", "--server", "localhost"])


def test_the_command_line_loads_what_programs_need_only_when_they_run() -> None:
    code = "import sys, zashiki.cli; sys.exit(any(name in sys.modules for name in ('websockets', 'mcp', 'numba')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("websockets", ["bot", "random", "--lobby"], "pip install 'zashiki[server]'"),
        ("mcp", ["mcp"], "pip install 'zashiki[mcp,server]'"),
    ],
)
def test_what_is_missing_is_named_with_what_to_install(package: str, arguments: list[str], extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from zashiki.cli import main; main({arguments!r})"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.strip() == f"zashiki: this needs {package} and more: {extra}"
