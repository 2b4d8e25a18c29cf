"""Gymnasium's vector environment: one call steps thousands of matches.

Without opponents every decision of every seat is asked, one a step: `infos["acting"]` says whose it is, and what is observed is
what that seat may know. With opponents one seat of each match learns, and the others answer inside the call. A match that ends
is dealt anew in the same step, as `metadata["autoreset_mode"]` says.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from zashiki.adapters.opponents import Opponents, opponents_named
from zashiki.adapters.spaces import observation_space
from zashiki.core.arrays import Shelf
from zashiki.core.batch import Actions, Batch, Flags
from zashiki.core.checks import shown
from zashiki.core.errors import WrongSeats
from zashiki.core.extras import extra
from zashiki.core.game import Game
from zashiki.games import GAMES

with extra("gym"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Observations = dict[str, npt.NDArray[Any]]
Infos = dict[str, Any]
Rewards = npt.NDArray[np.float64]


class VectorMatches(VectorEnv[Observations, Actions, npt.NDArray[Any]]):
    """Many matches of one game as one Gymnasium environment.

    `opponents`: `random` or any name that `find_bot` knows; without one every seat is asked.
    `seat`: where the learner sits among opponents; without one, at seat 0 of match 0, seat 1 of match 1, and so on around.
    `illegal`: an illegal action raises `IllegalAction` before anything is done, or is replaced by a legal one drawn evenly.
    `copy`: without it observations and masks are the batch's own arrays, filled again by the next step.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seats: int | None = None,
        *,
        options: dict[str, Any] | None = None,
        opponents: str | None = None,
        seat: int | None = None,
        illegal: Literal["raise", "replace"] = "raise",
        copy: bool = True,
        threads: int | None = None,
    ) -> None:
        self._batch = batch = Batch(game, num_envs, seats, options=options, seeds=[0] * num_envs, threads=threads)
        self.num_envs, self._illegal, self._copy = num_envs, illegal, copy
        self._learners = _learners(batch, seat)
        self._opponent_name, self._opponents = opponents, self._sit_down(opponents)
        self._shelves = {
            "observation": Shelf(batch.observations.shape, np.float32),
            "action_mask": Shelf(batch.legal.shape, np.int8),
        }
        self.single_observation_space = observation_space(batch.game, batch.game.rules.ACTIONS)
        self.single_action_space = spaces.Discrete(batch.game.rules.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Deals every match anew; the same seed and the same actions give the same matches."""
        super().reset(seed=seed)
        self._batch.reset(self.np_random.integers(0, 2**63, self.num_envs).tolist())
        self._opponents = self._sit_down(self._opponent_name)
        self._answer()
        return self._observed(), self._infos()

    def step(self, actions: Actions) -> tuple[Observations, Rewards, Flags, Flags, Infos]:
        """One action in every match. Rewards are those of the seats that acted, at the end: 1 to a lone winner, 0 in all."""
        movers = self._batch.acting.copy()
        self._batch.step(actions if self._illegal == "raise" else self._possible(actions))
        ended = self._answer()
        places = np.flatnonzero(ended)
        rewards = self._worths()
        gained = np.zeros(self.num_envs)
        gained[places] = rewards[places, movers[places]]
        infos = self._infos() | self._final(ended, movers, rewards)
        return self._observed(), gained, ended, np.zeros(self.num_envs, np.bool_), infos

    def random_actions(self) -> Actions:
        """A legal action for every match, drawn evenly. (`action_space.sample` knows nothing of masks.)"""
        return self._batch.random_actions()

    def _sit_down(self, name: str | None) -> Opponents | None:
        return None if name is None else opponents_named(name, self._batch, self.np_random)

    def _answer(self) -> Flags:
        """Lets the opponents act until every match waits for its learner; tells which matches ended since the last decision."""
        ended: Flags = self._batch.done.copy()
        while self._opponents:
            self._opponents.rise(self._batch.done)
            waiting = self._batch.acting != self._learners
            if not waiting.any():
                break
            self._batch.step(self._opponents.actions(self._batch, waiting), waiting)
            ended |= self._batch.done
        return ended

    def _observed(self) -> Observations:
        batch, legal = self._batch, self._batch.legal.view(np.int8)
        if not self._copy:
            return {"observation": batch.observe(), "action_mask": legal}
        mask = self._shelves["action_mask"].take()
        mask[:] = legal
        return {"observation": batch.observe(self._shelves["observation"].take()), "action_mask": mask}

    def _infos(self) -> Infos:
        return {"acting": self._batch.acting.copy(), "_acting": np.ones(self.num_envs, np.bool_)}

    def _worths(self) -> Rewards:
        """What the last match that ended in each place was worth to each seat."""
        seats = self._batch.seats
        worths: Rewards = (seats * self._batch.results.astype(np.float64) - 1) / (seats - 1)
        return worths

    def _final(self, ended: Flags, movers: npt.NDArray[np.int8], worths: Rewards) -> Infos:
        """How matches ended, as Gymnasium tells it where the next one begins in the same step."""
        places = np.flatnonzero(ended)
        if len(places) == 0:
            return {}
        seen = np.full(self.num_envs, None, object)
        nothing = np.zeros(self._batch.legal.shape[1], np.int8)
        for place, tensor in zip(places.tolist(), self._batch.observe_ends(movers, ended)[places], strict=True):
            seen[place] = {"observation": tensor, "action_mask": nothing}
        told = {"acting": movers, "rewards": worths * ended[:, None], "points": self._batch.points * ended[:, None]}
        marks = {f"_{name}": ended.copy() for name in told}
        return {"final_obs": seen, "_final_obs": ended.copy(), "final_info": told | marks, "_final_info": ended.copy()}

    def _possible(self, actions: Actions) -> Actions:
        given, legal = np.asarray(actions), self._batch.legal
        known = (given >= 0) & (given < legal.shape[1])
        fits = known & legal[np.arange(self.num_envs), np.where(known, given, 0)]
        return np.where(fits, given, self._batch.random_actions())


def register() -> None:
    """Makes the games known to `gymnasium.make_vec` as `zashiki/<game>-v<version of its rules>`."""
    place = f"{__name__}:{VectorMatches.__name__}"
    for game in GAMES.values():
        name = f"zashiki/{game.id}-v{game.version}"
        if name in gymnasium.registry:
            gymnasium.registry[name].vector_entry_point = place
        else:
            gymnasium.register(name, vector_entry_point=place, kwargs={"game": game.id})


def _learners(batch: Batch, seat: int | None) -> npt.NDArray[np.int8]:
    if seat is None:
        return (np.arange(batch.count) % batch.seats).astype(np.int8)
    if seat not in range(batch.seats):
        raise WrongSeats(f"the seats are 0 to {batch.seats - 1}, not {shown(seat)}")
    return np.full(batch.count, seat, np.int8)
