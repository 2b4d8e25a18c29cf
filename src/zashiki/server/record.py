"""Somebody's record: what the matches that are over add up to, by game. It does no I/O."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from zashiki.server.archive import MatchInfo, MatchSeat
from zashiki.server.judged import Judged
from zashiki.server.rating import BOTS

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for one; somebody may be called like that."""
LEAST_REVIEWS = 3


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """So many matches, and how many victories in them; a shared one is a part."""

    matches: int
    won: float


class Versus(msgspec.Struct, frozen=True, kw_only=True):
    """Matches against one sort of opponents: a bot's level, `people`, `programs`, or `mixed` where they were of several."""

    opponents: str
    matches: int
    won: float


class RatingPoint(msgspec.Struct, frozen=True, kw_only=True):
    """My rating after a match."""

    at: int
    table: str
    rating: float
    deviation: float


class Streaks(msgspec.Struct, frozen=True, kw_only=True):
    """Victories in a row: now (below 0: defeats), and the most there ever were."""

    now: int
    longest: int


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How I play, as far as it shows without looking into the matches.

    `seconds`: for each decision, matches by correspondence not counted. `given_up` and `left`: matches. `starting` and
    `following`: where one seat alone began, it was mine or not.
    """

    seconds: float | None
    given_up: int
    left: int
    starting: Tally
    following: Tally


class Judgements(msgspec.Struct, frozen=True, kw_only=True):
    """My decisions in `matches` that were reviewed: as the strongest level would have decided, and blunders.

    `weighed`: decisions of reviews that looked at risks, and `risks` among them: worth less than the best choice, with results
    further apart.
    """

    matches: int
    decisions: int
    best: int
    blunders: int
    weighed: int
    risks: int


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """My matches of one game. `rating` and `deviation`: null until a match was rated. `bots`: how the house's own are rated."""

    game: str
    matches: int
    won: float
    rated: int
    rating: float | None
    deviation: float | None
    history: list[RatingPoint]
    bots: dict[str, float]
    opponents: list[Versus]
    streaks: Streaks
    habits: Habits
    judgements: Judgements


class PersonalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """My record, the game that I play most first. `least_reviews`: with fewer of a game they tell nothing of habits."""

    games: list[GameRecord]
    least_reviews: int = LEAST_REVIEWS


def record_of(matches: Sequence[MatchInfo]) -> PersonalRecord:
    """The record of somebody whose matches these are, the first first."""
    told = [match for match in matches if match.reason is not None]
    games = {match.game: [each for each in told if each.game == match.game] for match in told}
    found = [_game(game, own) for game, own in games.items()]
    return PersonalRecord(games=sorted(found, key=lambda each: -each.matches))


def _game(game: str, matches: list[MatchInfo]) -> GameRecord:
    history = [
        RatingPoint(at=match.ended_at, table=match.table, rating=match.rating, deviation=match.deviation)
        for match in matches
        if match.unrated is None and match.rating is not None and match.deviation is not None
    ]
    return GameRecord(
        game=game,
        matches=len(matches),
        won=_won(matches),
        rated=len(history),
        rating=history[-1].rating if history else None,
        deviation=history[-1].deviation if history else None,
        history=history,
        bots=BOTS.get(game, {}),
        opponents=_opponents(matches),
        streaks=_streaks(matches),
        habits=_habits(matches),
        judgements=_judgements([match.judged for match in matches if match.judged is not None]),
    )


def _mine(match: MatchInfo) -> MatchSeat:
    return match.seats[match.seat]


def _won(matches: Iterable[MatchInfo]) -> float:
    return round(sum(_mine(match).share or 0 for match in matches), 3)


def _tally(matches: list[MatchInfo]) -> Tally:
    return Tally(matches=len(matches), won=_won(matches))


def _opponents(matches: list[MatchInfo]) -> list[Versus]:
    sorts: dict[str, list[MatchInfo]] = {}
    for match in matches:
        sorts.setdefault(_sort(match), []).append(match)
    order = ["people", "programs", *BOTS.get(matches[0].game, {}), "mixed"]
    known = sorted(sorts, key=lambda sort: (order.index(sort) if sort in order else len(order), sort))
    return [Versus(opponents=sort, matches=len(sorts[sort]), won=_won(sorts[sort])) for sort in known]


def _sort(match: MatchInfo) -> str:
    others = [seat for place, seat in enumerate(match.seats) if place != match.seat]
    found = {seat.bot or ("programs" if seat.program else "people") for seat in others}
    return found.pop() if len(found) == 1 else "mixed"


def _streaks(matches: list[MatchInfo]) -> Streaks:
    now = longest = 0
    for match in matches:
        won = bool(_mine(match).share)
        now = (now + 1 if now > 0 else 1) if won else (now - 1 if now < 0 else -1)
        longest = max(longest, now)
    return Streaks(now=now, longest=longest)


def _habits(matches: list[MatchInfo]) -> Habits:
    at_the_table = [match for match in matches if not match.by_correspondence]
    decisions = sum(match.decisions for match in at_the_table)
    begun = [match for match in matches if any(seat.first for seat in match.seats)]
    return Habits(
        seconds=round(sum(match.seconds for match in at_the_table) / decisions, 1) if decisions else None,
        given_up=sum(_mine(match).left == "resigned" for match in matches),
        left=sum(_mine(match).left == "away" for match in matches),
        starting=_tally([match for match in begun if _mine(match).first]),
        following=_tally([match for match in begun if not _mine(match).first]),
    )


def _judgements(found: list[Judged]) -> Judgements:
    weighed = [(each.decisions, each.risks) for each in found if each.risks is not None]
    return Judgements(
        matches=len(found),
        decisions=sum(each.decisions for each in found),
        best=sum(each.best for each in found),
        blunders=sum(each.blunders for each in found),
        weighed=sum(decisions for decisions, _ in weighed),
        risks=sum(risks for _, risks in weighed),
    )


COLUMNS = (
    *("ended", "game", "table", "seats", "seat", "place", "points", "share", "reason", "left", "unrated"),
    *("rating_before", "deviation_before", "rating_after", "deviation_after", "moves", "decisions", "seconds", "opponents"),
    *("judged", "best", "blunders", "risks"),
)


def as_csv(matches: Sequence[MatchInfo]) -> str:
    """A line a match, for spreadsheets."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(_line(match) for match in matches)
    return written.getvalue()


def _line(match: MatchInfo) -> list[Any]:
    mine = _mine(match)
    others = " / ".join(seat.bot or seat.name for place, seat in enumerate(match.seats) if place != match.seat)
    ended = datetime.fromtimestamp(match.ended_at / 1000, UTC).isoformat(timespec="seconds")
    return [
        *(ended, match.game, match.table, len(match.seats), match.seat, mine.place, mine.points, mine.share),
        *(match.reason, mine.left, match.unrated, mine.rating, mine.deviation, match.rating, match.deviation),
        *(match.moves, match.decisions, match.seconds, f"'{others}" if others.startswith(FORMULAS) else others),
        *_judged(match.judged),
    ]


def _judged(found: Judged | None) -> list[int | None]:
    return [None] * 4 if found is None else [found.decisions, found.best, found.blunders, found.risks]
