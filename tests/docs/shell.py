"""Commands on a page: whether the programs, files and words that they name are there."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr
from importlib.util import find_spec
from io import StringIO

from tests.docs.blocks import ROOT
from zashiki.cli import _parser

ELSEWHERE = (
    "base64 cd chmod claude cp createdb createuser curl docker echo export git head install mkdir nginx node ray sed source"
    " systemctl umask useradd"
)
"""Programs that are not ours: only the files they are given are looked at."""
FOLDERS = ("bench/", "deploy/", "docs/", "examples/", "src/", "tests/", "web/")


def commands(text: str) -> Iterator[list[str]]:
    """The commands of a block, each as words, without comments, redirections and what is between them."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line.strip().removeprefix("$ ").strip("()"), comments=True)
        command: list[str] = []
        for word in [*words, ";"]:
            if word not in (";", "&&", "||", "|", "&"):
                command.append(word)
            elif command:
                yield _plain(command)
                command = []


def _plain(words: list[str]) -> list[str]:
    """Without settings of the environment before a program, and without where its output goes."""
    while re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return words[: words.index(">")] if ">" in words else words


def complaint(words: list[str]) -> str | None:
    """What is wrong with a command; None: nothing that can be seen."""
    program, *arguments = words
    name = program.rsplit("/", 1)[-1]
    if name == "zashiki":
        return _zashiki(arguments)
    missing = [each for each in arguments if each.startswith(FOLDERS) and not _is_there(each)]
    if missing:
        return f"there is no {missing[0]}"
    checks = {"make": _make, "npm": _npm, "pip": _pip, "python": _python, "python3": _python}
    if name in checks:
        return checks[name](arguments)
    return None if name in ELSEWHERE.split() else f"nobody knows the program {program}"


def _is_there(path: str) -> bool:
    made = ("deploy/containers/certificates", "deploy/containers/password")
    return path.startswith(made) or any(True for _ in ROOT.glob(path.rstrip("/")))


def _zashiki(arguments: list[str]) -> str | None:
    said = StringIO()
    try:
        with redirect_stderr(said):
            _parser().parse_args(arguments)
    except SystemExit as ended:
        return said.getvalue() if ended.code else None
    return None


def _make(arguments: list[str]) -> str | None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return next((f"make has no {each}" for each in arguments if f"\n{each}:" not in makefile), None)


def _npm(arguments: list[str]) -> str | None:
    if "run" not in arguments:
        return None
    folder = arguments[arguments.index("--prefix") + 1]
    script = arguments[arguments.index("run") + 1]
    known = json.loads((ROOT / folder / "package.json").read_text("utf-8"))["scripts"]
    return None if script in known else f"npm has no script {script}"


def _pip(arguments: list[str]) -> str | None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    asked = [extra for each in arguments if each.startswith("zashiki[") for extra in each[8:-1].split(",")]
    return next((f"there is no extra {extra}" for extra in asked if extra not in extras), None)


def _python(arguments: list[str]) -> str | None:
    if arguments[:1] != ["-m"]:
        return None
    return None if find_spec(arguments[1]) else f"there is no module {arguments[1]}"
