"""Plays the matches of a tournament in one process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import log2
from time import perf_counter

import msgspec

from zashiki.arena.hearing import Hearing
from zashiki.arena.remote import Booth, RemoteBot
from zashiki.arena.schedule import Sitting, Tournament, bot_seed, deal_seed, pairings
from zashiki.arena.words import kinds
from zashiki.bots import Entrant, find_bot
from zashiki.bots.bot import Bot, Budget
from zashiki.bots.lines import Stable
from zashiki.core.checks import shown, whole
from zashiki.core.game import as_game
from zashiki.core.match import Match
from zashiki.core.state import State

OCTAVE = 16
"""Into so many steps a doubling of time is divided, so that a quantile is known to about 4 %."""
LONGEST_REASON = 400
FORFEIT = "forfeit"


class Forfeit(msgspec.Struct, frozen=True):
    """A seat whose bot failed or did what is not allowed, and loses by that."""

    seat: int
    reason: str


class Notes(msgspec.Struct):
    """What one seat could do and did: how often each action was legal and chosen, and each kind of action."""

    legal: dict[int, int] = {}
    chosen: dict[int, int] = {}
    legal_kinds: dict[str, int] = {}

    def note(self, legal: list[int], action: int, kinds: list[str]) -> None:
        """A decision."""
        for each in legal:
            self.legal[each] = self.legal.get(each, 0) + 1
        for kind in {kinds[each] for each in legal}:
            self.legal_kinds[kind] = self.legal_kinds.get(kind, 0) + 1
        self.chosen[action] = self.chosen.get(action, 0) + 1


class Result(msgspec.Struct, frozen=True):
    """What came of a match, seat by seat.

    `begins` is the seat that acted first, None where all choose at once. `spans` counts the actions by their time, in steps of a
    16th of an octave.
    """

    pairing: int
    deal: int
    seating: int
    begins: int | None
    winners: list[int]
    points: list[int]
    ending: str
    decisions: list[int]
    seconds: list[float]
    slowest: list[float]
    spans: list[dict[int, int]]
    forfeit: Forfeit | None = None
    notes: list[Notes] | None = None

    @property
    def sitting(self) -> Sitting:
        """Which match it was."""
        return Sitting(self.pairing, self.deal, self.seating)

    def share(self, seat: int) -> float:
        """The seat's share of the victory."""
        return (seat in self.winners) / len(self.winners)

    def place(self, seat: int) -> int:
        """How many seats after the one that begins."""
        return (seat - (self.begins or 0)) % len(self.points)


