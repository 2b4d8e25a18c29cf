"""The network of a player: from what a seat sees to its choice, and to each seat's share of the victory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from zashiki.bots.weights import WrongWeights
from zashiki.core.grid import Grid, Places
from zashiki.games import find

F = TypeVar("F", bound=Callable[..., Any])

MOST_SEATS = 6
WHOLE = 2
"""How much wider the thought about the whole of a grid is than that about a kind."""
HALF = 0.5
"""The part of each of the four layers that add up to what is thought about a kind."""
NEVER = -1e9
"""The logarithm of the weight of what cannot be."""


class Network(nn.Module):
    """Hidden layers of one width; seats are counted from the one that looks, as in its observation, which may end in zeros.

    Where `sense` is not 0, the policy is the heuristic's weights to that power times the network's.
    """

    def __init__(self, features: int, actions: int, width: int, depth: int, sense: float = 0.0) -> None:
        super().__init__()
        self.features, self.actions, self.width, self.sense = features, actions, width, sense
        self.policy, self.value = _dim(nn.Linear(width, actions)), _dim(nn.Linear(width, MOST_SEATS))
        self.layers = nn.ModuleList(_lit(nn.Linear(features if i == 0 else width, width)) for i in range(depth))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """The weights of all actions and of all seats' victories, as logarithms without a common scale."""
        felt = self._feel(observations)
        return self.policy(felt), self._hope(felt)

    def expect(self, observations: Tensor) -> Tensor:
        """The weights of all seats' victories alone."""
        return self._hope(self._feel(observations))

    def _hope(self, felt: Tensor) -> Tensor:
        """In full precision: actions differ by little."""
        with torch.autocast(felt.device.type, enabled=False):
            hoped: Tensor = self.value(felt.float())
        return hoped

    def _feel(self, observations: Tensor) -> Tensor:
        felt = observations
        for layer in self.layers:
            felt = torch.relu(_fitting(layer, felt))  # type: ignore[arg-type]  # PyTorch forgets what it holds
        return felt


def _fitting(layer: nn.Linear, felt: Tensor) -> Tensor:
    """A layer over rows that may be wider than its weights."""
    more = felt.shape[-1] - layer.in_features
    weight = functional.pad(layer.weight, (0, more)) if more > 0 else layer.weight
    return functional.linear(felt, weight, layer.bias)


