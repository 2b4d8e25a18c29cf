"""What a tournament has shown, as a page with plots."""

from __future__ import annotations

from collections.abc import Iterator

from zashiki.arena import tables
from zashiki.arena.intervals import Interval
from zashiki.arena.page import page, plots, section, table
from zashiki.arena.plots import Row, bars, dots, histogram
from zashiki.arena.results import Meeting, Place, Rating, Report
from zashiki.core.game import as_game

ALLOWING = "The intervals hold 95 %. They allow for the matches of one deal depending on each other."
SHOWN = 100
"""Forfeits; there may be thousands."""


def arena_page(found: Report) -> str:
    """The whole page."""
    title = f"Arena: {as_game(found.tournament.game).title}"
    about = f"{tables.headline(found.tournament)}; {tables.counted(found)}. {ALLOWING}"
    return page(title, about, _sections(found))


def _sections(found: Report) -> Iterator[str]:
    if found.ratings:
        yield section("Ratings", _ratings(found.ratings), about="Elo, by maximum likelihood; 400 points are odds of ten to one.")
    if found.by_place:
        yield places_section(found.by_place)
    yield length_section(histogram("decisions a match", found.decisions), found.decisions.mean, found.endings)
    if found.meetings:
        drawn = [(meeting.title, _shares(found, meeting)) for meeting in found.meetings if meeting.sides]
        yield section("Share of victories", plots(*drawn), about=_fair_words(found), wide=True)
        yield section("Points", plots(*_points(found.meetings)), about="The dashed line is the mean.", wide=True)
    yield section("Time for an action", table(tables.TIMES, tables.showings(found)), wide=True)
    if found.forfeits:
        rows = ((each.bot, each.reason, each.pairing, str(each.deal), str(each.seat)) for each in found.forfeits[:SHOWN])
        yield section("Forfeits", table(["bot", "why", "pairing", "deal", "seat"], rows, words=True), wide=True)


def places_section(places: list[Place]) -> str:
    """What each place is worth."""
    rows = [share_row(place.name, place.share) for place in places]
    about = "The share of victories by who begins. The dashed line is the fair share."
    return section("Who begins", bars("share of victories by who begins", rows, fair=1 / len(places)), about=about)


def length_section(drawn: str, mean: float, endings: dict[str, int]) -> str:
    """How long matches are and how they end."""
    total = max(sum(endings.values()), 1)
    ended = table(["ending", "matches", ""], ((why, f"{count:,}", f"{count / total:.1%}") for why, count in endings.items()))
    return section("Length and ending", drawn, ended, about=f"{mean:.1f} decisions a match, all seats together.")


def share_row(label: str, share: Interval, *, quiet: bool = False) -> Row:
    """A share as a plot has it."""
    return Row(label, share.value, share.low, share.high, f"{share.value:.1%}  ({share.low:.1%} – {share.high:.1%})", quiet)


def _fair_words(found: Report) -> str:
    seats = found.tournament.seats
    several = "" if seats == 2 or found.tournament.together else " Where several seats are one bot's, the share is that of each."
    return f"The dashed line is the fair share, one in {seats}.{several}"


def _ratings(ratings: list[Rating]) -> str:
    return dots("ratings", [Row(each.bot, each.elo, each.low, each.high, _rated(each)) for each in ratings])


def _rated(rating: Rating) -> str:
    if rating.low is None or rating.high is None:
        return f"{rating.elo:+.0f}"
    return f"{rating.elo:+.0f}  ({rating.low:+.0f} – {rating.high:+.0f})"


def _shares(found: Report, meeting: Meeting) -> str:
    rows = [share_row(_seated(side.bot, side.seats), side.share, quiet=place > 0) for place, side in enumerate(meeting.sides)]
    return bars(meeting.title, rows, fair=1 / found.tournament.seats)


def _seated(bot: str, seats: int) -> str:
    return bot if seats == 1 else f"{bot}, each of {seats}"


def _points(meetings: list[Meeting]) -> Iterator[tuple[str, str]]:
    sides = [(meeting.title, side.bot, side.points) for meeting in meetings for side in meeting.sides if side.points]
    beside = [points for _, _, points in sides]
    for title, bot, points in sides:
        yield f"{title}: {bot}, {points.mean:.1f}", histogram(f"points of {bot}, {title}", points, beside=beside, height=80)
