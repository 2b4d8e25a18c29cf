"""What the conformance suite must be told about Lantern: its laws, what hides from whom, and a small case to redeal."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.conformance.games import RedealCase
from tests.position import Position
from zashiki.core.layout import EMPTY
from zashiki.games.lantern.cards import HAND, LANTERNS

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"dark": True})
"""The options worth walking through."""


def check_laws(state: Any) -> None:
    """Hands are as large as they say, and a lantern that was laid is in no hand."""
    for seat in range(int(state.seats)):
        assert int((state.holders == seat).sum()) == state.hand_size[seat]
    assert (state.holders[state.burnt == 1] == EMPTY).all()
    assert int(state.burnt.sum()) == HAND * state.seats - state.hand_size.sum()


def permute_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Shuffles the lanterns that a seat has not seen over the other hands and the stack."""
    hidden = [
        lantern for lantern in range(LANTERNS) if state.burnt[lantern] == 0 and (seat < 0 or state.holders[lantern] != seat)
    ]
    state.holders[hidden] = rng.permutation(state.holders[hidden])


def redeal_cases() -> list[RedealCase]:
    """The last lantern of the other player may be any of those that nobody has shown."""
    position = Position("lantern", 2)
    state = position.state
    state.street, state.active = HAND, 0
    state.burnt[:] = [1] * 4 + [0] * 11
    state.holders[:] = EMPTY
    state.holders[4], state.holders[5] = 0, 1
    state.hand_size[:2] = 1
    check_laws(state)
    return [
        RedealCase(
            view=position.view(0).copy(),
            seat=0,
            key=lambda redealt: int(np.flatnonzero(redealt.holders == 1)[0]),
            expected=dict.fromkeys(range(5, LANTERNS), 1 / 10),
        )
    ]
