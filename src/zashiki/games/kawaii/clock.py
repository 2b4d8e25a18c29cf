"""When the clock acts in `live`: what a server with a deadline queue must know, and nothing about the rules."""

from __future__ import annotations

import numpy as np

from zashiki.core.game import Deadline
from zashiki.core.layout import CLOCK, Record
from zashiki.core.masks import allowed, words_for
from zashiki.games.kawaii.cards import COUNTDOWN_MS, PHOTO_FINISH_MS, THROW_MS
from zashiki.games.kawaii.rules import (
    ACTIONS,
    CLOSE_PHOTO_FINISH_FROM,
    CLOSE_ROUND,
    FLIP_FOR,
    THROW_FOR_FROM,
    legal,
)


def deadlines(state: Record, flip_ms: int | None = None) -> list[Deadline]:
    """What the clock is waiting for. `flip_ms`: how long a player may take to flip, if the table wants that."""
    mask = np.zeros(words_for(ACTIONS), np.uint32)
    legal(state, CLOCK, mask)
    actions = [action for action in range(CLOSE_PHOTO_FINISH_FROM, ACTIONS) if allowed(mask, action)]
    return [_deadline(state, action, flip_ms) for action in actions if action != FLIP_FOR or flip_ms is not None]


def _deadline(state: Record, action: int, flip_ms: int | None) -> Deadline:
    round_number, captures = int(state.round_number), int(state.captures)
    if action == CLOSE_ROUND:
        return Deadline(action, COUNTDOWN_MS, (round_number, captures))
    if action == FLIP_FOR:
        return Deadline(action, flip_ms or 0, (round_number, int(state.flips), captures))
    if action >= THROW_FOR_FROM:
        pile = action - THROW_FOR_FROM
        return Deadline(action, THROW_MS, (round_number, int(state.pile_number[pile]), int(state.throw_count[pile])))
    pile = action - CLOSE_PHOTO_FINISH_FROM
    return Deadline(action, PHOTO_FINISH_MS, (round_number, int(state.pile_number[pile])))