class Forfeited(Exception):
    """Ends a match early."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.forfeit = Forfeit(seat, reason[:LONGEST_REASON])


class Clocks:
    """How long the bots of a match think, seat by seat."""

    def __init__(self, seats: int) -> None:
        self.decisions = [0] * seats
        self.seconds = [0.0] * seats
        self.slowest = [0.0] * seats
        self.spans: list[dict[int, int]] = [Counter() for _ in range(seats)]

    def stop(self, seat: int, seconds: float) -> None:
        """A seat has decided after so long."""
        self.decisions[seat] += 1
        self.seconds[seat] += seconds
        self.slowest[seat] = max(self.slowest[seat], seconds)
        self.spans[seat][round(OCTAVE * log2(seconds + 1e-9))] += 1


class Host:
    """Seats the bots of a tournament and plays its matches, one after the other."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._game = as_game(tournament.game)
        self._pairings = pairings(tournament)
        self._kinds = kinds(self._game)
        self._entrants = [find_bot(self._game, name) for name in tournament.bots]
        self._booths = [Booth() for _ in range(tournament.seats)] if tournament.apart else []

    def warm_up(self) -> None:
        """Plays every bot once without counting it, so that nobody's first match waits for compiled code."""
        hasty = [Entrant(each.name, each.game, each.bot, Budget(iterations=1)) for each in self._entrants]
        for entrant in hasty:
            with suppress(Forfeited):
                self._play_out(
                    self._dealt(0), [entrant] * self._tournament.seats, Sitting(0, -1, 0), Clocks(self._tournament.seats), None
                )

    def play(self, sitting: Sitting) -> Result:
        """One match."""
        seats = self._tournament.seats
        lineup = self._pairings[sitting.pairing].seatings[sitting.seating]
        match = self._dealt(deal_seed(self._tournament, sitting.deal))
        begins = _only(match.state.to_act())
        clocks = Clocks(seats)
        notes = [Notes() for _ in range(seats)] if self._tournament.noting else None
        forfeit = None
        try:
            self._play_out(match, [self._entrants[bot] for bot in lineup], sitting, clocks, notes)
        except Forfeited as early:
            forfeit = early.forfeit
        return self._result(sitting, begins, match.state, clocks, forfeit, notes)

    def _dealt(self, seed: int) -> Match:
        return Match(self._game, self._tournament.seats, options=self._tournament.options, seed=seed)

    def _play_out(
        self, match: Match, entrants: list[Entrant], sitting: Sitting, clocks: Clocks, notes: list[Notes] | None
    ) -> None:
        bots = [self._seated(entrant, sitting, seat) for seat, entrant in enumerate(entrants)]
        hearing = Hearing(bots, match)
        try:
            for seat in range(match.seats):
                _tell(seat, hearing.begin)
            self._play_on(match.state, bots, hearing, [entrant.budget for entrant in entrants], clocks, notes)
        except Forfeited as early:
            hearing.end(_winners(match.state, early.forfeit), FORFEIT)
            raise
        hearing.end(_winners(match.state, None), self._ending(match.state))

    def _play_on(
        self, state: State, bots: list[Bot], hearing: Hearing, budgets: list[Budget], clocks: Clocks, notes: list[Notes] | None
    ) -> None:
        carry_out = hearing.carry_out
        while seats := state.to_act():
            seat = (seats & -seats).bit_length() - 1
            legal = state.legal(seat)
            _tell(seat, hearing.tell)
            action = _decided(bots[seat], state.view(seat), seat, legal, budgets[seat], clocks)
            if notes:
                notes[seat].note(legal, action, self._kinds)
            carry_out(seat, action)

    def _seated(self, entrant: Entrant, sitting: Sitting, seat: int) -> Bot:
        seed = bot_seed(self._tournament, sitting, seat)
        try:
            apart = self._booths and not isinstance(entrant.bot, Stable)  # whose engines are apart already
            return RemoteBot(self._booths[seat], entrant, seed) if apart else entrant.sit_down(seed)
        except Exception as error:
            raise Forfeited(seat, f"did not sit down: {type(error).__name__}: {error}") from error

    def _ending(self, state: State) -> str:
        return self._game.layout.endings[int(state.records["ending"][0])]

    def _result(
        self,
        sitting: Sitting,
        begins: int | None,
        state: State,
        clocks: Clocks,
        forfeit: Forfeit | None,
        notes: list[Notes] | None,
    ) -> Result:
        return Result(
            *sitting,
            begins=begins,
            winners=_winners(state, forfeit),
            points=state.points().sum(axis=1).tolist(),
            ending=FORFEIT if forfeit else self._ending(state),
            decisions=clocks.decisions,
            seconds=clocks.seconds,
            slowest=clocks.slowest,
            spans=clocks.spans,
            forfeit=forfeit,
            notes=notes,
        )


def _winners(state: State, forfeit: Forfeit | None) -> list[int]:
    """Who won; by a forfeit, all others."""
    seats, bits = range(int(state.records["seats"][0])), int(state.records["winners"][0])
    if forfeit:
        return [seat for seat in seats if seat != forfeit.seat]
    return [seat for seat in seats if bits >> seat & 1]


def _tell(seat: int, tell: Callable[[int], None]) -> None:
    """Tells a seat something, which it must bear."""
    try:
        tell(seat)
    except Exception as error:
        raise Forfeited(seat, f"{type(error).__name__}: {error}") from error


def _only(seats: int) -> int | None:
    """The seat that is alone to act."""
    return seats.bit_length() - 1 if seats & (seats - 1) == 0 else None


def _decided(bot: Bot, view: State, seat: int, legal: list[int], budget: Budget, clocks: Clocks) -> int:
    """What a bot chooses, if it is legal."""
    began = perf_counter()
    try:
        chosen: object = bot.choose(view, seat, legal.copy(), budget)
    except Exception as error:
        raise Forfeited(seat, f"{type(error).__name__}: {error}") from error
    clocks.stop(seat, perf_counter() - began)
    action = whole(chosen)
    if action is None or action not in legal:
        raise Forfeited(seat, f"chose {shown(chosen)}, which is not one of its {len(legal)} legal actions")
    return action
