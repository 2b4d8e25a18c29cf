"""The protocol of boardgame.io's server, from messages that one has sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zashiki.bench.boardgameio import BoardgameIo
from zashiki.bench.load import MOVING, READY, Load, Player, Table
from zashiki.bench.wire import Wire, split


class PaperWire(Wire):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, whole: bytes) -> None:
        """Keeps it, without the mask of zeros, as a server's frame would be."""
        size = 4 if whole[1] & 127 == 126 else 2
        self.sent.append(bytes((whole[0], whole[1] & 127)) + whole[2:size] + whole[size + 4 :])

    def words(self) -> list[str]:
        """What was sent since this was asked last."""
        messages, _ = split(b"".join(self.sent))
        self.sent.clear()
        return [payload.decode() for _, payload in messages]


@pytest.fixture
def table() -> Table:
    return Table("", (Player(PaperWire()), Player(PaperWire())))


@pytest.fixture
def load(table: Table) -> Load:
    load = Load(BoardgameIo(1, "m"), seed=1)
    load.tables.append(table)
    return load


def words(table: Table, side: int) -> list[str]:
    wire = table.players[side].wire
    assert isinstance(wire, PaperWire)
    return wire.words()


def state(number: int, player: str, **more: Any) -> dict[str, Any]:
    context = {"numPlayers": 2, "turn": number, "currentPlayer": player, **more}
    return {"G": {"hand": [3, 3, 5], "handSizes": [3, 3]}, "ctx": context, "plugins": {}, "_stateID": number}


def hear(load: Load, table: Table, side: int, *event: Any) -> None:
    text = "42/favours," + json.dumps(event, separators=(",", ":"))
    load.dialect.receive(load, table.players[side], text.encode(), 2.0)


def begin(load: Load, table: Table) -> None:
    load.dialect.renew(load, table)
    for side in (0, 1):
        hear(load, table, side, "sync", "m1", {"state": state(0, "0"), "log": []})


def test_the_second_player_synchronises_when_the_first_has(load: Load, table: Table) -> None:
    load.dialect.renew(load, table)
    assert words(table, 0) == ['42/favours,["sync","m1","0",null,2]']
    assert words(table, 1) == []
    hear(load, table, 0, "sync", "m1", {"state": state(0, "0"), "log": []})
    assert words(table, 1) == ['42/favours,["sync","m1","1",null,2]']
    hear(load, table, 1, "sync", "m1", {"state": state(0, "0"), "log": []})
    assert table.phase == READY


def test_a_move_names_a_place_in_the_hand_and_the_state_it_was_made_in(load: Load, table: Table) -> None:
    begin(load, table)
    words(table, 0)
    load._send(table, 1.0)
    payload = {"type": "MAKE_MOVE", "payload": {"type": "play", "args": [0], "playerID": "0"}}
    (sent,) = words(table, 0)
    assert json.loads(sent.removeprefix("42/favours,")) == ["update", payload, 0, "m1", "0"]


def test_a_move_is_over_when_both_have_had_the_update(load: Load, table: Table) -> None:
    begin(load, table)
    load._send(table, 1.0)
    hear(load, table, 0, "update", "m1", state(1, "1"), [])
    assert table.phase == MOVING
    hear(load, table, 1, "update", "m1", state(1, "1"), [])
    assert (table.phase, table.actor) == (READY, 1)


def test_a_finished_match_is_followed_by_another_under_a_new_name(load: Load, table: Table) -> None:
    begin(load, table)
    load._send(table, 1.0)
    for side in (0, 1):
        hear(load, table, side, "update", "m1", state(1, "1", gameover={"points": [1, 2]}), [])
    assert table.id == "m2"
    assert words(table, 0)[-1] == '42/favours,["sync","m2","0",null,2]'


def test_pings_are_answered_and_the_unknown_is_an_error(load: Load, table: Table) -> None:
    for text in (b"2", b'0{"sid":"x"}', b'40/favours,{"sid":"y"}', b'42/favours,["matchData","m1",[]]', b"44no"):
        load.dialect.receive(load, table.players[0], text, 0.0)
    assert words(table, 0) == ["3"]
    assert table.players[0].account
    assert load.mistakes() == {"44no": 1}
