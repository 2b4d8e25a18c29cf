"""The journal of a tournament: a line of JSON for what is played, then one for every result as it comes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import msgspec

from zashiki.arena.play import Result
from zashiki.arena.schedule import Sitting, Tournament
from zashiki.core.errors import ZashikiError


class WrongJournal(ZashikiError, ValueError):
    """The journal is of another tournament, or is none."""


class Journal:
    """Keeps results in a file; `results` are those it already had."""

    def __init__(self, file: Path, tournament: Tournament) -> None:
        self.results: dict[Sitting, Result] = {}
        whole = self._read(file, tournament) if file.exists() else 0
        self._file: BinaryIO = file.open("ab")
        # A line that was cut short when the writer died is written anew.
        self._file.truncate(whole)
        if not whole:
            self._write([tournament])

    def add(self, results: list[Result]) -> None:
        """Keeps some more."""
        self._write(results)

    def close(self) -> None:
        """No more results come."""
        self._file.close()

    def _write(self, lines: Iterable[msgspec.Struct]) -> None:
        self._file.write(msgspec.json.Encoder().encode_lines(lines))
        self._file.flush()

    def _read(self, file: Path, tournament: Tournament) -> int:
        """Takes over the results; tells how many bytes were whole lines."""
        text = file.read_bytes()
        whole = text.rfind(b"\n") + 1
        if text and not whole and not msgspec.json.encode(tournament).startswith(text):
            raise WrongJournal(f"{file} is no journal of a tournament, and is left as it is")
        head, _, lines = text[:whole].partition(b"\n")
        try:
            if head:
                _compare(msgspec.json.decode(head, type=Tournament), tournament)
            for result in msgspec.json.Decoder(Result).decode_lines(lines):
                self.results[result.sitting] = result
        except msgspec.MsgspecError as error:
            raise WrongJournal(f"{file} is no journal of a tournament: {error}") from None
        return whole


def _compare(kept: Tournament, asked: Tournament) -> None:
    """A journal may be of a shorter or a longer tournament, but of no other."""
    for name in Tournament.__struct_fields__:
        if name != "deals" and getattr(kept, name) != getattr(asked, name):
            raise WrongJournal(f"this journal is of a tournament with {name} {getattr(kept, name)}, not {getattr(asked, name)}")
