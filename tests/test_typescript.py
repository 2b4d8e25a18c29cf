"""The generated types are those of the code."""

from __future__ import annotations

from pathlib import Path

from zashiki.typescript import FILE, source

ROOT = Path(__file__).parents[1]


def test_the_types_are_not_stale() -> None:
    assert (ROOT / FILE).read_text("utf-8") == source(), "run `make types`"


def test_hidden_parts_of_a_view_and_of_an_action_may_be_null() -> None:
    text = source()
    assert "  hands: (number | null)[][];" in text
    assert '  "type": "trade-off";' in text
    assert "undefined" not in text
