"""How boardgame.io's server is talked to: socket.io's protocol over engine.io 4, WebSocket only."""

from __future__ import annotations

from typing import Any

import msgspec

from zashiki.bench.load import Load, Player, Table
from zashiki.bench.wire import Wire, frame

SPACE = "/favours"
_EVENT = f"42{SPACE},".encode()
_WELCOME = f"40{SPACE},".encode()


class _Context(msgspec.Struct, gc=False):
    currentPlayer: str  # noqa: N815  # their word
    gameover: Any = None


class _View(msgspec.Struct, gc=False):
    hand: list[int]


class _State(msgspec.Struct, gc=False):
    G: _View
    ctx: _Context
    number: int = msgspec.field(name="_stateID")


class _Sync(msgspec.Struct, gc=False):
    state: _State


_update = msgspec.json.Decoder(tuple[str, str, _State, msgspec.Raw])
_sync = msgspec.json.Decoder(tuple[str, str, _Sync])


class BoardgameIo:
    """Matches made by synchronising with a new name, which is the cheapest way there is: no lobby, no credentials."""

    def __init__(self, port: int, name: str = "") -> None:
        self._address = ("127.0.0.1", port)
        self._name = name
        self._made = 0

    def seat(self, load: Load, tables: int, players: int) -> None:
        """Two sockets a table: a socket of theirs is in one match."""
        assert players == 2 * tables, "boardgame.io: one match a socket"
        for _ in range(tables):
            pair = self._player(load), self._player(load)
            load.tables.append(Table("", pair))
        load.until(lambda: all(player.account for player in load.players.values()), "connecting")
        for table in load.tables:
            self.renew(load, table)
        load.until(lambda: all(table.phase == 0 for table in load.tables), "starting matches")

    def _player(self, load: Load) -> Player:
        wire = Wire(self._address, "/socket.io/?EIO=4&transport=websocket", {"Origin": "http://127.0.0.1"})
        player = load.join(Player(wire))
        player.send(f"40{SPACE},")
        return player

    def renew(self, load: Load, table: Table) -> None:
        """A match under a new name; the second player comes when the first has seen it, or there would be two matches."""
        self._made += 1
        for player in table.players:
            player.tables.clear()
        table.id = f"{self._name}{self._made}"
        table.over, table.versions, table.actor = False, [-1, -1], 0
        self._synchronise(table, 0)

    def _synchronise(self, table: Table, side: int) -> None:
        table.players[side].tables[table.id] = table, side
        table.players[side].send(f'42{SPACE},["sync","{table.id}","{side}",null,2]')

    def receive(self, load: Load, player: Player, text: bytes, at: float) -> None:
        """An update after a move, a whole match after synchronising, or the protocol's own."""
        if text.startswith(_EVENT):
            self._event(load, player, text[len(_EVENT) :], at)
        elif text == b"2":
            player.send("3")
        elif text.startswith(_WELCOME):
            player.account = 1
        elif not text.startswith(b"0"):
            load.errors[text[:80].decode()] += 1

    def _event(self, load: Load, player: Player, event: bytes, at: float) -> None:
        if event.startswith(b'["update"'):
            _, match, state, _ = _update.decode(event)
            if place := player.tables.get(match):
                self._bring(place, state)
                load.saw(*place, at)
        elif event.startswith(b'["sync"'):
            _, match, whole = _sync.decode(event)
            if place := player.tables.get(match):
                self._synchronised(load, place, whole.state)
        elif not event.startswith(b'["matchData"'):
            load.errors[event[:80].decode()] += 1

    def _synchronised(self, load: Load, place: tuple[Table, int], state: _State) -> None:
        table, side = place
        self._bring(place, state)
        if side == 0:
            self._synchronise(table, 1)
        else:
            load.begun(table)

    def _bring(self, place: tuple[Table, int], state: _State) -> None:
        table, side = place
        table.versions[side] = state.number
        if state.ctx.gameover is not None:
            table.over = True
        elif int(state.ctx.currentPlayer) == side:
            table.actor, table.legal = side, range(len(state.G.hand))

    def return_to(self, load: Load, table: Table) -> float:
        """Its matches are in memory only."""
        raise NotImplementedError("boardgame.io's server has nothing to come back to")

    def move(self, table: Table, choice: float) -> bytes:
        """A card from any place in the hand."""
        side, place = table.actor, int(choice * len(table.legal))
        text = (
            f'42{SPACE},["update",{{"type":"MAKE_MOVE","payload":{{"type":"play","args":[{place}],"playerID":"{side}"}}}},'
            f'{table.versions[side]},"{table.id}","{side}"]'
        )
        return frame(text.encode())
