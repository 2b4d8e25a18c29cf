"""The cards of Hanamikoji: seven geisha, and as many items of each as she has charm."""

from __future__ import annotations

from typing import Literal

Item = Literal["flute", "fan", "scroll", "umbrella", "shamisen", "tea pot", "hair ornament"]

ITEMS: tuple[Item, ...] = ("flute", "fan", "scroll", "umbrella", "shamisen", "tea pot", "hair ornament")

CHARM = (2, 2, 2, 3, 3, 4, 5)
"""Charm of each geisha, and how many cards her item has."""

HOUSE_NUMBERS = {
    "which item belongs to which charm": "partly ours; it has no effect on play",
    "rounds at most": "20 by default; the printed game has no limit",
    "a choice with one answer": "is asked all the same, so that the number of decisions gives no hand away",
}
