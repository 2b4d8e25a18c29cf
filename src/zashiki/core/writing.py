"""A view as the bytes of its JSON form, written by compiled code: what a server sends after every action.

`Layout.to_json` says what is written; this says the same ten times faster.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import direct, door, rule
from zashiki.core.layout import UNKNOWN, Field, Layout, Records

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

LONGEST_NUMBER = 11
NULL = np.frombuffer(b"null", np.uint8)

OFFSET, WIDTH, SIGNED, HIDDEN, TEXT_END, WORD, WORDS = range(7)
"""The columns of the plan: where a value lies, how wide it is, what stands before it, and which words stand for it."""


class ViewWriter:
    """Writes the views of one layout. Not for two threads at once."""

    def __init__(self, layout: Layout) -> None:
        text, words, words_ends = b"", b"", [0]
        plan: list[list[int]] = []
        for number, field in enumerate(field for field in layout.fields if not field.secret):
            offset = layout.dtype.fields[field.name][1]  # type: ignore[index]
            first = len(words_ends) - 1
            for name in field.names:
                words += json.dumps(name).encode()
                words_ends.append(len(words))
            text += (b"{" if number == 0 else b",") + json.dumps(field.name).encode() + b":"
            for place, opening, closing in _values(field):
                text += opening
                column = np.dtype(field.type)
                where = offset + place * column.itemsize
                signed = int(column.kind == "i")
                plan.append([where, column.itemsize, signed, int(field.hidden), len(text), first, len(field.names)])
                text += closing
        text += b"}"
        longest_word = max(np.diff(words_ends), default=0)
        self._plan = np.array(plan, np.int64)
        self._text = np.frombuffer(text, np.uint8).copy()
        self._words = np.frombuffer(words or b" ", np.uint8).copy()
        self._words_ends = np.array(words_ends, np.int64)
        self._out = np.empty(len(text) + len(plan) * max(LONGEST_NUMBER, int(longest_word)), np.uint8)
        self._write: Any = direct(_write, np.zeros(1, np.uint8), self._plan, self._text, self._words, self._words_ends, self._out)

    def write(self, views: Records) -> bytes:
        """The JSON form of the first record."""
        data = views.view(np.uint8)
        count = self._write(data, self._plan, self._text, self._words, self._words_ends, self._out)
        return self._out[:count].tobytes()


def _values(field: Field) -> Iterator[tuple[int, bytes, bytes]]:
    """Each value of a field with the brackets and commas before and behind it."""
    if not field.shape:
        yield 0, b"", b""
        return
    count = int(np.prod(field.shape))
    for place in range(count):
        begins = sum(1 for depth in range(len(field.shape)) if place % int(np.prod(field.shape[depth:])) == 0)
        ends = sum(1 for depth in range(len(field.shape)) if (place + 1) % int(np.prod(field.shape[depth:])) == 0)
        yield place, b"," * (place > 0) + b"[" * begins, b"]" * ends


@door
def _write(data: Bytes, plan: Numbers, text: Bytes, words: Bytes, words_ends: Numbers, out: Bytes) -> int:
    count, done = 0, 0
    for i in range(len(plan)):
        count, done = _copied(text, done, plan[i, TEXT_END], out, count), plan[i, TEXT_END]
        value = _value(data, plan[i, OFFSET], plan[i, WIDTH], plan[i, SIGNED])
        if plan[i, HIDDEN] != 0 and value == UNKNOWN:
            count = _copied(NULL, 0, 4, out, count)
        elif 0 <= value < plan[i, WORDS]:
            word = plan[i, WORD] + value
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
