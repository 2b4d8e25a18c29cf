"""What a game is like when one bot plays all seats: who is favoured, how long it takes, what is chosen and what that is worth.

What an action is worth is told from its facets: its kind with each card, place or number it names. Among the seats that could
have chosen such an action at least once, it is how much the final share of the victory, and the lead in points over the mean of
the others, rises with every time it was chosen, compared with the average of the same place at the table. That is what goes
together in this bot's play; it does not prove that one is the cause of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from zashiki.arena.intervals import Interval, Numbers, ratio_interval, slope_interval
from zashiki.arena.play import Notes, Result
from zashiki.arena.results import FORMAT, Distribution, Pace, Place, by_place, distribution, pace
from zashiki.arena.schedule import Tournament
from zashiki.arena.words import facets, kinds
from zashiki.core.game import as_game

ENOUGH = 30
"""A facet is judged where so many seats chose it, and so many differ from the most usual count."""
MOST_ACTIONS = 10
"""Of a kind, so many actions are told in words."""


class ActionUse(msgspec.Struct, frozen=True):
    """An action: how often it was legal and how often it was chosen then."""

    action: int
    words: str
    legal: int
    chosen: int
    rate: float


class KindUse(msgspec.Struct, frozen=True):
    """A kind of action: in how many decisions it was possible, how often it was chosen then, and its most frequent actions."""

    kind: str
    legal: int
    chosen: int
    rate: Interval
    actions: list[ActionUse]


class Worth(msgspec.Struct, frozen=True):
    """What goes together with choosing a facet once more: a share of the victory, and points of lead."""

    kind: str
    what: str
    could: int
    took: int
    won_taking: float
    won_passing: float | None
    share: Interval
    lead: Interval


class Study(msgspec.Struct, frozen=True):
    """Everything self-play has shown."""

    format: int
    tournament: Tournament
    played: int
    planned: int
    by_place: list[Place]
    points: Distribution
    decisions: Distribution
    endings: dict[str, int]
    forfeits: int
    pace: Pace
    kinds: list[KindUse]
    worth: list[Worth]


@dataclass
class _Seat:
    """A seat in a match: how often it could choose each facet, and did, and what it got."""

    match: int
    place: int
    could: npt.NDArray[np.bool_]
    took: npt.NDArray[np.int32]
    share: float
    lead: float


class Collector:
    """Takes in results as they come and keeps of each only what a study needs."""

    def __init__(self, tournament: Tournament) -> None:
        game = as_game(tournament.game)
        self._tournament = tournament
        self._kinds = kinds(game)
        self._words = [action.words() for action in game.vocabulary.actions]
        listed = facets(game)
        self._facets = list(dict.fromkeys(facet for each in listed for facet in each))
        self._of_facet = np.zeros((len(listed), len(self._facets)), bool)
        for action, each in enumerate(listed):
            self._of_facet[action, [self._facets.index(facet) for facet in each]] = True
        self._results: list[Result] = []
        self._seats: list[_Seat] = []
        self._legal: Counter[int] = Counter()
        self._chosen: Counter[int] = Counter()
        self._legal_kinds: list[Counter[str]] = []
        self._chosen_kinds: list[Counter[str]] = []

    def add(self, results: list[Result]) -> None:
        """Some more matches."""
        for result in results:
            if not result.forfeit:
                self._add_notes(result, result.notes or [])
            self._results.append(msgspec.structs.replace(result, notes=None))

    def study(self) -> Study:
        """What they show."""
        results = sorted(self._results, key=lambda result: result.sitting)
        fair = [result for result in results if not result.forfeit]
        seats = range(self._tournament.seats)
        return Study(
            format=FORMAT,
            tournament=self._tournament,
            played=len(results),
            planned=self._tournament.deals,
            by_place=by_place(self._tournament, fair) if fair else [],
            points=distribution(points for result in fair for points in result.points),
            decisions=distribution(sum(result.decisions) for result in fair),
            endings=dict(Counter(result.ending for result in results).most_common()),
            forfeits=len(results) - len(fair),
            pace=pace(self._tournament, 0, [(result, seat) for result in results for seat in seats]),
            kinds=[self._use(kind) for kind in dict.fromkeys(self._kinds) if any(each[kind] for each in self._legal_kinds)],
            worth=sorted(self._worths(), key=lambda worth: -worth.lead.value),
        )

    def _add_notes(self, result: Result, notes: list[Notes]) -> None:
        legal, chosen = Counter[str](), Counter[str]()
        for seat, noted in enumerate(notes):
            self._legal.update(noted.legal)
            self._chosen.update(noted.chosen)
            legal.update(noted.legal_kinds)
            for action, count in noted.chosen.items():
                chosen[self._kinds[action]] += count
            self._seats.append(self._seat(result, seat, noted))
        self._legal_kinds.append(legal)
        self._chosen_kinds.append(chosen)

    def _seat(self, result: Result, seat: int, noted: Notes) -> _Seat:
        others = (sum(result.points) - result.points[seat]) / (len(result.points) - 1)
        could: npt.NDArray[np.bool_] = np.logical_or.reduce(self._of_facet[list(noted.legal)])
        counts = np.array(list(noted.chosen.values()), np.int32)
        took = (self._of_facet[list(noted.chosen)] * counts[:, None]).sum(axis=0, dtype=np.int32)
        return _Seat(len(self._legal_kinds), result.place(seat), could, took, result.share(seat), result.points[seat] - others)

    def _use(self, kind: str) -> KindUse:
        legal = np.array([each[kind] for each in self._legal_kinds])
        chosen = np.array([each[kind] for each in self._chosen_kinds])
        numbers = [action for action, each in enumerate(self._kinds) if each == kind and self._chosen[action]]
        numbers = sorted(numbers, key=lambda action: -self._chosen[action])[:MOST_ACTIONS]
        actions = [self._action(action) for action in numbers]
        return KindUse(kind, int(legal.sum()), int(chosen.sum()), ratio_interval(chosen, legal), actions)

    def _action(self, action: int) -> ActionUse:
        legal, chosen = self._legal[action], self._chosen[action]
        return ActionUse(action, self._words[action], legal, chosen, chosen / legal)

    def _worths(self) -> Iterator[Worth]:
        if not self._seats:
            return
        match = np.array([each.match for each in self._seats])
        place = np.array([each.place for each in self._seats])
        could, took = np.array([each.could for each in self._seats]), np.array([each.took for each in self._seats])
        share, lead = np.array([each.share for each in self._seats]), np.array([each.lead for each in self._seats])
        fair_share, fair_lead = _less_place(share, place), _less_place(lead, place)
        for facet, (kind, what) in enumerate(self._facets):
            those = could[:, facet]
            times = took[those, facet]
            if not _is_enough(times):
                continue
            yield Worth(
                kind=kind,
                what=what,
                could=len(times),
                took=int((times > 0).sum()),
                won_taking=float(share[those][times > 0].mean()),
                won_passing=float(share[those][times == 0].mean()) if (times == 0).any() else None,
                share=slope_interval(times, fair_share[those], match[those]),
                lead=slope_interval(times, fair_lead[those], match[those]),
            )


def _less_place(worth: Numbers, place: npt.NDArray[np.int64]) -> Numbers:
    """What is above the average of the same place at the table."""
    means: Numbers = np.bincount(place, worth) / np.bincount(place)
    return worth - means[place]


def _is_enough(times: npt.NDArray[np.int32]) -> bool:
    if (times > 0).sum() < ENOUGH:
        return False
    return len(times) - int(np.bincount(times).max()) >= ENOUGH
