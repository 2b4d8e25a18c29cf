"""The command line, from its own parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from docs._ext.markdown import code, paragraphs, table

from zashiki import cli


def commands() -> str:
    """Every command with its arguments."""
    return paragraphs(*(_command(name, parser, meaning) for name, parser, meaning in every(cli._parser(), "zashiki")))


def every(parser: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Every command that does something, with its full name and its meaning."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            meanings = {each.dest: each.help or "" for each in action._choices_actions}
            for word, inner in action.choices.items():
                if any(isinstance(each, argparse._SubParsersAction) for each in inner._actions):
                    yield from every(inner, f"{name} {word}")
                else:
                    yield f"{name} {word}", inner, meanings[word]


def _command(name: str, parser: argparse.ArgumentParser, meaning: str) -> str:
    rows = [(_spelled(each), each.help or "") for each in parser._actions if not isinstance(each, argparse._HelpAction)]
    listed = table(("argument", "meaning"), rows) if rows else ""
    return paragraphs(f"## {name}", f"{meaning[:1].upper()}{meaning[1:]}.", listed)


def _spelled(action: argparse.Action) -> str:
    if not action.option_strings:
        return code(action.metavar or action.dest)
    value = (
        ""
        if action.nargs == 0
        else f" {action.metavar or (action.choices and '|'.join(map(str, action.choices))) or action.dest.upper()}"
    )
    return code(f"{action.option_strings[-1]}{value}")
