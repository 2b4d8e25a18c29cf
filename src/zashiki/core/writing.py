"""What a server sends after every action, written as JSON by compiled code: a view, who may act, what is legal, the points.

`Layout.to_json` and `State` say what is written; this says the same many times faster, in one call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Table, legal, scores, to_act, view
from zashiki.core.entries import MOST_WORDS
from zashiki.core.game import Game
from zashiki.core.gears import direct, door, rule
from zashiki.core.intrinsics import lowest, scratch, wide
from zashiki.core.layout import UNKNOWN, Field, Layout, Records
from zashiki.core.masks import words_for

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

LONGEST_NUMBER = 11
NULL = np.frombuffer(b"null", np.uint8)
VIEW, TO_ACT, LEGAL, SCORES = (
    np.frombuffer(text, np.uint8) for text in (b'"view":', b',"to_act":[', b'],"legal":[', b'],"scores":')
)
COMMA, OPEN, CLOSE = (ord(sign) for sign in ",[]")

OFFSET, WIDTH, SIGNED, HIDDEN, TEXT_END, WORD, WORDS = range(7)
"""The columns of a plan: where a value lies, how wide it is, what stands before it, and which words stand for it."""


class Plan(NamedTuple):
    """How a record becomes text: its values in order, the text between them, and the words for some of them."""

    values: Numbers
    text: Bytes
    words: Bytes
    words_ends: Numbers

    @property
    def longest(self) -> int:
        """How long the text can get."""
        word = int(max(np.diff(self.words_ends), default=0))
        return len(self.text) + len(self.values) * max(LONGEST_NUMBER, word)


def plan(layout: Layout) -> Plan:
    """The plan of a layout's JSON form."""
    text, words, words_ends = b"", b"", [0]
    values: list[list[int]] = []
    for number, field in enumerate(field for field in layout.fields if not field.secret):
        offset = layout.dtype.fields[field.name][1]  # type: ignore[index]
        first = len(words_ends) - 1
        for name in field.names:
            words += json.dumps(name).encode()
            words_ends.append(len(words))
        text += (b"{" if number == 0 else b",") + json.dumps(field.name).encode() + b":"
        column = np.dtype(field.type)
        for place, opening, closing in _places(field):
            text += opening
            where, signed = offset + place * column.itemsize, int(column.kind == "i")
            values.append([where, column.itemsize, signed, int(field.hidden), len(text), first, len(field.names)])
            text += closing
    text += b"}"
    return Plan(
        np.array(values, np.int64),
        np.frombuffer(text, np.uint8).copy(),
        np.frombuffer(words or b" ", np.uint8).copy(),
        np.array(words_ends, np.int64),
    )


def _places(field: Field) -> Iterator[tuple[int, bytes, bytes]]:
    """Each value of a field with the brackets and commas before and behind it."""
    sizes = [int(np.prod(field.shape[depth:])) for depth in range(len(field.shape))]
    for place in range(int(np.prod(field.shape))):
        begins = sum(place % size == 0 for size in sizes)
        ends = sum((place + 1) % size == 0 for size in sizes)
        yield place, b"," * (place > 0) + b"[" * begins, b"]" * ends


class Sight(NamedTuple):
    """What a seat sees, as the text of an object without its braces: `view`, `to_act`, `legal` and `scores`.

    `legal` is that part again, to compare it with what the seat could do before.
    """

    text: bytes
    legal: bytes


