"""The five games as Python games of OpenSpiel.

Chance draws the seed of the match, a digit at a time; everything random after that follows from it, as in every other match of
Zashiki. Who chooses at the same time is asked in the order of the seats, and nobody sees a choice before all are in. Where time
itself acts (Kawaii's live pace) it does so between decisions and decides by its own generator who comes first.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
import pyspiel

from zashiki.adapters.openspiel import register
from zashiki.adapters.openspiel.observers import NOTHING_DEALT, Observer
from zashiki.adapters.openspiel.table import CHANCE, DIGIT_VALUES, DIGITS, TERMINAL, Setting, Table, as_setting
from zashiki.core.game import Game, OptionValue

DRAWN = -1
"""The parameter `seed` of a game whose seeds chance draws."""
_OUTCOMES = [(digit, 1 / DIGIT_VALUES) for digit in range(DIGIT_VALUES)]


def short_name(game: Game) -> str:
    """The name of a game in OpenSpiel's list."""
    return f"zashiki_{game.id}"


def game_type(game: Game) -> pyspiel.GameType:
    """What OpenSpiel must know of a game before it is loaded."""
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=f"{game.title} (Zashiki)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.seats[0],
            "seed": DRAWN,
            **{option.name: option.default for option in game.options},
        },
    )


def game_info(setting: Setting) -> pyspiel.GameInfo:
    """The sizes of a game with its seats and options."""
    return pyspiel.GameInfo(
        num_distinct_actions=setting.game.rules.ACTIONS,
        max_chance_outcomes=DIGIT_VALUES,
        num_players=setting.seats,
        min_utility=-1 / (setting.seats - 1),
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=setting.game.longest,
    )


class ZashikiGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
    """A game with its number of players and options; with a `seed` all matches are the same one."""

    played: ClassVar[Game]

    def __init__(self, parameters: dict[str, Any]) -> None:
        game = self.played
        chosen = dict(parameters)
        seats, self.seed = int(chosen.pop("players")), int(chosen.pop("seed"))
        options: dict[str, OptionValue] = game.full_options(chosen)
        self.setting = as_setting(game.id, seats, tuple(options.items()))
        super().__init__(game_type(game), game_info(self.setting), parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as its name and parameters."""
        return load, (str(self),)

    def new_initial_state(self) -> ZashikiState:
        """A state before the first digit is drawn, or, with a seed, with the cards dealt."""
        table = Table(self.setting)
        if self.seed != DRAWN:
            table.deal(self.seed)
        return ZashikiState(self, table)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """An observer; the usual one shows a player its view."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.setting, kind if isinstance(kind, pyspiel.IIGObservationType) else usual)

    def max_chance_nodes_in_history(self) -> int:
        """The digits of a seed."""
        return DIGITS


def load(name: str) -> Any:
    """A game by its name and parameters, also in a process that has not yet registered the games."""
    register()
    return pyspiel.load_game(name)


def load_state(text: str) -> Any:
    """A state that OpenSpiel has written, also in such a process."""
    register()
    return pyspiel.deserialize_game_and_state(text)[1]


def class_of(game: Game) -> type[ZashikiGame]:
    """A game's own class. OpenSpiel keeps it beyond the end of Python, which only a class survives."""
    return type(game.title, (ZashikiGame,), {"__doc__": game.summary, "played": game})


class ZashikiState(pyspiel.State):  # type: ignore[misc]  # pyspiel ships no types
    """A match at one of its decisions.

    OpenSpiel asks through `_legal_actions` and `_apply_action`; what Python programs ask most is answered without that detour.
    """

    def __init__(self, game: ZashikiGame, table: Table) -> None:
        super().__init__(game)
        self.table = table

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels as OpenSpiel writes it."""
        return load_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def current_player(self) -> int:
        """Whose decision it is."""
        return self.table.seat

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.table.seat == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether a digit of the seed is drawn."""
        return self.table.seat == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of whoever decides, in order; nobody else has any."""
        table = self.table
        if table.seat < 0:
            return [] if table.seat == TERMINAL else list(range(DIGIT_VALUES))
        return table.actions[: table.count].tolist() if player is None or player == table.seat else self._none_of(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The digits, equally likely."""
        return _OUTCOMES.copy()

    def returns(self) -> list[float]:
        """Everybody's share of the victory, as numbers that sum to 0."""
        return self.table.utilities()

    def resample_from_infostate(self, player: int, sampler: Any) -> ZashikiState:
        """A state that this player could not tell from this one, with another future; `sampler` gives numbers from 0 to 1.

        Its history begins here, and the others remember no more than this player does.
        """
        rng = np.array([int(sampler() * 2**32) for _ in range(4)], np.uint32)
        return ZashikiState(self.get_game(), self.table.resampled(player, rng))

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def _apply_action(self, action: int) -> None:
        table = self.table
        seat = table.seat
        if seat < 0:
            table.draw(action)
            return
        setting = table.setting
        is_open = setting.open_actions.get(action, False)
        table.go_to(setting.step(table.records, table.words, table.memory, table.actions, table.count, seat, action, is_open))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draws {action:x}" if player == CHANCE else self.table.setting.game.vocabulary[action].words()

    def _none_of(self, player: int) -> list[int]:
        if not 0 <= player < self.table.setting.seats:
            raise ValueError(f"there is no player {player}")
        return []

    def __str__(self) -> str:
        table = self.table
        if not table.dealt:
            return f"{NOTHING_DEALT}: {len(table.digits)} of {DIGITS} digits of the seed are drawn"
        return json.dumps({"acting": table.seat, **table.state().to_json()}, separators=(",", ":"))
