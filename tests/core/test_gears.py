"""The same match in every gear and every process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.walks import SETTINGS, walk
from tests.core.test_match import played
from zashiki import GAMES
from zashiki.core import gears, saved

DIGESTS = """
from tests.core.test_gears import digests
print("\\n".join(digests()))
"""

LOADED = """
import sys
from zashiki import Match
from zashiki.core import saved
for line in sys.stdin:
    print(saved.digest(Match.load(line).state))
"""


def digests() -> list[str]:
    """What a short walk through every setting leads to."""
    found = []
    for setting in SETTINGS:
        *_, last = walk(setting, 42, 60)
        found.append(f"{setting} {saved.digest(last)}")
    return found


def python(code: str, gear: str, text: str = "", **environment: str) -> list[str]:
    """The lines that another process prints in a gear."""
    settings = os.environ | {"ZASHIKI_GEAR": gear} | environment
    done = subprocess.run([sys.executable, "-c", code], env=settings, input=text, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_same_seed_gives_the_same_match_in_the_other_gear() -> None:
    other = "native" if gears.GEAR == "python" else "python"
    assert python(DIGESTS, other) == digests()


def test_a_saved_match_replays_exactly_in_another_process() -> None:
    matches = [played(game) for game in GAMES]
    lines = "".join(match.save() for match in matches)
    assert python(LOADED, "native", lines) == [saved.digest(match.state) for match in matches]


def test_a_saved_match_is_one_line() -> None:
    assert played("hanamikoji").save().count("\n") == 1


def test_compiled_code_is_kept_per_version_and_old_versions_are_dropped(tmp_path: Path) -> None:
    for age in range(8):
        (tmp_path / f"rules-{age}").mkdir()
        os.utime(tmp_path / f"rules-{age}", (age, age))
    (tmp_path / "rules-fresh").mkdir()
    (tmp_path / "precious").mkdir()
    os.utime(tmp_path / "precious", (0, 0))
    python("import zashiki.core.random", "native", ZASHIKI_CACHE=str(tmp_path))
    kept = {folder.name for folder in tmp_path.iterdir()}
    assert kept == {gears.cache_folder().name, "rules-fresh", "rules-7", "rules-6", "rules-5", "rules-4", "precious"}


def test_without_a_folder_to_keep_it_in_the_rules_are_compiled_all_the_same(tmp_path: Path) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.touch()
    code = (
        "import sys; sys.stderr = sys.stdout; from zashiki.core.intrinsics import ones; from zashiki.core.masks import count; "
        "import numpy as np; print(count(np.array([7], np.uint32)))"
    )
    lines = python(code, "native", ZASHIKI_CACHE=str(blocked))
    assert lines[-1] == "3"
    assert "ZASHIKI_CACHE" in "".join(lines)


@gears.rule
def one_more(number: int) -> int:
    return number + 1


@gears.rule
def one_more_of_each_width(numbers: Any) -> int:
    return one_more(numbers[0]) + one_more(7) + one_more(len(numbers))


def test_a_rule_is_compiled_once_whatever_width_its_numbers_have(tmp_path: Path) -> None:
    code = """
import numpy as np
from tests.core.test_gears import one_more, one_more_of_each_width
print(one_more_of_each_width(np.zeros(2, np.int8)), len(one_more.signatures))
"""
    assert python(code, "native", ZASHIKI_CACHE=str(tmp_path)) == ["12 1"]


def test_the_name_of_the_cache_changes_with_every_source_that_is_compiled() -> None:
    package = Path(gears.__file__).parents[1]
    for source in package.rglob("*.py"):
        if re.search(r"^from zashiki.core.gears import .*\b(rule|door)\b", source.read_text("utf-8"), re.MULTILINE):
            assert gears.is_compiled(source.relative_to(package)), source


def test_a_change_in_a_bot_leaves_the_compiled_rules_as_they_are() -> None:
    rules = gears.cache_folder("zashiki.games.kimono.rules")
    assert rules == gears.cache_folder("zashiki.core.play")
    assert rules != gears.cache_folder("zashiki.bots.search") == gears.cache_folder("zashiki.bench.engine")


@pytest.mark.skipif(gears.GEAR == "python", reason="nothing is compiled")
def test_threads_that_load_games_at_once_keep_what_they_compile_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    real, found = numba.njit, []

    def slow(**named: Any) -> Any:
        first = numba.config.CACHE_DIR
        time.sleep(0.02)
        found.append((first, numba.config.CACHE_DIR))
        return real(**named)

    monkeypatch.setattr(numba, "njit", slow)
    before = numba.config.CACHE_DIR
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(gears.rule, [lambda x: x + 1 for _ in range(4)]))
    folder, after = str(gears.cache_folder(__name__)), numba.config.CACHE_DIR
    assert found == 4 * [(folder, folder)]
    assert after == before
