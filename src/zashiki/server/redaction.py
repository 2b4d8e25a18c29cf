"""What must never stand in a log, recognized and struck out: the last guard, after not writing it in the first place."""

from __future__ import annotations

import hashlib
import re

STRUCK = "[…]"
LONG_NUMBER = 20
"""Digits; times have fewer, seeds more."""

_NAMES = (
    r"(?:set-)?cookie|(?:proxy-)?authorization|passphrase|secret|token|seed|(?:recovery[_ -]?)?codes?|api[_-]?key|"
    r"private[_ -]?key|p256dh|auth|vapid\w*|challenge|credential|signature|hash|digest|idempotency-key"
)
_VALUE = r"(?:b?\"[^\"]*\"|b?'[^']*'|(?:bearer|basic)\s+\S+|[^\s,;)}\]]+)"
_NAMED = re.compile(
    rf"(\b(?:\w+_)?(?:{_NAMES})\b[\"']?\s*[:=]\s*|\bzashiki=|\b(?:bearer|passw(?:or)?d)\b[\"']?\s*[:= ]\s*){_VALUE}",
    re.IGNORECASE,
)
_PARAMETERS = re.compile(r"\[parameters: [^\n]*")
_PEM = re.compile(r"-----BEGIN [^-]+-----.*?(?:-----END [^-]+-----|$)", re.DOTALL)
_WEB_ADDRESS = re.compile(r"(\b[a-z][a-z0-9+.-]*://)(?:[^/\s\"'@]*@)?([^/\s\"']+)[^\s\"']*")
_QUERY = re.compile(r"(/[^\s\"'?]*)\?[^\s\"']*")
_TABLE = re.compile(r"((?:^|[/: ])tables?(?:/|:|[ _]id[=:]? ?|=| ))([A-Za-z0-9_-]{16})(?![A-Za-z0-9_-])")
_WORD = re.compile(r"[A-Za-z0-9_+-]{16,}={0,2}")
_TABLE_ID = re.compile(r"[a-z2-7]{16}")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def mark(table_id: str) -> str:
    """A table's mark in the log: always the same, and of no use to whoever wants to look at the table."""
    return "~" + hashlib.sha256(table_id.encode()).hexdigest()[:8]


def redacted(text: str, secrets: tuple[str, ...] = ()) -> str:
    """A text without secrets: those given, those that stand after a telling name, and whatever looks like one."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, STRUCK)
    text = _PEM.sub(STRUCK, _PARAMETERS.sub("[parameters: …]", text))
    text = _WEB_ADDRESS.sub(rf"\1\2/{STRUCK}", text)
    text = _QUERY.sub(rf"\1?{STRUCK}", text)
    text = _TABLE.sub(lambda found: found[1] + mark(found[2]), text)
    text = _NAMED.sub(lambda found: found[1] + STRUCK, text)
    return _WORD.sub(lambda found: STRUCK if looks_random(found[0]) else found[0], text)


def looks_random(word: str) -> bool:
    """Whether a long word is more likely drawn at random than written by somebody: ids, seeds, tokens, digests."""
    if _TABLE_ID.fullmatch(word):
        return True
    letters = any(character.isalpha() for character in word)
    if letters and any(character.isdigit() for character in word):
        return True
    if word.isdigit():
        return len(word) >= LONG_NUMBER
    if word == word.lower() or word == word.upper():
        return False
    parts = _PART.findall(word)
    return len(word) / max(1, len(parts)) < 3.5
