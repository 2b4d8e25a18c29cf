"""What the server refuses, one code each, the same over HTTP and over the socket."""

from __future__ import annotations

from typing import Literal, get_args

Code = Literal[
    "malformed",
    "unauthorized",
    "forbidden",
    "wrong origin",
    "wrong host",
    "wrong method",
    "wrong content type",
    "not found",
    "unknown game",
    "unknown table",
    "wrong settings",
    "wrong match",
    "not seated",
    "seat taken",
    "table full",
    "not the host",
    "already started",
    "not started",
    "match over",
    "not over",
    "not your turn",
    "illegal action",
    "stale",
    "nothing to answer",
    "nothing to take back",
    "name taken",
    "wrong credentials",
    "sign in again",
    "still seated",
    "last way in",
    "banned",
    "too large",
    "too many",
    "unavailable",
    "broken",
]

STATUS: dict[Code, int] = {
    "malformed": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "wrong origin": 403,
    "wrong host": 421,
    "wrong method": 405,
    "wrong content type": 415,
    "not found": 404,
    "unknown game": 404,
    "unknown table": 404,
    "wrong settings": 422,
    "wrong match": 422,
    "not seated": 403,
    "seat taken": 409,
    "table full": 409,
    "not the host": 403,
    "already started": 409,
    "not started": 409,
    "match over": 409,
    "not over": 409,
    "not your turn": 409,
    "illegal action": 422,
    "stale": 409,
    "nothing to answer": 409,
    "nothing to take back": 409,
    "name taken": 409,
    "wrong credentials": 401,
    "sign in again": 403,
    "still seated": 409,
    "last way in": 409,
    "banned": 403,
    "too large": 413,
    "too many": 429,
    "unavailable": 503,
    "broken": 500,
}
assert set(STATUS) == set(get_args(Code))


class Refused(Exception):
    """A request that is answered with a refusal: a code for programs, a reason for people. It changes nothing."""

    def __init__(self, code: Code, reason: str, *, retry_after_ms: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.retry_after_ms = retry_after_ms

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]
