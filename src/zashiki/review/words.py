"""A review in words, for terminals."""

from __future__ import annotations

from collections.abc import Iterator

from zashiki.core.game import Game
from zashiki.games import find
from zashiki.review.report import Decision, Review, SeatReview, Turn

CAUSES = {"luck": "luck and others' choices", "decision": "an own decision", "table": "what the table decided"}


def percent(share: float) -> str:
    """A share as people say it."""
    return f"{round(100 * share)}%"


def signed(share: float) -> str:
    """A change, with its sign."""
    return f"{round(100 * share):+d}".replace("-", "−")


def summary(review: Review, seat: int) -> list[str]:
    """What to know first about a seat's match."""
    found = review.seats[seat]
    counts = found.grades
    lines = [
        f"Seat {seat} began with a chance of {percent(found.start)} and ended with {percent(found.result)}: "
        f"luck and others {signed(found.luck)}, own decisions {signed(-found.lost)}" + _decided(found) + ".",
        f"{counts['best']} best, {counts['good']} good, {counts['slip']} slips, {counts['blunder']} blunders.",
    ]
    return [*lines, *(f"It turned {where(turn)}: {signed(turn.change)} by {CAUSES[turn.cause]}." for turn in found.turns[:1])]


def _decided(found: SeatReview) -> str:
    return f", decided at the table {signed(found.decided)}" if found.decided else ""


def where(turn: Turn) -> str:
    """Between which moves."""
    return f"at move {turn.until}" if turn.until - turn.since <= 1 else f"between moves {turn.since + 1} and {turn.until}"


def table(review: Review, seat: int | None) -> Iterator[str]:
    """A line for each decision: the chance, what was played, and what would have been better."""
    game = find(review.game)
    yield f"{'move':>5}  {'seat':>4}  {'chance':>6}  {'lost':>4}  {'':8}played"
    for decision in review.decisions:
        if seat is None or decision.seat == seat:
            yield _line(game, decision)


def _line(game: Game, decision: Decision) -> str:
    lost = signed(-decision.lost) if decision.lost else ""
    played, exact = game.vocabulary[decision.played].words(), "=" if decision.exact else " "
    better = "" if decision.best == decision.played else f"; better: {_better(game, decision.best)}"
    risk = "; a risk" if decision.risky else ""
    return (
        f"{decision.move + 1:>5}  {decision.seat:>4}  {percent(decision.chance):>6}{exact} {lost:>4}  {decision.grade:<8}{played}"
        + (better if decision.lost else "")
        + risk
    )


def _better(game: Game, action: int | None) -> str:
    return "waits" if action is None else game.vocabulary[action].words()
