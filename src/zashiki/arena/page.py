"""A page that stands alone: no scripts, no fonts and nothing else from anywhere; light or dark as the reader's system is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files


def page(title: str, about: str, sections: Iterable[str]) -> str:
    """The whole page."""
    style = files("zashiki.arena").joinpath("page.css").read_text("utf-8")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><header><h1>{escape(title)}</h1><p>{escape(about)}</p></header><main>{''.join(sections)}</main></body></html>\n"
    )


def section(title: str, *parts: str, about: str = "", wide: bool = False) -> str:
    """A part of the page under a heading. The parts are HTML, the texts are not."""
    told = f"<p>{escape(about)}</p>" if about else ""
    kind = ' class="wide"' if wide else ""
    return f"<section{kind}><h2>{escape(title)}</h2>{told}{''.join(parts)}</section>"


def plots(*drawn: tuple[str, str]) -> str:
    """Plots side by side, each under its name."""
    return f'<div class="plots">{"".join(f"<div><h3>{escape(name)}</h3>{plot}</div>" for name, plot in drawn)}</div>'


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], *, words: bool = False) -> str:
    """A table of texts. `words`: the second column is one of words too."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    kind = ' class="words"' if words else ""
    return f'<div class="scroll"><table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
