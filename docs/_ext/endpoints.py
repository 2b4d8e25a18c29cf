"""The HTTP interface, from the same document that the server gives out at `/api/openapi.json`."""

from __future__ import annotations

from functools import cache
from typing import Any

from docs._ext.markdown import code, paragraphs, table
from docs._ext.schemas import Schema, fields, kind_of


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    from zashiki.server.app import described
    from zashiki.server.http.document import document

    found: dict[str, Any] = document(described())
    return found


def endpoints() -> str:
    """Every operation, by what it is about."""
    return paragraphs(*(_group(group) for group in dict.fromkeys(_tag(each) for _, _, each in _operations())))


def _operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]


def _tag(operation: dict[str, Any]) -> str:
    return str(operation.get("tags", ["other"])[0])


def _group(name: str) -> str:
    told = [_operation(*each) for each in _operations() if _tag(each[2]) == name]
    return paragraphs(f"## {name.capitalize()}", *told)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    meaning = operation.get("description") or operation.get("summary", "")
    return paragraphs(f"### {method} {path}", meaning, _parameters(operation), _bodies(operation))


def _parameters(operation: dict[str, Any]) -> str:
    rows = [
        (code(each["name"]), each["in"], kind_of(each["schema"]), each.get("description", ""))
        for each in operation.get("parameters", ())
    ]
    return table(("parameter", "in", "what it may be", "meaning"), rows) if rows else ""


def _bodies(operation: dict[str, Any]) -> str:
    asked = _content(operation.get("requestBody", {}))
    answers = [
        f"{status}{f' {kind}' if (kind := _content(answer)) else ''}"
        for status, answer in operation["responses"].items()
        if status < "400"
    ]
    return f"{f'Body: {asked}. ' if asked else ''}Answer: {', '.join(answers)}."


def _content(told: dict[str, Any]) -> str:
    return " or ".join(dict.fromkeys(kind_of(each["schema"]) for each in told.get("content", {}).values() if "schema" in each))


def shapes() -> str:
    """Every structure that goes over HTTP."""
    found: dict[str, Schema] = document()["components"]["schemas"]
    return paragraphs(*(_shape(name, schema) for name, schema in sorted(found.items())))


def _shape(name: str, schema: Schema) -> str:
    inner = fields(schema) or kind_of(schema)
    return paragraphs(f"### {name}", schema.get("description", ""), inner)
