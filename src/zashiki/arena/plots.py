"""Small plots as SVG, written by hand: bars and dots with intervals, histograms. Colours come from the page they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import floor, isfinite, log10
from typing import NamedTuple

from zashiki.arena.results import Distribution

WIDTH = 360
LEFT, RIGHT = 8, 352
ROW = 38
FOOT = 26


class Row(NamedTuple):
    """A named value with its interval, if it has one, and how it is written."""

    label: str
    value: float
    low: float | None
    high: float | None
    said: str
    quiet: bool = False


class Scale(NamedTuple):
    """Where values lie across the plot."""

    first: float
    last: float

    def place(self, value: float) -> float:
        """The x of a value; what lies outside is put at the edge."""
        inside = min(max(value, self.first), self.last)
        return round(LEFT + (RIGHT - LEFT) * (inside - self.first) / (self.last - self.first), 1)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values, at most so many."""
        rough = (self.last - self.first) / most
        unit = 10.0 ** floor(log10(rough))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
        first = -(-self.first // step)
        return [(first + i) * step for i in range(most + 1) if (first + i) * step <= self.last + step / 1e6]


def bars(title: str, rows: Sequence[Row], *, fair: float | None = None) -> str:
    """Shares as bars from 0, each with its interval; a line marks the fair share."""
    top = max([0.1, fair or 0, *(row.high if row.high is not None else row.value for row in rows)])
    scale = Scale(0, min(1, top * 1.05))
    drawn = [_bar(scale, place, row) for place, row in enumerate(rows)]
    ground = _ground(scale, len(rows), [f"{tick:.0%}" for tick in scale.ticks()])
    return _svg(title, len(rows) * ROW + FOOT, [ground, *drawn, _fair(scale, len(rows), fair)])


def dots(title: str, rows: Sequence[Row]) -> str:
    """Values as dots on a common axis, each with its interval; a line marks 0."""
    known = [value for row in rows for value in (row.value, row.low, row.high) if value is not None and isfinite(value)]
    low, high = min([0, *known]), max([0, *known])
    reach = (high - low or 1) * 0.04
    scale = Scale(low - reach, high + reach)
    drawn = [_dot(scale, place, row) for place, row in enumerate(rows)]
    ground = _ground(scale, len(rows), [f"{tick:g}" for tick in scale.ticks()])
    return _svg(title, len(rows) * ROW + FOOT, [ground, _fair(scale, len(rows), 0.0), *drawn])


def histogram(title: str, found: Distribution, *, beside: Sequence[Distribution] = (), height: int = 120) -> str:
    """How often each number occurred; a line marks the mean. Those that stand beside each other have one axis."""
    most = max(found.histogram)
    shown = [found, *beside]
    scale = Scale(min(each.first for each in shown), max(each.first + len(each.histogram) * each.width for each in shown))
    drawn = []
    for place, count in enumerate(found.histogram):
        first = found.first + place * found.width
        x, end, tall = scale.place(first), scale.place(first + found.width), (height - 10) * count / most
        told = f"{first}" if found.width == 1 else f"{first} to {first + found.width - 1}"
        shape = f'x="{x + 0.5:.1f}" y="{height - tall:.1f}" width="{max(end - x - 1, 0.5):.1f}" height="{tall:.1f}"'
        drawn.append(f'<rect class="fill" {shape}><title>{told}: {count:,}</title></rect>')
    shift = 0.5 if found.width == 1 else 0.0
    texts = "".join(_tick(scale.place(tick + shift), height + 16, f"{tick:g}") for tick in scale.ticks() if tick == round(tick))
    base = f'<path class="base" d="M{LEFT} {height}H{RIGHT}"/>'
    mean = scale.place(found.mean + shift)
    return _svg(title, height + FOOT, [*drawn, base, texts, f'<path class="fair" d="M{mean} 0V{height}"/>'])


def _svg(title: str, height: float, parts: Iterable[str]) -> str:
    name = escape(title)
    return f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{name}">{"".join(parts)}</svg>'


def _ground(scale: Scale, rows: int, texts: Iterable[str]) -> str:
    """Faint lines at round values, with their numbers below."""
    ticks = list(zip(scale.ticks(), texts, strict=True))
    lines = "".join(_line("grid", scale.place(tick), rows) for tick, _ in ticks)
    return lines + "".join(_tick(scale.place(tick), rows * ROW + 16, text) for tick, text in ticks)


def _line(kind: str, x: float, rows: int) -> str:
    """A line down the plot that leaves out the words."""
    return f'<path class="{kind}" d="{"".join(f"M{x} {place * ROW + 18}v16" for place in range(rows))}"/>'


def _tick(x: float, y: float, text: str) -> str:
    # The outermost numbers would stick out.
    anchor = "start" if x < LEFT + 12 else "end" if x > RIGHT - 12 else "middle"
    return f'<text class="tick" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'


def _fair(scale: Scale, rows: int, value: float | None) -> str:
    return "" if value is None else _line("fair", scale.place(value), rows)


def _words(place: int, row: Row) -> str:
    y = place * ROW + 14
    label = f'<text x="{LEFT}" y="{y}">{escape(row.label)}</text>'
    return label + f'<text class="said" x="{RIGHT}" y="{y}" text-anchor="end">{escape(row.said)}</text>'


def _bar(scale: Scale, place: int, row: Row) -> str:
    y = place * ROW + 20
    length = scale.place(row.value) - LEFT
    kind = "bar quiet" if row.quiet else "bar"
    bar = f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{length:.1f}" height="10"/>'
    return bar + _whisker(scale, y + 5, row) + _words(place, row)


def _dot(scale: Scale, place: int, row: Row) -> str:
    y = place * ROW + 25
    return f'{_whisker(scale, y, row)}<circle class="fill" cx="{scale.place(row.value)}" cy="{y}" r="4.5"/>{_words(place, row)}'


def _whisker(scale: Scale, y: float, row: Row) -> str:
    if row.low is None or row.high is None:
        return ""
    low, high = scale.place(row.low), scale.place(row.high)
    return f'<path class="whisker" d="M{low} {y - 4}v8M{low} {y}H{high}M{high} {y - 4}v8"/>'
