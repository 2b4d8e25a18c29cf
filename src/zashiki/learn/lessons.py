"""Learning from what was played: a regularised policy gradient, in pieces.

The gain is that of PPO: how much likelier an action has become, clipped, times how much better it went than expected. On top come
entropy and a pull towards a policy that is refreshed slowly, as in magnetic mirror descent. What is expected is learned as a
distribution over the seats.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from zashiki.learn.network import MOST_SEATS, Network, chances, fused
from zashiki.learn.playing import Played
from zashiki.learn.recipe import Recipe

WARM_UP = 3
"""Pieces learned before the work is recorded for the GPU."""
TELLING = ("entropy", "distance", "surprise", "clipped", "moved")
"""What is told of a lesson: how undecided the policy is, how far from the magnet, how far off the expected shares (both as
Kullback-Leibler divergences), how often an action was clipped, and how far the policy moved."""


class Piece(NamedTuple):
    """The rows of one step of learning, as in Played."""

    observations: Tensor
    legal: Tensor
    seats: Tensor
    actions: Tensor
    chances: Tensor
    ahead: Tensor
    shares: Tensor


class Teacher:
    """Improves a network by what was played. On a GPU a step of learning is recorded once and then replayed as a whole."""

    def __init__(self, network: Network, magnet: Network, recipe: Recipe, device: torch.device) -> None:
        self.network, self.magnet, self.recipe, self.device = network, magnet, recipe, device
        on_gpu = device.type == "cuda"
        self._rate, self._wander = (torch.tensor(pair[0], device=device) for pair in (recipe.rate, recipe.wander))
        rate = self._rate if on_gpu else recipe.rate[0]
        self.optimizer = torch.optim.Adam(network.parameters(), rate, fused=on_gpu, capturable=on_gpu)
        self._telling = torch.zeros(len(TELLING), device=device)
        self._weighed = fused(weighed, device)
        self._piece: Piece | None = None
        self._graph: torch.cuda.CUDAGraph | None = None

    def learn(self, played: Played, progress: float) -> dict[str, float]:
        """All passes over what was played, at this progress of the run from 0 to 1."""
        self._set(progress)
        self._telling.zero_()
        ours = played.ours.nonzero()[:, 0]
        ahead = played.ahead[ours]
        scaled = played._replace(ahead=(played.ahead - ahead.mean()) / (ahead.std() + 1e-8))
        size, pieces = min(self.recipe.piece, len(ours)), 0
        for _ in range(self.recipe.passes):
            order = ours[torch.randperm(len(ours), device=self.device)]
            for first in range(0, len(ours) - size + 1, size):
                self._learn(scaled, order[first : first + size])
                pieces += 1
        return dict(zip(TELLING, (self._telling / pieces).tolist(), strict=True))

    def _set(self, progress: float) -> None:
        (first, last), (most, least) = self.recipe.rate, self.recipe.wander
        self._rate.fill_(first + (last - first) * progress)
        self._wander.fill_(most + (least - most) * progress)
        if self.device.type != "cuda":
            for group in self.optimizer.param_groups:
                group["lr"] = float(self._rate)

    def _learn(self, played: Played, rows: Tensor) -> None:
        if self.device.type != "cuda":
            self._step(Piece(*(part[rows] for part in played[: len(Piece._fields)])))
            return
        if self._piece is None or len(self._piece.seats) != len(rows):
            self._piece, self._graph = Piece(*(part[rows].clone() for part in played[: len(Piece._fields)])), None
        for part, room in zip(played, self._piece, strict=False):
            torch.index_select(part, 0, rows, out=room)
        if self._graph is None:
            self._record()
        assert self._graph is not None
        self._graph.replay()

    def _record(self) -> None:
        assert self._piece is not None
        beside: torch.cuda.Stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # PyTorch leaves it out
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(WARM_UP):
                self._step(self._piece)
        torch.cuda.current_stream().wait_stream(beside)
        self._graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(self._graph):
            self._step(self._piece)

    def _step(self, piece: Piece) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        self._loss(piece).backward()  # type: ignore[no-untyped-call]  # PyTorch leaves it out
        nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.steepest, foreach=True)
        self.optimizer.step()

    def _loss(self, piece: Piece) -> Tensor:
        recipe, magnetic = self.recipe, None
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False):
            logits, worth = self.network(piece.observations)
            if recipe.pull > 0:
                with torch.no_grad():
                    magnetic, _ = self.magnet(piece.observations)
        loss, telling = self._weighed(piece, logits, worth, magnetic, self._wander, recipe.clip, recipe.worth, recipe.pull)
        self._telling += telling
        return loss


def weighed(
    piece: Piece,
    logits: Tensor,
    expected: Tensor,
    magnetic: Tensor | None,
    wander: Tensor,
    clip: float,
    worth: float,
    pull: float,
) -> tuple[Tensor, Tensor]:
    """What is to become less, and what is told."""
    likely = chances(logits, piece.legal)
    weights = likely.exp()
    change = likely.gather(1, piece.actions[:, None])[:, 0] - piece.chances
    ratio = change.exp()
    gain = torch.min(ratio * piece.ahead, ratio.clamp(1 - clip, 1 + clip) * piece.ahead)
    entropy = -(weights * likely).sum(1)
    distance = entropy * 0 if magnetic is None else (weights * (likely - chances(magnetic, piece.legal))).sum(1)
    hoped = chances(expected, torch.arange(MOST_SEATS, device=expected.device) < piece.seats[:, None])
    surprise = (torch.xlogy(piece.shares, piece.shares) - piece.shares * hoped).sum(1)
    clipped, moved = ((ratio - 1).abs() > clip).float(), ratio - 1 - change
    telling = torch.stack([each.detach().mean() for each in (entropy, distance, surprise, clipped, moved)])
    return (worth * surprise - gain - wander * entropy + pull * distance).mean(), telling
