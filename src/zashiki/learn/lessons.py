"""Learning from what was played: a regularised policy gradient, in pieces.

The gain is that of PPO: how much likelier an action has become, clipped, times how much better it went than expected. On top come
entropy and a pull towards a policy that is refreshed slowly, as in magnetic mirror descent. Where all actions of a decision were
tried, the gain is what the policy makes of their worths, without chance, and only what came beyond that is weighed as in PPO.
What is expected is learned as a distribution over the seats. At first the crowd's decisions may be imitated, too.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from zashiki.learn.network import MOST_SEATS, GridNetwork, Network, chances, fused
from zashiki.learn.playing import Beside, Played, lean
from zashiki.learn.recipe import Recipe

WATCHED = 128
"""Rows of those who watched come to a piece in multiples of this."""
WARM_UP = 3
"""Pieces learned, and forgotten, before the work is recorded for the GPU."""
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
    ours: Tensor
    crowds: Tensor
    gains: Tensor | None = None
    leanings: Tensor | None = None
    beside: Beside | None = None


class Teacher:
    """Improves a network by what was played. On a GPU a step of learning is recorded once and then replayed as a whole."""

    def __init__(self, network: Network, magnet: Network, recipe: Recipe, device: torch.device) -> None:
        self.network, self.magnet, self.recipe, self.device = network, magnet, recipe, device
        on_gpu = device.type == "cuda"
        self._rate, self._wander = (torch.tensor(pair[0], device=device) for pair in (recipe.rate, recipe.wander))
        self._imitate = torch.zeros((), device=device)
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
        mean, spread = played.ahead[ours].mean(), played.spread + 1e-8
        gains = None if played.gains is None else played.gains / spread.half()
        scaled = played._replace(ahead=(played.ahead - mean) / spread, gains=gains)
        rows = len(played.ours)
        size, pieces = min(self.recipe.piece, rows), 0
        for _ in range(self.recipe.passes):
            order = torch.randperm(rows, device=self.device)
            watched = self._shuffled(played.beside, rows // size)
            for first in range(0, rows - size + 1, size):
                self._learn(scaled, order[first : first + size], watched[pieces % len(watched)])
                pieces += 1
        return dict(zip(TELLING, (self._telling / pieces).tolist(), strict=True))

    @torch.no_grad()
    def wake(self, observations: Tensor) -> float:
        """Lets units that no observation lights begin anew, which changes nothing yet; tells how large their share is.

        A network that learns from itself loses them by and by; one of a grid hardly, since a unit there sees every kind.
        """
        if isinstance(self.network, GridNetwork):
            return 0.0
        felt, asleep = observations[:, : self.network.features].float(), list[Tensor]()
        heads: list[nn.Linear] = [self.network.policy, self.network.value]
        layers: list[nn.Linear] = list(self.network.layers)  # type: ignore[arg-type]  # PyTorch forgets what it holds
        for number, layer in enumerate(layers):
            felt = torch.relu(layer(felt))
            asleep.append((felt <= 0).all(0))
            fresh = torch.empty_like(layer.weight)
            nn.init.kaiming_normal_(fresh, nonlinearity="relu")
            self._begin_anew(layer.weight, asleep[-1][:, None], fresh)
            self._begin_anew(layer.bias, asleep[-1], torch.zeros_like(layer.bias))
            for after in layers[number + 1 : number + 2] or heads:
                self._begin_anew(after.weight, asleep[-1][None], torch.zeros_like(after.weight))
        return float(torch.cat(asleep).float().mean())

    def _begin_anew(self, weight: Tensor, where: Tensor, fresh: Tensor) -> None:
        """Puts other numbers into a weight, and forgets how it moved there."""
        weight.copy_(torch.where(where, fresh, weight))
        for name, moment in self.optimizer.state.get(weight, {}).items():
            if name != "step":
                moment.masked_fill_(where, 0)

    def restore(self, optimizer: dict[str, Any]) -> None:
        """Goes on with the optimizer of an earlier run."""
        self.optimizer.load_state_dict(optimizer)
        if self.device.type == "cuda":
            # Loading has put a copy of the rate into its place, which would never change again.
            for group in self.optimizer.param_groups:
                group["lr"] = self._rate

    def _set(self, progress: float) -> None:
        rate, wander = self.recipe.pace(progress)
        self._rate.fill_(rate)
        self._wander.fill_(wander)
        self._imitate.fill_(max(0.0, 1 - progress / self.recipe.imitate) if self.recipe.imitate > 0 else 0.0)
        if self.device.type != "cuda":
            for group in self.optimizer.param_groups:
                group["lr"] = float(self._rate)

    def _shuffled(self, beside: Beside | None, pieces: int) -> Tensor:
        """Rows of those who watched, as many for each piece."""
        if beside is None:
            return torch.empty((pieces, 0), dtype=torch.int64, device=self.device)
        # A multiple, so that it hardly ever changes: on a GPU another size is recorded again.
        size = len(beside.seats) // pieces // WATCHED * WATCHED or len(beside.seats) // pieces
        return torch.randperm(len(beside.seats), device=self.device)[: pieces * size].view(pieces, size)

    def _learn(self, played: Played, rows: Tensor, watched: Tensor) -> None:
        if self.device.type != "cuda":
            self._step(_piece(played, rows, watched))
            return
        if self._piece is None or _sizes(self._piece) != (len(rows), len(watched)):
            self._piece, self._graph = _piece(played, rows, watched), None
        else:
            _refill(self._piece, played, rows, watched)
        if self._graph is None:
            self._record()
        assert self._graph is not None
        self._graph.replay()

    def _record(self) -> None:
        assert self._piece is not None
        beside: torch.cuda.Stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # PyTorch leaves it out
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            forget = self._remember()
            for _ in range(WARM_UP):
                self._step(self._piece)
            forget()
        torch.cuda.current_stream().wait_stream(beside)
        self._graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(self._graph):
            self._step(self._piece)

    @torch.no_grad()
    def _remember(self) -> Callable[[], None]:
        """Gives a way back, in the same memory, to what has been learned so far."""
        kept = [(tensor, tensor.clone()) for tensor in (*self.network.parameters(), self._telling)]
        moments = {weight: {name: tensor.clone() for name, tensor in state.items()} for weight, state in self._moments()}

        @torch.no_grad()
        def forget() -> None:
            for tensor, before in kept:
                tensor.copy_(before)
            for weight, state in self._moments():
                for name, tensor in state.items():
                    tensor.copy_(moments[weight][name]) if weight in moments else tensor.zero_()

        return forget

    def _moments(self) -> ItemsView[Tensor, dict[str, Tensor]]:
        return self.optimizer.state.items()

    def _step(self, piece: Piece) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        self._loss(piece).backward()  # type: ignore[no-untyped-call]  # PyTorch leaves it out
        nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.steepest, foreach=True)
        self.optimizer.step()

    def _loss(self, piece: Piece) -> Tensor:
        recipe, leanings, magnetic = self.recipe, piece.leanings, None
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False):
            logits, worth = self.network(piece.observations)
            logits = lean(self.network, logits, leanings)
            beside = None if piece.beside is None else self.network.expect(piece.beside.observations)
            if recipe.pull > 0:
                with torch.no_grad():
                    magnetic = lean(self.magnet, self.magnet(piece.observations)[0], leanings)
        weights = (self._wander, self._imitate, recipe.clip, recipe.worth, recipe.pull)
        loss, telling = self._weighed(piece, logits, worth, magnetic, *weights)
        self._telling += telling
        if piece.beside is None or beside is None:
            return loss
        return loss + recipe.worth * surprise(beside, piece.beside.shares, piece.beside.seats).mean()


def _tensors(rows: Played | Piece) -> dict[str, Tensor]:
    """What a step of learning needs of each row, as far as there is such a thing."""
    parts = {name: getattr(rows, name) for name in Piece._fields if name != "beside"}
    return {name: part for name, part in parts.items() if part is not None}


def _piece(played: Played, rows: Tensor, watched: Tensor) -> Piece:
    beside = None if played.beside is None else Beside(*(part[watched] for part in played.beside))
    return Piece(**{name: part[rows] for name, part in _tensors(played).items()}, beside=beside)


def _refill(piece: Piece, played: Played, rows: Tensor, watched: Tensor) -> None:
    """Writes other rows into the memory of a piece."""
    for part, room in zip(_tensors(played).values(), _tensors(piece).values(), strict=True):
        torch.index_select(part, 0, rows, out=room)
    for part, room in zip(played.beside or (), piece.beside or (), strict=True):
        torch.index_select(part, 0, watched, out=room)


def _sizes(piece: Piece) -> tuple[int, int]:
    return len(piece.seats), 0 if piece.beside is None else len(piece.beside.seats)


def weighed(
    piece: Piece,
    logits: Tensor,
    expected: Tensor,
    magnetic: Tensor | None,
    wander: Tensor,
    imitate: Tensor,
    clip: float,
    worth: float,
    pull: float,
) -> tuple[Tensor, Tensor]:
    """What is to become less, and what is told."""
    likely = chances(logits, piece.legal)
    weights = likely.exp()
    done = likely.gather(1, piece.actions[:, None])[:, 0]
    change = done - piece.chances
    ratio = change.exp()
    gain = torch.min(ratio * piece.ahead, ratio.clamp(1 - clip, 1 + clip) * piece.ahead)
    if piece.gains is not None:
        gain = gain + (weights * piece.gains).sum(1)
    entropy = -(weights * likely).sum(1)
    distance = entropy * 0 if magnetic is None else (weights * (likely - chances(magnetic, piece.legal))).sum(1)
    surprised = surprise(expected, piece.shares, piece.seats)
    clipped, moved = ((ratio - 1).abs() > clip).float(), ratio - 1 - change
    # Others' decisions tell what is to be expected, but not what to do, unless the crowd is imitated.
    own, crowd = (each / each.float().mean().clamp_min(1e-6) for each in (piece.ours, piece.crowds))
    unlike = -(done * crowd).mean()
    surprised = surprised.mean()
    entropy, distance, clipped, moved, gain = ((each * own).mean() for each in (entropy, distance, clipped, moved, gain))
    telling = torch.stack([each.detach() for each in (entropy, distance, surprised, clipped, moved)])
    return worth * surprised - gain - wander * entropy + pull * distance + imitate * unlike, telling


def surprise(expected: Tensor, shares: Tensor, seats: Tensor) -> Tensor:
    """How far off the expected shares are, as a Kullback-Leibler divergence."""
    hoped = chances(expected, torch.arange(MOST_SEATS, device=expected.device) < seats[:, None])
    return (torch.xlogy(shares, shares) - shares * hoped).sum(1)
