"""What the server measures."""

from __future__ import annotations

import re

from tests.server.http_house import FakeHouse, app, call
from zashiki.server.metrics import Metrics


def value(metrics: Metrics, name: str) -> float:
    (found,) = re.findall(rf"^{re.escape(name)} (\S+)$", metrics.text().decode(), re.MULTILINE)
    return float(found)


def test_connections_go_up_and_down() -> None:
    metrics = Metrics()
    metrics.connections.inc()
    metrics.connections.inc()
    metrics.connections.dec()
    assert value(metrics, "zashiki_connections") == 1


def test_actions_are_counted_by_game_and_timed_together() -> None:
    metrics = Metrics()
    metrics.action("kimono", 0.0015)
    metrics.action("kimono", 0.004)
    metrics.action("kohoju", 0.3)
    assert value(metrics, 'zashiki_actions_total{game="kimono"}') == 2
    assert value(metrics, 'zashiki_action_seconds_bucket{le="0.005"}') == 2
    assert value(metrics, "zashiki_action_seconds_count") == 3


def test_requests_are_counted_by_kind_and_answer() -> None:
    metrics = Metrics()
    metrics.request("act", "done")
    metrics.request("act", "not your turn")
    metrics.request("act", "not your turn")
    assert value(metrics, 'zashiki_socket_requests_total{answer="not your turn",kind="act"}') == 2


def test_the_store_tells_its_groups() -> None:
    metrics = Metrics()
    metrics.group(7, 0.004)
    assert value(metrics, "zashiki_store_group_size_sum") == 7
    assert value(metrics, "zashiki_store_group_seconds_sum") == 0.004


def test_tables_and_waiting_bots_are_asked_for_when_somebody_reads() -> None:
    metrics, tables = Metrics(), {"playing": 3}
    metrics.watch_tables(lambda: tables)
    metrics.watch_bots(lambda: 5)
    tables["over"] = 1
    assert value(metrics, 'zashiki_tables{status="playing"}') == 3
    assert value(metrics, 'zashiki_tables{status="over"}') == 1
    assert value(metrics, "zashiki_bot_queue") == 5


def test_bots_and_notifications_are_counted() -> None:
    metrics = Metrics()
    metrics.thought("club", 0.21)
    metrics.rescued()
    metrics.pushed("sent")
    assert value(metrics, 'zashiki_bot_thinking_seconds_count{level="club"}') == 1
    assert value(metrics, "zashiki_bot_rescues_total") == 1
    assert value(metrics, 'zashiki_push_total{result="sent"}') == 1


def test_the_process_tells_of_itself() -> None:
    text = Metrics("host-1").text().decode()
    assert 'process="host-1"' in text
    assert "process_resident_memory_bytes" in text


def test_two_processes_in_one_do_not_share_their_measures() -> None:
    one, other = Metrics(), Metrics()
    one.connections.inc()
    assert value(other, "zashiki_connections") == 0


def test_requests_over_http_are_counted_by_route_never_by_what_the_client_wrote() -> None:
    metrics = Metrics()
    application = app(FakeHouse(), metrics=metrics)
    for path in ("/api/tables/one", "/api/tables/two", "/api/invented", "/invented.js"):
        call(application, "GET", path)
    call(application, "INVENT", "/api/games")
    call(application, "HEAD", "/healthz")
    text = metrics.text().decode()
    assert value(metrics, 'zashiki_http_requests_total{method="GET",route="/api/tables/{table_id}",status="404"}') == 2
    assert value(metrics, 'zashiki_http_requests_total{method="GET",route="unknown",status="404"}') == 1
    assert value(metrics, 'zashiki_http_requests_total{method="GET",route="site",status="404"}') == 1
    assert value(metrics, 'zashiki_http_requests_total{method="HEAD",route="/healthz",status="200"}') == 1
    assert "INVENT" not in text
    assert "invented" not in text
