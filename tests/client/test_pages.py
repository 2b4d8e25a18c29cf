"""The pages on programs and assistants tell the truth: their programs run, and they name what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zashiki.assistant.mcp import Assistant, _tools

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "bots-over-the-network.md").read_text("utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_a_program_on_the_page_runs(code: str, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZASHIKI_SERVER", server)
    exec(compile(code, "bots-over-the-network.md", "exec"), {})


def test_every_tool_of_an_assistant_is_on_its_page() -> None:
    page = (DOCS / "assistants.md").read_text("utf-8")
    for tool, _ in _tools(Assistant(None, None)):
        assert f"`{tool.__name__}`" in page
