"""Refusals over HTTP, written as RFC 9457 (problem+json) says."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Send

from zashiki.server import logs
from zashiki.server.errors import STATUS, Code, Refused
from zashiki.server.http.headers import with_headers

MEDIA_TYPE = "application/problem+json"
LONGEST = 500
"""Characters of a reason; a client's own long words are not sent back."""

_log = logging.getLogger("zashiki.http")

_CODES: dict[int, Code] = {
    400: "malformed",
    401: "unauthorized",
    403: "forbidden",
    404: "not found",
    405: "wrong method",
    413: "too large",
    415: "wrong content type",
    422: "malformed",
    429: "too many",
    503: "unavailable",
}
_REASONS: dict[Code, str] = {
    "not found": "there is nothing at this address; /api/openapi.json tells what there is",
    "wrong method": "this address does not answer to that method; the header Allow names those it does",
    "too large": "a request's body may have 64 KiB at most",
}


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A refusal; nothing was changed. `code` is for programs, `detail` for people, `request_id` for whoever reads the log."""

    title: str
    status: int
    detail: str
    code: Code
    type: str = "about:blank"
    retry_after_ms: int | None = None
    request_id: str | None = None


def problem(refused: Refused) -> Problem:
    """A refusal as it is sent."""
    return Problem(
        title=HTTPStatus(refused.status).phrase,
        status=refused.status,
        detail=refused.reason[:LONGEST],
        code=refused.code,
        retry_after_ms=refused.retry_after_ms,
        request_id=logs.request_id(),
    )


def headers(refused: Refused) -> dict[str, str]:
    """The headers that belong to a refusal."""
    found = {"cache-control": "no-store"}
    if refused.retry_after_ms is not None:
        found["retry-after"] = str(max(1, -(-refused.retry_after_ms // 1000)))
    if refused.status == 401:
        found["www-authenticate"] = 'Bearer realm="zashiki"'
    return found


async def send_refusal(refused: Refused, send: Send, *, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Sends a refusal without Litestar."""
    body = msgspec.json.encode(problem(refused))
    named = [(name.encode(), value.encode()) for name, value in headers(refused).items()]
    fixed = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": [*fixed, *named, *more]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def turn_away(refused: Refused, send: Callable[[Any], Awaitable[None]]) -> None:
    """Refuses a socket before it is one, over HTTP."""

    async def sending(message: Any) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    await send_refusal(refused, with_headers(sending, secure=False))


def as_refused(error: Exception) -> Refused:
    """What an error means for whoever asked; of our own mistakes nothing is told."""
    if isinstance(error, Refused):
        return error
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = _CODES.get(status, "malformed" if 400 <= status < 500 else "broken")
    if code == "broken":
        return Refused("broken", "something went wrong here, and it was written into the server's log")
    assert isinstance(error, HTTPException)
    return Refused(code, _REASONS.get(code) or _details(error))


def _details(error: HTTPException) -> str:
    if not isinstance(error.extra, list):
        return error.detail
    if any(each.get("key") == "data" for each in error.extra):
        return "the request needs a body, as application/json"
    return "; ".join(f"{each.get('key', 'the request')}: {each.get('message', 'wrong')}" for each in error.extra)


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Litestar's handler of every error."""
    refused = as_refused(error)
    if refused.code == "broken":
        _log.error("an answer failed", exc_info=error)
    allowed = (error.headers or {}) if isinstance(error, HTTPException) else {}
    return Response(problem(refused), status_code=refused.status, media_type=MEDIA_TYPE, headers={**allowed, **headers(refused)})


EXCEPTION_HANDLERS: dict[int | type[Exception], Any] = {Refused: answer, HTTPException: answer, Exception: answer}

_MEANINGS = {
    400: "the request is malformed",
    401: "nobody is signed in: send the cookie or a token",
    403: "not for this account",
    404: "there is no such thing, or not for this account",
    409: "not at this moment of the table",
    413: "the body is larger than 64 KiB",
    415: "the body is not application/json",
    422: "the request cannot be carried out as it stands",
    429: "too many requests: what was exceeded, and in Retry-After when to come back",
    503: "the server cannot reach its store, or is going down",
}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The documentation of refusals; some can always happen."""
    wanted = sorted({*statuses, 400, 429, 503})
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=_MEANINGS[status], media_type=MEDIA_TYPE)
        for status in wanted
    }


assert set(_MEANINGS) <= set(STATUS.values())
