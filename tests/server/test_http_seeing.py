"""Is it alive, is it ready, and who may read its measures."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tests.server.http_house import app, call
from zashiki.server.http import seeing
from zashiki.server.http.seeing import Health, migrated, reachable
from zashiki.server.store import Store


async def fine() -> None:
    pass


async def bad() -> None:
    raise RuntimeError("the store is gone: postgresql://user:password@host/base")


async def slow() -> None:
    await asyncio.sleep(3600)


def test_alive_is_whoever_answers() -> None:
    assert call(app(health=Health({"store": bad})), "GET", "/healthz").json() == {"alive": True}


def test_ready_is_whoever_passes_all_checks() -> None:
    answer = call(app(health=Health({"store": fine})), "GET", "/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "checks": {"running": True, "store": True}})


def test_a_failed_check_is_named_and_nothing_else_of_it_is_told() -> None:
    answer = call(app(health=Health({"store": bad, "schema": fine})), "GET", "/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "checks": {"running": True, "store": False, "schema": True}}


def test_a_check_that_hangs_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeing, "CHECK_TIMEOUT_S", 0.01)
    assert call(app(health=Health({"store": slow})), "GET", "/readyz").status_code == 503


def test_a_server_that_goes_down_is_not_ready() -> None:
    health = Health()
    health.stopping = True
    assert call(app(health=health), "GET", "/readyz").status_code == 503


def test_a_store_is_ready_when_it_answers_and_its_schema_is_ours(tmp_path: Path) -> None:
    async def main() -> list[bool]:
        store = Store(f"sqlite:///{tmp_path / 'store.db'}")
        store.open()
        try:
            before = await Health({"schema": migrated(store, "abc")}).readiness()
            await store.write(lambda connection: connection.execute(text("CREATE TABLE alembic_version (version_num)")) and None)
            await store.write(lambda connection: connection.execute(text("INSERT INTO alembic_version VALUES ('abc')")) and None)
            found = await Health({"store": reachable(store), "schema": migrated(store, "abc")}).readiness()
            newer = await Health({"schema": migrated(store, "abd")}).readiness()
            return [before.ready, found.ready, newer.ready]
        finally:
            await store.close()

    assert asyncio.run(main()) == [False, True, False]


def test_measures_are_told_at_this_machine() -> None:
    answer = call(app(), "GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "zashiki_connections 0.0" in answer.text


@pytest.mark.parametrize(
    ("settings", "request_"),
    [
        ({}, {"client": ("192.168.1.9", 5000)}),
        ({}, {"headers": {"x-forwarded-for": "127.0.0.1"}}),
        ({}, {"headers": {"forwarded": "for=127.0.0.1"}}),
        ({"behind_proxy": True}, {}),
        ({"metrics_token": "prometheus"}, {}),
        ({"metrics_token": "prometheus"}, {"headers": {"authorization": "Bearer guess"}}),
    ],
    ids=["from elsewhere", "through a proxy", "through another", "behind a proxy", "without the token", "with a wrong token"],
)
def test_measures_are_not_told_to_others(settings: dict[str, Any], request_: dict[str, Any]) -> None:
    answer = call(app(settings=settings), "GET", "/metrics", **request_)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_measures_are_told_to_whoever_has_the_token_wherever_from() -> None:
    application = app(settings={"metrics_token": "prometheus", "behind_proxy": True})
    sent = {"authorization": "Bearer prometheus", "x-forwarded-for": "10.0.0.1"}
    assert call(application, "GET", "/metrics", headers=sent, client=("10.0.0.1", 5)).status_code == 200
