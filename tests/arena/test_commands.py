"""`zashiki arena` and `zashiki stats` as people call them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from zashiki.arena.results import Report
from zashiki.arena.study import Study
from zashiki.cli import main

PAGE = (Path(__file__).parents[2] / "docs/arena.md").read_text("utf-8")


def test_the_bot_of_the_documentation_beats_the_random_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mybots.py").write_text(code, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    main(["arena", "kasane", "mybots:Greedy", "random", "--matches", "40", "--json", "-"])
    found = json.loads(capsys.readouterr().out)
    assert found["meetings"][0]["sides"][0]["share"]["low"] > 0.5
    assert not found["forfeits"]


def test_everything_is_written_where_it_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = ["arena", "hanamikoji", "random", "careless", "--matches", "20", "--cores", "1"]
    main(
        [*arena, "--json", str(tmp_path / "a.json"), "--html", str(tmp_path / "a.html"), "--parquet", str(tmp_path / "a.parquet")]
    )
    main(["stats", "hanamikoji", "--bot", "random", "--matches", "20", "--cores", "1", "--html", str(tmp_path / "s.html")])
    assert "random against careless" in capsys.readouterr().out
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["counted"] == 20
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("a.html", "a.parquet", "s.html"))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["poker", "random"], "there is no game"),
        (["hanamikoji", "grandmaster"], "there is no bot 'grandmaster'"),
        (["hanamikoji", "nowhere:Nobody"], "cannot be loaded"),
        (["kawaii", "random", "--option", "pace=live"], "pace of turns"),
        (["hanamikoji", "random", "careless", "--seats", "3"], "is played by 2"),
    ],
)
def test_a_mistake_is_explained_before_anything_is_played(arguments: list[str], reason: str) -> None:
    with pytest.raises(SystemExit, match=reason):
        main(["arena", *arguments])


def test_breaking_off_reports_what_was_played(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    command = [sys.executable, "-m", "zashiki.cli", "arena", "hanamikoji", "random", "careless", "--matches", "1000000"]
    running = subprocess.Popen(
        [*command, "--cores", "1", "--resume", str(journal), "--json", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts tests in the background lets them ignore it.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size > 20_000):
            time.sleep(0.05)
        os.kill(running.pid, signal.SIGINT)
        out, errors = running.communicate(timeout=120)
    finally:
        running.kill()
        running.communicate()
    assert (running.returncode, errors) == (0, "")
    found = json.loads(out)
    assert 0 < found["counted"] < found["planned"]
    assert found["played"] == len(journal.read_text("utf-8").splitlines()) - 1


def test_the_documentation_names_every_field_of_the_json() -> None:
    for structure in (Report, Study):
        for field in structure.__struct_fields__:
            assert f"`{field}`" in PAGE
