"""What is measured of the adapters."""

from __future__ import annotations

import json
from collections.abc import Iterator

from zashiki.bench import adapters
from zashiki.bench.adapters import Goal, Line, Play, main, measure
from zashiki.games import GAMES


def test_every_game_is_measured_through_every_interface() -> None:
    found = json.loads(main(seconds=0.01, peers=False, as_json=True))
    measured = {
        line["interface"]: [each["game"] for each in found["lines"] if each["interface"] == line["interface"]]
        for line in found["lines"]
    }
    assert measured["PettingZoo raw_env"] == measured["Gymnasium vector"] == list(GAMES)
    assert measured["OpenSpiel"] == [f"zashiki_{game}" for game in GAMES]
    assert all(line["decisions_per_second"] > 0 for line in found["lines"])
    assert "kimono" in main(seconds=0.01, peers=False, as_json=False)


def test_an_interface_whose_library_is_missing_is_left_out() -> None:
    def missing() -> Iterator[tuple[str, Play]]:
        raise ImportError
        yield

    def there() -> Iterator[tuple[str, Play]]:
        yield "patience", lambda: sum(range(1000))

    assert [line.game for line in measure({"gone": missing, "here": there}, 0.01)] == ["patience"]


def test_the_slowest_game_is_held_against_the_peer() -> None:
    lines = [Line("here", "one", 30.0), Line("here", "two", 20.0), Line("there", "peer", 10.0)]
    assert adapters._times(Goal("here", "peer", 2.0), lines) == {"slowest": 2.0}
    assert adapters._times(Goal("nowhere", "peer", 2.0), lines) == {}
