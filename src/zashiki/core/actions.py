"""Actions at the edge: each has one number, one tagged JSON structure and one English phrase."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal

import msgspec

from zashiki.core.checks import LONGEST, shown, whole
from zashiki.core.errors import MalformedAction

Secrecy = Literal["open", "hidden", "sealed", "silent"]


class Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A choice. `words` finishes a sentence that begins with the player's name.

    `secrecy` tells what the others learn at once: everything (`open`); `veiled()` and nothing more (`hidden`); `veiled()` now and
    the rest when all have chosen (`sealed`); nothing at all until then (`silent`).
    """

    secrecy: ClassVar[Secrecy] = "open"

    def words(self) -> str:
        """What the player does, in the third person: "offers a fan"."""
        raise NotImplementedError

    def veiled(self) -> Action:
        """The action as those see it who may not know it."""
        return self


class Vocabulary:
    """All actions of a game in the order of their numbers."""

    def __init__(self, actions: Sequence[Action], union: Any) -> None:
        self.actions = tuple(actions)
        self._decoder = msgspec.json.Decoder(union)
        self.union = union

    def __len__(self) -> int:
        return len(self.actions)

    def __getitem__(self, number: int) -> Action:
        return self.actions[number]

    @cached_property
    def numbers(self) -> dict[Action, int]:
        """The number of each action."""
        return {action: number for number, action in enumerate(self.actions)}

    def number(self, action: object) -> int:
        """The number of an action given as a number, a structure, a plain dictionary or JSON text."""
        number = whole(action)
        if number is not None:
            if 0 <= number < len(self.actions):
                return number
            raise MalformedAction(f"actions are numbered from 0 to {len(self.actions) - 1}, there is no {shown(number)}")
        if not isinstance(action, Action):
            action = self._structure(action)
        try:
            return self.numbers[action]
        except (KeyError, TypeError):
            raise MalformedAction(f"no cards of the game make this action: {shown(action)}") from None

    def _structure(self, action: object) -> Action:
        try:
            if isinstance(action, str | bytes):
                decoded: Action = self._decoder.decode(action)
            else:
                decoded = msgspec.convert(action, self.union)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            raise MalformedAction(f"this is no action of the game: {str(error)[:LONGEST]}") from None
        return decoded

    def to_json(self, number: int) -> dict[str, Any]:
        """The tagged structure as plain JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self.actions[number])
        return plain


def listed(words: Sequence[str]) -> str:
    """Words as people list them: "a fan, a flute and a scroll"."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def a(noun: str) -> str:
    """A noun with its article: "an umbrella"."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
