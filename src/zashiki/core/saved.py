"""The saved match: game, rules version, options, seed and actions in one small JSON file that replays exactly."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from zashiki.core.checks import LONGEST, shown
from zashiki.core.errors import DamagedMatch

FORMAT = "zashiki match 1"


class SavedMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds. `digest` is that of the state the actions lead to."""

    format: str
    game: str
    rules: int
    seats: int
    options: dict[str, int | str | bool]
    seed: str
    actions: list[tuple[int, int]]
    digest: str

    def to_text(self) -> str:
        """The file's text, a line for each pair of action and seat left out: compact, yet readable."""
        return msgspec.json.format(msgspec.json.encode(self), indent=0).decode() + "\n"


def read(text: str | bytes) -> SavedMatch:
    """The saved match in a file's text."""
    try:
        saved = msgspec.json.decode(text, type=SavedMatch)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError, ValueError) as error:
        raise DamagedMatch(f"this is no complete saved match: {str(error)[:LONGEST]}") from None
    if saved.format != FORMAT:
        raise DamagedMatch(f"this is not written as {FORMAT!r} but as {shown(saved.format)}")
    return saved


def digest(state: Any) -> str:
    """What identifies a state."""
    return hashlib.sha256(state.to_bytes()).hexdigest()
