"""`docs/protocol.md` tells the truth: every message is in it, and every example is one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from zashiki.server import messages
from zashiki.server.log import Kind

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
EXAMPLES: list[str] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
EITHER = (msgspec.json.Decoder(messages.Requests), msgspec.json.Decoder(messages.Messages))


def understood(example: str) -> list[Any]:
    found = []
    for decoder in EITHER:
        try:
            found.append(decoder.decode(example))
        except msgspec.ValidationError:
            continue
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(json.loads(example)["type"]))
def test_an_example_is_a_message(example: str) -> None:
    assert understood(example)


def test_every_message_has_an_example() -> None:
    shown = {type(message) for example in EXAMPLES for message in understood(example)}
    assert shown >= {*get_args(messages.Requests), *get_args(messages.Messages)}


def test_every_field_of_a_table_and_every_kind_of_line_is_explained() -> None:
    for field in messages.TableState.__struct_fields__:
        assert f"`{field}`" in PAGE or field in ("request", "table"), field
    for kind in Kind:
        assert f"`{kind.word}`" in PAGE, kind.word


def test_a_server_message_has_no_field_that_it_does_not_know() -> None:
    for example in EXAMPLES:
        for message in understood(example):
            known = {*message.__struct_fields__, "type"}
            assert set(json.loads(example)) <= known, example
