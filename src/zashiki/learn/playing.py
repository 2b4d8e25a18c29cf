"""Playing to learn from it: the network in every seat, past selves in some."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from zashiki.learn.field import Field
from zashiki.learn.network import MOST_SEATS, Network, chances, fused
from zashiki.learn.trials import Trials

CROWD = 127
"""The number of a seat where the game's heuristic plays."""
LEAST = 1e-30
"""A draw of exactly 0 would make an impossible action as likely as any."""


class Beside(NamedTuple):
    """What seats saw while another acted, and what each seat, counted from that one on, came to."""

    observations: Tensor
    seats: Tensor
    shares: Tensor


class Played(NamedTuple):
    """Some steps of every match, a row a decision: what was seen, done and thought, and what came of it.

    `ours` and `crowds` tell which decisions the learner and the heuristic made. `ahead` is how much better it went than expected
    for the seat that acted, `shares` what each seat, counted from that one on, came to. Where all actions were tried, `gains` is
    how much more is expected after each than before, and `ahead` what came beyond that. `spread` is how far what came usually
    lies from what was expected. `leanings` is what the heuristic adds to the policy, where it does.
    """

    observations: Tensor
    legal: Tensor
    seats: Tensor
    actions: Tensor
    chances: Tensor
    ahead: Tensor
    shares: Tensor
    ours: Tensor
    crowds: Tensor
    spread: Tensor
    gains: Tensor | None = None
    leanings: Tensor | None = None
    beside: Beside | None = None


