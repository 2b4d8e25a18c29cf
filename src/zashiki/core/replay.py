"""A match told again, step by step, as one pair of eyes saw it: small enough to send, the view folded from what changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from zashiki.core.errors import WrongSeats
from zashiki.core.layout import Json
from zashiki.core.match import REVEALED, Entry, Event, Match, told

if TYPE_CHECKING:
    from zashiki.core.state import State

Eyes = int | None
"""A seat's, or a spectator's; None sees everything."""


class Step(NamedTuple):
    """A moment of a match: what led here, and what it changed.

    `told` is the move as these eyes were told it; None for the deal, and for a move they were not told of. `revealed` are earlier
    secret choices that it opened to them. `changed` has the view's fields that are not as before, of the deal all of them.
    """

    told: Event | None
    revealed: list[Event]
    to_act: list[int]
    scores: list[list[int]]
    changed: Json


def steps(match: Match, eyes: Eyes) -> Iterator[Step]:
    """The deal and every move of a match."""
    seen: dict[str, bytes] = {}
    lines = 0
    for again in match.replay():
        events = [_told(again, eyes, entry) for entry in again.log[lines:]]
        lines = len(again.log)
        view = again.state if eyes is None else again.view(eyes)
        yield Step(
            told=events[0] if events else None,
            revealed=[event for event in events[1:] if event],
            to_act=[seat for seat in range(again.seats) if view.to_act() >> seat & 1],
            scores=view.points().tolist(),
            changed=_changed(view, seen),
        )


def check_eyes(match: Match, eyes: Eyes) -> None:
    """Refuses the eyes of a seat that nobody sat in."""
    if eyes is not None and not 0 <= eyes < match.seats:
        raise WrongSeats(f"this match has seats 0 to {match.seats - 1}, there is no seat {eyes}")


def _told(match: Match, eyes: Eyes, entry: Entry) -> Event | None:
    if eyes is None:
        return Event(entry.seat, match.game.vocabulary[entry.action], entry.kind == REVEALED)
    return told(match.game, eyes, entry)


def _changed(view: State, seen: dict[str, bytes]) -> Json:
    """The fields that are not as they were seen before; they are noted as seen."""
    changed: Json = {}
    for field in view.game.layout.fields:
        value = view.records[field.name]
        content = value.tobytes()
        if not field.secret and seen.get(field.name) != content:
            seen[field.name] = content
            changed[field.name] = field.to_json(value[0])
    return changed
