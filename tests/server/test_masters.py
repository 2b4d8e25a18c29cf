"""Masters at the tables of a server: where a game has been learned, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.learned import write_weights
from tests.server.http_house import app, call
from tests.server.room import opened, run
from tests.server.test_tables import refusal
from zashiki import Match
from zashiki.games import GAMES, find
from zashiki.server.botroom import Question, level_of
from zashiki.server.errors import Refused
from zashiki.server.messages import NewTable


@pytest.fixture
def kasane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only kasane has been learned."""
    write_weights(tmp_path, find("kasane"))
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))


def test_a_level_tells_which_games_have_it(kasane: None) -> None:
    told = {level["id"]: level["games"] for level in call(app(), "GET", "/api/levels").json()["levels"]}
    assert told == {"beginner": [*GAMES], "club": [*GAMES], "expert": [*GAMES], "master": ["kasane"]}


def test_where_nothing_has_been_learned_no_master_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    told = call(app(), "GET", "/api/levels").json()["levels"]
    assert [level["id"] for level in told] == ["beginner", "club", "expert"]


def test_a_master_plays_at_a_table(kasane: None, sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            aki = await room.guest("Aki")
            table = await room.table("kasane", [aki], {1: "master"})
            for _ in range(2):
                state = await aki.state_where(table, lambda state: bool(state.get("legal")))
                await aki.ask(type="act", table=table, action=state["legal"][0], version=state["version"])
            assert (await aki.state_where(table, lambda state: bool(state.get("legal"))))["seats"][1]["bot"] == "master"

    run(main())


def test_a_table_of_a_game_nobody_has_learned_has_no_master(kasane: None, sqlite_url: str) -> None:
    async def main() -> None:
        async with opened(sqlite_url) as room:
            aki = await room.guest("Aki")
            wanted = NewTable(game="hanamikoji", bots={1: "master"})
            with pytest.raises(Refused, match="Hanamikoji has bots of level beginner, club, expert, not 'master'"):
                await room.service.create(aki.account, wanted)
            table = await room.create(aki.account, "hanamikoji")
            assert await refusal(aki.ask(type="sit", table=table, seat=1, bot="master")) == "wrong settings"

    run(main())


def test_a_master_whose_weights_are_gone_plays_as_a_level_that_is_no_more(kasane: None) -> None:
    levels = [
        level_of(Question("t", Match(game, seed=1).view(0), 0, "master", False, print)).name for game in ("kasane", "hanamikoji")
    ]
    assert levels == ["master", "beginner"]
