"""The games over HTTP."""

from __future__ import annotations

import pytest

from tests.server.http_house import app, call
from zashiki.bots.levels import LEVELS, levels_of
from zashiki.core.game import Game
from zashiki.games import GAMES
from zashiki.tutorials import SCRIPTS


def test_all_games_are_listed_for_everybody() -> None:
    listed = call(app(), "GET", "/api/games", headers={}).json()["games"]
    assert [game["id"] for game in listed] == list(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_tells_its_options_seats_and_house_numbers(game: Game) -> None:
    found = call(app(), "GET", f"/api/games/{game.id}").json()
    assert found["seats"] == list(game.seats)
    assert found["rules"] == game.version
    assert found["house_numbers"] == game.house_numbers
    for told, option in zip(found["options"], game.options, strict=True):
        values = told["values"] or range(told["least"], told["most"] + 1)
        assert list(values) == list(option.values)
        assert told["default"] in values


@pytest.mark.parametrize("game", GAMES)
def test_an_action_stands_at_the_place_of_its_number(game: str) -> None:
    found = call(app(), "GET", f"/api/games/{game}/actions").json()
    vocabulary = GAMES[game].vocabulary
    assert len(found["actions"]) == len(found["words"]) == len(vocabulary)
    assert [vocabulary.number(action) for action in found["actions"]] == list(range(len(vocabulary)))
    assert found["words"][0] == vocabulary[0].words()


def test_actions_may_be_kept_and_bear_an_etag() -> None:
    application = app()
    first = call(application, "GET", "/api/games/hanamikoji/actions")
    again = call(application, "GET", "/api/games/hanamikoji/actions", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["content-encoding"] == "gzip"


def test_rules_are_markdown() -> None:
    rules = call(app(), "GET", "/api/games/kohoju/rules")
    assert rules.headers["content-type"] == "text/markdown; charset=utf-8"
    assert rules.text == GAMES["kohoju"].rulebook()


def test_a_tutorial_is_told_whole_and_compressed() -> None:
    told = call(app(), "GET", "/api/games/kasane/tutorial")
    assert told.headers["content-encoding"] == "gzip"
    assert (told.json()["game"], told.json()["names"], told.json()["steps"][0]["kind"]) == ("kasane", ["Aoi"], "word")


def test_a_game_without_a_tutorial_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(SCRIPTS, "kimono")
    answer = call(app(), "GET", "/api/games/kimono/tutorial")
    assert (answer.status_code, answer.json()["detail"]) == (404, "there is no tutorial of this game")


@pytest.mark.parametrize("path", ["", "/actions", "/rules", "/tutorial"])
def test_an_unknown_game_is_refused_with_the_known_ones(path: str) -> None:
    answer = call(app(), "GET", f"/api/games/chess{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown game")
    assert "hanamikoji" in answer.json()["detail"]


def test_levels_are_told_from_the_weakest() -> None:
    told = call(app(), "GET", "/api/levels").json()["levels"]
    known = [level for level in LEVELS.values() if any(level.name in levels_of(game) for game in GAMES.values())]
    assert [(level["id"], level["title"]) for level in told] == [(level.name, level.title) for level in known]
    assert [level["seconds"] for level in told] == sorted(level.seconds for level in known)
    assert all(level["strength"] for level in told)
