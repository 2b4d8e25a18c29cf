"""JSON schemas in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from docs._ext.markdown import code, table

Schema = dict[str, Any]

PLAIN = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false", "null": "null"}


def kind_of(schema: Schema) -> str:
    """What a value may be."""
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(kind_of(each) for each in choices)) + bounds(schema)
    if "$ref" in schema:
        return f"[{schema['$ref'].rsplit('/', 1)[-1]}](#{anchor(schema['$ref'])})"
    if "enum" in schema:
        return " or ".join(code(each) for each in schema["enum"])
    if "const" in schema:
        return code(schema["const"])
    return _composed(schema) + bounds(schema)


def _composed(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(PLAIN.get(each, str(each)) for each in kind)
    if kind == "array":
        if places := schema.get("prefixItems"):
            kinds = [kind_of(each) for each in places]
            return f"{len(kinds)} × ({kinds[0]})" if len(set(kinds)) == 1 else f"[{', '.join(kinds)}]"
        return f"list of {kind_of(schema.get('items') or {})}"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"object of {kind_of(values)}" if isinstance(values, dict) and values else "object"
    return PLAIN.get(str(kind), "anything")


def bounds(schema: Schema) -> str:
    """Between which numbers or lengths it may be."""
    for least, most, unit in (("minimum", "maximum", ""), ("minLength", "maxLength", " characters")):
        low, high = schema.get(least), schema.get(most)
        if low is not None and high is not None:
            return f", {low:.0f} to {high:.0f}{unit}" if low != high else f" of {low:.0f}{unit}"
        if high is not None:
            return f", at most {high:.0f}{unit}"
        if low is not None:
            return f", at least {low:.0f}{unit}"
    return ""


def anchor(reference: str) -> str:
    """Where a structure is described on its page."""
    return reference.rsplit("/", 1)[-1].lower()


def fields(schema: Schema) -> str:
    """A structure's fields as a table."""
    rows = [(code(name), kind_of(each), _default(schema, name, each)) for name, each in schema.get("properties", {}).items()]
    return table(("field", "what it may be", "default"), rows) if rows else ""


def _default(schema: Schema, name: str, field: Schema) -> str:
    if name in schema.get("required", ()) or name == schema.get("discriminator", "type"):
        return "required"
    return code(msgspec.json.encode(field["default"]).decode()) if "default" in field else ""


def described(kinds: Any, template: str = "#/{name}") -> Iterator[tuple[str, Schema]]:
    """The schemas of structures and of all structures in them, by name."""
    _, components = msgspec.json.schema_components(kinds, ref_template=template)
    yield from components.items()
