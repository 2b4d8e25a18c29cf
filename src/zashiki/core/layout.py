"""The layout of a game's record: one declaration from which the dtype, the JSON form and the TypeScript types come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.errors import MalformedView

UNKNOWN = -1
"""In a view: this may not be known. Every byte of an unknown field is 0xFF."""

EMPTY = -2
"""There is no card here."""

CLOCK = 7
"""The seat of time itself, where a game lets time act."""

SPECTATOR = -1
"""The seat of somebody who only watches."""

SEALED, VOID = 1, 2
"""What has become of a secret choice: not shown yet; come to nothing."""

Record = Any
Records = npt.NDArray[Any]
Json = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """One named field of small integers.

    `hidden` fields may be UNKNOWN in a view and are null in JSON then; `secret` ones never leave the engine; `names` gives the
    words that stand for the values 0, 1, 2, … in JSON.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    meaning: str
    hidden: bool = False
    secret: bool = False
    names: tuple[str, ...] = ()

    def to_json(self, value: Any) -> Any:
        """This field's value as it travels."""
        return self._plain(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)

    def _plain(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._plain(each) for each in value] if self.names or self.hidden else value
        if self.hidden and value == UNKNOWN:
            return None
        return self.names[value] if self.names and value >= 0 else value

    def from_json(self, plain: Any) -> Any:
        """The value that `to_json` gave, as numbers."""
        if isinstance(plain, list):
            return [self.from_json(each) for each in plain]
        if plain is None and self.hidden:
            return UNKNOWN
        return self.names.index(plain) if isinstance(plain, str) else plain

    @property
    def typescript(self) -> str:
        """The type of this field's JSON form."""
        word = " | ".join(f'"{name}"' for name in self.names) + " | number" if self.names else "number"
        if self.hidden:
            word += " | null"
        if self.shape and "|" in word:
            word = f"({word})"
        return word + "[]" * len(self.shape)


COMMON = (
    Field("rng_key", "u4", (4,), "the key of the match's random numbers", secret=True),
    Field("rng_words", "u4", (16,), "random numbers made and not all used yet", secret=True),
    Field("rng_block", "u4", (), "how many blocks of random numbers have been made", secret=True),
    Field("rng_used", "i1", (), "how many of the block's numbers are used", secret=True),
    Field("seats", "i1", (), "how many seats are played"),
    Field("phase", "i1", (), "what is decided now; 0: the match is over"),
    Field("winners", "i1", (), "the winning seats as bits; 0 while the match goes on"),
    Field("ending", "i1", (), "why the match ended; 0 while it goes on"),
)
"""The fields that every record begins with."""


@dataclass(frozen=True)
class Layout:
    """The fields of one game's record, the common ones first."""

    game: str
    own: tuple[Field, ...]
    phases: tuple[str, ...]
    endings: tuple[str, ...]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """All fields in order of the record."""
        names = {"phase": self.phases, "ending": self.endings}
        common = (Field(f.name, f.type, f.shape, f.meaning, f.hidden, f.secret, names.get(f.name, ())) for f in COMMON)
        return (*common, *self.own)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of the record: packed widest first, so that every number is aligned."""
        ordered = sorted(self.fields, key=lambda field: -np.dtype(field.type).itemsize)
        columns: list[Any] = [(field.name, field.type, field.shape) for field in ordered]
        gap = -np.dtype(columns).itemsize % np.dtype(ordered[0].type).itemsize
        # Named, so that a copied array has the same bytes to the last.
        padding = [("padding", "u1", (gap,))] if gap else []
        plain = np.dtype(columns + padding, align=True)
        return np.dtype((np.record, plain))

    def new(self, count: int = 1) -> Records:
        """An array of that many records, all zero."""
        return np.zeros(count, self.dtype)

    def to_json(self, record: Any) -> Json:
        """A view as plain JSON: words for phases and endings, null for what may not be known."""
        return {field.name: field.to_json(record[field.name]) for field in self.fields if not field.secret}

    def from_json(self, plain: Json) -> Records:
        """The view that `to_json` gave, as an array of one record; what is not in it is UNKNOWN, as in any view."""
        records = self.new(1)
        records.view(np.uint8)[:] = 0xFF
        for field in self.fields:
            if not field.secret:
                records[field.name][0] = self._read(field, plain)
        return records

    def _read(self, field: Field, plain: Json) -> Records:
        try:
            numbers = np.array(field.from_json(plain[field.name]))
            found = numbers.astype(field.type)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise MalformedView(f"this is no view of {self.game}: {field.name} is missing or no {field.typescript}") from None
        if found.shape != field.shape or numbers.dtype.kind not in "iu" or (found != numbers).any():
            raise MalformedView(f"this is no view of {self.game}: {field.name} is no {field.typescript} of its size")
        return found

    def typescript(self, name: str) -> str:
        """The interface of the JSON form."""
        lines = [f"  /** {field.meaning} */\n  {field.name}: {field.typescript};" for field in self.fields if not field.secret]
        return "\n".join([f"export interface {name} {{", *lines, "}"])
