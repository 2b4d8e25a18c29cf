"""The files in `deploy/` say what the program understands, and agree with each other."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from argparse import Namespace
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from zashiki.cli import _parser

DEPLOY = Path(__file__).parents[1] / "deploy"
NGINX = sorted(DEPLOY.rglob("*.conf"))
UNITS = sorted((DEPLOY / "systemd").iterdir())


def parsed(words: list[str]) -> Namespace:
    """What the command line makes of these words."""
    return _parser().parse_args(words)


def lines(unit: str, key: str) -> list[str]:
    """The values of a key in a unit."""
    text = (DEPLOY / "systemd" / unit).read_text("utf-8")
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


def tokens(text: str) -> list[str]:
    """An nginx file in words; quoted ones whole, comments gone."""
    found = re.findall(r'"[^"]*"|#[^\n]*|[{};]|[^\s{};"]+', text)
    return [token for token in found if not token.startswith("#")]


@pytest.mark.parametrize("file", NGINX, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_every_directive_of_nginx_ends_and_every_block_closes(file: Path) -> None:
    depth, words = 0, 0
    for token in tokens(file.read_text("utf-8")):
        if token in "{;":
            assert words, "a directive without a name"
            words = 0
        if token in "{}":
            assert token == "{" or not words, "a directive without its semicolon"
            depth += 1 if token == "{" else -1
            assert depth >= 0
        elif token != ";":
            words += 1
    assert depth == words == 0


def test_nginx_knows_every_worker_of_the_service() -> None:
    command = parsed(shlex.split(lines("zashiki.service", "ExecStart")[0])[1:])
    assert command.behind_proxy
    text = (DEPLOY / "nginx" / "zashiki.conf").read_text("utf-8")
    ports = [int(port) for port in re.findall(r"server 127\.0\.0\.1:(\d+)", text)]
    assert ports == [command.port + 1 + number for number in range(command.workers)]
    assert command.public_url == "https://cards.example.org"


def test_the_backup_unit_backs_up_and_forgets_old_files_by_the_name_they_have() -> None:
    backup, forget = lines("zashiki-backup.service", "ExecStart")
    folder = parsed(shlex.split(backup)[1:]).file
    assert shlex.split(forget)[1] == str(folder)
    assert shlex.split(forget)[3] == "zashiki-*.jsonl.gz"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here to ask")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_understands_the_units(unit: Path) -> None:
    said = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False).stderr
    minded = [line for line in said.splitlines() if "zashiki" in line and "is not executable" not in line]
    assert not minded


def test_the_containers_run_what_the_program_understands() -> None:
    compose = yaml.safe_load((DEPLOY / "containers" / "compose.yaml").read_text("utf-8"))
    service = compose["services"]["zashiki"]
    words = shlex.split(service["command"][0].replace("$$", "$").partition("exec zashiki ")[2])
    command = parsed(words)
    assert command.workers > 1
    assert command.host == "0.0.0.0"
    (network,) = compose["networks"]["inside"]["ipam"]["config"]
    assert service["environment"]["FORWARDED_ALLOW_IPS"] == network["subnet"]
    assert set(compose["services"]) == {"database", "zashiki", "proxy"}
    assert (DEPLOY / "containers" / service["build"]["context"] / service["build"]["dockerfile"]).exists()


def test_the_image_starts_the_server() -> None:
    text = (DEPLOY / "containers" / "Containerfile").read_text("utf-8")
    found = re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert found
    assert parsed(json.loads(found[1])).no_browser
    root = DEPLOY.parent
    for copied in re.findall(r"^COPY ([^-].*) \S+$", text, re.MULTILINE):
        assert all((root / name).exists() for name in copied.split())
