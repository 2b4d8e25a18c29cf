"""PPO with plain JAX: learns to beat random play at Hanamikoji. python examples/ppo_jax.py [--decisions 600000] [--seed 1]"""

from __future__ import annotations

import argparse
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from zashiki.adapters.vector import VectorMatches

MATCHES, STEPS, EPOCHS, PIECE, WIDTH = 512, 16, 4, 512, 64
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 5e-3, 0.2, 0.95, 0.003, 0.5
Arrays = Any


def new_player(key: Arrays, features: int, actions: int) -> Arrays:
    """Three layers: what is seen, the choice, and the reward that is expected."""
    layers = zip(jax.random.split(key, 3), ((features, WIDTH), (WIDTH, actions), (WIDTH, 1)), strict=True)
    return [(jax.random.normal(each, shape) / shape[0] ** 0.5, jnp.zeros(shape[1])) for each, shape in layers]


def think(player: Arrays, seen: Arrays, legal: Arrays) -> tuple[Arrays, Arrays]:
    """The logarithm of each action's chance, and the reward expected."""
    body, choice, worth = player
    felt = jnp.tanh(seen @ body[0] + body[1])
    logits = jnp.where(legal == 1, felt @ choice[0] + choice[1], -1e9)
    return jax.nn.log_softmax(logits), (felt @ worth[0] + worth[1])[:, 0]


@jax.jit  # type: ignore[untyped-decorator]  # JAX's types are not looked at
def decide(player: Arrays, key: Arrays, seen: Arrays, legal: Arrays) -> tuple[Arrays, Arrays, Arrays]:
    """Actions, the logarithm of their chances, and the reward expected."""
    chances, worth = think(player, seen, legal)
    actions = jax.random.categorical(key, chances)
    return actions, jnp.take_along_axis(chances, actions[:, None], 1)[:, 0], worth


def play(player: Arrays, key: Arrays, matches: VectorMatches, shown: dict[str, Any]) -> tuple[dict[str, Any], Arrays, Arrays]:
    """Plays some steps; gives what is shown now, what there is to learn from, and the rewards of the matches that ended."""
    rows: list[Any] = []
    for each in jax.random.split(key, STEPS + 1):
        seen, legal = jnp.from_dlpack(shown["observation"]), jnp.from_dlpack(shown["action_mask"])
        actions, chances, worth = decide(player, each, seen, legal)
        if len(rows) < STEPS:
            shown, rewards, ended, _, _ = matches.step(np.asarray(actions))
            rows.append((seen, legal, actions, chances, worth, rewards.astype(np.float32), ended))
    ahead, advantages = jnp.zeros(MATCHES), list[Arrays]()
    for *_, expected, gain, over in reversed(rows):
        ahead = gain + ~over * (worth + LAMBDA * ahead) - expected
        worth = expected
        advantages.insert(0, ahead)
    *parts, expected, gains, ends = (np.concatenate(column) for column in zip(*rows, strict=True))
    return shown, [*parts, np.concatenate(advantages), np.concatenate(advantages) + expected], gains[ends]


def loss(player: Arrays, seen: Arrays, legal: Arrays, actions: Arrays, before: Arrays, ahead: Arrays, worth: Arrays) -> Arrays:
    """PPO's clipped gain, the error of what was expected, and a little curiosity."""
    chances, expected = think(player, seen, legal)
    ratio = jnp.exp(jnp.take_along_axis(chances, actions[:, None], 1)[:, 0] - before)
    good = (ahead - ahead.mean()) / (ahead.std() + 1e-8)
    entropy = -(jnp.exp(chances) * chances).sum(1)
    gain = jnp.minimum(ratio * good, ratio.clip(1 - CLIP, 1 + CLIP) * good) + ENTROPY * entropy
    return (VALUE * (expected - worth) ** 2 - gain).mean()


@jax.jit  # type: ignore[untyped-decorator]  # JAX's types are not looked at
def improve(player: Arrays, means: Arrays, squares: Arrays, count: int, piece: Arrays) -> tuple[Arrays, Arrays, Arrays]:
    """One step of Adam."""
    slopes = jax.grad(loss)(player, *piece)
    means = jax.tree.map(lambda mean, slope: 0.9 * mean + 0.1 * slope, means, slopes)
    squares = jax.tree.map(lambda square, slope: 0.999 * square + 0.001 * slope**2, squares, slopes)
    rate = RATE * (1 - 0.999**count) ** 0.5 / (1 - 0.9**count)
    return jax.tree.map(lambda each, m, s: each - rate * m / (jnp.sqrt(s) + 1e-8), player, means, squares), means, squares


def train(decisions: int, seed: int) -> list[float]:
    """The share of matches won in each sixth of so many decisions."""
    matches, order, key = (
        VectorMatches("hanamikoji", MATCHES, opponents="random"),
        np.random.default_rng(seed),
        jax.random.key(seed),
    )
    shown, _ = matches.reset(seed=seed)
    player = new_player(key, shown["observation"].shape[1], shown["action_mask"].shape[1])
    means = squares = jax.tree.map(jnp.zeros_like, player)
    won, count = [], 0
    for part in range(6):
        rewards = []
        for _ in range(max(1, decisions // (6 * MATCHES * STEPS))):
            key, now = jax.random.split(key)
            shown, parts, gained = play(player, now, matches, shown)
            rewards.append(gained)
            for piece in (piece for _ in range(EPOCHS) for piece in order.permutation(MATCHES * STEPS).reshape(-1, PIECE)):
                count += 1
                player, means, squares = improve(player, means, squares, count, [each[piece] for each in parts])
        won.append(float((np.concatenate(rewards) + 1).mean() / 2))
        print(f"part {part + 1} of 6: {won[-1]:.1%} of {sum(map(len, rewards)):,} matches won", flush=True)
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=600_000)
    parser.add_argument("--seed", type=int, default=1)
    train(**vars(parser.parse_args()))
