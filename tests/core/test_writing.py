"""What a seat sees, written as bytes, is what the state and its view say."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from zashiki.core.layout import SPECTATOR, Field, Layout
from zashiki.core.match import Match
from zashiki.core.writing import Painter, _write_record, plan
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
    odd = plan(ODD)
    out = np.empty(odd.longest, np.uint8)
    count = _write_record(records.view(np.uint8), *odd, out, 0)
    assert msgspec.json.decode(out[:count].tobytes()) == ODD.to_json(records[0])


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_sees_is_written_as_its_view_tells_it(name: str) -> None:
    match, chance = Match(name, seed=5), random.Random(5)
    painter = Painter(match.game)
    for _ in range(60):
        for seat in (SPECTATOR, *range(match.seats)):
            view = match.view(seat)
            legal = match.legal_actions(seat).numbers if seat in match.to_act else []
            expected = {
                "view": view.to_json(),
                "to_act": [other for other in range(match.seats) if view.to_act() >> other & 1],
                "legal": legal,
                "scores": [list(parts.values()) for parts in view.scores()],
            }
            sight = painter.sight(match.state.records, seat)
            assert b"{%s}" % sight.text == msgspec.json.encode(expected)
            assert msgspec.json.decode(b"[%s]" % sight.legal) == legal
        if match.over:
            break
        seat = chance.choice(match.to_act)
        match.act(seat, chance.choice(match.legal_actions(seat)))


def test_whose_own_hand_does_not_decide_is_shown_no_legal_actions() -> None:
    match = Match("hanamikoji", seed=1)
    (seat,) = match.to_act
    sight = Painter(match.game).sight(match.state.records, seat, decides=False)
    assert b'"to_act":[%d],"legal":[],' % seat in sight.text


def test_nobody_may_act_where_the_match_does_not_go_on() -> None:
    match = Match("hanamikoji", seed=1)
    sight = Painter(match.game).sight(match.state.records, match.to_act[0], going_on=False)
    assert b'"to_act":[],"legal":[],' in sight.text
