"""What the server tells, read: the structures of `zashiki.server.messages`, and a table's state with a little more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import msgspec

from zashiki.server import messages

Encoding = Literal["json", "msgpack"]


class State(messages.TableState, frozen=True, kw_only=True, tag="state", omit_defaults=True):
    """A table as you may know it; see `TableState`. `events` are those since the state you were given before."""

    game: str = ""
    host: int = 0
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    view: dict[str, Any] | None = None

    @property
    def match_over(self) -> bool:
        """Whether nobody will act here any more."""
        return self.status in ("over", "closed")

    @property
    def my_turn(self) -> bool:
        """Whether I have something to decide."""
        return bool(self.legal)


Heard = (
    messages.Welcome
    | messages.Done
    | messages.RefusedMessage
    | State
    | messages.Present
    | messages.TalkLine
    | messages.LobbyMessage
    | messages.LobbyChange
    | messages.YourTurn
    | messages.Goodbye
)


class Codec(NamedTuple):
    """How messages are written and read. JSON travels as text, MessagePack as bytes."""

    encode: Callable[[messages.Request], str | bytes]
    decode: Callable[[str | bytes], Heard]


_json = msgspec.json.Decoder(Heard)
_msgpack = msgspec.msgpack.Decoder(Heard)

CODECS: dict[Encoding, Codec] = {
    "json": Codec(lambda request: msgspec.json.encode(request).decode(), _json.decode),
    "msgpack": Codec(msgspec.msgpack.encode, lambda text: _msgpack.decode(text.encode() if isinstance(text, str) else text)),
}
