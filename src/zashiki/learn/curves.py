"""The story of a run as pictures: a PNG, and a page that needs nothing else."""

from __future__ import annotations

import json
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zashiki.core.extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = {
    "rate": "decisions learned per second",
    "entropy": "how undecided the policy is (nats)",
    "distance": "how far it is from the policy that pulls it (nats)",
    "surprise": "how far off the expected shares are (nats)",
    "asleep": "share of the network's units that began anew",
    "against_past": "fair shares won against past selves",
    "against_crowd": "fair shares won against the heuristic",
}
STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fdfcf8}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ddd}
svg{max-width:100%;height:auto}h1{font-weight:600}"""


def draw_curves(folder: Path) -> None:
    """Writes `curves.png` and `index.html` into a run's folder."""
    with extra("learn"):
        from matplotlib import rc_context
    story: dict[str, Any] = json.loads((folder / "run.json").read_text())
    with rc_context({"svg.hashsalt": "zashiki", "font.size": 9}):
        figure = _figure(_lines(folder / "curve.jsonl"), _lines(folder / "exams.jsonl"))
        figure.savefig(folder / "curves.png", dpi=110)
        picture = StringIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    (folder / "index.html").write_text(_page(story, picture.getvalue(), _lines(folder / "exams.jsonl")), "utf-8")


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def _figure(curve: list[dict[str, Any]], exams: list[dict[str, Any]]) -> Figure:
    from matplotlib.figure import Figure as NewFigure

    figure = NewFigure(figsize=(9, 12), layout="constrained")
    *places, last = figure.subplots(4, 2).ravel()
    for place, (name, meaning) in zip(places, PANELS.items(), strict=True):
        known = [line for line in curve if name in line]
        place.plot([line["decisions"] / 1e6 for line in known], [line[name] for line in known], color="#a3333d", linewidth=1.2)
        _label(place, meaning)
        place.set_visible(bool(known))
    _draw_exams(last, exams)
    last.set_visible(bool(exams))
    return figure


def _draw_exams(place: Axes, exams: list[dict[str, Any]]) -> None:
    """Fair shares against each bot, with the interval in which the true value lies in 95 of 100 cases."""
    for kind in sorted({(exam["bot"], exam["seats"]) for exam in exams}):
        own = [exam for exam in exams if (exam["bot"], exam["seats"]) == kind]
        place.errorbar(
            [exam["decisions"] / 1e6 for exam in own],
            [exam["fair_shares"] for exam in own],
            [1.96 * exam["error"] * kind[1] for exam in own],
            label=f"{kind[0]}, {kind[1]} seats",
            marker="o",
            markersize=3,
            capsize=2,
        )
    _label(place, "fair shares won among bots")
    if exams:
        place.legend(fontsize=7)


def _label(place: Axes, meaning: str) -> None:
    place.set_title(meaning, fontsize=9)
    place.set_xlabel("million decisions")
    place.grid(alpha=0.3)


def _page(story: dict[str, Any], picture: str, exams: list[dict[str, Any]]) -> str:
    rows = "".join(f"<tr><th>{escape(str(name))}</th><td>{escape(_said(value))}</td></tr>" for name, value in _facts(story))
    tried = "".join(
        f"<tr><td>{exam['decisions']:,}</td><td>{escape(exam['bot'])}</td><td>{exam['seats']}</td><td>{exam['share']:.1%} "
        f"± {1.96 * exam['error']:.1%}</td><td>{exam['fair_shares']:.2f}</td></tr>"
        for exam in exams
    )
    head = "<tr><th>after decisions</th><th>against</th><th>seats</th><th>share of the victories</th><th>fair shares</th></tr>"
    title = f"{escape(story.get('game', 'A small game'))}: a run of learning"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style><h1>{title}</h1><table>{rows}</table>"
        f"{picture[picture.index('<svg') :]}<table>{head}{tried}</table></html>\n"
    )


def _facts(story: dict[str, Any]) -> list[tuple[str, Any]]:
    parts = [*story["bill"].items(), *story["versions"].items(), *story["recipe"].items()]
    return [("seed", story["seed"]), *parts]


def _said(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
