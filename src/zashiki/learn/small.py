"""The small Hanamikoji as a field: so small that what is learned can be held against the exact equilibrium."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from zashiki.core.grid import Grid
from zashiki.games.hanamikoji.small import CHANCE, HANDS, MOVES, TERMINAL, UNSEEN, Position, actions, hands, root
from zashiki.learn.network import MOST_SEATS, Network, chances

VALUE = -7 / 20
"""What the game is worth to seat 0 in equilibrium, where a victory is 1 and a defeat −1."""


class Tree(NamedTuple):
    """The whole game, a row a position, parents before children.

    `after[i, a]` is the position after an action, −1 where it is not legal; `knows[i]` is the number of what the seat that acts
    knows, `seen[knows[i]]` the same as an observation; `likely[i]` how likely chance deals this position; `shares[i]` is the
    result where the match is over.
    """

    seat: npt.NDArray[np.int64]
    after: npt.NDArray[np.int64]
    knows: npt.NDArray[np.int64]
    likely: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]
    depth: npt.NDArray[np.int64]
    seen: npt.NDArray[np.float32]

    @property
    def kinds(self) -> int:
        """How many different things a seat can know when it acts."""
        return int(self.knows.max()) + 1


@cache
def tree() -> Tree:
    """The tree from where chance has dealt."""
    places, order = {action: place for place, action in enumerate(actions())}, _positions()
    number = {id(position): i for i, (position, _, _) in enumerate(order)}
    knows: dict[tuple[int, str], int] = {}
    seen: list[npt.NDArray[np.float32]] = []
    found = Tree(
        *(np.full(len(order), -1, np.int64), np.full((len(order), len(places)), -1, np.int64), np.zeros(len(order), np.int64)),
        *(np.zeros(len(order)), np.zeros((len(order), 2)), np.zeros(len(order), np.int64)),
        np.zeros((0, 0), np.float32),
    )
    for i, (position, likely, depth) in enumerate(order):
        found.likely[i], found.depth[i] = likely, depth
        if position.seat == TERMINAL:
            found.shares[i] = [(1 + won) / 2 for won in position.returns()]
            continue
        found.seat[i] = position.seat
        found.knows[i] = knows.setdefault((position.seat, position.words[position.seat]), len(knows))
        if len(seen) < len(knows):
            seen.append(_observation(position, places))
        for action in position.legal:
            found.after[i, places[action]] = number[id(position.after(action))]
    return found._replace(seen=np.array(seen))


def _observation(position: Position, places: dict[int, int]) -> npt.NDArray[np.float32]:
    """Which hand the seat that acts was dealt, and each move so far as it saw it, all as flags."""
    hand, moves = np.zeros((len(HANDS), len(hands(HANDS[0])) + len(hands(HANDS[1])))), np.zeros((MOVES, len(places) + 1))
    seat = position.seat
    hand[seat, hands(HANDS[seat]).index(position.dealt[seat])] = 1
    for i, action in enumerate(position.learnt[seat]):
        moves[i, len(places) if action == UNSEEN else places[action]] = 1
    return np.concatenate([hand.ravel(), moves.ravel()]).astype(np.float32)


def _positions() -> list[tuple[Position, float, int]]:
    """Every position after the deal, with how likely it is dealt, 0 for later ones, and how many moves led to it."""
    row: list[tuple[Position, float, int]] = []
    ahead = [(root(), 1.0, 0)]
    while ahead:
        here, likely, depth = ahead.pop(0)
        if here.seat == CHANCE:
            ahead += [(here.after(place), likely * chance, 0) for place, chance in here.outcomes()]
            continue
        row.append((here, likely, depth))
        ahead += [(here.after(action), 0.0, depth + 1) for action in here.legal if here.seat >= 0]
    return row


class SmallField:
    """Many matches of it at once."""

    def __init__(self, count: int, seed: int) -> None:
        game = tree()
        self.count, self.features, self.actions, self.device = count, game.seen.shape[1], game.after.shape[1], torch.device("cpu")
        self.width = self.features
        self._draws = torch.Generator().manual_seed(seed)
        self._after, self._seat, self._knows = (torch.from_numpy(part) for part in (game.after, game.seat, game.knows))
        self._seen = torch.from_numpy(game.seen)
        self._likely, self._shares = torch.from_numpy(game.likely), torch.from_numpy(game.shares).float()
        self.grid: Grid | None = None
        self.seats, self.done = torch.full((count,), 2), torch.zeros(count, dtype=torch.bool)
        self.results = torch.zeros(count, MOST_SEATS)
        self._here = self._deal(count)
        self._open()

    def _deal(self, count: int) -> Tensor:
        return torch.multinomial(self._likely, max(1, count), replacement=True, generator=self._draws)[:count]

    def _open(self) -> None:
        self.acting, self.legal = self._seat[self._here], self._after[self._here] >= 0

    def look(self) -> None:
        """Looks up what each acting seat knows."""
        self.observations = self._seen[self._knows[self._here]]

    def look_from(self, further: int) -> None:
        """Nobody's knowledge out of turn is part of the tree."""
        raise NotImplementedError

    def hindsight(self, share: float, steps: int, *, own: bool) -> list[Any]:
        """Nor is there a batch to go back in."""
        raise NotImplementedError

    def sensible(self) -> tuple[Tensor, Tensor]:
        """Nobody has thought about how to play it."""
        raise NotImplementedError

    def step(self, actions: Tensor) -> None:
        """Moves on, and deals anew where a match has ended."""
        self._here = self._after[self._here, actions]
        self.done = self._seat[self._here] < 0
        self.results[self.done, :2] = self._shares[self._here[self.done]]
        self._here[self.done] = self._deal(int(self.done.sum()))
        self._open()

    def scatter(self, span: int) -> None:
        """Its matches are too short for that to matter."""

    def snapshot(self) -> list[Tensor]:
        """Where every match is, and the chances to come."""
        return [self._here.clone(), self._draws.get_state()]

    def restore(self, snapshot: list[Tensor]) -> None:
        """Goes on from a snapshot."""
        self._here = snapshot[0].clone()
        self._draws.set_state(snapshot[1])
        self._open()


