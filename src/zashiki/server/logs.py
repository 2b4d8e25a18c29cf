"""Structured logs on the standard library: JSON lines for programs, or text for people, and no secret in either.

A line knows the request, account and table it is about. Tables appear under their `mark`, because their ids open private ones.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Sequence
from contextvars import ContextVar
from http.cookies import CookieError, SimpleCookie
from secrets import token_hex
from typing import Any, Literal, TextIO

import msgspec

from zashiki.server.redaction import mark, redacted

FIELDS = ("request", "account", "table", "method", "path", "status", "kind", "code", "ms")
"""What a line may carry besides its words, given as `extra`."""

Headers = Sequence[tuple[bytes, bytes]]


class Subject:
    """What is being worked on: known to every line written meanwhile, in whichever task."""

    __slots__ = ("account", "headers", "request", "table")

    def __init__(self, request: str, headers: Headers = ()) -> None:
        self.request = request
        self.headers = headers
        self.account: int | None = None
        self.table: str | None = None

    def secrets(self) -> tuple[str, ...]:
        """What this request itself must keep secret."""
        found: list[str] = []
        for name, value in self.headers:
            text = value.decode("latin-1")
            if name in (b"authorization", b"proxy-authorization"):
                found += [text, text.partition(" ")[2]]
            elif name == b"cookie":
                found += [text, *_cookies(text)]
        return tuple(each for each in found if len(each) >= 4)


def _cookies(text: str) -> list[str]:
    try:
        return [morsel.value for morsel in SimpleCookie(text).values()]
    except CookieError:
        return [part.partition("=")[2].strip() for part in text.split(";")]


_subject: ContextVar[Subject | None] = ContextVar("subject", default=None)


def begin(headers: Headers = ()) -> Subject:
    """From here on, in this task and those it starts, lines are about a new request."""
    subject = Subject(token_hex(6), headers)
    _subject.set(subject)
    return subject


def about(*, account: int | None = None, table: str | None = None) -> None:
    """The present request is about this account or table."""
    subject = _subject.get()
    if subject is None:
        return
    if account is not None:
        subject.account = account
    if table is not None:
        subject.table = mark(table)


def request_id() -> str | None:
    """The present request's name in the log."""
    subject = _subject.get()
    return subject.request if subject else None


class Redactor(logging.Filter):
    """Completes a line with what it is about, and strikes secrets out of it, its traceback included."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets the line through, changed."""
        subject = _subject.get()
        secrets = subject.secrets() if subject else ()
        record.msg, record.args = redacted(record.getMessage(), secrets), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redacted(record.exc_text, secrets)
        for name in FIELDS:
            value = getattr(record, name, None)
            if isinstance(value, str) and name not in ("request", "table"):
                setattr(record, name, redacted(value, secrets))
            elif value is None and name in ("request", "account", "table"):
                setattr(record, name, getattr(subject, name, None))
        return True


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a line carries besides its words."""
    found = {name: getattr(record, name, None) for name in FIELDS}
    return {name: value for name, value in found.items() if value is not None}


class JsonLines(logging.Formatter):
    """A line is a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The object."""
        line: dict[str, Any] = {
            "at": int(record.created * 1000),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **fields(record),
        }
        if record.exc_text:
            line["traceback"] = record.exc_text
        return msgspec.json.encode(line).decode()


class Text(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, words, and the rest in brackets."""
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        rest = " ".join(f"{name}={value}" for name, value in fields(record).items())
        # A client's words must not be able to begin a new line.
        words = record.getMessage().replace("\r", " ").replace("\n", "\n    ")
        line = f"{clock} {record.levelname.lower():<7} {words}" + (f"  [{rest}]" if rest else "")
        return line + (f"\n{record.exc_text}" if record.exc_text else "")


def configure(
    form: Literal["json", "text"] = "text", *, stream: TextIO | None = None, level: int = logging.INFO
) -> logging.Handler:
    """Sends all lines, those of uvicorn too, through the redactor; run uvicorn with `log_config=None, access_log=False`."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Text())
    handler.addFilter(Redactor())
    root = logging.getLogger()
    for old in list(root.handlers):
        if any(isinstance(each, Redactor) for each in old.filters):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    # Every socket that opens and closes is no news, the measures count them; nor is how Alembic sets itself up.
    for name in ("uvicorn.error", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True
    return handler
