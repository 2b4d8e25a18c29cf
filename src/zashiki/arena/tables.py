"""What a tournament has shown, as tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.table import Table

from zashiki.arena.intervals import Interval
from zashiki.arena.results import Pace, Place, Rating, Report, Side
from zashiki.arena.schedule import Tournament

OVER = 1.1
"""A bot that takes so many times its budget is marked: a little more is the clock's grain."""
SHOWN = 5
TIMES = ("bot", "matches", "actions a seat", "time each", "p99", "slowest", "forfeits")

WIDTH = 118
"""Of a table that goes to a file."""


def console() -> Console:
    """Where tables are printed: as wide as the terminal, or else as they need."""
    shown = Console()
    return shown if shown.is_terminal else Console(width=WIDTH)


def print_report(found: Report, console: Console) -> None:
    """Prints all of it."""
    console.print(headline(found.tournament) + f"; {counted(found)}")
    console.print(_meetings(found))
    if found.ratings:
        console.print(table("Ratings (Elo)", ["", "rating", "95 %"], (_rated(rating) for rating in found.ratings)))
    elif len(found.tournament.bots) > 1 and found.counted:
        console.print("No ratings: pip install 'zashiki[arena]' brings what they need.")
    console.print(table("Time for an action", TIMES, showings(found)))
    console.print(by_place(found.by_place))
    console.print(f"decisions a match: {found.decisions.mean:.1f}; endings: {endings(found.endings)}")
    for lost in found.forfeits[:SHOWN]:
        console.print(f"forfeit: {lost.bot}, {lost.pairing}, deal {lost.deal}, seat {lost.seat}: {lost.reason}", style="red")
    if len(found.forfeits) > SHOWN:
        console.print(f"and {len(found.forfeits) - SHOWN} forfeits more", style="red")


def headline(tournament: Tournament) -> str:
    """What was played, in a line."""
    options = ", ".join(f"{name} {value}" for name, value in tournament.options.items())
    return f"{tournament.game}, {tournament.seats} seats{', ' + options if options else ''}, seed {tournament.seed}"


def counted(found: Report) -> str:
    """How many matches, in words."""
    if found.counted == found.planned:
        return f"{found.counted:,} matches"
    return f"{found.counted:,} matches in whole deals counted, of {found.played:,} played and {found.planned:,} planned"


def endings(found: dict[str, int]) -> str:
    """How the matches ended, in words."""
    total = max(sum(found.values()), 1)
    return ", ".join(f"{reason} {count / total:.1%}" for reason, count in found.items()) or "none"


def table(title: str, heads: Iterable[str], rows: Iterable[Iterable[str]], lefts: int = 1) -> Table:
    """A table whose first columns are words and whose others are numbers."""
    drawn = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        drawn.add_column(head, justify="left" if place < lefts else "right")
    for row in rows:
        drawn.add_row(*row)
    return drawn


def percent(interval: Interval) -> tuple[str, str]:
    """A share and its interval."""
    return f"{interval.value:.1%}", f"{interval.low:.1%} – {interval.high:.1%}"


def seconds(value: float) -> str:
    """A span of time in a unit that suits it."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.1f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} µs"


def by_place(places: list[Place]) -> RenderableType:
    """What each place is worth."""
    rows = ((place.name, *percent(place.share), f"{place.share.value * len(places):.2f}") for place in places)
    return table("Share of victories by who begins", ["", "share", "95 %", "× fair"], rows)


def slowest(pace: Pace) -> str:
    """The longest thought; where there is a budget, how it compares."""
    if pace.budget is None:
        return seconds(pace.slowest)
    times = pace.slowest / pace.budget
    return f"{seconds(pace.slowest)} ({times:.2f} × budget{' !' if times > OVER else ''})"


def _meetings(found: Report) -> Table:
    rows = (
        (meeting.title if first else "", *_side(side), f"{meeting.deals:,}" if first else "")
        for meeting in found.meetings
        for first, side in zip((True, *(False for _ in meeting.sides)), meeting.sides, strict=False)
    )
    heads = ["pairing", "bot", "share", "95 %", "× fair", "points", "5 – 95 %", "deals"]
    return table("Share of victories; where several seats are one bot's, of each of them", heads, rows, lefts=2)


def _side(side: Side) -> tuple[str, ...]:
    points = ("", "")
    if side.points:
        points = (f"{side.points.mean:.1f}", f"{side.points.quantiles['5']:.0f} – {side.points.quantiles['95']:.0f}")
    return side.bot, *percent(side.share), f"{side.times_fair.value:.2f}", *points


def _rated(rating: Rating) -> tuple[str, str, str]:
    interval = "" if rating.low is None or rating.high is None else f"{rating.low:+.0f} – {rating.high:+.0f}"
    return rating.bot, f"{rating.elo:+.0f}", interval


def showings(found: Report) -> list[tuple[str, ...]]:
    """How the bots used their time, a row each, under the heads of TIMES."""
    return [
        (
            each.bot,
            f"{each.matches:,}",
            f"{each.decisions:.1f}",
            seconds(each.pace.mean),
            seconds(each.pace.p99),
            slowest(each.pace),
            str(each.forfeits),
        )
        for each in found.showings
    ]
