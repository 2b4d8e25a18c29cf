"""PPO with PyTorch: learns to beat random play at Hanamikoji. python examples/ppo_torch.py [--decisions 600000] [--seed 1]"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.dlpack import from_dlpack

from zashiki.adapters.vector import VectorMatches

MATCHES, STEPS, EPOCHS, PIECE, WIDTH = 512, 16, 4, 512, 64
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 5e-3, 0.2, 0.95, 0.003, 0.5


class Player(nn.Module):
    """From what a seat sees to the logarithm of each action's chance, and to the reward it expects."""

    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, WIDTH), nn.Tanh())
        self.choice, self.worth = nn.Linear(WIDTH, actions), nn.Linear(WIDTH, 1)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Masks what is not legal."""
        felt = self.body(seen)
        logits = self.choice(felt).masked_fill(legal == 0, -1e9)
        return logits.log_softmax(1), self.worth(felt).squeeze(-1)


@torch.no_grad()
def play(player: Player, matches: VectorMatches, shown: dict[str, Any]) -> tuple[dict[str, Any], list[Tensor], Tensor]:
    """Plays some steps; gives what is shown now, what there is to learn from, and the rewards of the matches that ended."""
    rows: list[tuple[Tensor, ...]] = []
    for step in range(STEPS + 1):
        seen, legal = from_dlpack(shown["observation"]), from_dlpack(shown["action_mask"])
        chances, worth = player(seen, legal)
        if step < STEPS:
            actions = chances.exp().multinomial(1)[:, 0]
            shown, rewards, ended, _, _ = matches.step(actions.numpy())
            told = from_dlpack(rewards).float(), from_dlpack(ended)
            rows.append((seen, legal, actions, chances.gather(1, actions[:, None])[:, 0], worth, *told))
    ahead, advantages = torch.zeros(MATCHES), list[Tensor]()
    for *_, expected, gain, over in reversed(rows):
        ahead = gain + ~over * (worth + LAMBDA * ahead) - expected
        worth = expected
        advantages.insert(0, ahead)
    *parts, expected, gains, ends = (torch.cat(column) for column in zip(*rows, strict=True))
    return shown, [*parts, torch.cat(advantages), torch.cat(advantages) + expected], gains[ends]


def learn(player: Player, optimiser: torch.optim.Optimizer, parts: list[Tensor]) -> None:
    """A few passes over what was played, in pieces."""
    for piece in (piece for _ in range(EPOCHS) for piece in torch.randperm(MATCHES * STEPS).view(-1, PIECE)):
        seen, legal, actions, before, ahead, worth = (part[piece] for part in parts)
        chances, expected = player(seen, legal)
        ratio, good = (chances.gather(1, actions[:, None])[:, 0] - before).exp(), (ahead - ahead.mean()) / (ahead.std() + 1e-8)
        entropy = -(chances.exp() * chances).sum(1)
        gain = torch.min(ratio * good, ratio.clamp(1 - CLIP, 1 + CLIP) * good) + ENTROPY * entropy
        optimiser.zero_grad()
        (VALUE * (expected - worth) ** 2 - gain).mean().backward()
        optimiser.step()


def train(decisions: int, seed: int) -> list[float]:
    """The share of matches won in each sixth of so many decisions."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # So small a network gains nothing from a second core.
    matches = VectorMatches("hanamikoji", MATCHES, opponents="random")
    shown, _ = matches.reset(seed=seed)
    player = Player(shown["observation"].shape[1], shown["action_mask"].shape[1])
    optimiser, won = torch.optim.Adam(player.parameters(), RATE), []
    for part in range(6):
        rewards = []
        for _ in range(max(1, decisions // (6 * MATCHES * STEPS))):
            shown, parts, gained = play(player, matches, shown)
            learn(player, optimiser, parts)
            rewards.append(gained)
        won.append(float((torch.cat(rewards) + 1).mean() / 2))
        print(f"part {part + 1} of 6: {won[-1]:.1%} of {sum(map(len, rewards)):,} matches won", flush=True)
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=600_000)
    parser.add_argument("--seed", type=int, default=1)
    train(**vars(parser.parse_args()))
