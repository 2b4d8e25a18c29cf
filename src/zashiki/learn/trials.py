"""Trying every action of a decision: what the network expects after each, instead of what came of the one that was drawn."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from zashiki.core.hindsight import ENDED, UNKNOWN, Hindsight
from zashiki.learn.field import Field, in_batch
from zashiki.learn.network import MOST_SEATS, Network, chances


class Tried(NamedTuple):
    """`gains[row, action]` is how much more the seat that acted expects after an action than before, 0 where it is not legal;
    `known[row]` tells whether all of a decision's actions were tried, and there were several."""

    gains: Tensor
    known: Tensor


class Trials:
    """Keeps the decisions of a share of a field's matches, and tries all their actions afterwards."""

    def __init__(self, field: Field, share: float, steps: int, *, own: bool) -> None:
        self._looks = field.hindsight(share, steps, own=own)
        device, rows = field.device, (steps, field.count)
        self._tried = Tried(
            torch.zeros((*rows, field.actions), dtype=torch.float16, device=device),
            torch.zeros(rows, dtype=torch.bool, device=device),
        )
        self._numbers = torch.arange(MOST_SEATS, device=device)

    def keep(self, step: int, actions: Tensor) -> None:
        """Keeps the decisions that are open, and the actions about to be taken."""
        for look, place in self._looks:
            whole = slice(place.start, place.start + look.batch.count)
            look.keep(step, in_batch(actions[whole]))

    def weigh(self, network: Network, legal: Tensor, acting: Tensor, expected: Tensor) -> Tried:
        """Tries all actions of all decisions since, of which so much was expected."""
        self._tried.gains.zero_()
        for look, place in self._looks:
            choices = legal[:, place].sum(-1, keepdim=True) > 1
            self._tried.known[:, place] = choices[..., 0]
            step, match, action = (legal[:, place] & choices).nonzero(as_tuple=True)
            for first in range(0, len(step), look.room):
                piece = slice(first, first + look.room)
                here = (step[piece], match[piece] + place.start)
                rows = step[piece] * look.count + match[piece]
                worths, ends = self._worths(network, look, rows, action[piece], acting[here])
                self._tried.gains[(*here, action[piece])] = (worths - expected[here]).half()
                unknown = ends == UNKNOWN
                self._tried.known[here[0][unknown], here[1][unknown]] = False
        return self._tried

    def _worths(self, network: Network, look: Hindsight, rows: Tensor, actions: Tensor, seat: Tensor) -> tuple[Tensor, Tensor]:
        """What each of these actions is worth to its seat, and how the trial ended."""
        look.look_back(in_batch(rows), in_batch(actions))
        found = (look.observations, look.results, look.watching, look.ends)
        seen, results, watching, ends = (torch.as_tensor(array, device=rows.device)[: len(rows)] for array in found)
        with torch.autocast(rows.device.type, torch.float16, enabled=rows.device.type == "cuda"):
            expected = network.expect(seen)
        seats = look.batch.seats
        own = chances(expected, self._numbers < seats).exp().gather(1, ((seat - watching) % seats)[:, None])[:, 0]
        return torch.where(ends == ENDED, results.gather(1, seat[:, None])[:, 0], own), ends
