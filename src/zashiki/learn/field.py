"""Where a network learns: matches that always have one decision open each, as tensors on one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from zashiki.bots.crowd import Crowd
from zashiki.core.batch import Batch
from zashiki.core.game import Game
from zashiki.core.grid import Grid
from zashiki.core.hindsight import Hindsight
from zashiki.learn.network import MOST_SEATS, fused
from zashiki.learn.recipe import Share

ROOM = 262_144
"""Trials made at once, at most."""
STRIDE = 7919
"""Neighbours are scattered: a prime that divides no number of matches anybody would choose."""
EVEN = 8
"""A GPU multiplies matrices several times as fast if their rows are whole 16 bytes: so many numbers of half precision."""


class Field(Protocol):
    """`count` matches.

    `seats`         (n,)            how many play
    `acting`        (n,)            whose decision is open
    `legal`         (n, actions)    what that seat may do
    `observations`  (n, width)      what it may know, since `look`: its features, then zeros
    `done`          (n,)            whether the last step ended a match, which was then dealt anew
    `results`       (n, 6)          where it did: each seat's share of the victory
    """

    count: int
    features: int
    width: int
    actions: int
    device: torch.device
    grid: Grid | None
    seats: Tensor
    acting: Tensor
    legal: Tensor
    observations: Tensor
    done: Tensor
    results: Tensor

    def look(self) -> None:
        """Fills `observations`."""
        ...

    def look_from(self, further: int) -> None:
        """Fills `observations` with what the seat may know that is so many seats further than the acting one."""
        ...

    def hindsight(self, share: float, steps: int, *, own: bool) -> list[tuple[Hindsight, slice]]:
        """For looking back on the last steps of a share of the matches, with their places; `own`: with the eyes of who acted."""
        ...

    def step(self, actions: Tensor) -> None:
        """Carries out one action in every match."""
        ...

    def sensible(self) -> tuple[Tensor, Tensor]:
        """What the game's heuristic would do in every match, and how it leans to each action: logarithms of weights."""
        ...

    def scatter(self, span: int) -> None:
        """Plays on up to so many decisions, in each match another number, so that not all of them are equally far."""
        ...

    def snapshot(self) -> Any:
        """All that the future depends on."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Goes on from a snapshot."""
        ...


