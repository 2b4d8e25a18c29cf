"""The numeric features of a Hanamikoji view, own side first."""

from __future__ import annotations

from zashiki.core.contract import Tensor
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.core.observation import Features, Observation, Repeated
from zashiki.games.hanamikoji.rules import (
    COMPETITION_ANSWER,
    GEISHA,
    GIFT_ANSWER,
    TURN,
)

FEATURES = 3 + 8 + 2 * GEISHA + 2 * (2 * GEISHA + 4) + 5 * GEISHA


OBSERVATION: Observation = (
    Features(3, "what is decided: a turn, the answer to a gift, the answer to a competition", "one of"),
    Features(1, "it is the own turn; during an offer, the own offer", "flags"),
    Features(1, "the viewer began this round", "flags"),
    Features(1, "the turn of the round, of 8"),
    Features(1, "the round, of 20"),
    Features(1, "rounds to come, of 20"),
    Features(1, "this is the last round", "flags"),
    Features(2, "cards in the own hand and in the other's, of 7"),
    Features(GEISHA, "geisha whose favour the viewer has", "flags"),
    Features(GEISHA, "geisha whose favour the other has", "flags"),
    Repeated(
        2,
        "player, the viewer first",
        (
            Features(GEISHA, "open items of each geisha, of 5"),
            Features(GEISHA, "the same less those of the other side"),
            Features(4, "secret, trade-off, gift, competition: 0 not used yet, otherwise 0.5 and a sixteenth for each turn"),
        ),
    ),
    Features(GEISHA, "items in the own hand, of 5"),
    Features(GEISHA, "the own secret", "one of"),
    Features(GEISHA, "the own trade-off, half for each card"),
    Features(GEISHA, "the offer: a gift, or the first pair, half for each card"),
    Features(GEISHA, "the second pair, half for each card"),
)


@rule
def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """Phase, counts, then what lies with each player, then what only this seat knows, then the offer."""
    tensor[:] = 0
    me = max(seat, 0)
    tensor[0] = view.phase == TURN
    tensor[1] = view.phase == GIFT_ANSWER
    tensor[2] = view.phase == COMPETITION_ANSWER
    tensor[3] = view.active == me
    tensor[4] = view.starter == me
    tensor[5] = view.turn_number / 8
    tensor[6] = view.round_number / 20
    tensor[7] = (int(view.rounds) - int(view.round_number)) / 20
    tensor[8] = view.round_number == view.rounds
    tensor[9] = view.hand_size[me] / 7
    tensor[10] = view.hand_size[1 - me] / 7
    place = 11
    for item in range(GEISHA):
        tensor[place + item] = view.markers[item] == me
        tensor[place + GEISHA + item] = view.markers[item] == 1 - me
    place += 2 * GEISHA
    for relative in range(2):
        owner = me if relative == 0 else 1 - me
        for item in range(GEISHA):
            tensor[place + item] = view.sides[owner, item] / 5
            # The balance on each geisha, which is what decides her favour.
            tensor[place + GEISHA + item] = (view.sides[owner, item] - view.sides[1 - owner, item]) / 5
        for action in range(4):
            tensor[place + 2 * GEISHA + action] = (view.used[owner, action] > 0) * (0.5 + view.used[owner, action] / 16)
        place += 2 * GEISHA + 4
    _observe_own(view, seat, tensor, place)
    _observe_offer(view, tensor, place + 3 * GEISHA)


@rule
def _observe_own(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    if seat < 0:
        return
    for item in range(GEISHA):
        tensor[place + item] = view.hands[seat, item] / 5
        tensor[place + GEISHA + item] = view.secret[seat] == item
        tensor[place + 2 * GEISHA + item] = 0.5 * (view.trade_off[seat, 0] == item) + 0.5 * (view.trade_off[seat, 1] == item)


@rule
def _observe_offer(view: Record, tensor: Tensor, place: int) -> None:
    for i in range(4):
        if view.offer[i] >= 0:
            second_pair = view.phase == COMPETITION_ANSWER and i >= 2
            tensor[place + (GEISHA if second_pair else 0) + view.offer[i]] += 0.5