class Painter:
    """Writes what the seats of one game see. Not for two threads at once."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._plan = plan(rules.STATE)
        self._view = rules.STATE.new(1)
        points = np.zeros((game.seats[-1], len(rules.PARTS)), np.int32)
        numbers = LONGEST_NUMBER + 1
        self._out = np.empty(self._plan.longest + numbers * (rules.ACTIONS + points.size) + 200, np.uint8)
        self._marks = np.zeros(3, np.int64)
        self._rest = (self._view, words_for(rules.ACTIONS), points, *self._plan, self._out, self._marks)
        self._paint: Any = direct(_paint, self._view, 0, 0, *self._rest)

    def sight(self, states: Records, seat: int, *, going_on: bool = True, decides: bool = True) -> Sight:
        """What a seat sees of the first record: who may act only while it is going on, what is legal if its own hand decides."""
        self._paint(states, seat, going_on + 2 * decides, *self._rest)
        begin, end, count = self._marks.tolist()
        text = self._out[:count].tobytes()
        return Sight(text, text[begin:end])


@door
def _paint(
    states: Records,
    seat: int,
    wanted: int,
    views: Records,
    mask_words: int,
    points: Table,
    values: Numbers,
    text: Bytes,
    words: Bytes,
    words_ends: Numbers,
    out: Bytes,
    marks: Numbers,
) -> None:
    view(states[0], seat, views[0])
    count = _write_record(views.view(np.uint8), values, text, words, words_ends, out, _copied(VIEW, 0, len(VIEW), out, 0))
    seats = int(views[0].seats)
    count = _write_seats(to_act(views[0]) if wanted & 1 else 0, seats, out, _copied(TO_ACT, 0, len(TO_ACT), out, count))
    count = _copied(LEGAL, 0, len(LEGAL), out, count)
    marks[0] = count
    if wanted == 3 and seat >= 0 and (to_act(states[0]) >> seat) & 1 == 1:
        count = _write_legal(states, seat, mask_words, out, count)
    marks[1] = count
    scores(views[0], points)
    marks[2] = _write_points(points, seats, out, _copied(SCORES, 0, len(SCORES), out, count))


@rule
def _write_seats(bits: int, seats: int, out: Bytes, count: int) -> int:
    start = count
    for seat in range(seats):
        if (bits >> seat) & 1 == 1:
            if count != start:
                out[count] = COMMA
                count += 1
            count = _digits(seat, out, count)
    return count


@rule
def _write_legal(states: Records, seat: int, mask_words: int, out: Bytes, count: int) -> int:
    mask = scratch(MOST_WORDS, np.uint32)[:mask_words]
    legal(states[0], seat, mask)
    start = count
    for i in range(len(mask)):
        word = wide(mask[i])
        while word != 0:
            if count != start:
                out[count] = COMMA
                count += 1
            count = _digits(32 * i + lowest(word), out, count)
            word &= word - 1
    return count


@rule
def _write_points(points: Table, seats: int, out: Bytes, count: int) -> int:
    out[count] = OPEN
    for seat in range(seats):
        for part in range(points.shape[1]):
            if part == 0:
                count += 1
                out[count] = OPEN
            count = _digits(int(points[seat, part]), out, count + 1)
            out[count] = COMMA
        out[count] = CLOSE
        count += 1
        out[count] = COMMA
    out[count] = CLOSE
    return count + 1


@rule
def _write_record(data: Bytes, values: Numbers, text: Bytes, words: Bytes, words_ends: Numbers, out: Bytes, count: int) -> int:
    done = 0
    for i in range(len(values)):
        count, done = _copied(text, done, values[i, TEXT_END], out, count), values[i, TEXT_END]
        value = _value(data, values[i, OFFSET], values[i, WIDTH], values[i, SIGNED])
        if values[i, HIDDEN] != 0 and value == UNKNOWN:
            count = _copied(NULL, 0, 4, out, count)
        elif 0 <= value < values[i, WORDS]:
            word = values[i, WORD] + value
            count = _copied(words, words_ends[word], words_ends[word + 1], out, count)
        else:
            count = _digits(value, out, count)
    return _copied(text, done, len(text), out, count)


@rule
def _copied(source: Bytes, start: int, end: int, out: Bytes, count: int) -> int:
    for i in range(start, end):
        out[count + i - start] = source[i]
    return count + end - start


@rule
def _value(data: Bytes, offset: int, width: int, signed: int) -> int:
    value = 0
    for i in range(width):
        value |= int(data[offset + i]) << (8 * i)
    if signed != 0 and (value >> (8 * width - 1)) & 1 == 1:
        value -= 1 << (8 * width)
    return value


@rule
def _digits(value: int, out: Bytes, count: int) -> int:
    if value < 0:
        out[count] = 45
        count += 1
        value = -value
    length = 1
    rest = value // 10
    while rest > 0:
        length += 1
        rest //= 10
    for i in range(length):
        out[count + length - 1 - i] = 48 + value % 10
        value //= 10
    return count + length
