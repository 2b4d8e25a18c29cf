"""The generated types are those of the code."""

from __future__ import annotations

from pathlib import Path

from zashiki.server import typescript as server
from zashiki.typescript import FILE, NUMBERS_FILE, numbers, source

ROOT = Path(__file__).parents[1]


def test_the_types_are_not_stale() -> None:
    assert (ROOT / FILE).read_text("utf-8") == source(), "run `make types`"


def test_the_numbers_of_the_rules_pages_are_not_stale() -> None:
    assert (ROOT / NUMBERS_FILE).read_text("utf-8") == numbers(), "run `make types`"


def test_the_types_of_the_server_are_not_stale() -> None:
    assert (ROOT / server.FILE).read_text("utf-8") == server.source(), "run `make types`"


def test_everything_of_the_server_has_a_type() -> None:
    text = server.source()
    assert '  "type": "take back";' in text
    assert '  "view"?: Views[GameId] | null;' in text
    assert '  "POST /api/tables": { query?: { companion?: number }; body: NewTable; answer: NewTableId };' in text
    assert "undefined" not in text
    assert "None" not in text


def test_hidden_parts_of_a_view_and_of_an_action_may_be_null() -> None:
    text = source()
    assert "  hands: (number | null)[][];" in text
    assert '  "type": "trade-off";' in text
    assert "undefined" not in text
