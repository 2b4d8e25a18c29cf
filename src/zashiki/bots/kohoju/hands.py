"""Hands of Kohoju as they are held, beside hands that a dealer would give: what guesses are learned from."""

from __future__ import annotations

from zashiki.bots.kohoju.guesses import guess_row
from zashiki.bots.kohoju.hopes import look_forward
from zashiki.bots.practice import Room, choose, deal_anew
from zashiki.bots.sense import Weights
from zashiki.core.contract import Options, apply, legal, redeal, view
from zashiki.core.gears import rule
from zashiki.core.layout import Records
from zashiki.core.masks import list_actions
from zashiki.core.random import roll_word
from zashiki.games.kohoju.rules import OVER

NOTING = 0.3
"""The share of decisions at which hands are noted."""


@rule
def note_hands(
    room: Room, policies: Weights, who: Options, imagined: Records, held: Weights, dealt: Weights, rows: Options
) -> None:
    """Plays on until so many hands are noted as there are rows: how they are held, and how they would be if dealt by chance.

    `imagined` is room for a view and a deal. Where each seat decides, now and then, it imagines the hands of all the others.
    """
    state, noted = room.states[0], 0
    while noted < len(rows):
        seat = int(state.active)
        if roll_word(room.rng) / 4294967296.0 < NOTING:
            view(state, seat, imagined[0])
            redeal(imagined[0], seat, room.rng, imagined[1])
            for other in range(int(state.seats)):
                if other != seat and noted < len(rows):
                    look_forward(state, other, held[noted])
                    look_forward(imagined[1], other, dealt[noted])
                    rows[noted] = guess_row(state, other)
                    noted += 1
        legal(state, seat, room.mask)
        count = list_actions(room.mask, room.actions)
        chosen = choose(room, seat, count, policies, int(who[seat]), False) if count > 1 else 0
        apply(state, seat, room.actions[chosen])
        if state.phase == OVER:
            deal_anew(room, int(state.seats))
