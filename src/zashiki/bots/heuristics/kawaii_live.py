"""Kawaii in real time as windows: what lies open now, with everything that is being settled taken as settled.

A contest goes to another than the viewer, a claim of the viewer's own that waits for its photo finish goes through. Claims of
others in a photo finish are hidden, and nothing here guesses at them.
"""

from __future__ import annotations

from collections.abc import Sequence

from zashiki.bots.bot import WAIT
from zashiki.core.intrinsics import lowest
from zashiki.core.layout import EMPTY, UNKNOWN, Record
from zashiki.core.state import State
from zashiki.games.kawaii.cards import PILE_NUMBERS
from zashiki.games.kawaii.rules import ANSWER_PASS, CLAIM_FROM, DONE, FLIP, THROW_FROM
from zashiki.games.kawaii.table import AT_LIVE_PACE, WINDOW, reveal


def evenly(legal: Sequence[int]) -> list[int]:
    """The three signs of the first contest that waits for a throw."""
    return [action for action in legal if THROW_FROM <= action < FLIP][:3]


def in_turns(view: State, seat: int) -> State:
    """The window in which everybody with a token would answer now: nobody has passed on what lies open yet."""
    asked = view.copy()
    table = asked.record
    table.shown_claims[:] = 0
    table.taker[:] = EMPTY
    _settle(table, seat)
    table.pace = 1 - AT_LIVE_PACE
    table.phase = WINDOW
    table.throws[:] = EMPTY
    table.flip_waits = 0
    table.done = 0
    table.asked = sum(1 << other for other in range(int(table.seats)) if table.tokens[other] > 0)
    return asked


def in_live(view: State, seat: int, legal: Sequence[int], answer: int | None) -> int:
    """A claim on the pile as it was seen. Whoever passes flips or is done, unless a pile is being settled."""
    table = view.record
    if answer is not None and answer != ANSWER_PASS:
        claim = CLAIM_FROM + PILE_NUMBERS * answer + int(table.pile_number[answer])
        return claim if claim in legal else WAIT
    if any(table.contested) or table.claims[seat] > 0:
        return WAIT
    return next((action for action in (FLIP, DONE) if action in legal), WAIT)


def _settle(table: Record, seat: int) -> None:
    own = int(table.claims[seat])
    table.claims[:] = 0
    for pile in range(int(table.seats)):
        contest = int(table.contested[pile])
        if contest or own >> pile & 1:
            captor = lowest(contest & ~(1 << seat)) if contest else seat
            table.claims[captor] = 1 << pile
            reveal(table, pile)
    if table.stacked == 1:
        table.captured[:] = UNKNOWN