@torch.no_grad()
def policy_of(network: Network) -> npt.NDArray[np.float64]:
    """What a network plays, for everything that can be known."""
    game = tree()
    legal = np.zeros((game.kinds, game.after.shape[1]), bool)
    acted = game.seat >= 0
    legal[game.knows[acted]] = game.after[acted] >= 0
    logits, _ = network(torch.from_numpy(game.seen))
    return chances(logits, torch.from_numpy(legal)).exp().double().numpy()


def exploitability(policy: npt.NDArray[np.float64]) -> float:
    """How much a best answer to a policy gains on average over both seats, exactly; 0 in equilibrium."""
    return sum(_best_answer(policy, seat) for seat in range(2)) / 2


def value(policy: npt.NDArray[np.float64]) -> float:
    """What seat 0 gets when both play a policy."""
    game = tree()
    worth = 2 * game.shares[:, 0] - 1
    for i in reversed(range(len(worth))):
        if game.seat[i] >= 0:
            legal = game.after[i] >= 0
            worth[i] = policy[game.knows[i], legal] @ worth[game.after[i, legal]]
    return float(game.likely @ worth)


def _best_answer(policy: npt.NDArray[np.float64], seat: int) -> float:
    """What a seat gets with the best answer to the policy of the other."""
    game = tree()
    reach = game.likely.copy()
    for i in range(len(reach)):
        for action in np.flatnonzero(game.after[i] >= 0):
            chance = 1.0 if game.seat[i] == seat else policy[game.knows[i], action]
            reach[game.after[i, action]] = reach[i] * chance
    worth = (2 * game.shares[:, seat] - 1) * reach
    for depth in range(int(game.depth.max()), -1, -1):
        here = np.flatnonzero((game.depth == depth) & (game.seat >= 0))
        own, others = here[game.seat[here] == seat], here[game.seat[here] != seat]
        for i in others:
            worth[i] = worth[game.after[i][game.after[i] >= 0]].sum()
        for known in np.unique(game.knows[own]):
            alike = own[game.knows[own] == known]
            legal = np.flatnonzero(game.after[alike[0]] >= 0)
            best = legal[np.argmax(worth[game.after[np.ix_(alike, legal)]].sum(0))]
            worth[alike] = worth[game.after[alike, best]]
    return float(worth[game.depth == 0].sum())
