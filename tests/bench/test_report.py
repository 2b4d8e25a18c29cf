"""What the bench says about what it found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zashiki.bench.report import as_json, as_text, ratios
from zashiki.bench.server import PARTS, CannotMeasure, main, medians
from zashiki.cli import BENCH_SERVER


def loop(per_cpu_second: float, p99: float, load_busy: float = 0.2) -> dict[str, float]:
    return {
        "per_second": 900.0,
        "per_cpu_second": per_cpu_second,
        "p50": 0.5,
        "p99": p99,
        "server_busy": 0.4,
        "load_busy": load_busy,
        "lag_p99": 0.1,
        "matches": 3,
    }


@pytest.fixture
def found() -> dict[str, Any]:
    return {
        "machine": {"cores": 2, "python": "3.11.7", "apart": True, "load_average": 0.3},
        "play": {"zashiki": {"saturation": loop(12_000, 2, 0.95)}, "boardgame.io": {"saturation": loop(3_000, 8)}},
        "memory": {
            "zashiki": {
                "empty": 90.0,
                "begun": 20.0,
                "live": 30.0,
                "left": 9.0,
                "left behind": 0.2,
                "objects left": 0.03,
                "unwatched": 0.5,
            },
            "boardgame.io": {"empty": 60.0, "begun": 50.0, "live": 60.0, "left": 40.0, "left behind": 20.0},
        },
        "start": {"zashiki": {"new": 1.5, "again": 1.0}},
        "rebuild": {"slowest": 9.0, "median": 3.0, "p99": 8.0},
        "many": {**loop(9_000, 4), "megabytes": 300.0, "errors": 0},
        "workers": {
            "1": loop(5_000, 9),
            "2": loop(4_500, 9),
            "ratio": 1.7,
            "ratio by processor time": 1.8,
            "cores enough": False,
        },
        "errors": {"zashiki": {}, "boardgame.io": {"hung up": 2}},
    }


def test_ratios_say_how_many_times_better_we_are(found: dict[str, Any]) -> None:
    assert ratios(found) == {
        "actions per second of CPU, saturation": 4.0,
        "p99, saturation": 4.0,
        "memory, begun": 2.5,
        "memory, live": 2.0,
    }


def test_without_the_other_server_there_is_nothing_to_compare(found: dict[str, Any]) -> None:
    del found["play"]["boardgame.io"], found["memory"]["boardgame.io"]
    assert ratios(found) == {}


def test_every_part_is_told_and_a_busy_generator_is_marked(found: dict[str, Any]) -> None:
    text = as_text(found)
    for words in ("12,000", "95% !", "30.0 MB", "1.00 s", "3.0 ms", "10,000 open tables", "too few cores", "'hung up': 2"):
        assert words in text


def test_programs_get_the_same_with_ratios(found: dict[str, Any]) -> None:
    told = json.loads(as_json(found))
    assert told["ratios"] == ratios(found)
    assert told["play"] == found["play"]


def test_medians_are_taken_of_each_figure() -> None:
    assert medians([{"a": 1, "b": 9}, {"a": 2, "b": 7}, {"a": 9, "b": 8}]) == {"a": 2, "b": 8}


def test_the_command_line_names_every_part() -> None:
    assert BENCH_SERVER.split(",") == list(PARTS)


def test_a_part_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(CannotMeasure, match="there is no 'speed'"):
        main(what=["speed"], seconds=1, rounds=1, tables=1, peers=False)
