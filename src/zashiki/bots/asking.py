"""How the rest of the program asks bots: what a level would do, and what they think of each action."""

from __future__ import annotations

from collections.abc import Sequence

from zashiki.bots import find_bot
from zashiki.bots.bot import WAIT, Budget, Comparer, Estimate, Judge
from zashiki.bots.levels import levels_of, strongest
from zashiki.bots.live import LiveBot, hints_in_live
from zashiki.core.game import Game
from zashiki.core.layout import CLOCK
from zashiki.core.match import Match
from zashiki.core.state import State

HINT = Budget(seconds=1.0)
WARM = 40
"""Decisions into a match by which everything a bot does has happened."""


def answer(view: State, seat: int, level: str, seed: int, *, may_wait: bool = False) -> int:
    """What a bot of this level does now; WAIT, where it need not act and does not want to."""
    entrant = find_bot(view.game, level)
    bot, legal = entrant.sit_down(seed), view.legal(seat)
    if may_wait:
        return LiveBot(view.game, bot, seed).choose(view, seat, [WAIT, *legal], entrant.budget)
    return bot.choose(view, seat, legal, entrant.budget)


def warm_up(game: Game) -> None:
    """Uses what every level needs once, at the opening and later in a match, so that no table waits for compiled code."""
    match = Match(game, seed=0)
    for level in levels_of(game):
        seat = match.to_act[0]
        answer(match.view(seat), seat, level, seed=0)
    entrant = find_bot(game, strongest(game))
    bot, hurry = entrant.sit_down(0), Budget(iterations=1)
    while not match.over and len(match.history) < WARM:
        seat = match.to_act[0]
        match.play(seat, bot.choose(match.view(seat), seat, match.legal_actions(seat).numbers, hurry))


def hints(view: State, seat: int, budget: Budget = HINT, seed: int = 0) -> list[Estimate]:
    """What the strongest level thinks of a seat's legal actions, the best first, from nothing but its view."""
    if not view.legal(seat):
        return []
    judge = find_bot(view.game, strongest(view.game)).sit_down(seed)
    assert isinstance(judge, Judge)
    if view.to_act() >> CLOCK & 1:
        return hints_in_live(view, seat, judge, budget)
    return judge.estimates(view, seat, budget)


def compare(view: State, seat: int, actions: Sequence[int], budget: Budget, seed: int = 0) -> list[Estimate]:
    """A few of a seat's actions, each looked at as closely as the others, in their order; those it cannot tell of are left out.

    Where nobody must act there is nothing but the hints.
    """
    judge = find_bot(view.game, strongest(view.game)).sit_down(seed)
    if isinstance(judge, Comparer) and not view.to_act() >> CLOCK & 1:
        found = judge.compare(view, seat, actions, budget)
    else:
        told = {estimate.action: estimate for estimate in reversed(hints(view, seat, budget, seed))}
        found = [told[action] for action in actions if action in told]
    return [estimate for estimate in found if estimate.tries or estimate.exact]
