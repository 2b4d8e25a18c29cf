"""What a good player of Kawaii looks at in a claim, as numbers: what the pile brings, who else may want it, what a token is for.

To pass has no traits: whatever speaks for a claim speaks against passing. The names below stand in the order in which the
functions fill them in. A policy weighs them, with weights that depend on how far the round is and how many tokens one has.
"""

from __future__ import annotations

import numpy as np

from zashiki.bots.kawaii.claims import SHOPS, TALLY, value_for
from zashiki.bots.kawaii.sight import WORTHLESS, Sight
from zashiki.bots.sense import Weights
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record
from zashiki.games.kawaii.cards import ALL_SHOPS, CARDS
from zashiki.games.kawaii.standing import TASTES

WORTH = (
    "always",
    "what the heuristic gains",
    "as far as it is a gain",
    "points",
    "points beyond one",
    "points beyond two",
    "points beyond three",
    "points beyond four",
    "early",
    "early: points",
    "points for each card to come",
    "early: points for each card to come",
    "the best of the other piles: points",
    "what the heuristic gains on the best of them",
    "points beyond one and a half on the other piles",
    "closed shops",
    "closed shops: those held",
    "all closed shops then",
    "two closed shops then",
    "cards",
    "the last cards are open",
    "the last cards are open: points",
    "with the only token: points",
    "with three tokens or more: points",
)
OWNER = (
    "the own pile",
    "the own pile: early",
    "the own pile: points",
    "the owner has no token",
    "the owner is ahead",
    "the owner is ahead of all others",
    "tokens of the owner",
    "the pile may grow",
    "the pile grows next",
    "the pile grows next: points",
    "flips until its owner's",
)
OTHERS = (
    "just flipped",
    "just flipped: points",
    "just flipped: points beyond two",
    "just flipped: what the heuristic gains",
    "a pile was captured since",
    "a pile was captured since: points",
    "rivals to whom it is worth two",
    "rivals to whom it is worth three",
    "rivals to whom it is worth four",
    "nobody else may want it",
    "nobody else may want it: points",
    "just flipped: rivals to whom it is worth three",
    "all with a token to whom it is worth three",
    "its worth to whom it is worth most",
    "late: its worth to whom it is worth most",
    "others' tokens",
    "others without a token",
    "ahead",
    "late: ahead",
)
CLAIM = (*WORTH, *OWNER, *OTHERS)
TRAITS = len(CLAIM)
_OWNER_FROM, _OTHERS_FROM = len(WORTH), len(WORTH) + len(OWNER)
_MOST_GAIN = 4.0
_TWO, _THREE, _FOUR, _ALONE, _ALL, _MOST = range(6)
"""What is told of rivals: to how many it is worth so much, whether to none of them, to how many of all, and its worth to one."""
_TOLD = 6


@rule
def describe_claim(state: Record, seat: int, pile: int, sight: Sight, traits: Weights) -> None:
    """All that speaks for it."""
    _describe_worth(state, seat, pile, sight, traits)
    _describe_owner(state, seat, pile, sight, traits[_OWNER_FROM:])
    _describe_others(state, seat, pile, sight, traits[_OTHERS_FROM:])


@rule
def _describe_worth(state: Record, seat: int, pile: int, sight: Sight, traits: Weights) -> None:
    value, gain = sight.values[pile], max(min(sight.gains[pile], _MOST_GAIN), WORTHLESS)
    traits[0] = 1
    traits[1] = gain
    traits[2] = max(gain, 0.0)
    traits[3] = value
    for beyond in range(1, 5):
        traits[3 + beyond] = max(value - beyond, 0.0)
    traits[8] = sight.early
    traits[9] = sight.early * value
    traits[10] = sight.rich
    traits[11] = sight.early * sight.rich
    _describe_other_piles(state, pile, sight, traits)
    shops = int(sight.tallies[TALLY * pile + SHOPS])
    traits[15] = shops
    traits[16] = sight.held if shops > 0 else 0
    traits[17] = shops > 0 and sight.held + shops == ALL_SHOPS
    traits[18] = shops > 0 and sight.held + shops == ALL_SHOPS - 1
    traits[19] = state.pile_size[pile] / 10
    traits[20] = state.flips == CARDS
    traits[21] = value if state.flips == CARDS else 0.0
    traits[22] = value if state.tokens[seat] == 1 else 0.0
    traits[23] = value if state.tokens[seat] >= 3 else 0.0


