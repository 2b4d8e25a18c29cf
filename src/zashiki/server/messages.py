"""Every message of the socket as a tagged structure. `docs/protocol.md` tells the same in words.

What a client sends is a request with its own number, `request`; it is answered exactly once: by `done`, by `refused`, or by the
`state` or `lobby` message that bears the same number.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from zashiki.server.errors import Code
from zashiki.server.settings import TableSettings

PROTOCOL = 1
TALK_LENGTH = 300
TableId = Annotated[str, msgspec.Meta(min_length=16, max_length=16)]


class Request(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What a client asks for. `request` counts up in each client; the same number again is the same request."""

    request: Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Ping(Request, frozen=True, tag="ping"):
    """Is anybody there?"""


class Lobby(Request, frozen=True, tag="lobby"):
    """Show me the open tables, now and as they change; or no more."""

    on: bool = True


class TableRequest(Request, frozen=True, kw_only=True):
    """A request about one table."""

    table: TableId


class Watch(TableRequest, frozen=True, kw_only=True, tag="watch"):
    """Show me this table now and whenever it changes. `version`: the last one I have seen."""

    version: int | None = None


class Unwatch(TableRequest, frozen=True, tag="unwatch"):
    """I do not look at this table any more."""


class Sit(TableRequest, frozen=True, kw_only=True, tag="sit"):
    """I take this seat, or any. The host may put a bot of that level there."""

    seat: int | None = None
    bot: str | None = None


class Stand(TableRequest, frozen=True, kw_only=True, tag="stand"):
    """I leave my seat before the start. The host may empty any."""

    seat: int | None = None


class Start(TableRequest, frozen=True, tag="start"):
    """The host begins; empty seats must be none."""


class Act(TableRequest, frozen=True, kw_only=True, tag="act"):
    """My seat does this: an action's number or its structure. `version`: refuse if my decision is another by now."""

    action: int | dict[str, Any]
    version: int | None = None


class Resign(TableRequest, frozen=True, tag="resign"):
    """I give up."""


class TakeBack(TableRequest, frozen=True, kw_only=True, tag="take back"):
    """I ask to take my last action back, or I answer whoever asked."""

    answer: Literal["ask", "agree", "refuse"] = "ask"


class Rematch(TableRequest, frozen=True, kw_only=True, tag="rematch"):
    """I want to play again with the same people and options, or I do not."""

    agree: bool = True


class Close(TableRequest, frozen=True, tag="close"):
    """The host closes a table before its match began, or all agree to abandon it."""


class Talk(TableRequest, frozen=True, kw_only=True, tag="talk"):
    """I say something at this table."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=TALK_LENGTH)]


Requests = Ping | Lobby | Watch | Unwatch | Sit | Stand | Start | Act | Resign | TakeBack | Rematch | Close | Talk


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """What the server sends."""


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The first message: who you are here, and what time it is."""

    protocol: int
    account: int
    name: str
    kind: str
    now: int


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """The request was carried out; `version` is that of the table afterwards, where there is one."""

    request: int
    table: str | None = None
    version: int | None = None
    repeated: bool = False


class RefusedMessage(Message, frozen=True, kw_only=True, tag="refused"):
    """The request was not carried out and changed nothing."""

    request: int | None
    code: Code
    reason: str
    table: str | None = None
    retry_after_ms: int | None = None


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who sits in a seat. `bot`: the level of a bot of the house. `program`: an account that a program plays for."""

    name: str | None = None
    account: int | None = None
    bot: str | None = None
    program: bool = False
    away: bool = False
    resigned: bool = False


class ClockInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much time each seat had left in the moment `at`, and for whom it runs."""

    at: int
    left: list[int]
    running: list[int]


class LogLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the table's log as you were told it. `action` stands in those of kind `act`."""

    # What is `Any` the server has encoded already, as `msgspec.Raw`: a union with that could not be decoded by clients.

    kind: str
    at: int
    seat: int | None = None
    action: Any = None
    revealed: bool = False
    detail: Any = None


class OutcomeInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Who won, and why the match ended."""

    winners: list[int]
    reason: str


class TableState(Message, frozen=True, kw_only=True, tag="state"):
    """A table as you may know it. `version` counts the lines you were told; `events` are those after `since`.

    `game`, `settings` and `host` never change and stand only in the answer to `watch`, as does `present`: the seats whose people
    are connected, of which a message of its own tells later.

    `legal`: the numbers of your legal actions; `/api/games/{game}/actions` says what they mean. `decision`: the version at
    which your present decision came up. `scores`: each seat's points if the match ended now, as far as you may know them, by the
    parts that `/api/games/{game}` names.
    """

    request: int | None = None
    table: str
    version: int
    since: int
    status: str
    seat: int | None
    seats: list[SeatInfo]
    game: str | None = None
    settings: Any = None
    host: int | None = None
    view: Any = None
    to_act: list[int] = []
    legal: list[int] = []
    decision: int = 0
    scores: list[list[int]] = []
    outcome: OutcomeInfo | None = None
    clock: ClockInfo | None = None
    asked_back: int | None = None
    agreed_back: list[int] = []
    abandoning: list[int] = []
    rematch: list[int] = []
    next: str | None = None
    present: list[int] = []
    events: list[LogLine] = []


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be opened. `seat`: the host's own, null for a host who only watches. `bots`: their levels by seat."""

    game: str
    seats: int | None = None
    settings: TableSettings = TableSettings()
    seat: int | None = 0
    bots: dict[int, str] = {}
    start: bool = False


class Present(Message, frozen=True, kw_only=True, tag="present"):
    """Which seats' people are connected now."""

    table: str
    seats: list[int]


class TalkLine(Message, frozen=True, kw_only=True, tag="talk"):
    """Somebody said something."""

    table: str
    number: int
    account: int
    name: str
    at: int
    text: str


class TableInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table in a list."""

    id: str
    game: str
    status: str
    seats: list[SeatInfo]
    settings: dict[str, Any]
    host: int
    created_at: int
    updated_at: int
    waits_for_me: bool = False


class LobbyMessage(Message, frozen=True, kw_only=True, tag="lobby"):
    """The open tables, all of them."""

    request: int | None = None
    tables: list[TableInfo]


class LobbyChange(Message, frozen=True, kw_only=True, tag="lobby change"):
    """One open table is new or has changed (`table`), or is open no more (`gone`)."""

    table: TableInfo | None = None
    gone: str | None = None


class YourTurn(Message, frozen=True, kw_only=True, tag="your turn"):
    """A table that you do not look at waits for you."""

    table: str
    game: str


class Goodbye(Message, frozen=True, kw_only=True, tag="goodbye"):
    """The server ends this connection: come again at once (`restart`), later, or not at all (`banned`, `signed out`)."""

    reason: Literal["restart", "banned", "signed out", "too slow", "too many", "malformed"]


Messages = Welcome | Done | RefusedMessage | TableState | Present | TalkLine | LobbyMessage | LobbyChange | YourTurn | Goodbye
