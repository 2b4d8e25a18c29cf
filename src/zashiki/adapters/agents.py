"""The seats of a match as PettingZoo's agents: names, spaces, seeds and pictures, whoever asks them in which order."""

from __future__ import annotations

import random
from typing import Any

from zashiki.adapters.asked import AskedMatch, Observation
from zashiki.adapters.picture import RENDER_MODES, rendered
from zashiki.adapters.spaces import observation_space
from zashiki.core.extras import extra

with extra("gym"):
    from gymnasium.spaces import Dict, Discrete

Options = dict[str, Any] | None
Infos = dict[str, dict[str, Any]]


class Agents:
    """The agents `seat_0`, `seat_1`, … of one match after the other."""

    def __init__(self, match: AskedMatch, render_mode: str | None) -> None:
        self._match = match
        self._seeds = random.Random()
        self.render_mode = render_mode
        self.metadata = {
            "name": f"zashiki_{match.game.id}_v{match.game.version}",
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.agents: list[str] = []
        self.possible_agents = [f"seat_{seat}" for seat in range(match.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(match.game, match.actions) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(match.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent does."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent may know, and what it may do now."""
        return self._match.observe(self._seat_of[agent])

    def close(self) -> None:
        """There is nothing to close."""

    def _deal(self, seed: int | None) -> int:
        """Deals from this seed; without one from the next of those that the last seed began. Tells from which."""
        if seed is not None:
            self._seeds.seed(seed)
        number = self._seeds.getrandbits(128) if seed is None else seed
        self._match.deal(number)
        self.agents = self.possible_agents[:]
        return number

    def _shown_to(self, seat: int) -> Any:
        return rendered(self._match.state, seat, self.render_mode)
