"""No page names anything that is not there: files, modules, commands."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from docs._ext.commands import every as every_command

from tests.docs.blocks import FENCE, PAGES, ROOT, named
from zashiki.cli import _parser

every_page = pytest.mark.parametrize("page", PAGES, ids=named)
BASES = [ROOT, ROOT / "src" / "zashiki", ROOT / "src" / "zashiki" / "server", ROOT / "web", ROOT / "web" / "src"]
EXAMPLES = ("docs/statistics/lantern", "tests/conformance/games/lantern", "tests/games/test_lantern")
"""What comes to be only when a page is followed."""


def spoken(page: Path) -> set[str]:
    """What stands as code in the sentences of a page."""
    return set(re.findall(r"`([^`\n]+)`", FENCE.sub("", page.read_text("utf-8"))))


@every_page
def test_every_file_that_is_named_is_there(page: Path) -> None:
    for name in spoken(page):
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+\.(py|md|ts|js|svelte|toml|json|txt|conf|css)", name) and not name.startswith(
            EXAMPLES
        ):
            assert any((base / name).exists() for base in BASES), f"{named(page)} names {name}"


@every_page
def test_every_python_name_is_there(page: Path) -> None:
    for name in spoken(page):
        if re.fullmatch(r"zashiki(\.\w+)+", name) and "lantern" not in name:
            assert found(name), f"{named(page)} names {name}"


def found(name: str) -> bool:
    """Whether a module, or something in a module, has that name."""
    try:
        import_module(name)
    except ImportError:
        module, _, attribute = name.rpartition(".")
        return bool(module) and hasattr(import_module(module), attribute)
    return True


@every_page
def test_every_command_and_every_target_is_there(page: Path) -> None:
    known = {name.removeprefix("zashiki ") for name, _, _ in every_command(_parser(), "zashiki")}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for name in spoken(page):
        words = name.split()
        if words[0] == "zashiki" and len(words) > 1 and words[1].islower() and words[1].isalpha():
            assert {words[1], " ".join(words[1:3])} & known or any(each.startswith(f"{words[1]} ") for each in known), name
        if words[0] == "make" and len(words) == 2:
            assert f"\n{words[1]}:" in makefile, f"{named(page)} names {name}"
