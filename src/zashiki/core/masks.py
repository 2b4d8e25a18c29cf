"""A set of actions as bits in 32-bit words: what `legal` writes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones, wide

Mask = npt.NDArray[np.uint32]


def words_for(actions: int) -> int:
    """How many words a set of that many actions needs."""
    return (actions + 31) // 32


@rule
def clear(mask: Mask) -> None:
    """Makes the set empty."""
    for i in range(len(mask)):
        mask[i] = 0


@rule
def allow(mask: Mask, action: int) -> None:
    """Adds an action to the set."""
    mask[action >> 5] |= np.uint32(1 << (action & 31))


@rule
def allowed(mask: Mask, action: int) -> bool:
    """Whether the action is in the set."""
    return (wide(mask[action >> 5]) >> (action & 31)) & 1 == 1


@rule
def spread(mask: Mask, flags: npt.NDArray[np.bool_]) -> None:
    """Writes the set as truth values, one for each action."""
    whole = len(flags) >> 5
    for i in range(whole):
        # Narrow numbers and a constant length: a processor does several at once.
        for j in range(32):
            flags[32 * i + j] = (mask[i] >> np.uint32(j)) & np.uint32(1) != 0
    for action in range(32 * whole, len(flags)):
        flags[action] = allowed(mask, action)


@rule
def count(mask: Mask) -> int:
    """How many actions the set holds."""
    total = 0
    for i in range(len(mask)):
        total += ones(wide(mask[i]))
    return total


@rule
def list_actions(mask: Mask, actions: npt.NDArray[np.int64]) -> int:
    """Lists the set in order; tells how many there are."""
    found = 0
    for i in range(len(mask)):
        word = wide(mask[i])
        while word != 0:
            actions[found] = 32 * i + lowest(word)
            found += 1
            word &= word - 1
    return found


@rule
def nth(mask: Mask, n: int) -> int:
    """The action with n smaller ones in the set, which must hold so many."""
    i = 0
    word = wide(mask[0])
    here = ones(word)
    while n >= here:
        n -= here
        i += 1
        word = wide(mask[i])
        here = ones(word)
    for _ in range(n):
        word &= word - 1
    return 32 * i + lowest(word)
