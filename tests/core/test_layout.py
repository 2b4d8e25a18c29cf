"""One declaration of the record: dtype, JSON form and TypeScript."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zashiki.core.errors import MalformedView
from zashiki.core.layout import COMMON, Field, Layout

TINY = Layout(
    "tiny",
    phases=("over", "turn"),
    endings=("", "done"),
    own=(
        Field("cards", "i1", (2, 2), "cards", hidden=True),
        Field("total", "i2", (), "points"),
        Field("colour", "i1", (3,), "colours", names=("red", "blue")),
    ),
)


def test_the_record_begins_with_the_common_fields_and_is_packed() -> None:
    assert [field.name for field in TINY.fields[: len(COMMON)]] == [field.name for field in COMMON]
    assert TINY.dtype.itemsize == 84 + 4 + 1 + 4 + 2 + 3 + 2
    assert TINY.dtype.isalignedstruct


def test_json_has_words_and_null_for_the_unknown_and_no_secrets() -> None:
    record = TINY.new(1)[0]
    record.cards[:] = [[-1, 2], [3, -2]]
    record.total = -1
    record.colour[:] = [1, 0, -2]
    plain = TINY.to_json(record)
    assert plain["cards"] == [[None, 2], [3, -2]]
    assert plain["total"] == -1
    assert plain["colour"] == ["blue", "red", -2]
    assert plain["phase"] == "over"
    assert "rng_key" not in plain


def plain_view() -> dict[str, Any]:
    record = TINY.new(1)[0]
    record.cards[:] = [[-1, 2], [3, -2]]
    record.colour[:] = [1, 0, -2]
    return TINY.to_json(record)


def test_a_view_is_read_back_with_everything_unknown_that_was_not_told() -> None:
    records = TINY.from_json(plain_view())
    assert records["cards"][0].tolist() == [[-1, 2], [3, -2]]
    assert records["colour"][0].tolist() == [1, 0, -2]
    assert set(records["rng_key"].tobytes()) == {0xFF}
    assert TINY.to_json(records[0]) == plain_view()


@pytest.mark.parametrize(
    "wrong",
    [
        {"cards": [[None, 2]]},
        {"cards": [[None, 2], [3]]},
        {"total": 1 << 20},
        {"total": None},
        {"total": 1.5},
        {"total": [1]},
        {"colour": ["green", "red", -2]},
        {"phase": True},
    ],
    ids=str,
)
def test_what_is_no_view_is_refused_with_the_field_that_is_wrong(wrong: dict[str, Any]) -> None:
    (field,) = wrong
    with pytest.raises(MalformedView, match=field):
        TINY.from_json(plain_view() | wrong)
    with pytest.raises(MalformedView, match=field):
        TINY.from_json({name: value for name, value in plain_view().items() if name != field})


def test_typescript_says_the_same() -> None:
    lines = TINY.typescript("TinyView")
    assert lines.startswith("export interface TinyView {")
    assert "  cards: (number | null)[][];" in lines
    assert "  total: number;" in lines
    assert '  colour: ("red" | "blue" | number)[];' in lines
    assert '  phase: "over" | "turn" | number;' in lines
    assert "rng" not in lines


def test_a_copied_array_has_the_same_bytes() -> None:
    records = TINY.new(3)
    records["padding"] = 7
    assert records.copy().tobytes() == records.tobytes()
    assert np.zeros(1, TINY.dtype)[0].total == 0
