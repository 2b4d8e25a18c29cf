"""The documentation builds without a warning, and none of its links leads nowhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.blocks import ROOT


class Links(HTMLParser):
    """Where a page leads, and what on it can be led to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.targets.add(value)
            elif value and name == "id":
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fresh-env", "--fail-on-warning", "--keep-going"]
    doctrees = ["--doctree-dir", str(folder / "doctrees")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [*command, *doctrees, str(ROOT / "docs"), str(folder / "html")], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_no_link_leads_nowhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    for page, links in pages.items():
        for target in links.targets:
            address = urlsplit(target)
            if address.scheme or address.netloc:
                continue
            there = (page.parent / unquote(address.path)).resolve() if address.path else page
            assert there.exists(), f"{page.relative_to(site)} leads to {target}"
            if there in pages and address.fragment:
                assert unquote(address.fragment) in pages[there].anchors, f"{page.relative_to(site)} leads to {target}"


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        for foreign in ('src="http', '<link rel="stylesheet" href="http', "@import url(http"):
            assert foreign not in text, page.relative_to(site)


def test_every_generated_block_was_filled(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert "{generated}" not in page.read_text("utf-8"), page.relative_to(site)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_pages_beside_the_site_link_to_files_that_are_there(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)", (ROOT / page).read_text("utf-8")):
        assert target.startswith("http") or (ROOT / target).exists(), target
