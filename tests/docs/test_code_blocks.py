"""What a page shows can be done: its programs run, its commands exist, its JSON is JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import PAGES, ROOT, Block, blocks, every, named, program
from tests.docs.shell import commands, complaint

ADDRESS = "http://127.0.0.1:8000"
PATIENCE_S = 900
PROGRAMS = [page for page in PAGES if program(page)]
CHECKED = {"python", "sh", "json", "js", "javascript", "text", "{generated}", "{toctree}", "{eval-rst}"}
FOLLOWED = ("adding-a-game",)
"""Pages whose commands are carried out by a test of their own."""
SAID = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)


@pytest.mark.parametrize("page", PROGRAMS, ids=named)
def test_the_programs_of_a_page_run_and_print_what_it_says(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = program(page)
    address = request.getfixturevalue("server") if ADDRESS in text or "ZASHIKI_SERVER" in text else ""
    file = tmp_path / f"{page.stem.replace('-', '_').lower()}_page.py"
    file.write_text(text.replace(ADDRESS, address) if address else text, "utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), "ZASHIKI_SERVER": address}
    command = [sys.executable, file.name]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    printed = iter(done.stdout.splitlines())
    for line in SAID.findall(text):
        assert line in printed, f"{named(page)} says that this is printed: {line}\n{done.stdout}"


@pytest.mark.parametrize("block", [block for block in every("sh") if block.page.stem not in FOLLOWED], ids=str)
def test_every_command_of_a_page_exists(block: Block) -> None:
    for words in commands(block.text):
        assert complaint(words) is None, f"{' '.join(words)}: {complaint(words)}"


@pytest.mark.parametrize("block", every("json"), ids=str)
def test_json_is_json(block: Block) -> None:
    assert json.loads(block.text)


@pytest.mark.skipif(shutil.which("node") is None, reason="nobody here reads JavaScript")
@pytest.mark.parametrize("block", every("js", "javascript"), ids=str)
def test_javascript_is_javascript(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "block.mjs"
    file.write_text(block.text, "utf-8")
    done = subprocess.run(["node", "--check", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_says_a_language_that_is_checked(page: Path) -> None:
    assert [str(block) for block in blocks(page) if block.language not in CHECKED] == []


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("zashiki plaay", "invalid choice"),
        ("make coffee", "make has no coffee"),
        ("npm --prefix web run away", "no script away"),
        ("pip install 'zashiki[coffee]'", "no extra coffee"),
        ("cp deploy/nowhere /etc", "there is no deploy/nowhere"),
        ("python -m tests.nowhere", "no module tests.nowhere"),
        ("brew coffee", "nobody knows the program brew"),
    ],
)
def test_a_command_that_is_not_there_is_noticed(command: str, reason: str) -> None:
    (words,) = commands(command)
    assert reason in str(complaint(words))
