"""The OpenAPI document: Litestar finds the operations, msgspec describes the structures exactly as it decodes them."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Litestar
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, License, Schema, SecurityScheme, Tag
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from zashiki import __version__
from zashiki.server.http.examples import EXAMPLES

MEDIA_TYPE = "application/vnd.oai.openapi+json"
HIDDEN = "/not-served"
"""Where Litestar would answer with its own pages; nothing is passed on to there."""

DESCRIPTION = """\
Everything except the live stream, which is the socket at `/socket` (see `docs/protocol.md`).

Browsers are known by the cookie `zashiki`, programs by a token in `Authorization: Bearer …`. Every refusal is a problem
(RFC 9457) with a `code` for programs and a `detail` for people, and changes nothing. Lists come in pages: `limit` items, and
`next` to be given back as `after`. With an `Idempotency-Key` a request that is sent again is not carried out again. Times are
milliseconds since 1970."""

CONFIG = OpenAPIConfig(
    title="Zashiki",
    version=__version__,
    description=DESCRIPTION,
    license=License(name="Apache-2.0", identifier="Apache-2.0"),
    path=HIDDEN,
    use_handler_docstrings=True,
    tags=[
        Tag(name="games", description="What can be played"),
        Tag(name="tables", description="Where it is played"),
        Tag(name="record", description="What matches add up to"),
        Tag(name="leagues", description="Tournaments among friends"),
        Tag(name="notifications", description="Being told that it is one's turn"),
        Tag(name="running", description="For whoever runs the server"),
    ],
    components=Components(
        security_schemes={
            "cookie": SecurityScheme(
                type="apiKey", name="zashiki", security_scheme_in="cookie", description="a browser's session"
            ),
            "token": SecurityScheme(type="http", scheme="bearer", description="a program's token"),
        }
    ),
)


class Structures(OpenAPISchemaPlugin):
    """Notes which structures the operations use."""

    def __init__(self) -> None:
        self.found: dict[str, type[msgspec.Struct]] = {}

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Every structure of msgspec."""
        return not field_definition.is_union and field_definition.is_subclass_of(msgspec.Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """A place for it among the components; `document` fills that in."""
        kind = field_definition.annotation
        self.found[kind.__name__] = kind
        made: Schema = schema_creator.create_component_schema(field_definition, required=[], property_fields={})
        return made


def document(app: Litestar) -> dict[str, Any]:
    """The whole document, the same in every process."""
    made: dict[str, Any] = app.openapi_schema.to_schema()
    structures = app.plugins.get(Structures)
    components = described(list(structures.found.values()))
    assert set(structures.found) <= set(made["components"]["schemas"]), "two structures have the same name"
    made["components"]["schemas"] = dict(sorted({**made["components"]["schemas"], **components}.items()))
    made["paths"] = dict(sorted(made["paths"].items()))
    for operation in operations(made).values():
        operation.get("parameters", []).sort(key=lambda each: (each["in"], each["name"]))
        _say_what_may_be_left_out(operation)
        operation["responses"].get("204", {}).pop("content", None)
    return made


def operations(made: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The operations of a document, as "GET /api/games"."""
    return {f"{method.upper()} {path}": each for path, item in made["paths"].items() for method, each in item.items()}


def _say_what_may_be_left_out(operation: dict[str, Any]) -> None:
    """A body that may be null may be left out; Litestar does not say so."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if {"type": "null"} in content["schema"].get("oneOf", []):
            operation["requestBody"]["required"] = False


def described(structures: list[type[msgspec.Struct]]) -> dict[str, Any]:
    """The schemas of structures and of everything in them, with examples."""
    _, components = msgspec.json.schema_components(structures, ref_template="#/components/schemas/{name}")
    for kind, examples in EXAMPLES.items():
        if kind.__name__ in components:
            components[kind.__name__]["examples"] = [msgspec.json.decode(msgspec.json.encode(example)) for example in examples]
    return components
