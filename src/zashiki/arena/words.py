"""The actions of any game in groups and in words, from its vocabulary alone."""

from __future__ import annotations

from typing import Any

import msgspec

from zashiki.core.game import Game


def kinds(game: Game) -> list[str]:
    """The kind of every action, in the order of their numbers: the type it travels under."""
    return [str(action.__struct_config__.tag) for action in game.vocabulary.actions]


def facets(game: Game) -> list[list[tuple[str, str]]]:
    """What every action is about, in the order of their numbers: its kind with each card, place or number it names."""
    plain = (msgspec.to_builtins(action) for action in game.vocabulary.actions)
    return [_facets(each.pop("type"), each) for each in plain]


def _facets(kind: str, fields: dict[str, Any]) -> list[tuple[str, str]]:
    named = [word for name, value in fields.items() for word in _named(name, value)]
    return [(kind, word) for word in dict.fromkeys(named)] or [(kind, "")]


def _named(name: str, value: Any) -> list[str]:
    if isinstance(value, list | tuple):
        return [word for each in value for word in _named(name, each)]
    return [value] if isinstance(value, str) else [f"{name} {str(value).lower()}"]
