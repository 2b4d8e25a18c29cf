"""Names: what may be one, and which two are too alike."""

from __future__ import annotations

import unicodedata
from random import SystemRandom
from typing import Final

from zashiki.server.errors import Refused

SHORTEST, LONGEST = 2, 24
LONGEST_KEY = 40
"""What the store takes; folding can make a name longer."""
MOST_MARKS = 4
"""Accents on one letter, enough for every script; more would climb over the neighbours' lines."""

LONGEST_LABEL = 80

ERASED = "erased"
RESERVED = frozenset(
    {"admin", "administrator", "bot", "erased", "guest", "host", "house", "moderator", "server", "system", "zashiki"}
)

# Letters and marks of no width or no ink, which their category does not tell.
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)
# Alphabets that have the same shapes: a name is in one of them.
_ALIKE: Final = ("LATIN", "GREEK", "CYRILLIC")

BOTS: Final = ("Aoi", "Haru", "Ren", "Yuki", "Sora", "Mio", "Kaito", "Nao")
"""What the house calls its bots, by seat: short, and told apart in a log."""

_MANNERS = """
Calm Clear Dawn Early Evening Gentle Golden Hidden Lucky Merry
Misty Mossy Northern Patient Quiet River Silver Snowy Southern Spring
"""
_ANIMALS = """
Badger Carp Cicada Crane Cricket Deer Firefly Fox Hare Heron
Koi Lark Marten Monkey Otter Owl Sparrow Swallow Tanuki Turtle
"""


def clean_name(text: str) -> str:
    """The name as it is kept and shown, or a refusal that says what is wrong with it."""
    name = " ".join(part for part in unicodedata.normalize("NFKC", text).split(" ") if part)
    if not SHORTEST <= len(name) <= LONGEST or len(name_key(name)) > LONGEST_KEY:
        raise Refused("malformed", f"a name has {SHORTEST} to {LONGEST} characters")
    for character in name:
        if (unicodedata.category(character)[0] in "CZ" and character != " ") or character in _INVISIBLE:
            raise Refused("malformed", f"a name has no hidden or control characters such as U+{ord(character):04X}")
    if not any(character.isalnum() for character in name):
        raise Refused("malformed", "a name has at least one letter or digit")
    if _marks_in_a_row(name) > MOST_MARKS:
        raise Refused("malformed", f"a letter of a name has at most {MOST_MARKS} accents")
    if len(_alphabets(name)) > 1:
        raise Refused("malformed", "a name does not mix Latin, Greek and Cyrillic letters: some look the same")
    if name_key(name) in RESERVED:
        raise Refused("name taken", f"{name} is a word the server needs; choose another name")
    return name


def clean_label(text: str) -> str:
    """What somebody calls a key or a token; only they read it."""
    label = "".join(character for character in unicodedata.normalize("NFC", text) if character.isprintable()).strip()
    if not 1 <= len(label) <= LONGEST_LABEL:
        raise Refused("malformed", f"a label has 1 to {LONGEST_LABEL} characters")
    return label


def name_key(name: str) -> str:
    """Equal for names that look alike: letters, digits and accents only, in one case and one form."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(character for character in folded if character.isalnum() or unicodedata.category(character)[0] == "M")


def guest_name() -> str:
    """A friendly name for somebody who has given none."""
    chance = SystemRandom()
    return f"{chance.choice(_MANNERS.split())} {chance.choice(_ANIMALS.split())} {chance.randrange(10, 100)}"


def _marks_in_a_row(name: str) -> int:
    longest = here = 0
    for character in unicodedata.normalize("NFD", name):
        here = here + 1 if unicodedata.category(character)[0] == "M" else 0
        longest = max(longest, here)
    return longest


def _alphabets(name: str) -> set[str]:
    first_words = (unicodedata.name(character, "").partition(" ")[0] for character in name if character.isalpha())
    return {word for word in first_words if word in _ALIKE}


def bot_name(seat: int) -> str:
    """What a bot of the house is called at that seat."""
    return BOTS[seat % len(BOTS)]
