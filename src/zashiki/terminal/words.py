"""Small English: articles, plurals, and what "you" do."""

from __future__ import annotations

import re

IRREGULAR = {"passes": "pass", "has": "have", "is": "are"}


def counted(count: int, noun: str) -> str:
    """A number with its noun: "1 card", "3 cards"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def second_person(words: str) -> str:
    """What somebody does, said to that person: "keeps a fan" becomes "keep a fan"."""
    verb, _, rest = words.partition(" ")
    told = IRREGULAR.get(verb, verb.removesuffix("s"))
    return f"{told} {rest}".rstrip()


def for_seat(words: str, seat: int) -> str:
    """Words that name seats, said to the player of one of them."""
    return re.sub(rf"\bseat {seat}\b", "you", re.sub(rf"\bthe pile of seat {seat}\b", "your pile", words))
