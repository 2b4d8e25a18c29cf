"""`docs/adding-a-game.md`, followed to the letter on a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.blocks import ROOT, blocks

PAGE = ROOT / "docs" / "adding-a-game.md"
COPIED = ("docs", "examples", "src", "tests", "web/public", "web/src")
FILES = (
    "Makefile",
    "README.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-torch.txt",
)
NEVER = shutil.ignore_patterns("__pycache__")
PATIENCE_S = 1200
RED = re.compile(r"  # red: (.*)$")


def steps() -> list[str]:
    """Every line that the page tells one to enter."""
    return [line for block in blocks(PAGE) if block.language == "sh" for line in block.text.splitlines()]


def copy_of_the_repository(folder: Path) -> None:
    """What the page works on."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=NEVER)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").mkdir()
    for name in (".ready", ".tools"):  # newer than what they are made from: `make` must install nothing
        (folder / ".venv" / name).touch()


def programs(folder: Path) -> Path:
    """A folder with the programs that a virtual environment has."""
    made = folder / "programs"
    made.mkdir()
    for name, module in (("python", ""), ("zashiki", " -m zashiki.cli"), ("sphinx-build", " -m sphinx")):
        (made / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n')
        (made / name).chmod(0o755)
    return made


def test_the_page_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    copy = tmp_path / "zashiki"
    copy.mkdir()
    copy_of_the_repository(copy)
    found = programs(tmp_path)
    plain = os.environ | {
        "PATH": f"{found}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(copy / "src"),
        "ZASHIKI_CACHE": str(tmp_path / "cache"),
        "MAKEFLAGS": f"BIN={found}",
    }
    for step in steps():
        # The rules are compiled once, where they are played; the suite sees them as plain Python, which needs no compiling.
        gear = "native" if "try.py" in step else "python"
        environment = plain | {"ZASHIKI_GEAR": gear}
        done = subprocess.run(
            step, shell=True, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        red = RED.search(step)
        said = f"{step}\n{done.stdout[-6000:]}{done.stderr[-6000:]}"
        assert (done.returncode != 0) == bool(red), said
        assert red is None or red[1] in done.stdout, said
    assert "export type LanternAction = LanternLay;" in (copy / "web/src/lib/types/games.ts").read_text("utf-8")
    assert "Seat 0 lays lantern" in (copy / "tests/goldens/lantern-2.txt").read_text("utf-8")


def test_there_are_steps_to_follow() -> None:
    assert len(steps()) > 10
