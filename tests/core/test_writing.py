"""Views written as bytes say what `to_json` says."""

from __future__ import annotations

import random

import msgspec
import pytest

from zashiki.core.layout import SPECTATOR, Field, Layout
from zashiki.core.match import Match
from zashiki.core.writing import ViewWriter
from zashiki.games import GAMES

ODD = Layout(
    "odd",
    phases=("over", 'say "so"'),
    endings=("", "done"),
    own=(
        Field("cube", "i1", (2, 1, 3), "nested", hidden=True),
        Field("wide", "i4", (2,), "numbers of every sign"),
        Field("colour", "i2", (3,), "words and none", names=("röd", "blue")),
        Field("bits", "u4", (), "the highest bit too"),
    ),
)


def test_every_kind_of_field_is_written_as_json_has_it() -> None:
    records = ODD.new(1)
    records[0].phase = 1
    records[0].cube[:] = [[[-1, 2, -2]], [[3, -128, 127]]]
    records[0].wide[:] = [-2147483648, 2147483647]
    records[0].colour[:] = [1, 0, -2]
    records[0].bits = 0xFFFFFFFF
    assert msgspec.json.decode(ViewWriter(ODD).write(records)) == ODD.to_json(records[0])


@pytest.mark.parametrize("name", GAMES)
def test_the_views_of_a_match_are_written_as_they_are_told(name: str) -> None:
    match, chance = Match(name, seed=5), random.Random(5)
    writer = ViewWriter(match.game.layout)
    for _ in range(60):
        for seat in (SPECTATOR, *range(match.seats)):
            view = match.view(seat)
            assert writer.write(view.records) == msgspec.json.encode(view.to_json())
        if match.over:
            break
        seat = chance.choice(match.to_act)
        match.act(seat, chance.choice(match.legal_actions(seat)))
