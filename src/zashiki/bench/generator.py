"""A process that makes load: told what to do in lines of JSON, it answers each with a line of JSON.

`python -m zashiki.bench.generator '{"dialect": "zashiki", "port": 8000, "name": "a"}'`
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from typing import Any

from zashiki.bench.boardgameio import BoardgameIo
from zashiki.bench.load import Dialect, Load
from zashiki.bench.zashiki_server import Zashiki

DIALECTS: dict[str, Callable[[int, str], Dialect]] = {"zashiki": Zashiki, "boardgame.io": BoardgameIo}

_MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    "closed": Load.closed,
    "open": Load.open,
    "some": Load.some,
    "returns": Load.returns,
}


def main() -> None:
    """Obeys until the input ends."""
    wishes = json.loads(sys.argv[1])
    load = Load(DIALECTS[wishes["dialect"]](wishes["port"], wishes["name"]), wishes["name"])
    _answer({})
    while order := _next(load):
        _answer(_obey(load, **order))


def _next(load: Load) -> dict[str, Any] | None:
    load.idle(sys.stdin.fileno())
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def _obey(load: Load, do: str, **wishes: Any) -> dict[str, Any]:
    if do == "seat":
        load.dialect.seat(load, **wishes)
    elif do == "leave":
        load.leave()
    elif do == "hang up":
        load.hang_up()
    else:
        return _undisturbed(_MEASURES[do], load, **wishes)
    return {"errors": load.mistakes()}


def _undisturbed(measure: Callable[..., dict[str, Any]], load: Load, **wishes: Any) -> dict[str, Any]:
    """No garbage is collected while it is measured: a pause of ours would be counted as one of theirs."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        return measure(load, **wishes)
    finally:
        gc.enable()


def _answer(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
