"""What pages have from the code is all that there is in the code."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from docs._ext import commands, endpoints, games, socket, statistics
from docs._ext.markdown import lowered, table
from docs._ext.pages import filled
from docs._ext.schemas import kind_of

from tests.docs.blocks import ROOT
from tests.docs.shell import complaint
from zashiki import GAMES
from zashiki.cli import _parser
from zashiki.core import contract
from zashiki.core.observation import length
from zashiki.server import messages
from zashiki.server.errors import STATUS

HEADINGS = [
    "Rules",
    "Cards and house numbers",
    "Actions",
    "View",
    "Observation",
    "Scoring",
    "Statistics",
    "Version history",
]
every_game = pytest.mark.parametrize("game", GAMES)


def page(game: str) -> str:
    return (ROOT / "docs" / "games" / f"{game}.md").read_text("utf-8")


@every_game
def test_every_games_page_has_the_same_headings(game: str) -> None:
    assert re.findall(r"^## (.*)$", page(game), re.MULTILINE) == HEADINGS


@every_game
def test_a_games_page_tells_what_changed_in_every_version(game: str) -> None:
    told = re.findall(r"^- \*\*(\d+)\*\*: ", page(game).split("## Version history")[1], re.MULTILINE)
    assert sorted(map(int, told)) == list(range(1, GAMES[game].version + 1)), f"docs/games/{game}.md"


@every_game
def test_every_action_field_and_number_is_on_its_page(game: str) -> None:
    text = filled(page(game))
    for kind in {type(action) for action in GAMES[game].vocabulary.actions}:
        assert f'"type": "{kind.__struct_config__.tag}"' in text
    for field in GAMES[game].layout.fields:
        assert (f"| `{field.name}` |" in text) != field.secret
    assert f"{length(GAMES[game].observation) - 1} |" in text or f"{length(GAMES[game].observation):,} numbers" in text
    assert all(what in text for what in GAMES[game].house_numbers)


@every_game
def test_action_numbers_have_no_gap(game: str) -> None:
    spans = re.findall(r"^\| (\d+)(?:–(\d+))? \|", games.actions(game), re.MULTILINE)
    ends = [-1, *(int(last or first) for first, last in spans)]
    assert [int(first) for first, _ in spans] == [end + 1 for end in ends[:-1]]
    assert ends[-1] == len(GAMES[game].vocabulary) - 1


def test_the_rules_are_those_of_the_table() -> None:
    text = filled(page("hanamikoji"))
    assert "### A round" in text
    assert "Seven geisha with charm 2, 2, 2, 3, 3, 4, 5" in text


@pytest.mark.parametrize("file", sorted(statistics.FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_a_study_tells_a_command_that_exists(file: object) -> None:
    name = getattr(file, "stem", "")
    game = name.partition("-")[0]
    (command,) = re.findall(r"```sh\n(.*)\n```", statistics.statistics(name))
    assert complaint(command.split()) is None
    assert f"{game} --bot club --seats {name.partition('-')[2]} " in command
    assert f"```{{generated}} statistics {name}\n" in page(game)


def test_every_message_is_in_the_reference_with_every_field() -> None:
    text = socket.requests() + socket.answers()
    for kind in (*get_args(messages.Requests), *get_args(messages.Messages)):
        section = text.split(f"({kind.__name__.lower()})=")[1].split("####")[1]
        assert all(f"| `{field}` |" in section for field in kind.__struct_fields__), kind


def test_every_structure_that_is_linked_to_is_described() -> None:
    text = socket.requests() + socket.answers() + socket.structures()
    for linked in re.findall(r"\]\(#(\w+)\)", text):
        assert f"({linked})=" in text


def test_every_code_of_a_refusal_is_listed() -> None:
    assert all(f"| `{code}` | {status} |" in socket.refusals() for code, status in STATUS.items())


def test_every_operation_over_http_is_listed() -> None:
    text = endpoints.endpoints()
    for path, methods in endpoints.document()["paths"].items():
        for method in methods:
            assert f"### {method.upper()} {path}\n" in text


def test_every_command_is_listed_with_its_arguments() -> None:
    names = [name for name, _, _ in commands.every(_parser(), "zashiki")]
    text = commands.commands()
    assert {"zashiki play", "zashiki bench engine", "zashiki admin ban", "zashiki arena", "zashiki serve"} <= set(names)
    assert all(f"## {name}\n" in text for name in names)
    assert "| `--option NAME=VALUE` | an option of the game |" in text
    assert "| `--level beginner\\|club\\|expert\\|master` |" in text


def test_the_page_of_the_engine_has_the_whole_contract() -> None:
    text = (ROOT / "docs" / "engine.md").read_text("utf-8")
    assert all(f"\n| `{name}(" in text for name in contract.NAMES)
    assert all(f"`{name}`" in text for name in ("STATE", "ACTIONS", "PARTS", "FEATURES", "OBSERVATION", "VOCABULARY"))


def test_a_tables_cell_stays_in_its_cell() -> None:
    assert table(("a", "b"), [("x | y", "two\nlines")]).splitlines()[-1] == "| x \\| y | two lines |"


def test_a_page_inside_another_loses_its_title_and_its_headings_sink() -> None:
    assert lowered("# Title\n\n## Part\ntext\n", 1) == "### Part\ntext\n"


def test_schemas_are_told_in_words() -> None:
    assert kind_of({"anyOf": [{"type": "integer"}, {"type": "null"}]}) == "whole number or null"
    assert kind_of({"type": "array", "items": {"$ref": "#/x/SeatInfo"}}) == "list of [SeatInfo](#seatinfo)"
    assert kind_of({"type": "string", "minLength": 16, "maxLength": 16}) == "text of 16 characters"
    assert kind_of({"enum": ["left", "right"]}) == "`left` or `right`"
    assert kind_of({"type": "object", "additionalProperties": {"type": "string"}}) == "object of text"
    assert kind_of({"type": "array", "prefixItems": [{"type": "string"}] * 2}) == "2 × (text)"
    assert kind_of({}) == "anything"
