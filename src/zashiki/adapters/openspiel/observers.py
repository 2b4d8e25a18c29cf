"""What a player is shown of an OpenSpiel state: its view, and with perfect recall also what it remembers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from zashiki.adapters.openspiel.table import Setting, Table
from zashiki.core.layout import SPECTATOR

MEMORY_BITS = 128
NOTHING_DEALT = "no cards are dealt yet"


class Observer:
    """An observer as OpenSpiel expects one: `tensor`, its parts in `dict`, and strings.

    Public information is what a spectator sees; private information what a player sees beyond that.
    """

    def __init__(self, setting: Setting, kind: pyspiel.IIGObservationType) -> None:
        nobody, own = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind.private_info not in (nobody, own) or (kind.perfect_recall and kind.private_info != own):
            raise ValueError("players are shown what is public, what is their own, or both; with perfect recall only both")
        self._public, self._private = kind.public_info, kind.private_info == own
        self._recall = kind.perfect_recall
        sizes = {"observation": setting.game.features} if self._public else {}
        if self._recall:
            sizes["memory"] = MEMORY_BITS
        self.tensor: npt.NDArray[np.float32] | None = np.zeros(sum(sizes.values()), np.float32) if sizes else None
        self.dict = self._parts(sizes)

    def set_from(self, state: Any, player: int) -> None:
        """Writes the numbers of what a player may know into `tensor`."""
        table: Table = state.table
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if not table.dealt:
            return
        if self._public:
            viewer = player if self._private else SPECTATOR
            self.dict["observation"][:] = table.view(viewer).observe(viewer)
        if self._recall:
            self.dict["memory"][:] = np.unpackbits(table.memory[player].view(np.uint8))

    def string_from(self, state: Any, player: int) -> str:
        """What a player may know, as JSON, and with perfect recall what it remembers, as a number."""
        table: Table = state.table
        if not table.dealt:
            return NOTHING_DEALT
        shown = self._shown(table, player)
        if self._recall:
            shown = {"seat": player, "memory": table.remembered(player), **shown}
        return json.dumps(shown, separators=(",", ":"))

    def _shown(self, table: Table, player: int) -> dict[str, Any]:
        public = table.view(SPECTATOR).to_json() if not (self._public and self._private) else {}
        if not self._private:
            return public if self._public else {}
        own = table.view(player).to_json()
        return own if self._public else {name: value for name, value in own.items() if value != public[name]}

    def _parts(self, sizes: dict[str, int]) -> dict[str, npt.NDArray[np.float32]]:
        parts, place = {}, 0
        for name, size in sizes.items():
            assert self.tensor is not None
            parts[name] = self.tensor[place : place + size]
            place += size
        return parts
