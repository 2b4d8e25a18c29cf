"""What self-play has shown, as a page with plots."""

from __future__ import annotations

from collections.abc import Iterator

from zashiki.arena import study_tables, tables
from zashiki.arena.arena_page import length_section, places_section, share_row
from zashiki.arena.page import page, plots, section, table
from zashiki.arena.plots import Row, bars, dots, histogram
from zashiki.arena.study import KindUse, Study, Worth
from zashiki.core.game import as_game

PLOTTED = 10
"""So many facets at either end are plotted; the table has all."""
ABOUT_WORTH = (
    "How much more a seat wins, and leads by in points, with every time it chose such an action, among the seats that could. "
    "It tells what goes together in this bot's play, not what causes what."
)


def study_page(found: Study) -> str:
    """The whole page."""
    title = f"{as_game(found.tournament.game).title} as {found.tournament.bots[0]} plays it"
    about = f"{tables.headline(found.tournament)}; {found.played:,} matches of {found.planned:,}. The intervals hold 95 %."
    return page(title, about, _sections(found))


def _sections(found: Study) -> Iterator[str]:
    if found.by_place:
        yield places_section(found.by_place)
    about = f"{found.points.mean:.1f} points a seat; the dashed line is the mean."
    yield section(
        "Points", histogram("points of a seat at the end", found.points), study_tables.quantile_table(found), about=about
    )
    yield length_section(histogram("decisions a match", found.decisions), found.decisions.mean, found.endings)
    if found.kinds:
        overall = bars("how often each kind is chosen", [share_row(use.kind, use.rate) for use in found.kinds])
        each = ((use.kind, _uses(use)) for use in found.kinds if use.actions)
        yield section("What is chosen", plots(("all kinds", overall), *each), about="How often, where it was legal.", wide=True)
    if found.worth:
        yield section("What goes with winning", _worths(found.worth), about=ABOUT_WORTH, wide=True)


def _uses(use: KindUse) -> str:
    return table(study_tables.USES, study_tables.uses(use))


def _worths(worths: list[Worth]) -> str:
    best, worst = worths[:PLOTTED], worths[PLOTTED:][-PLOTTED:]
    drawn = [("Most points of lead", dots("points of lead with each", [_row(each) for each in best]))]
    if worst:
        drawn.append(("Fewest", dots("points of lead with each", [_row(each) for each in worst])))
    return plots(*drawn) + table(study_tables.WORTHS, (study_tables.worth(each) for each in worths))


def _row(worth: Worth) -> Row:
    lead = worth.lead
    return Row(
        study_tables.facet(worth), lead.value, lead.low, lead.high, f"{lead.value:+.2f}  ({lead.low:+.2f} – {lead.high:+.2f})"
    )
