"""The OpenAPI document, and a machine that believes every word of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import allow_header_conformance, positive_data_acceptance

from tests.server.built import served
from tests.server.http_house import app, call
from zashiki.server.app import described
from zashiki.server.errors import STATUS
from zashiki.server.http.document import document, operations
from zashiki.server.http.examples import EXAMPLES

DOCUMENT: dict[str, Any] = document(described())
schema = schemathesis.openapi.from_dict(DOCUMENT)

UNCHECKED = [
    positive_data_acceptance,  # no schema can say what a cursor looks like: a made-up one is refused
    allow_header_conformance,  # Litestar's own answer to OPTIONS forgets a method where two share a path
]


class Guest(NamedTuple):
    """Somebody who sits at a table where a match is played."""

    page: str
    cookie: str
    table: str


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the whole server is served."""
    with served(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def guest(page: str) -> Guest:
    """A new one for each operation: some end the session, or the account."""
    with httpx.Client(base_url=page, headers={"origin": page}) as browser:
        browser.get("/api/me").raise_for_status()
        wanted = {"game": "hanamikoji", "bots": {"1": "beginner"}, "start": True}
        table = browser.post("/api/tables", json=wanted).raise_for_status().json()["table"]
        return Guest(page, f"zashiki={browser.cookies['zashiki']}", table)


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # the server does, in a thread beside
@schema.parametrize()
@settings(max_examples=8, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_documented(case: schemathesis.Case[Any], guest: Guest) -> None:
    made_up = case.path_parameters.get("table_id", "")
    if len(made_up) % 2:
        case.path_parameters["table_id"] = guest.table  # The others are of no table.
    for name in [name for name in case.headers if name.lower() == "host"]:
        del case.headers[name]  # Another host is refused before any operation is looked for.
    headers = {"origin": guest.page} if _lacks_a_cookie(case) else {"origin": guest.page, "cookie": guest.cookie}
    case.call_and_validate(base_url=guest.page, headers=headers, excluded_checks=UNCHECKED)


def _lacks_a_cookie(case: schemathesis.Case[Any]) -> bool:
    """Whether that is what is wrong with this request."""
    return case.meta is not None and case.meta.is_negative_at(ParameterLocation.COOKIE)


def test_the_document_is_openapi_31() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")


@pytest.mark.parametrize("name", operations(DOCUMENT))
def test_an_operation_has_words_and_problems(name: str) -> None:
    operation = operations(DOCUMENT)[name]
    assert operation["summary"]
    assert operation["description"]
    assert operation["tags"]
    refused = [answer for status, answer in operation["responses"].items() if int(status) >= 400]
    assert {"400", "429", "503"} <= set(operation["responses"])
    assert all(answer["description"] for answer in refused)
    problems = [list(answer["content"]) for answer in refused]
    assert problems.count(["application/problem+json"]) >= len(problems) - (name == "GET /readyz")


def test_every_body_has_an_example() -> None:
    for name, operation in operations(DOCUMENT).items():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            (kind,) = re.findall(r"#/components/schemas/(\w+)", str(content["schema"]))
            assert DOCUMENT["components"]["schemas"][kind].get("examples"), f"{name}: {kind}"


def test_every_answer_with_a_structure_has_an_example() -> None:
    without = {"Alive", "Readiness", "PushInfo"}
    for name, operation in operations(DOCUMENT).items():
        for kind in re.findall(r"#/components/schemas/(\w+)", str(operation["responses"])):
            assert kind in without or DOCUMENT["components"]["schemas"][kind].get("examples"), f"{name}: {kind}"


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_example_is_what_it_is_an_example_of(kind: type[msgspec.Struct]) -> None:
    for example in EXAMPLES[kind]:
        assert isinstance(example, kind)
        msgspec.json.decode(msgspec.json.encode(example), type=kind)


def test_bodies_take_no_fields_that_they_do_not_know() -> None:
    for name in ("NewTable", "SitBody", "ActBody", "TalkBody", "TableSettings"):
        assert DOCUMENT["components"]["schemas"][name]["additionalProperties"] is False


def test_a_body_whose_fields_all_have_defaults_may_be_left_out() -> None:
    found = operations(DOCUMENT)
    assert found["POST /api/tables/{table_id}/sit"]["requestBody"]["required"] is False
    assert found["POST /api/tables/{table_id}/act"]["requestBody"]["required"] is True


def test_problems_name_every_code() -> None:
    assert set(DOCUMENT["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == set(STATUS)


def test_the_document_is_the_same_in_every_process() -> None:
    code = "import hashlib, json; from zashiki.server.app import described; from zashiki.server.http.document import document; "
    code += "print(hashlib.sha256(json.dumps(document(described())).encode()).hexdigest())"
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_the_document_is_cacheable() -> None:
    application = app()
    first = call(application, "GET", "/api/openapi.json")
    again = call(application, "GET", "/api/openapi.json", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
