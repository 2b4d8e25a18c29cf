"""What `zashiki bench server` found, in words and numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import StringIO
from typing import Any

LOOP = {
    "actions/s": ("per_second", "{:,.0f}"),
    "per second of\nserver CPU": ("per_cpu_second", "{:,.0f}"),
    "p50": ("p50", "{:.2f} ms"),
    "p99": ("p99", "{:.2f} ms"),
    "server busy": ("server_busy", "{:.0%}"),
    "load busy": ("load_busy", "{:.0%}"),
    "load late\np99": ("lag_p99", "{:.2f} ms"),
}
BUSY = 0.9
"""A generator that works so much of the time may be what limits the rate."""


def ratios(found: dict[str, Any]) -> dict[str, float]:
    """How our server compares with the other in this run; above one we are better in each."""
    compared: dict[str, float] = {}
    for loop, ours in found.get("play", {}).get("zashiki", {}).items():
        if theirs := found["play"].get("boardgame.io", {}).get(loop):
            compared[f"actions per second of CPU, {loop}"] = ours["per_cpu_second"] / theirs["per_cpu_second"]
            compared[f"p99, {loop}"] = theirs["p99"] / ours["p99"]
    memory = found.get("memory", {})
    if len(memory) == 2:
        for when in ("begun", "live"):
            compared[f"memory, {when}"] = memory["boardgame.io"][when] / memory["zashiki"][when]
    return compared


def as_json(found: dict[str, Any]) -> str:
    """The same for programs, with the ratios."""
    return json.dumps({**found, "ratios": ratios(found)}, indent=1) + "\n"


def as_text(found: dict[str, Any]) -> str:
    """Tables for people."""
    from rich.console import Console

    console = Console(width=118, record=True, file=StringIO())
    machine = found["machine"]
    apart = "server and load on cores of their own" if machine["apart"] else "server and load SHARE a core"
    console.print(
        f"{machine['cores']} cores, Python {machine['python']}; {apart}; load average before {machine['load_average']:.1f}"
    )
    for part, show in _SHOWN.items():
        if part in found:
            console.print(show(found[part]))
    for name, ratio in ratios(found).items():
        console.print(f"times boardgame.io, {name}: {ratio:.2f}")
    for name, errors in found["errors"].items():
        console.print(f"{name}, errors: {errors or 'none'}")
    return console.export_text()


def _table(title: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Any:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _cells(figures: dict[str, float]) -> list[str]:
    cells = [shape.format(figures[name]) for name, shape in LOOP.values()]
    if figures["load_busy"] > BUSY:
        cells[-2] += " !"
    return cells


def _loops(title: str, rows: Iterable[tuple[str, dict[str, float]]]) -> Any:
    return _table(title, ["", *LOOP], ([name, *_cells(figures)] for name, figures in rows))


def _play(found: dict[str, Any]) -> Any:
    title = "From when a move was due until the other had it; at saturation each table moves when both have seen the last move"
    return _loops(title, ((f"{name}, {loop}", figures) for name, loops in found.items() for loop, figures in loops.items()))


def _memory(found: dict[str, Any]) -> Any:
    heads = [
        "",
        "empty server",
        "2,000 sockets,\nmatches begun",
        "some moves later",
        "all left",
        "of their objects\nare left",
        "1,000 more tables,\nall left",
        "after a\nrestart",
    ]
    title = "What 1,000 tables add to resident memory; what is left without its objects are free pages"
    return _table(title, heads, ([name, *_weights(each)] for name, each in found.items()))


def _weights(found: dict[str, float]) -> list[str]:
    cells = {name: _megabytes(found.get(name)) for name in ("empty", "begun", "live", "left", "left behind", "unwatched")}
    share = found.get("objects left")
    shown = "" if share is None else f"{share:.1%}"
    return [*list(cells.values())[:4], shown, *list(cells.values())[4:]]


def _megabytes(value: float | None) -> str:
    return "" if value is None else f"{value:.1f} MB"


def _start(found: dict[str, Any]) -> Any:
    heads = ["start to first answer", "new data folder", "again"]
    return _table("", heads, ([name, f"{each['new']:.2f} s", f"{each['again']:.2f} s"] for name, each in found.items()))


def _rebuild(found: dict[str, Any]) -> str:
    words = ", ".join(f"{name} {value:.1f} ms" for name, value in found.items())
    return f"an action on a table rebuilt from the store: {words}"


def _many(found: dict[str, Any]) -> Any:
    words = f"10,000 open tables, 4,000 connections: {found['errors']} errors, {found['megabytes']:.0f} MB"
    return _loops(words, [("1,000/s", found)])


def _workers(found: dict[str, Any]) -> Any:
    words = f"two workers on PostgreSQL: {found['ratio']:.2f} times one, by processor time {found['ratio by processor time']:.2f}"
    few = "" if found["cores enough"] else " (too few cores here: workers, database and load share them)"
    return _loops(words + few, ((f"workers: {name}", figures) for name, figures in found.items() if isinstance(figures, dict)))


_SHOWN = {"play": _play, "memory": _memory, "start": _start, "rebuild": _rebuild, "many": _many, "workers": _workers}
