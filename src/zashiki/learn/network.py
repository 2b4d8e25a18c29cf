"""The network of a player: from what a seat sees to its choice, and to each seat's share of the victory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import torch
from torch import Tensor, nn

F = TypeVar("F", bound=Callable[..., Any])

MOST_SEATS = 6
NEVER = -1e9
"""The logarithm of the weight of what cannot be."""


class Network(nn.Module):
    """Hidden layers of one width; seats are counted from the one that looks, as in its observation.

    Where `sense` is not 0, the policy is the heuristic's weights to that power times the network's.
    """

    def __init__(self, features: int, actions: int, width: int, depth: int, sense: float = 0.0) -> None:
        super().__init__()
        self.features, self.actions, self.width, self.sense = features, actions, width, sense
        layers = [nn.Linear(features if i == 0 else width, width) for i in range(depth)]
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, MOST_SEATS)
        for layer in layers:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        for head in (self.policy, self.value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
        self.layers = nn.ModuleList(layers)

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
            felt = torch.relu(layer(felt))
        return felt


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
    from safetensors import safe_open

    with safe_open(file, framework="pt") as opened:
        told = opened.metadata() or {}
        kept = {name: opened.get_tensor(name).float() for name in opened.keys()}  # noqa: SIM118  # it is no mapping
    width, features = kept["layers.0.weight"].shape
    depth = sum(name.startswith("layers.") and name.endswith(".weight") for name in kept)
    network = Network(features, len(kept["policy.bias"]), width, depth, float(told.get("sense", 0)))
    network.load_state_dict(kept)
    return network
