"""Luck and skill kept apart: a seat's chance from its first decision to the result, and what moved it each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from zashiki.bots.levels import strongest
from zashiki.core.layout import CLOCK
from zashiki.core.match import Match
from zashiki.review.looking import decisions
from zashiki.review.report import FORMAT, Cause, Decision, Grade, Review, SeatReview, Turn

TURNING = 0.1
"""The least change that is called a turn."""
MOST_TURNS = 5
GRADES: tuple[Grade, ...] = ("best", "good", "slip", "blunder")


def review(match: Match, winners: Sequence[int] | None = None, progress: Callable[[float], None] = lambda share: None) -> Review:
    """A match reviewed, for every seat. `winners`: where a table has decided otherwise than the match; none: nobody has won."""
    found = decisions(match, progress)
    decided = winners is not None
    if winners is None:
        winners = match.outcome.winners if match.outcome else ()
    return Review(
        format=FORMAT,
        game=match.game.id,
        rules=match.game.version,
        level=strongest(match.game),
        moves=len(match.history),
        seats=[
            reckon([decision for decision in found if decision.seat == seat], seat, match, winners, decided=decided)
            for seat in range(match.seats)
        ],
        decisions=found,
    )


def reckon(own: list[Decision], seat: int, match: Match, winners: Sequence[int], *, decided: bool) -> SeatReview:
    """A seat's sum: what luck and others moved between its decisions, what its decisions lost, and what the table decided."""
    start = own[0].chance if own else 1 / match.seats
    last = own[-1].chance - own[-1].lost if own else start
    # Nobody has won a match that was broken off: it ends where it stood.
    result = (1 / len(winners) if seat in winners else 0.0) if winners else last
    swings = _swings(own, seat, match, result, "table" if decided else "luck")
    return SeatReview(
        start=start,
        result=result,
        luck=_sum(swings, "luck"),
        lost=-_sum(swings, "decision") or 0.0,
        decided=_sum(swings, "table"),
        grades={grade: Counter(decision.grade for decision in own)[grade] for grade in GRADES},
        risks=_risks(own, match),
        turns=sorted((each for each in swings if abs(each.change) >= TURNING), key=lambda turn: -abs(turn.change))[:MOST_TURNS],
    )


def _risks(own: list[Decision], match: Match) -> int | None:
    return None if any(seat == CLOCK for seat, _ in match.history) else sum(decision.risky for decision in own)


def _swings(own: list[Decision], seat: int, match: Match, result: float, end: Cause) -> list[Turn]:
    """Every change of a seat's chance, in order."""
    swings: list[Turn] = []
    after, since = (own[0].chance, own[0].move) if own else (1 / match.seats, 0)
    for decision in own:
        swings.append(_turn(since, decision.move, decision.chance - after, "luck"))
        swings.append(_turn(decision.move, decision.move + 1, -decision.lost, "decision"))
        after, since = decision.chance - decision.lost, decision.move + 1
    return [*swings, _turn(since, len(match.history), result - after, end)]


def _turn(since: int, until: int, change: float, cause: Cause) -> Turn:
    return Turn(since=since, until=until, change=change, cause=cause)


def _sum(swings: list[Turn], cause: Cause) -> float:
    return sum(swing.change for swing in swings if swing.cause == cause)
