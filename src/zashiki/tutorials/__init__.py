"""Tutorials: a few minutes at the real board, a match with a fixed seed in which one thing at a time is to be done.

A game's script is a module here with its name; the words that it names are the browser's.
"""

from __future__ import annotations

from importlib import import_module

from zashiki.tutorials.script import Script

SCRIPTS = {
    "hanamikoji": "zashiki.tutorials.hanamikoji",
    "kimono": "zashiki.tutorials.kimono",
    "kasane": "zashiki.tutorials.kasane",
    "kawaii": "zashiki.tutorials.kawaii",
    "kohoju": "zashiki.tutorials.kohoju",
}
"""The games that have one."""


def script_of(game: str) -> Script | None:
    """A game's script, if it has one."""
    module = SCRIPTS.get(game)
    if module is None:
        return None
    found: Script = import_module(module).SCRIPT
    return found