class Matches:
    """Matches of one game, in parts with their own seats and options, each a batch on the processor or on a GPU."""

    def __init__(self, game: Game, shares: Sequence[Share], count: int, device: torch.device, seed: int) -> None:
        self.count, self.features, self.actions, self.device = count, game.features, game.rules.ACTIONS, device
        on_gpu = device.type == "cuda"
        self.width = -(-game.features // EVEN) * EVEN if on_gpu else game.features
        self.grid = game.grid
        made = _gpu_batch() if on_gpu else Batch
        seeds = np.random.default_rng(seed).integers(0, 1 << 62, count).tolist()
        total, edge = sum(share.weight for share in shares), 0.0
        self._batches: list[Batch] = []
        self._places: list[slice] = []
        self._crowds: list[Crowd] = []
        for share in shares:
            first, edge = round(edge), edge + count * share.weight / total
            place = slice(first, round(edge))
            self._batches.append(made(game, place.stop - first, share.seats, options=share.options, seeds=seeds[place]))
            if on_gpu:
                self._batches[-1].hurry()
            self._places.append(place)
        self._shown = [self._shared(batch) for batch in self._batches]
        self.seats = torch.empty(count, dtype=torch.int64, device=device)
        for batch, place in zip(self._batches, self._places, strict=True):
            self.seats[place] = batch.seats
        self.acting = torch.empty(count, dtype=torch.int64, device=device)
        self.legal = torch.empty((count, self.actions), dtype=torch.bool, device=device)
        self.observations = torch.empty((count, self.width), device=device, dtype=torch.float16 if on_gpu else torch.float32)
        self._columns = [torch.zeros((self.width, batch.count), device=device) for batch in self._batches] if on_gpu else []
        self._turned = fused(turned, device)
        self.done = torch.zeros(count, dtype=torch.bool, device=device)
        self.results = torch.zeros((count, MOST_SEATS), device=device)
        self._gather()

    def _shared(self, batch: Batch) -> dict[str, Tensor]:
        """The arrays of a batch as tensors over the same memory."""
        names = ("acting", "legal", "done", "results")
        return {name: torch.as_tensor(getattr(batch, name), device=self.device) for name in names}

    def look(self) -> None:
        """Asks every batch what its acting seats may know."""
        self._observe([None for _ in self._batches])

    def look_from(self, further: int) -> None:
        """Asks every batch what other seats may know."""
        watching = ((self.acting + further) % self.seats).to(torch.int8)
        self._observe([in_batch(watching[place]) for place in self._places])

    def _observe(self, watching: list[Any]) -> None:
        """On a GPU column after column, which neighbouring threads write at once, and then turned."""
        rows = [self.observations[place] for place in self._places]
        for batch, seats, out in zip(self._batches, watching, self._columns or rows, strict=True):
            batch.observe(in_batch(out.t() if self._columns else out), seats)
        for columns, out in zip(self._columns, rows, strict=False):
            out.copy_(self._turned(columns))

    def hindsight(self, share: float, steps: int, *, own: bool) -> list[tuple[Hindsight, slice]]:
        """The first matches of each batch."""
        looks = []
        for batch, place in zip(self._batches, self._places, strict=True):
            count = max(1, round(batch.count * share))
            looks.append(
                (
                    Hindsight(batch, count, steps, min(ROOM, 4 * count * steps), own=own, width=self.width),
                    slice(place.start, place.start + count),
                )
            )
        return looks

    def step(self, actions: Tensor) -> None:
        """Carries out one action in every match."""
        for batch, place in zip(self._batches, self._places, strict=True):
            batch.step(in_batch(actions[place]))
        self._gather()

    def _gather(self) -> None:
        for batch, place, shown in zip(self._batches, self._places, self._shown, strict=True):
            self.acting[place] = shown["acting"].long()
            self.legal[place] = shown["legal"]
            self.done[place] = shown["done"]
            self.results[place, : batch.seats] = shown["results"]

    def sensible(self) -> tuple[Tensor, Tensor]:
        """An action for every match, as the heuristic draws it, and how it leans to all of them."""
        if not self._crowds:
            self._crowds = [Crowd(batch) for batch in self._batches]
        orders = [self.legal[place].sum(1).argsort() if self._columns else None for place in self._places]
        chosen = [crowd.choose(order) for crowd, order in zip(self._crowds, orders, strict=True)]
        actions = [torch.as_tensor(each, device=self.device) for each in chosen]
        leanings = [torch.as_tensor(crowd.leanings, device=self.device) for crowd in self._crowds]
        return torch.cat(actions), torch.cat(leanings)

    def scatter(self, span: int) -> None:
        """Plays on as the heuristic would."""
        far = [
            torch.arange(batch.count, device=self.device) * STRIDE % batch.count * span // batch.count for batch in self._batches
        ]
        for step in range(span):
            actions, _ = self.sensible()
            for batch, place, until in zip(self._batches, self._places, far, strict=True):
                batch.step(in_batch(actions[place]), in_batch(until > step))
            self._gather()

    def snapshot(self) -> list[list[Any]]:
        """What each batch remembers, as tensors."""
        return [[torch.from_numpy(array.view(np.uint8)) for array in batch.snapshot()] for batch in self._batches]

    def restore(self, snapshot: list[list[Any]]) -> None:
        """Goes on from a snapshot."""
        for batch, kept in zip(self._batches, snapshot, strict=True):
            now = batch.snapshot()
            batch.restore([each.numpy().view(array.dtype) for each, array in zip(kept, now, strict=True)])
        self._gather()


def turned(columns: Tensor) -> Tensor:
    """Rows of what lies column after column, in half precision."""
    return columns.t().half().contiguous()


def in_batch(tensor: Tensor) -> Any:
    """A tensor as a batch takes it: on a GPU as it is."""
    return tensor.numpy() if tensor.device.type == "cpu" else tensor


def _gpu_batch() -> type[Batch]:
    from zashiki.core.gpu_batch import GpuBatch

    return GpuBatch
