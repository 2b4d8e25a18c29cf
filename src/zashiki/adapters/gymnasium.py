"""Gymnasium: one seat of a match, the others played by bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zashiki.adapters.asked import AskedMatch, Observation
from zashiki.adapters.picture import RENDER_MODES, rendered
from zashiki.adapters.spaces import observation_space
from zashiki.bots import Entrant, UnknownBot, find_bot
from zashiki.bots.bot import WAIT, Bot
from zashiki.bots.live import LiveBot
from zashiki.core.errors import WrongSeats
from zashiki.core.extras import extra
from zashiki.core.game import Game
from zashiki.core.turns import NOBODY
from zashiki.games import GAMES

with extra("gym"):
    import gymnasium
    from gymnasium.spaces import Discrete

Infos = dict[str, Any]


def register() -> None:
    """Makes the games known to `gymnasium.make` as `zashiki/<game>-v<version of its rules>`."""
    for game in GAMES.values():
        name = f"zashiki/{game.id}-v{game.version}"
        if name not in gymnasium.registry:
            gymnasium.register(name, f"{__name__}:OneSeat", kwargs={"game": game.id})


class OneSeat(gymnasium.Env[Observation, Any]):
    """One seat's decisions. `bots` names who plays the other seats: one name for all, or one for each in their order.

    An illegal action is none: the legal one of the lowest number is taken instead; where time may act, the seat waits. The reward
    comes when the match is over: 1 for a lone victory, and what all seats get is 0 in all.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        seat: int = 0,
        bots: str | Sequence[str] = "beginner",
        options: dict[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._match = match = AskedMatch(game, seats, options)
        if seat not in range(match.seats):
            raise WrongSeats(f"this match has seats 0 to {match.seats - 1}, there is no seat {seat}")
        self.seat = seat
        self.render_mode = render_mode
        self.observation_space: Any = observation_space(match.game, match.actions)
        self.action_space = Discrete(match.actions)
        self._entrants = _seated(match, seat, bots)
        self._bots: dict[int, Bot] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Infos]:
        """A new match up to the seat's first decision. Options are those the environment was made with."""
        super().reset(seed=seed)
        self._deal(self._drawn() if seed is None else seed)
        while self._match.acting == NOBODY:
            # A short match may be over before this seat was ever asked.
            self._deal(self._drawn())
        self._show()
        return self._match.observe(self.seat), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Infos]:
        """What the seat does, and what the others do up to its next decision."""
        match = self._match
        if match.acting != NOBODY:
            match.decide(match.possible(self.seat, action))
            self._let_others_play()
            self._show()
        over = match.acting == NOBODY
        reward = match.rewards()[self.seat] if over else 0.0
        return match.observe(self.seat), reward, over, False, {}

    def render(self) -> Any:
        """The board as the seat sees it."""
        return rendered(self._match.state, self.seat, self.render_mode)

    def _deal(self, seed: int) -> None:
        self._match.deal(seed)
        self._bots = {seat: self._sat_down(entrant) for seat, entrant in self._entrants.items()}
        self._let_others_play()

    def _sat_down(self, entrant: Entrant) -> Bot:
        seed = int(self.np_random.integers(1 << 48))
        bot = entrant.sit_down(seed)
        return LiveBot(self._match.game, bot, seed) if self._match.may_wait else bot

    def _drawn(self) -> int:
        return int.from_bytes(self.np_random.bytes(16))

    def _let_others_play(self) -> None:
        match = self._match
        while match.acting not in (self.seat, NOBODY):
            match.decide(self._chosen(match.acting))

    def _chosen(self, seat: int) -> int:
        """What a bot does, from nothing but its view."""
        view, budget = self._match.state.view(seat), self._entrants[seat].budget
        legal = view.legal(seat)
        if not self._match.may_wait:
            return self._bots[seat].choose(view, seat, legal, budget)
        answer = self._bots[seat].choose(view, seat, [WAIT, *legal], budget)
        return self._match.actions - 1 if answer == WAIT else answer

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _seated(match: AskedMatch, seat: int, bots: str | Sequence[str]) -> dict[int, Entrant]:
    others = [other for other in range(match.seats) if other != seat]
    names = [bots] * len(others) if isinstance(bots, str) else list(bots)
    if len(names) != len(others):
        raise UnknownBot(f"{len(others)} other seats need as many bots, or one name for all; {len(names)} are named")
    return {other: find_bot(match.game, name) for other, name in zip(others, names, strict=True)}
