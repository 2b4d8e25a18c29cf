"""What a game's page has from the code: its options, cards, actions, view, observation and scoring."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import msgspec
from docs._ext.markdown import code, codes, lowered, paragraphs, table
from docs._ext.schemas import described, kind_of

from zashiki.core.actions import Action
from zashiki.core.game import Game
from zashiki.core.layout import Field
from zashiki.core.observation import Features, Repeated, length
from zashiki.games import GAMES, find

SECRECY = {
    "open": "everything",
    "hidden": "that it happened",
    "sealed": "that it happened; the rest later",
    "silent": "nothing yet",
}


def games() -> str:
    """All games, a line each."""
    rows = [
        (f"[{game.title}](games/{game.id}.md)", game.author, game.players, game.summary, game.version) for game in GAMES.values()
    ]
    return table(("game", "by", "players", "what it is", "rules version"), rows)


def facts(name: str) -> str:
    """Who plays, how long, and with which options."""
    game = find(name)
    rows: list[tuple[object, ...]] = [
        ("name in programs", code(game.id)),
        ("by", game.author),
        ("players", game.players),
        ("rules version", game.version),
        ("decisions at most", f"{game.longest:,}"),
        ("different actions", f"{game.rules.ACTIONS:,}"),
        ("numbers in an observation", f"{game.features:,}"),
        ("bytes of a state", game.layout.dtype.itemsize),
    ]
    return paragraphs(game.summary, table(rows[0], rows[1:]), _options(game))


def _options(game: Game) -> str:
    rows = [(code(each.name), each.meaning, each.described(), each.spoken(each.default)) for each in game.options]
    return table(("option", "meaning", "values", "unless chosen"), rows) if rows else "It has no options."


def rules(name: str) -> str:
    """The rules, from the file that people read at the table."""
    return lowered(find(name).rulebook(), 1)


def house_numbers(name: str) -> str:
    """The numbers and readings that are ours."""
    return table(("what", "is"), find(name).house_numbers.items())


def actions(name: str) -> str:
    """Every kind of action: its numbers, its fields, an example, and what others learn of it."""
    vocabulary = find(name).vocabulary
    rows, first = [], 0
    for kind, group in groupby(vocabulary.actions, key=type):
        count = len(list(group))
        rows.append(_action(kind, vocabulary.actions[first], first, count))
        first += count
    return table(("numbers", "what it does", "fields", "example", "others learn at once"), rows)


def _action(kind: type[Action], example: Action, first: int, count: int) -> tuple[str, ...]:
    numbers = str(first) if count == 1 else f"{first}–{first + count - 1}"
    shown = f"{code(json.dumps(msgspec.to_builtins(example)))} *{example.words()}*"
    return numbers, str(kind.__doc__), _fields(kind), shown, SECRECY[kind.secrecy]


def _fields(kind: type[Action]) -> str:
    schema = dict(described([kind]))[kind.__name__]
    told = {each: field for each, field in schema["properties"].items() if each != "type"}
    return "; ".join(f"`{name}`: {kind_of(field)}" for name, field in told.items()) or "none"


def view(name: str) -> str:
    """Every field of a view."""
    layout = find(name).layout
    rows = [(code(each.name), _shape(each), each.meaning, _known(each)) for each in layout.fields if not each.secret]
    words = f"`phase` is one of {codes(layout.phases)}; `ending`, once the match is over, one of {codes(layout.endings[1:])}."
    return paragraphs(words, table(("field", "numbers", "meaning", "known to"), rows))


def _shape(field: Field) -> str:
    if field.names:
        return "a word"
    return " × ".join(map(str, field.shape)) if field.shape else "1"


def _known(field: Field) -> str:
    return "some; `null` for the others" if field.hidden else "all"


def observation(name: str) -> str:
    """Every run of numbers of an observation."""
    rows: list[tuple[Any, ...]] = []
    place = 0
    for part in find(name).observation:
        if isinstance(part, Repeated):
            rows.append((f"{place}–{place + part.length - 1}", f"**{part.times} times, for each {part.each}:**", ""))
            rows += [(f"+ {start}", each.meaning, _kind(each)) for start, each in _within(part)]
        else:
            rows.append((_span(place, part.length), part.meaning, _kind(part)))
        place += part.length
    head = f"`observe` gives {length(find(name).observation):,} numbers, seats counted from the viewer on."
    return paragraphs(head, table(("from–to", "meaning", "numbers"), rows))


def _within(part: Repeated) -> list[tuple[int, Features]]:
    starts = [sum(each.length for each in part.features[:count]) for count in range(len(part.features))]
    return list(zip(starts, part.features, strict=True))


def _span(place: int, count: int) -> str:
    return str(place) if count == 1 else f"{place}–{place + count - 1}"


def _kind(features: Features) -> str:
    count = f"{features.times} × {features.count}" if features.times > 1 else str(features.count)
    return {"flags": f"{count}, 0 or 1", "one of": f"{count}, at most one is 1", "amounts": count}[features.kind]


def scoring(name: str) -> str:
    """What points are made of, and how a match may end."""
    game = find(name)
    parts = f"`scores` has a row a seat and a column for each of {codes(game.rules.PARTS)}; the points of a seat are their sum."
    return paragraphs(parts, f"A match ends by {codes(game.layout.endings[1:])}.")
