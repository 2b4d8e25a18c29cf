"""Imports point one way: core ← games ← bots ← review ← puzzles ← everything else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import zashiki

PACKAGE = Path(zashiki.__file__).parent
LAYERS = {"core": 0, "games": 1, "bots": 2, "review": 3, "puzzles": 4}
# The one place where a name becomes a game, looked up when it is called.
LATE = {("core/game.py", "games")}


def layer(path: str) -> int:
    """The layer of a file or a module, the topmost for everything unnamed."""
    return LAYERS.get(path.split("/")[0], 5)


def imported(source: Path) -> set[str]:
    """The parts of this package that a file imports, as first folders."""
    names = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("zashiki."):
            names.add(node.module.split(".")[1])
    return names


def test_no_layer_imports_a_higher_one() -> None:
    for source in PACKAGE.rglob("*.py"):
        place = source.relative_to(PACKAGE).as_posix()
        if "/" not in place:
            continue
        for name in imported(source):
            assert layer(name) <= layer(place) or (place, name) in LATE, f"{place} imports {name}"


def test_adapters_stand_on_games_and_bots_and_know_neither_arena_nor_server() -> None:
    for source in (PACKAGE / "adapters").glob("*.py"):
        assert not imported(source) & {"arena", "assistant", "server", "client", "bench"}, source.name


def test_nothing_but_benchmarks_needs_an_adapter() -> None:
    for source in PACKAGE.rglob("*.py"):
        place = source.relative_to(PACKAGE).parts[0]
        assert place in ("adapters", "bench") or "adapters" not in imported(source), source


def test_tutorials_stand_on_games_alone() -> None:
    for source in (PACKAGE / "tutorials").glob("*.py"):
        assert imported(source) <= {"core", "games", "tutorials"}, source.name


def test_no_game_knows_another() -> None:
    for source in (PACKAGE / "games").glob("*/*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("zashiki.games."):
                assert node.module.split(".")[2] == source.parent.name


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, zashiki; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
