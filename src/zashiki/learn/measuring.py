"""How strong a network is: against the bots people know, on the processor, and against another network, where it learns."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from zashiki.bots.plain import weights_beside_heaviest
from zashiki.learn.field import Field
from zashiki.learn.network import Network, load
from zashiki.learn.playing import Player, Sitting
from zashiki.learn.strength import Strength, strength

RARE = 0.03
"""What a policy plays more rarely than this is left out, as its bot does."""
Numbers = npt.NDArray[np.float64]


def against_bot(file: Path, game_id: str, seats: int, bot: str, deals: int, seed: int = 0) -> list[float]:
    """The network's shares of each deal, played once in every seat with the bot in all others."""
    from zashiki.games import find

    torch.set_num_threads(1)
    network, game = load(file), find(game_id)
    return [_deal_in_every_seat(network, game, seats, bot, seed + deal) for deal in range(deals)]


def _deal_in_every_seat(network: Network, game: Any, seats: int, bot: str, seed: int) -> float:
    from zashiki.bots import find_bot
    from zashiki.core.state import State

    entrant, won, chance = find_bot(game, bot), 0.0, np.random.default_rng(seed)
    for own in range(seats):
        state = State.dealt(game, seats, game.option_numbers(), seed)
        bots = [entrant.sit_down(1000 * seed + seat) for seat in range(seats)]
        while waiting := state.to_act():
            seat = (waiting & -waiting).bit_length() - 1
            legal = state.legal(seat)
            if len(legal) == 1:
                action = legal[0]
            elif seat == own:
                action = legal[int(chance.choice(len(legal), p=policy(network, state, seat, legal)))]
            else:
                action = bots[seat].choose(state.view(seat), seat, legal, entrant.budget)
            state.apply(seat, action)
        winners = int(state.record.winners)
        won += (winners >> own & 1) / winners.bit_count()
    return won / seats


@torch.no_grad()
def policy(network: Network, state: Any, seat: int, legal: list[int]) -> Numbers:
    """How likely a network plays each of the legal actions, rare ones left out."""
    view = state.view(seat)
    logits, _ = network(torch.from_numpy(view.observe(seat))[None])
    likely: Numbers = logits[0, legal].softmax(0).double().numpy()
    if network.sense > 0:
        likely *= weights_beside_heaviest(view, seat, legal) ** network.sense
        likely /= likely.sum()
    likely[likely < min(RARE, likely.max())] = 0
    shares: Numbers = likely / likely.sum()
    return shares


class Examiner:
    """Plays a network against bots in processes of its own while the run goes on."""

    def __init__(self, game_id: str, processes: int) -> None:
        self._game_id = game_id
        self._pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))
        self._asked: list[tuple[dict[str, Any], list[Future[list[float]]]]] = []

    def ask(self, file: Path, seats: int, bot: str, deals: int, pieces: int, **told: Any) -> None:
        """Has so many deals played by so many processes, seat by seat."""
        share = -(-deals // pieces)
        tasks = [self._pool.submit(against_bot, file, self._game_id, seats, bot, share, piece * share) for piece in range(pieces)]
        self._asked.append(({"bot": bot, "seats": seats, **told}, tasks))

    def answers(self, wait: bool = False) -> list[dict[str, Any]]:
        """What has become known since the last call."""
        ready = [asked for asked in self._asked if wait or all(task.done() for task in asked[1])]
        self._asked = [asked for asked in self._asked if asked not in ready]
        return [
            {**told, **strength([share for task in tasks for share in task.result()], told["seats"])._asdict()}
            for told, tasks in ready
        ]

    def close(self) -> None:
        """Ends the processes."""
        self._pool.shutdown(cancel_futures=True)


def against_network(
    field: Field, network: Network, other: Network, matches: int, steps: int = 16, *, under_way: bool = True
) -> Strength:
    """A network in one seat, another in all others, where they learn; two seats, or the mean over all numbers of seats.

    Matches `under_way` do not count. Of the others as many count in every place, so that long ones count like short ones.
    """
    sitting = Sitting(field)
    sitting.invite(field, [other], 1.0)
    player = Player(field, sitting, steps, 1.0)
    first, each = int(under_way), -(-matches // field.count)
    ended = torch.zeros(field.count, dtype=torch.int64, device=field.device)
    own, seats = list[torch.Tensor](), list[torch.Tensor]()
    while int(ended.min()) < first + each:
        player.play(network)
        for step in range(steps):
            places, results = player.ended_at(step)
            counts = (ended[places] >= first) & (ended[places] < first + each)
            ended[places] += 1
            own.append((results * (sitting.who[places] == 0)).sum(1)[counts])
            seats.append(field.seats[places][counts])
    shares, tables = torch.cat(own).double(), torch.cat(seats)
    error = float(shares.std()) / sqrt(len(shares))
    return Strength(float(shares.mean()), error, float((shares * tables).mean()), len(shares))
