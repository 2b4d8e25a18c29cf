"""PettingZoo's parallel environment: all seats act at once."""

from __future__ import annotations

import random
from typing import Any

from zashiki.adapters.agents import Agents, Infos, Options
from zashiki.adapters.asked import AskedMatch, Observation
from zashiki.core.extras import extra
from zashiki.core.game import Game
from zashiki.core.layout import CLOCK, SPECTATOR

with extra("gym"):
    from pettingzoo import ParallelEnv

Observations = dict[str, Observation]
Step = tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]
Chosen = dict[int, Any]


class SeatsAtOnce(Agents, ParallelEnv):  # type: ignore[misc]  # PettingZoo's types are not looked at
    """Every step all seats with an open decision make it, and the others do nothing, which is the last action.

    The mask allows doing nothing to whoever has nothing to decide, and where time may act to everybody. Who does nothing although
    something must be decided, or what is not legal, takes the legal action of the lowest number; where time may act, waits.
    """

    def __init__(
        self, game: Game | str, seats: int | None = None, *, options: Options = None, render_mode: str | None = None
    ) -> None:
        super().__init__(AskedMatch(game, seats, options, idle=True), render_mode)
        self._lots = random.Random()

    def reset(self, seed: int | None = None, options: Options = None) -> tuple[Observations, Infos]:
        """A new match. Options are those the environment was made with: they shape its spaces."""
        self._lots.seed(self._deal(seed))
        self._show()
        return self._observations(), self._infos()

    def step(self, actions: dict[str, Any]) -> Step:
        """What every agent does now; nothing at all after the end."""
        if self.agents:
            self._act({self._seat_of[agent]: action for agent, action in actions.items()})
            self._show()
        over = self._match.state.to_act() == 0
        rewards = self._match.rewards() if over else [0.0] * self._match.seats
        told = (
            self._observations(),
            {agent: rewards[self._seat_of[agent]] for agent in self.agents},
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, False),
            self._infos(),
        )
        if over:
            self.agents = []
        return told

    def render(self) -> Any:
        """The board as everybody sees it: nobody's own cards."""
        return self._shown_to(SPECTATOR)

    def _act(self, chosen: Chosen) -> None:
        if self._match.may_wait:
            self._act_in_time(chosen)
            return
        state = self._match.state
        for seat in self._open():
            state.apply(seat, self._match.possible(seat, chosen.get(seat)))

    def _act_in_time(self, chosen: Chosen) -> None:
        """In an order drawn by lot, the clock among them: what has become illegal by then came too late."""
        order = self._open()
        self._lots.shuffle(order)
        for seat in order:
            if seat == CLOCK:
                self._let_time_act()
                continue
            action = self._match.possible(seat, chosen.get(seat))
            if action < self._match.actions - 1:
                self._match.state.apply(seat, action)
        while self._open() == [CLOCK]:
            self._let_time_act()

    def _let_time_act(self) -> None:
        legal = self._match.state.legal(CLOCK)
        if legal:
            self._match.state.apply(CLOCK, self._lots.choice(legal))

    def _open(self) -> list[int]:
        bits = self._match.state.to_act()
        return [seat for seat in range(CLOCK + 1) if bits >> seat & 1]

    def _observations(self) -> Observations:
        return {agent: self.observe(agent) for agent in self.agents}

    def _infos(self) -> Infos:
        return {agent: {} for agent in self.agents}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
