"""The luck of imagined deals: it hangs on the deal and the turn alone, so that it is the same whatever is tried.

Else all that comes later would be different after another action, and chance would hide what the action is worth.
"""

from __future__ import annotations

from zashiki.core.contract import apply
from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.core.layout import Record
from zashiki.core.random import Words, foretell, reseed, roll, seed_roller
from zashiki.games.kohoju.cards import CARDS, COLOURS
from zashiki.games.kohoju.rules import DRAW_STOCK

TURNS = 1_000
"""More than there are in a deal, all seats' counted."""

_OF_A_COLOUR = CARDS // len(COLOURS)


@rule
def begin_turn(state: Record, luck: int, fate: Words) -> None:
    """From here on chance is that of this turn."""
    seed_roller(fate, luck * TURNS + int(state.turn_number) * int(state.seats) + int(state.active))
    reseed(state, fate)


@rule
def act(state: Record, action: int, fate: Words) -> None:
    """Carries out an action of whose turn it is. What is drawn from another stock is the same card, if it is still there."""
    if action == DRAW_STOCK and state.stock_size > 0:
        card = roll(fate, CARDS)
        while not _is_in_stock(state, card):
            card = roll(fate, CARDS)
        foretell(state, _before(state, card), int(state.stock_size))
    apply(state, int(state.active), action)


@rule
def _is_in_stock(state: Record, card: int) -> bool:
    return (int(state.stock[card // _OF_A_COLOUR]) >> (card % _OF_A_COLOUR)) & 1 == 1


@rule
def _before(state: Record, card: int) -> int:
    """The cards of the stock that come before this one."""
    colour = card // _OF_A_COLOUR
    count = ones(int(state.stock[colour]) & ((1 << (card % _OF_A_COLOUR)) - 1))
    for earlier in range(colour):
        count += ones(int(state.stock[earlier]))
    return count
