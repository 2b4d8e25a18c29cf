"""Engines that go wrong, each in its own way: `python -m tests.bots.engines WAY`."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def answer(way: str, message: dict[str, Any]) -> str:
    """What an engine of this kind says when it is its turn."""
    if way == "dies":
        print("where are my glasses", file=sys.stderr, flush=True)
        raise SystemExit(3)
    if way == "hangs":
        print("let me think", file=sys.stderr, flush=True)
        time.sleep(600)
    if way == "lies":
        return json.dumps({"action": next(number for number in range(1000) if number not in message["legal"])})
    if way == "babbles":
        return "good evening"
    return json.dumps({"action": message["legal"][0]})


def main(way: str) -> None:
    """Plays the first legal action, as far as it plays."""
    for line in sys.stdin:
        message = json.loads(line)
        if way == "repeats":
            print(line.rstrip(), file=sys.stderr, flush=True)
        if message["type"] == "your turn":
            print(answer(way, message), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
