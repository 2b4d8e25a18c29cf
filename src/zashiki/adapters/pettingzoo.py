"""PettingZoo: the seats of a match as agents, one after the other (`env`, `raw_env`) or all at once (`parallel_env`).

Each agent sees its own view and nothing else. Rewards come when the match is over: 1 for a lone winner, 0 in all.
"""

from __future__ import annotations

from typing import Any

from zashiki.adapters.agents import Agents, Infos, Options
from zashiki.adapters.asked import AskedMatch
from zashiki.adapters.at_once import SeatsAtOnce
from zashiki.core.extras import extra
from zashiki.core.game import Game
from zashiki.games import GAMES

with extra("gym"):
    import pettingzoo
    from pettingzoo.utils import wrappers

ILLEGAL_REWARD = -1.0
"""What an illegal action costs in `env`, where it ends the match."""


def env(game: Game | str, seats: int | None = None, *, options: Options = None, render_mode: str | None = None) -> Any:
    """One seat after the other, in PettingZoo's usual wrappers: an illegal action ends the match and loses it."""
    raw = raw_env(game, seats, options=options, render_mode=render_mode)
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


def raw_env(
    game: Game | str, seats: int | None = None, *, options: Options = None, render_mode: str | None = None
) -> SeatsInTurn:
    """The same without wrappers: an illegal action raises `IllegalAction` and changes nothing."""
    return SeatsInTurn(game, seats, options=options, render_mode=render_mode)


def parallel_env(
    game: Game | str, seats: int | None = None, *, options: Options = None, render_mode: str | None = None
) -> SeatsAtOnce:
    """All seats at once: whoever has nothing to decide does nothing, which is the last action."""
    return SeatsAtOnce(game, seats, options=options, render_mode=render_mode)


def register() -> None:
    """Makes the games known to `pettingzoo.make` as `zashiki/<game>-v<version of its rules>`, in both kinds."""
    for game in GAMES.values():
        name = f"zashiki/{game.id}-v{game.version}"
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"{__name__}:env", kwargs={"game": game.id})
        if name not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", name, f"{__name__}:parallel_env", kwargs={"game": game.id})


class SeatsInTurn(Agents, pettingzoo.AECEnv):  # type: ignore[misc]  # PettingZoo's types are not looked at
    """An AEC environment: `agent_selection` is the agent whose decision is open."""

    def __init__(
        self, game: Game | str, seats: int | None = None, *, options: Options = None, render_mode: str | None = None
    ) -> None:
        super().__init__(AskedMatch(game, seats, options), render_mode)

    def reset(self, seed: int | None = None, options: Options = None) -> None:
        """A new match. Options are those the environment was made with: they shape its spaces."""
        self._deal(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._match.acting]
        self._show()

    def step(self, action: object) -> None:
        """What the selected agent does; None after the end."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._match.decide(action)
        self._cumulative_rewards[agent] = 0.0
        if self._match.acting >= 0:
            self.agent_selection = self.possible_agents[self._match.acting]
        else:
            self._settle()
        self._show()

    def render(self) -> Any:
        """The board as the selected agent sees it."""
        return self._shown_to(self._seat_of[self.agent_selection])

    def _settle(self) -> None:
        self.rewards = dict(zip(self.possible_agents, self._match.rewards(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
