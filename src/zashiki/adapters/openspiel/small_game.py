"""The small Hanamikoji as a Python game of OpenSpiel, with explicit chance nodes, for exact solvers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from zashiki.adapters.openspiel.games import load, load_state
from zashiki.games.hanamikoji.small import (
    CHANCE,
    HANDS,
    MOVES,
    TERMINAL,
    UNSEEN,
    Position,
    actions,
    alike,
    hands,
    root,
    spoken,
)

GAME_TYPE = pyspiel.GameType(
    short_name="zashiki_small_hanamikoji",
    long_name="Small Hanamikoji (Zashiki)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={},
)


class SmallHanamikoji(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
    """The game; its actions are numbered from 0 in the order of the whole game's numbers."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=len(actions()),
            max_chance_outcomes=max(len(hands(size)) for size in HANDS),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOVES,
        )
        super().__init__(GAME_TYPE, info, parameters or {})

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as its name."""
        return load, (str(self),)

    def new_initial_state(self) -> SmallHanamikojiState:
        """Before the hands are dealt."""
        return SmallHanamikojiState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SmallObserver:
        """An observer that remembers everything: in so short a game that is no more than what can be seen."""
        return SmallObserver(kind if isinstance(kind, pyspiel.IIGObservationType) else pyspiel.IIGObservationType(False))

    def max_chance_nodes_in_history(self) -> int:
        """A hand for each seat."""
        return len(HANDS)


class SmallHanamikojiState(pyspiel.State):  # type: ignore[misc]  # pyspiel ships no types
    """A position of the tree."""

    def __init__(self, game: SmallHanamikoji) -> None:
        super().__init__(game)
        self.position = root()

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as OpenSpiel writes it."""
        return load_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def current_player(self) -> int:
        """Whose decision it is."""
        return self.position.seat

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.position.seat == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The hands that can be dealt."""
        return self.position.outcomes()

    def returns(self) -> list[float]:
        """1 for the winner, −1 for the other."""
        return self.position.returns()

    def resample_from_infostate(self, player: int, sampler: Any) -> SmallHanamikojiState:
        """A state that this player could not tell from this one; `sampler` gives a number from 0 to 1."""
        positions, chances = zip(*alike(self.position, player), strict=True)
        place = int(np.searchsorted(np.cumsum(chances), sampler() * sum(chances), "right"))
        state: SmallHanamikojiState = self.get_game().new_initial_state()
        for step in positions[min(place, len(positions) - 1)].path:
            state.apply_action(step if state.current_player() == CHANCE else _numbers()[step])
        return state

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of what whoever decides may do, in order; nobody else may do anything."""
        here = self.position
        if here.seat == CHANCE:
            return here.legal.copy()
        return self._legal_actions(here.seat) if player is None or player == here.seat else []

    def _legal_actions(self, player: int) -> list[int]:
        numbers = _numbers()
        return [numbers[action] for action in self.position.legal]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action if self.position.seat == CHANCE else actions()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return spoken(actions()[action])
        return "deals hand " + str(action)

    def __str__(self) -> str:
        return str(self.position)


class SmallObserver:
    """What a seat has learnt: its hand and six moves, each as one of the actions or as a secret it did not see."""

    def __init__(self, kind: pyspiel.IIGObservationType) -> None:
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public = kind.public_info
        shapes = {"seat": (2,), "hand": (sum(len(hands(size)) for size in HANDS),), "moves": (MOVES, len(actions()) + 1)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        place = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[place : place + size].reshape(shape)
            place += size

    def set_from(self, state: Any, player: int) -> None:
        """Writes what a seat has learnt as ones and zeros."""
        here: Position = state.position
        self.tensor.fill(0)
        self.dict["seat"][player] = 1
        if self._private and player < len(here.dealt):
            first = 0 if player == 0 else len(hands(HANDS[0]))
            self.dict["hand"][first + hands(HANDS[player]).index(here.dealt[player])] = 1
        for move, action in enumerate(self._moves(here, player)):
            self.dict["moves"][move, len(actions()) if action == UNSEEN else _numbers()[action]] = 1

    def string_from(self, state: Any, player: int) -> str:
        """The same in words."""
        here: Position = state.position
        if self._private and self._public:
            return here.words[player]
        if self._private:
            return here.words[player].split(";")[0]
        return "; ".join(spoken(action) for action in self._moves(here, player))

    def _moves(self, here: Position, player: int) -> tuple[int, ...]:
        if not self._public:
            return ()
        if self._private:
            return here.learnt[player]
        return tuple(UNSEEN if UNSEEN in pair else pair[0] for pair in zip(*here.learnt, strict=True))


@cache
def _numbers() -> dict[int, int]:
    return {action: number for number, action in enumerate(actions())}
