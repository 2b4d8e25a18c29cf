"""Options of a game as they are written on the command line."""

from __future__ import annotations

from typing import Any

from zashiki.games import find

TRUTHS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def options_of(game: str, pairs: list[str]) -> dict[str, Any]:
    """Options from NAME=VALUE, each value in the type its option has."""
    kinds = {option.name: type(option.default) for option in find(game).options}
    chosen: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        kind = kinds.get(name, str)
        if kind is bool:
            chosen[name] = TRUTHS.get(value.lower(), value)
        else:
            chosen[name] = int(value) if kind is int and value.isdigit() else value
    return chosen
