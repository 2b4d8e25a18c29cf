"""Matches to review: played at random, or in live Kawaii by whoever comes first."""

from __future__ import annotations

import random

from zashiki.bots.bot import WAIT, Budget
from zashiki.bots.live import LiveBot
from zashiki.bots.plain import CarelessBot
from zashiki.core.layout import CLOCK
from zashiki.core.match import Match
from zashiki.games import find


def careless(game: str, seats: int | None = None, seed: int = 1) -> Match:
    """A whole match of careless players."""
    match = Match(game, seats, seed=seed)
    bots = [CarelessBot(match.game, seed + seat) for seat in range(match.seats)]
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, bots[seat].choose(match.view(seat), seat, match.legal_actions(seat).numbers, Budget()))
    return match


def live(seed: int = 1) -> Match:
    """A match of Kawaii in real time: whoever wants to act does, else the clock."""
    match, chance = Match("kawaii", 3, options={"pace": "live"}, seed=seed), random.Random(seed)
    bots = [LiveBot(match.game, CarelessBot(find("kawaii"), seat), seat) for seat in range(3)]
    while not match.over:
        seat, action = _next(match, bots, chance)
        match.play(seat, action)
    return match


def _next(match: Match, bots: list[LiveBot], chance: random.Random) -> tuple[int, int]:
    for seat in chance.sample([seat for seat in match.to_act if seat != CLOCK], len(match.to_act) - 1):
        legal = match.legal_actions(seat).numbers
        action = bots[seat].choose(match.view(seat), seat, [WAIT, *legal], Budget()) if legal else WAIT
        if action != WAIT:
            return seat, action
    return CLOCK, chance.choice(match.legal_actions(CLOCK).numbers)
