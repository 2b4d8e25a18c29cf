"""The load against a server that plays a game of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import pytest

from tests.bench.stub import MOVES, StubServer, stub_server
from zashiki.bench.load import READY, Load
from zashiki.bench.processes import free_port
from zashiki.bench.zashiki_server import Zashiki

TABLES = 6


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def server(port: int) -> Iterator[StubServer]:
    with stub_server(port) as stub:
        yield stub


@pytest.fixture
def load(port: int, server: StubServer) -> Iterator[Load]:
    load = Load(Zashiki(port, "test"), seed=1)
    load.dialect.seat(load, TABLES, 2 * TABLES)
    yield load
    load.leave()


def test_people_sit_down_and_their_matches_begin(load: Load, server: StubServer) -> None:
    assert len(server.accounts) == len(load.players) == 2 * TABLES
    assert all(table.playing for table in server.tables.values())
    assert all(table.phase == READY for table in load.tables)


def test_so_many_moves_are_made_at_every_table(load: Load, server: StubServer) -> None:
    assert load.some(4)["errors"] == {}
    assert [table.moves for table in server.tables.values()] == [4] * TABLES


def test_a_finished_match_is_followed_by_another(load: Load, server: StubServer) -> None:
    found = load.some(MOVES + 3)
    assert found["matches"] == TABLES
    assert [table.moves for table in server.tables.values()] == [MOVES] * TABLES + [3] * TABLES
    assert {table.id for table in load.tables} == set(list(server.tables)[TABLES:])


def test_in_a_closed_loop_every_move_in_the_window_is_counted(load: Load, server: StubServer) -> None:
    found = load.closed(perf_counter(), 0.2)
    made = sum(table.moves for table in server.tables.values())
    assert found["errors"] == {}
    assert 0 < found["moves"] <= made
    assert found["moves"] <= len(found["latencies"]) <= made


def test_in_an_open_loop_every_due_move_is_made_and_timed(load: Load, server: StubServer) -> None:
    found = load.open(perf_counter(), 0.5, 200)
    made = sum(table.moves for table in server.tables.values())
    assert found["errors"] == {}
    assert len(found["latencies"]) == made > 0
    assert all(latency > 0 for latency in found["latencies"])


def test_a_move_that_is_due_too_early_waits_and_its_time_runs(load: Load, server: StubServer) -> None:
    table = load.tables[0]
    load._start(0.0, perf_counter() + 1)
    due = perf_counter() - 0.5
    load._launch([table], 0, due)
    load._launch([table], 0, due)
    assert list(table.queue) == [due]
    assert min(load._finish()["latencies"]) >= 500_000
    assert server.tables[table.id].moves == 2


def test_a_refused_move_is_an_error_and_so_is_one_that_nobody_sees(
    load: Load, server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zashiki.bench.load.DRAIN", 0.1)
    server.refusing = True
    errors = load.closed(perf_counter(), 0.1)["errors"]
    assert errors == {"refused: unavailable: not now": TABLES, "moves that somebody never saw": TABLES}
    assert load.mistakes() == {}


def test_a_lost_connection_is_an_error(load: Load) -> None:
    player = next(iter(load.players.values()))
    player.send('{"type":"close me"}')
    load.until(lambda: bool(load.errors), "hanging up")
    assert set(load.errors) & {"hung up", "closed: "}


def test_somebody_comes_back_and_acts_at_once(load: Load, server: StubServer) -> None:
    load.hang_up()
    found = load.returns()
    assert found["errors"] == {}
    assert len(found["milliseconds"]) == TABLES
    assert [table.moves for table in server.tables.values()] == [1] * TABLES


def test_fewer_people_play_at_several_tables(port: int, server: StubServer) -> None:
    load = Load(Zashiki(port, "test"), seed=1)
    load.dialect.seat(load, 6, 4)
    assert load.some(3)["errors"] == {}
    assert len(load.players) == 4
    assert [table.moves for table in server.tables.values()] == [3] * 6
    load.leave()
