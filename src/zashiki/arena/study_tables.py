"""What self-play has shown, as tables in the terminal."""

from __future__ import annotations

from rich.console import Console

from zashiki.arena import page
from zashiki.arena.results import QUANTILES
from zashiki.arena.study import KindUse, Study, Worth
from zashiki.arena.tables import by_place, endings, headline, percent, seconds, slowest, table

USES = ("action", "legal", "chosen then")
WORTHS = ("action", "could", "did", "won doing", "won not", "share each", "95 %", "lead each", "95 %")
SHOWN = 8
"""Facets at either end, and actions of a kind."""


def print_study(found: Study, console: Console) -> None:
    """Prints all of it."""
    console.print(f"{headline(found.tournament)}, {found.tournament.bots[0]}; {found.played:,} matches of {found.planned:,}")
    console.print(by_place(found.by_place))
    console.print(f"points a seat: {_spread(found, 'points')}\ndecisions a match: {_spread(found, 'decisions')}")
    console.print(f"endings: {endings(found.endings)}")
    pace = found.pace
    console.print(f"time for an action: {seconds(pace.mean)} on average, p99 {seconds(pace.p99)}, slowest {slowest(pace)}")
    kinds = ((use.kind, f"{use.legal:,}", *percent(use.rate)) for use in found.kinds)
    console.print(table("How often each kind of action is chosen where it is legal", ["", "legal", "chosen", "95 %"], kinds))
    for use in found.kinds:
        console.print(table(f"{use.kind}: the most frequent", USES, uses(use)[:SHOWN]))
    console.print(table("What goes with winning: for every time it was chosen", WORTHS, map(worth, _ends(found.worth))))


def uses(use: KindUse) -> list[tuple[str, str, str]]:
    """The most frequent actions of a kind, under the heads of USES."""
    return [(each.words, f"{each.legal:,}", f"{each.rate:.1%}") for each in use.actions]


def facet(worth: Worth) -> str:
    """What is judged, in words."""
    return f"{worth.kind}: {worth.what}" if worth.what else worth.kind


def worth(found: Worth) -> tuple[str, ...]:
    """What something is worth, under the heads of WORTHS."""
    share, lead = found.share, found.lead
    return (
        facet(found),
        f"{found.could:,}",
        f"{found.took:,}",
        f"{found.won_taking:.1%}",
        "" if found.won_passing is None else f"{found.won_passing:.1%}",
        f"{share.value:+.1%}",
        f"{share.low:+.1%} – {share.high:+.1%}",
        f"{lead.value:+.2f}",
        f"{lead.low:+.2f} – {lead.high:+.2f}",
    )


def quantile_table(found: Study) -> str:
    """The quantiles of the points, for a page."""
    cuts = [f"{cut} %" for cut in QUANTILES]
    return page.table(["", *cuts], [["points", *(f"{value:g}" for value in found.points.quantiles.values())]])


def _spread(found: Study, name: str) -> str:
    spread = getattr(found, name)
    return f"{spread.mean:.1f} on average, {spread.quantiles['5']:.0f} to {spread.quantiles['95']:.0f} in nine of ten"


def _ends(worths: list[Worth]) -> list[Worth]:
    return worths if len(worths) <= 2 * SHOWN else worths[:SHOWN] + worths[-SHOWN:]
