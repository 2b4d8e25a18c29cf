"""Compares what clients were told with what is in the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from tests.faults.load import Answered, Ledger, Seen
from zashiki import CLOCK, Match
from zashiki.server import schema
from zashiki.server.engine import engine
from zashiki.server.log import Event, Kind


class Verdict(NamedTuple):
    """What is wrong, and how much was looked at. `unsure`: refused as unavailable, and yet in the log."""

    wrong: list[str]
    unsure: list[str]
    tables: int
    actions: int


def verify(database: str, ledger: Ledger) -> Verdict:
    """Reads the whole store beside the ledger."""
    made = engine(database)
    try:
        with made.connect() as connection:
            return _verdict(connection, ledger)
    finally:
        made.dispose()


def _verdict(connection: Connection, ledger: Ledger) -> Verdict:
    wrong, unsure, actions = list(ledger.failures), [], 0
    rows = connection.execute(select(schema.tables)).mappings().all()
    for row in rows:
        events = log_of(connection, row["id"])
        actions += sum(event.kind == Kind.ACT for event in events)
        answers = ledger.answers.get(row["id"], [])
        name = f"table {row['id']} of {row['game']}"
        wrong += [f"{name}: {text}" for text in _wrong_numbers(events)]
        wrong += [f"{name}: {text}" for text in _wrong_answers(events, answers)]
        wrong += [f"{name}: {text}" for text in _wrong_views(row, events, ledger.seen.get(row["id"], []))]
        unsure += [f"{name}: {text}" for text in _unsure(events, answers)]
    known = {row["id"] for row in rows}
    wrong += [f"table {table}: clients played there, the store does not know it" for table in ledger.answers.keys() - known]
    return Verdict(wrong, unsure, len(rows), actions)


def log_of(connection: Connection, table: str) -> list[Event]:
    """The log of a table."""
    events = schema.events
    rows = connection.execute(select(events).where(events.c.table_id == table).order_by(events.c.number))
    return [Event(*row) for row in rows]


def _wrong_numbers(events: list[Event]) -> Iterator[str]:
    numbers = [event.number for event in events]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"its log is not numbered from 1 without a gap: {numbers}"


def _wrong_answers(events: list[Event], answers: list[Answered]) -> Iterator[str]:
    """Every acknowledged action is in the log exactly once, as it was asked for, in the order of each client."""
    places = Counter(event.request for event in events if event.request)
    for key, count in places.items():
        if count > 1:
            yield f"request {key} is in the log {count} times"
    by_key = {event.request: event for event in events}
    last: dict[str, int] = {}
    for answer in answers:
        event = by_key.get(answer.key)
        if answer.code:
            if event and answer.code != "unavailable":
                yield f"request {answer.key} was refused ({answer.code}) and is in the log"
        elif event is None:
            yield f"request {answer.key} was acknowledged and is not in the log"
        elif (event.kind, event.seat, event.action) != (Kind.ACT, answer.seat, answer.action):
            yield f"request {answer.key} was seat {answer.seat}'s action {answer.action}, in the log it is {event}"
        else:
            client = answer.key.rpartition(":")[0]
            if event.number <= last.get(client, 0):
                yield f"request {answer.key} is in the log before an earlier one of its client"
            last[client] = event.number


def _unsure(events: list[Event], answers: list[Answered]) -> Iterator[str]:
    keys = {event.request for event in events}
    for answer in answers:
        if answer.code == "unavailable" and answer.key in keys:
            yield f"request {answer.key} was refused as unavailable and is in the log"


def _wrong_views(row: Any, events: list[Event], seen: list[Seen]) -> Iterator[str]:
    """The log replays, and to what everybody saw last."""
    if not any(event.kind == Kind.START for event in events):
        return
    try:
        match = replayed(row, events)
    except Exception as error:  # whatever the engine minds
        yield f"its log does not replay: {error}"
        return
    for last in seen:
        told = [
            (event.seat, msgspec.json.decode(msgspec.json.encode(event.action)), event.revealed)
            for event in match.events(last.seat)
        ]
        heard = [(line.seat, line.action, line.revealed) for line in last.log if line.kind == "act"]
        if heard != told:
            yield f"seat {last.seat} heard {len(heard)} actions, the log tells it {len(told)}; {_first(heard, told)}"
        elif last.view != match.view(last.seat).to_json():
            yield f"seat {last.seat} saw another view at version {last.version} than the log leads to"


def replayed(row: Any, events: list[Event]) -> Match:
    """The match that a log tells."""
    match = Match(row["game"], row["seats"], options=row["settings"]["options"], seed=row["seed"])
    for event in events:
        if event.kind == Kind.ACT:
            assert event.action is not None
            match.act(CLOCK if event.seat is None else event.seat, event.action)
    return match


def _first(heard: list[Any], told: list[Any]) -> str:
    for place, (left, right) in enumerate(zip(heard, told, strict=False)):
        if left != right:
            return f"the first other is number {place}: {left}, not {right}"
    return "the rest agrees"
