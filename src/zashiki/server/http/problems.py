"""Refusals over HTTP, as problem+json."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response
from litestar.openapi.datastructures import ResponseSpec

from zashiki.server.errors import Refused

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal; nothing was changed."""

    status: int
    detail: str
    code: str
    retry_after_ms: int | None = None


def answer(request: Request[Any, Any, Any], refused: Refused) -> Response[Problem]:
    """A refusal as it is sent."""
    content = Problem(status=refused.status, detail=refused.reason, code=refused.code, retry_after_ms=refused.retry_after_ms)
    return Response(content, status_code=refused.status, media_type=MEDIA_TYPE)


EXCEPTION_HANDLERS: dict[int | type[Exception], Any] = {Refused: answer}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The documentation of refusals; some can always happen."""
    return {status: ResponseSpec(Problem, generate_examples=False) for status in sorted({*statuses, 400, 429, 503})}