class Sitting:
    """Who sits where: `who[i, seat]` is 0 for the learner, the number of an opponent, or CROWD."""

    def __init__(self, field: Field) -> None:
        self.who = torch.zeros((field.count, MOST_SEATS), dtype=torch.int8, device=field.device)
        self.opponents: list[Network] = []
        self.crowded = False

    def invite(self, field: Field, opponents: list[Network], share: float, crowd: float = 0.0) -> None:
        """Opponents take all seats but one in a share of the matches, the heuristic in another, the learner's seat moving on from
        match to match."""
        self.opponents, self.crowded = opponents, crowd > 0
        self.who.zero_()
        rest = torch.arange(field.count, device=field.device)
        if opponents and share > 0:
            guests = _evenly(rest, share)
            self._seat(field, rest[guests], torch.arange(1, len(opponents) + 1, device=field.device))
            rest = rest[~guests]
        if crowd > 0:
            part = min(1.0, crowd * field.count / max(1, len(rest)))
            self._seat(field, rest[_evenly(rest, part)], torch.tensor([CROWD], device=field.device))

    def _seat(self, field: Field, matches: Tensor, numbers: Tensor) -> None:
        order = torch.arange(len(matches), device=field.device)
        self.who[matches] = numbers[order % len(numbers)].to(torch.int8)[:, None]
        self.who[matches, (order // len(numbers)) % field.seats[matches]] = 0


class Player:
    """Plays a field on and on, and remembers the last steps. `sides`, `tries` and `luck` are those of a recipe."""

    def __init__(
        self,
        field: Field,
        sitting: Sitting,
        steps: int,
        trace: float,
        *,
        sides: bool = False,
        tries: float = 0.0,
        luck: float = 1.0,
    ) -> None:
        self.field, self.sitting, self.steps, self.trace, self.luck = field, sitting, steps, trace, luck
        # Expectations are compared, and those of a decision's actions differ by less than bfloat16 can tell.
        self._half = torch.float16 if field.device.type == "cuda" else torch.float32
        self._draw = fused(draw, field.device, any_number=True)
        rows = (steps, field.count)

        def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.empty((*rows, *shape), dtype=dtype, device=field.device)

        self._observations, self._legal = room(field.width, dtype=self._half), room(field.actions, dtype=torch.bool)
        self._acting, self._actions = room(dtype=torch.int64), room(dtype=torch.int64)
        self._chances, self._ours, self._crowds = room(), room(dtype=torch.bool), room(dtype=torch.bool)
        self._done = room(dtype=torch.bool)
        self._leanings: Tensor | None = None
        self._results, self._worths = room(MOST_SEATS), torch.empty((steps + 1, field.count, MOST_SEATS), device=field.device)
        self._everywhere = torch.arange(field.count, device=field.device)
        self._numbers = torch.arange(MOST_SEATS, device=field.device)
        self._trials = Trials(field, tries, steps, own=sides) if tries > 0 else None
        self._most = int(field.seats.max())
        self._sides, self._round = sides, torch.empty(0, device=field.device)

    @torch.no_grad()
    def play(self, network: Network) -> Played:
        """So many steps further in every match."""
        field = self.field
        if self._sides and not len(self._round):
            self._round = self._look_round()
        for step in range(self.steps):
            field.look()
            self._observations[step] = field.observations
            self._legal[step], self._acting[step] = field.legal, field.acting
            sensible, leanings = self._ask_the_crowd(step, network)
            logits, worth = self._think(network, self._observations[step])
            self._worths[step] = self._by_seat(worth)
            actions, self._chances[step] = self._draw(lean(network, logits, leanings), field.legal)
            player = self.sitting.who[self._everywhere, field.acting]
            for number, opponent in enumerate(self.sitting.opponents, 1):
                theirs = (player == number).nonzero()[:, 0]
                logits, _ = self._think(opponent, self._observations[step][theirs])
                theirs_leanings = None if leanings is None else leanings[theirs]
                actions[theirs], _ = draw(lean(opponent, logits, theirs_leanings), field.legal[theirs])
            if sensible is not None:
                actions = torch.where(player == CROWD, sensible, actions)
            self._actions[step], self._ours[step], self._crowds[step] = actions, player == 0, player == CROWD
            if self._trials is not None:
                self._trials.keep(step, actions)
            field.step(actions)
            self._done[step], self._results[step] = field.done, field.results
        field.look()
        _, worth = self._think(network, field.observations.to(self._half))
        self._worths[self.steps] = self._by_seat(worth)
        return self._told(network)

    def _ask_the_crowd(self, step: int, network: Network) -> tuple[Tensor | None, Tensor | None]:
        """What the heuristic would do and how it leans, where somebody goes by that."""
        leaning = network.sense > 0 or any(opponent.sense > 0 for opponent in self.sitting.opponents)
        if not leaning and not self.sitting.crowded:
            return None, None
        actions, leanings = self.field.sensible()
        if network.sense > 0:
            if self._leanings is None:
                self._leanings = torch.empty((self.steps, *leanings.shape), dtype=self._half, device=leanings.device)
            self._leanings[step] = leanings
        return actions, leanings if leaning else None

    def _think(self, network: Network, observations: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast(self.field.device.type, torch.float16, enabled=self._half is torch.float16):
            logits, worth = network(observations)
        return logits, worth

    def _by_seat(self, worth: Tensor) -> Tensor:
        """What the acting seat expects for everybody, by seats from 0 on."""
        seats = self.field.seats[:, None]
        shares = chances(worth, self._numbers < seats).exp()
        return shares.gather(1, (self._numbers - self.field.acting[:, None]) % seats) * (self._numbers < seats)

    def _told(self, network: Network) -> Played:
        came, beside = self._seen_from_all_sides(network) if self._sides else (self._came_to(), None)
        seats, acting = self.field.seats.expand(self.steps, -1), self._acting[..., None]
        own = came.gather(2, acting)[..., 0]
        expected = self._worths[:-1].gather(2, acting)[..., 0]
        ahead, gains = own - expected, None
        spread = ahead[self._ours].std()
        if self._trials is not None:
            gains, known = self._trials.weigh(network, self._legal, self._acting, expected)
            beyond = ahead - gains.gather(2, self._actions[..., None])[..., 0]
            ahead = torch.where(known, self.luck * beyond, ahead)
            gains = gains * known[..., None]
        shares = self._counted_from(came, acting, seats[..., None])
        who = (self._ours, self._crowds)
        parts = (self._observations, self._legal, seats, self._actions, self._chances, ahead, shares, *who)
        seen, legal, seats, actions, likely, ahead, shares, ours, crowds = (part.flatten(0, 1) for part in parts)
        tried, leanings = (None if part is None else part.flatten(0, 1) for part in (gains, self._leanings))
        return Played(seen, legal, seats, actions, likely, ahead, shares, ours, crowds, spread, tried, leanings, beside)

    def _seen_from_all_sides(self, network: Network) -> tuple[Tensor, Beside]:
        """What each seat came to by its own expectations, and what those saw who watched the first step."""
        seen = self._look_round()
        came = self._came_to_each(network, seen)
        beside, self._round = self._beside(came[0]), seen
        return came, beside

    def _counted_from(self, came: Tensor, first: Tensor, seats: Tensor) -> Tensor:
        """What everybody came to, seats counted from one of them; they add up to 1.

        Where each expected for itself, the first is believed and the others share the rest.
        """
        shares = came.gather(-1, (first + self._numbers) % seats) * (self._numbers < seats)
        if not self._sides:
            return shares
        own, others = shares[..., :1], shares[..., 1:]
        return torch.cat([own, others * (1 - own) / others.sum(-1, keepdim=True).clamp_min(LEAST)], -1)

    def _came_to(self) -> Tensor:
        """What each seat came to after every step: the result, or what was expected later, the nearer the more."""
        came = torch.empty_like(self._results)
        ahead = self._worths[-1]
        for step in reversed(range(self.steps)):
            expected = self._worths[step + 1]
            ahead = torch.where(self._done[step][:, None], self._results[step], expected + self.trace * (ahead - expected))
            came[step] = ahead
        return came

    def _came_to_each(self, network: Network, seen: Tensor) -> Tensor:
        """The same by what each seat itself expected, whenever it acted, and at the end."""
        came = torch.empty_like(self._results)
        ahead = self._worths[-1] * (self._numbers == self.field.acting[:, None])
        for further in range(1, self._most):
            _, worth = self._think(network, seen[further - 1])
            seats = self.field.seats[:, None]
            own = chances(worth, self._numbers < seats).exp()[:, :1]
            there = (self._numbers == (self.field.acting[:, None] + further) % seats) & (further < seats)
            ahead = torch.where(there, own, ahead)
        for step in reversed(range(self.steps)):
            ahead = torch.where(self._done[step][:, None], self._results[step], ahead)
            came[step] = ahead
            expected, acts = self._worths[step], self._numbers == self._acting[step][:, None]
            ahead = torch.where(acts, expected + self.trace * (ahead - expected), ahead)
        return came

    def _look_round(self) -> Tensor:
        """What every seat but the acting one sees."""
        field = self.field
        seen = torch.empty((self._most - 1, field.count, field.width), dtype=self._half, device=field.device)
        for further in range(1, self._most):
            field.look_from(further)
            seen[further - 1] = field.observations
        return seen

    def _beside(self, came: Tensor) -> Beside:
        """The seats that watched at the first step, as far as the learner plays there."""
        seats, acting = self.field.seats, self._acting[0]
        further, match = (torch.arange(1, self._most, device=seats.device)[:, None] < seats).nonzero(as_tuple=True)
        watching = (acting[match] + further + 1) % seats[match]
        ours = self.sitting.who[match, watching] == 0
        further, match, watching = further[ours], match[ours], watching[ours]
        shares = self._counted_from(came[match], watching[:, None], seats[match][:, None])
        return Beside(self._round[further, match], seats[match], shares)

    def ended_at(self, step: int) -> tuple[Tensor, Tensor]:
        """The matches that ended at one of the last steps: their number in the field, and each seat's share of the victory."""
        matches = self._done[step].nonzero()[:, 0]
        return matches, self._results[step, matches]

    def ended(self) -> tuple[Tensor, Tensor]:
        """The matches that ended in the last steps: their number in the field, and each seat's share of the victory."""
        steps, matches = self._done.nonzero(as_tuple=True)
        return matches, self._results[steps, matches]


def _evenly(numbers: Tensor, share: float) -> Tensor:
    """Which of them make up a share, one every so often."""
    order = torch.arange(len(numbers), device=numbers.device, dtype=torch.float64)
    return (order * share).floor() != ((order + 1) * share).floor()


def lean(network: Network, logits: Tensor, leanings: Tensor | None) -> Tensor:
    """Adds what the heuristic leans to, as far as it counts in the network's policy."""
    return logits if leanings is None or network.sense == 0 else logits + network.sense * leanings


def draw(logits: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
    """An action for every row, drawn by its chances, and the logarithm of how likely it was."""
    likely = chances(logits, legal)
    race = -torch.rand_like(likely).clamp_min(LEAST).log()
    actions = (likely.exp() / race.clamp_min(LEAST)).argmax(1)
    return actions, likely.gather(1, actions[:, None])[:, 0]