class GridNetwork(Network):
    """A network that knows which kinds of cards can be exchanged: every kind is thought about with the same weights.

    Each layer thinks about a kind by what was thought of it, of its row and its column on average, and of the whole; and about
    the whole by all kinds on average and by itself. What a row does, a column does.
    """

    _seen: Tensor
    _others: Tensor
    _order: Tensor

    def __init__(self, grid: Grid, features: int, actions: int, width: int, depth: int, sense: float = 0.0) -> None:
        nn.Module.__init__(self)
        self.features, self.actions, self.width, self.sense, self._side = features, actions, width, sense, grid.side
        whole = WHOLE * width
        seen, rest, done, others = grid.seen.shape[1], len(grid.rest), grid.done.shape[1], len(grid.others)
        self.kinds, self.lines, self.above, self.around, self.wholes = (nn.ModuleList() for _ in range(5))
        for i in range(depth):
            before, all_before = (seen, rest) if i == 0 else (width, whole)
            self.kinds.append(_lit(nn.Linear(before, width), HALF))
            self.lines.append(_lit(nn.Linear(before, width, bias=False), HALF))
            self.above.append(_lit(nn.Linear(all_before, width, bias=False), HALF))
            self.around.append(_lit(nn.Linear(width, whole, bias=False), HALF))
            self.wholes.append(_lit(nn.Linear(all_before, whole), HALF))
        self.policy, self.rest = _dim(nn.Linear(width, done)), _dim(nn.Linear(whole, others))
        self.value = _dim(nn.Linear(whole, MOST_SEATS))
        places = {"_seen": grid.seen.reshape(-1), "_others": grid.rest, "_order": _order_of(grid)}
        for name, numbers in places.items():
            self.register_buffer(name, torch.from_numpy(numbers.copy()), persistent=False)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """The weights of all actions and of all seats' victories, as logarithms without a common scale."""
        kinds, whole = self._think(observations)
        scores = torch.cat([self.rest(whole), self.policy(kinds).flatten(1)], 1)
        return scores.index_select(1, self._order), self._hope(whole)

    def _feel(self, observations: Tensor) -> Tensor:
        return self._think(observations)[1]

    def _think(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        side = self._side
        kinds = observations.index_select(1, self._seen).view(len(observations), side**2, -1)
        whole = observations.index_select(1, self._others)
        means, _ = find_means(kinds, side)
        for kind, line, above, around, wholly in zip(self.kinds, self.lines, self.above, self.around, self.wholes, strict=True):
            lines = line(means)
            kinds = together(kind(kinds), lines, above(whole))
            means, mean = find_means(kinds, side)
            whole = torch.relu(wholly(whole) + around(mean))
        return kinds, whole


class Means(torch.autograd.Function):
    """Written so that its gradient is one sum."""

    @staticmethod
    def forward(ctx: Any, kinds: Tensor, side: int) -> tuple[Tensor, Tensor]:
        """From kinds to lines, and to the whole."""
        ctx.side = side
        square = kinds.view(len(kinds), side, side, -1)
        rows = square.mean(2)
        return torch.cat([rows, square.mean(1)], 1), rows.mean(1)

    @staticmethod
    def backward(ctx: Any, lines: Tensor, whole: Tensor) -> tuple[Tensor, None]:
        """Back to every kind."""
        side = ctx.side
        rows = lines[:, :side] / side + whole[:, None] / side**2
        square = rows[:, :, None] + lines[:, None, side:] / side
        return square.flatten(1, 2), None


class Together(torch.autograd.Function):
    """Written so that little is kept and read."""

    @staticmethod
    def forward(ctx: Any, kinds: Tensor, lines: Tensor, whole: Tensor) -> Tensor:
        """The sum, as far as it is positive."""
        side = lines.shape[1] // 2
        rows = lines[:, :side] + whole[:, None]
        found = kinds.view(len(kinds), side, side, -1) + rows[:, :, None]
        found += lines[:, None, side:]
        felt = found.relu_().flatten(1, 2)
        ctx.save_for_backward(felt)
        return felt

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Back to kinds, lines and the whole."""
        (felt,) = ctx.saved_tensors
        kinds = gradient * (felt > 0)
        side = round(kinds.shape[1] ** 0.5)
        square = kinds.view(len(kinds), side, side, -1)
        rows = square.sum(2)
        return kinds, torch.cat([rows, square.sum(1)], 1), rows.sum(1)


def find_means(kinds: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """The means of the rows of a grid, then of its columns; and that of all its kinds."""
    lines, whole = Means.apply(kinds, side)  # type: ignore[no-untyped-call]  # PyTorch leaves it out
    return lines, whole


def together(kinds: Tensor, lines: Tensor, whole: Tensor) -> Tensor:
    """What is thought of each kind, by itself, by its row, its column and the whole."""
    felt: Tensor = Together.apply(kinds, lines, whole)  # type: ignore[no-untyped-call]  # PyTorch leaves it out
    return felt


def _order_of(grid: Grid) -> Places:
    """Where each action stands after the others and those of every kind have been put one after another."""
    order = np.argsort(np.concatenate([grid.others, grid.done.reshape(-1)]))
    return np.asarray(order, np.int64)


def _lit(layer: nn.Linear, part: float = 1.0) -> nn.Linear:
    """A layer of which something can be learned from the beginning, with so large a part in what is thought."""
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    with torch.no_grad():
        layer.weight.mul_(part)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer


def _dim(head: nn.Linear) -> nn.Linear:
    """A head that has hardly any opinion yet."""
    nn.init.normal_(head.weight, std=0.01)
    nn.init.zeros_(head.bias)
    return head


def chances(logits: Tensor, possible: Tensor) -> Tensor:
    """The logarithms of the chances among what is possible."""
    return logits.float().masked_fill(~possible, NEVER).log_softmax(-1)


def fused(function: F, device: torch.device, *, any_number: bool = False) -> F:
    """On a GPU one kernel instead of twenty, compiled when first called; what cannot be compiled there runs as it is.

    `any_number`: of rows; otherwise it is compiled again when their number changes.
    """
    if device.type != "cuda":
        return function
    from torch._dynamo import config

    config.suppress_errors = True
    compiled: Any = torch.compile(function, dynamic=any_number or None)
    return cast(F, compiled)


def save(network: Network, file: Path, told: Mapping[str, str]) -> None:
    """Writes the weights as they are shipped: half precision, PyTorch's layout, with what is told about them."""
    from safetensors.torch import save_file

    sizes = {"features": str(network.features), "actions": str(network.actions), "sense": str(network.sense)}
    kept = {name: tensor.detach().to("cpu", torch.float16).contiguous() for name, tensor in network.state_dict().items()}
    save_file(kept, file, {**sizes, **told})


def load(file: Path) -> Network:
    """The network of a file."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="pt") as opened:
            told = opened.metadata() or {}
            kept = {name: opened.get_tensor(name).float() for name in opened.keys()}  # noqa: SIM118  # it is no mapping
        network = _unlearned(kept, told)
        network.load_state_dict(kept)
    except (OSError, SafetensorError, KeyError, ValueError, RuntimeError) as error:
        raise WrongWeights(f"the weights {file} cannot be read: {error}") from None
    return network


def begin_alike(network: Network, known: Network) -> None:
    """Gives a network what another knows. Features that the other has not learned with mean nothing yet."""
    weights, more = known.state_dict(), network.features - known.features
    if more > 0 and "layers.0.weight" in weights:
        weights["layers.0.weight"] = functional.pad(weights["layers.0.weight"], (0, more))
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise WrongWeights("these weights are of another kind of network, or of other sizes, than the recipe asks for") from None


def _unlearned(kept: dict[str, Tensor], told: Mapping[str, str]) -> Network:
    """A network of the sizes that these weights have."""
    sense = float(told.get("sense", 0))
    first = "kinds" if "kinds.0.weight" in kept else "layers"
    width, features = kept[f"{first}.0.weight"].shape
    depth = sum(name.startswith(f"{first}.") and name.endswith(".weight") for name in kept)
    if first == "layers":
        return Network(features, len(kept["policy.bias"]), width, depth, sense)
    grid = find(told["game"]).grid
    if grid is None:
        raise ValueError(f"the kinds of {told['game']} are no grid")
    return GridNetwork(grid, int(told["features"]), int(told["actions"]), width, depth, sense)
