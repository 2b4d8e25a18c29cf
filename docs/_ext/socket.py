"""The messages of the socket, field by field."""

from __future__ import annotations

from typing import Any, get_args

from docs._ext.markdown import code, paragraphs, table
from docs._ext.schemas import Schema, described, fields

from zashiki.server import messages
from zashiki.server.errors import STATUS


def requests() -> str:
    """What a client may send."""
    return _structures(get_args(messages.Requests), "ask: ")


def answers() -> str:
    """What the server sends."""
    return _structures(get_args(messages.Messages), "told: ")


def structures() -> str:
    """What stands inside messages, and what is asked when a table is opened."""
    tagged = {kind.__name__ for kind in (*get_args(messages.Requests), *get_args(messages.Messages))}
    found = dict(described([messages.Messages, messages.NewTable]))
    return paragraphs(*(_structure(name, schema, name) for name, schema in sorted(found.items()) if name not in tagged))


def refusals() -> str:
    """Every code of a refusal."""
    return table(("code", "status over HTTP"), [(code(name), status) for name, status in STATUS.items()])


def _structures(kinds: tuple[Any, ...], title: str) -> str:
    found = dict(described(list(kinds)))
    return paragraphs(*(_structure(each.__name__, found[each.__name__], f"{title}{_tag(each)}") for each in kinds))


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _structure(name: str, schema: Schema, title: str) -> str:
    return paragraphs(f"({name.lower()})=\n#### {title}", schema.get("description", ""), fields(schema))
