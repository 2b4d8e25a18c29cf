"""What comes from outside: whole numbers of any type, and values shown in messages."""

from __future__ import annotations

from operator import index

LONGEST = 80


def whole(value: object) -> int | None:
    """A whole number as a plain int, NumPy's too; None for anything else, truth values included."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return None


def shown(value: object) -> str:
    """A value as a message shows it: short, whatever was sent."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