@rule
def _describe_other_piles(state: Record, pile: int, sight: Sight, traits: Weights) -> None:
    best, gain, good = 0.0, WORTHLESS, 0.0
    for other in range(int(state.seats)):
        if other != pile and state.pile_size[other] > 0:
            best = max(best, sight.values[other])
            gain = max(gain, min(sight.gains[other], _MOST_GAIN))
            good += max(sight.values[other] - 1.5, 0.0)
    traits[12] = best
    traits[13] = gain
    traits[14] = good


@rule
def _describe_owner(state: Record, seat: int, pile: int, sight: Sight, traits: Weights) -> None:
    value, seats = sight.values[pile], int(state.seats)
    if pile == seat:
        traits[0] = 1
        traits[1] = sight.early
        traits[2] = value
    else:
        traits[3] = state.tokens[pile] == 0
        traits[4] = (sight.standings[pile] - sight.standings[seat]) / 10
        traits[5] = sight.standings[pile] >= sight.best
        traits[6] = state.tokens[pile]
    flips = (pile - int(state.turn)) % seats if state.flips < CARDS else seats
    grows = state.reserve_size[pile] > 0
    traits[7] = grows
    traits[8] = grows and flips == 0
    traits[9] = value if grows and flips == 0 else 0.0
    traits[10] = flips / seats


@rule
def _describe_others(state: Record, seat: int, pile: int, sight: Sight, traits: Weights) -> None:
    value, gain = sight.values[pile], max(min(sight.gains[pile], _MOST_GAIN), WORTHLESS)
    wanted = scratch(_TOLD, np.float64)
    just_flipped = pile == sight.newest and not sight.again
    _describe_rivals(state, seat, pile, sight, just_flipped, wanted)
    if just_flipped:
        traits[0] = 1
        traits[1] = value
        traits[2] = max(value - 2, 0.0)
        traits[3] = gain
        traits[11] = wanted[_THREE]
    if sight.again:
        traits[4] = 1
        traits[5] = value
    traits[6] = wanted[_TWO]
    traits[7] = wanted[_THREE]
    traits[8] = wanted[_FOUR]
    traits[9] = wanted[_ALONE]
    traits[10] = wanted[_ALONE] * value
    traits[12] = wanted[_ALL]
    traits[13] = wanted[_MOST]
    traits[14] = (1 - sight.early) * wanted[_MOST]
    traits[15] = sight.tokens / 5
    traits[16] = sight.idle
    traits[17] = sight.ahead
    traits[18] = (1 - sight.early) * sight.ahead


@rule
def _describe_rivals(state: Record, seat: int, pile: int, sight: Sight, just_flipped: bool, wanted: Weights) -> None:
    """To whom else it is worth how much. Rivals are those with a token who have not let it lie there as it is already."""
    worth = scratch(_TOLD, np.float64)
    wanted[:] = 0
    wanted[_ALONE] = 1
    for other in range(int(state.seats)):
        if other == seat:
            continue
        _expect(state, other, pile, sight, worth)
        wanted[_MOST] = max(wanted[_MOST], worth[_MOST])
        if state.tokens[other] > 0:
            wanted[_ALL] += worth[_THREE]
            passed = (int(state.shown_passes) >> other) & 1 == 1
            if just_flipped or (sight.again and not passed):
                for points in range(_TWO, _FOUR + 1):
                    wanted[points] += worth[points]
                wanted[_ALONE] *= 1 - worth[_THREE]


@rule
def _expect(state: Record, other: int, pile: int, sight: Sight, worth: Weights) -> None:
    """How likely a pile is worth two, three and four points to another, and how many on average."""
    tally, likes = sight.tallies[TALLY * pile : TALLY * (pile + 1)], sight.likes[TASTES * other : TASTES * (other + 1)]
    worth[:] = 0
    for flavour in range(5):
        if likes[flavour] > 0:
            for shape in range(5):
                chance = likes[flavour] * likes[5 + shape]
                value = value_for(state, other, tally, flavour, shape)
                worth[_MOST] += chance * value
                if value >= 2:
                    worth[_TWO] += chance
                if value >= 3:
                    worth[_THREE] += chance
                if value >= 4:
                    worth[_FOUR] += chance
