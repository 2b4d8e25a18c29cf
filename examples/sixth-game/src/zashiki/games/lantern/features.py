"""The numeric features of a Lantern view, seats counted from the viewer on."""

from __future__ import annotations

from zashiki.core.contract import Tensor
from zashiki.core.gears import rule
from zashiki.core.layout import Record
from zashiki.core.observation import Features, Observation, Repeated
from zashiki.games.lantern.cards import HAND, LANTERNS
from zashiki.games.lantern.rules import SEATS

TABLE = 2 + 2 * LANTERNS
SEAT = 3 + LANTERNS
FEATURES = TABLE + SEATS * SEAT

OBSERVATION: Observation = (
    Features(1, "the option `dark`", "flags"),
    Features(1, "the street, of 3"),
    Features(LANTERNS, "lanterns laid so far", "flags"),
    Features(LANTERNS, "the own hand", "flags"),
    Repeated(
        SEATS,
        "seat, from the viewer on",
        (
            Features(1, "the seat is played", "flags"),
            Features(1, "it lays now", "flags"),
            Features(1, "streets it has lit, of 3"),
            Features(LANTERNS, "what it has laid in this street", "one of"),
        ),
    ),
)


@rule
def observe(view: Record, seat: int, tensor: Tensor) -> None:
    """The table, the own hand, then each seat."""
    tensor[:] = 0
    tensor[0] = view.dark
    tensor[1] = view.street / HAND
    for lantern in range(LANTERNS):
        tensor[2 + lantern] = view.burnt[lantern]
        tensor[2 + LANTERNS + lantern] = seat >= 0 and view.holders[lantern] == seat
    for relative in range(int(view.seats)):
        _observe_seat(view, (max(seat, 0) + relative) % int(view.seats), tensor, TABLE + relative * SEAT)


@rule
def _observe_seat(view: Record, seat: int, tensor: Tensor, place: int) -> None:
    tensor[place] = 1
    tensor[place + 1] = view.phase > 0 and view.active == seat
    tensor[place + 2] = view.lit[seat] / HAND
    if view.laid[seat] >= 0:
        tensor[place + 3 + int(view.laid[seat])] = 1
