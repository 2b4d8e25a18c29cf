"""What a tournament has shown, as a structure that is printed, drawn and written as JSON."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from statistics import fmean

import msgspec
import numpy as np
import numpy.typing as npt

from zashiki.arena.intervals import Interval, share_interval
from zashiki.arena.play import OCTAVE, Result
from zashiki.arena.schedule import Pairing, Sitting, Tournament, pairings
from zashiki.bots import find_bot
from zashiki.core.game import as_game

FORMAT = 1
BINS = 24
"""A histogram has at most so many bars."""
QUANTILES = (5, 25, 50, 75, 95)
PLACES = ["begins", "second", "third", "fourth", "fifth", "sixth"]


class Distribution(msgspec.Struct, frozen=True):
    """How whole numbers are spread. Bar i of the histogram counts those from first + i × width on."""

    mean: float
    quantiles: dict[str, float]
    first: int
    width: int
    histogram: list[int]


class Side(msgspec.Struct, frozen=True):
    """A bot in a pairing: the share of victories that each of its seats has, and its points."""

    bot: str
    seats: int
    share: Interval
    times_fair: Interval
    points: Distribution | None


class Meeting(msgspec.Struct, frozen=True):
    """A pairing and what came of it, over the deals that were played in all seatings."""

    title: str
    deals: int
    matches: int
    sides: list[Side]


class Pace(msgspec.Struct, frozen=True):
    """How long a bot thinks about an action, in seconds, and the most it may."""

    mean: float
    p99: float
    slowest: float
    budget: float | None


class Showing(msgspec.Struct, frozen=True):
    """A bot over the whole tournament. `decisions` are those of one seat in one match."""

    bot: str
    matches: int
    decisions: float
    pace: Pace
    forfeits: int


class Lost(msgspec.Struct, frozen=True):
    """A match that a bot forfeited."""

    pairing: str
    deal: int
    seating: int
    seat: int
    bot: str
    reason: str


class Rating(msgspec.Struct, frozen=True):
    """A bot's strength on Elo's scale. There is no interval for the bot at 0, nor for one that won or lost everything."""

    bot: str
    elo: float
    low: float | None
    high: float | None


class Place(msgspec.Struct, frozen=True):
    """A place at the table, counted from who begins, or a seat where all choose at once, and its share of the victories."""

    name: str
    share: Interval


class Report(msgspec.Struct, frozen=True):
    """Everything a tournament has shown."""

    format: int
    tournament: Tournament
    played: int
    counted: int
    planned: int
    meetings: list[Meeting]
    ratings: list[Rating]
    showings: list[Showing]
    by_place: list[Place]
    decisions: Distribution
    endings: dict[str, int]
    forfeits: list[Lost]


def report(tournament: Tournament, results: dict[Sitting, Result]) -> Report:
    """What these results show. Only deals that were played in all seatings count, so that nobody had the better seats."""
    from zashiki.arena.ratings import rate

    met = pairings(tournament)
    counted = whole_deals(met, results)
    return Report(
        format=FORMAT,
        tournament=tournament,
        played=len(results),
        counted=len(counted),
        planned=tournament.deals * sum(len(pairing.seatings) for pairing in met),
        meetings=[_meeting(tournament, place, pairing, counted) for place, pairing in enumerate(met)] if counted else [],
        ratings=rate(tournament, counted),
        showings=[_showing(tournament, bot, met, counted) for bot in range(len(tournament.bots))],
        by_place=by_place(tournament, counted) if counted else [],
        decisions=distribution([sum(result.decisions) for result in counted]),
        endings=dict(Counter(result.ending for result in counted).most_common()),
        forfeits=[_lost(tournament, met, result) for result in counted if result.forfeit],
    )


def whole_deals(met: list[Pairing], results: dict[Sitting, Result]) -> list[Result]:
    """The results of those deals that were played in all seatings of their pairing, in order."""
    played = Counter((sitting.pairing, sitting.deal) for sitting in results)
    kept = (sitting for sitting in sorted(results) if played[sitting[:2]] == len(met[sitting.pairing].seatings))
    return [results[sitting] for sitting in kept]


def by_place(tournament: Tournament, results: list[Result]) -> list[Place]:
    """The share of victories of each place, whoever sat there."""
    seats = range(tournament.seats)
    shares: list[list[tuple[int, float]]] = [[] for _ in seats]
    for result in results:
        for seat in seats:
            shares[result.place(seat)].append((result.deal, result.share(seat)))
    names = [f"seat {seat}" for seat in seats] if results[0].begins is None else PLACES
    return [Place(names[place], share_interval(_by_deal(each))) for place, each in enumerate(shares)]


def distribution(numbers: Iterable[int]) -> Distribution:
    """The mean, the quantiles and a histogram with bars of the same whole width."""
    values: npt.NDArray[np.int64] = np.array(list(numbers) or [0], np.int64)
    first, last = int(values.min()), int(values.max())
    width = -(-(last - first + 1) // BINS)
    bars = np.bincount((values - first) // width)
    cuts = {str(cut): float(np.percentile(values, cut)) for cut in QUANTILES}
    return Distribution(float(values.mean()), cuts, first, width, bars.tolist())


def pace(tournament: Tournament, bot: int, sat: list[tuple[Result, int]]) -> Pace:
    """How long a bot thought in the seats where it sat."""
    spans: Counter[int] = Counter()
    for result, seat in sat:
        spans.update(result.spans[seat])
    return Pace(
        mean=sum(result.seconds[seat] for result, seat in sat) / max(spans.total(), 1),
        p99=_quantile(spans, 0.99),
        slowest=max((result.slowest[seat] for result, seat in sat), default=0.0),
        budget=find_bot(as_game(tournament.game), tournament.bots[bot]).budget.seconds,
    )


def _by_deal(shares: Iterable[tuple[int, float]]) -> list[float]:
    """One mean for each deal."""
    deals: dict[int, list[float]] = defaultdict(list)
    for deal, share in shares:
        deals[deal].append(share)
    return [fmean(each) for each in deals.values()]


def _meeting(tournament: Tournament, place: int, pairing: Pairing, counted: list[Result]) -> Meeting:
    results = [result for result in counted if result.pairing == place]
    deals = len(results) // len(pairing.seatings)
    sides = [_side(tournament, bot, pairing, results) for bot in pairing.bots] if results else []
    return Meeting(pairing.title, deals, len(results), sides)


def _side(tournament: Tournament, bot: int, pairing: Pairing, results: list[Result]) -> Side:
    sat = [(result, seat) for result in results for seat, other in enumerate(pairing.seatings[result.seating]) if other == bot]
    share = share_interval(_by_deal((result.deal, result.share(seat)) for result, seat in sat))
    points = [result.points[seat] for result, seat in sat if not result.forfeit]
    return Side(
        bot=tournament.bots[bot],
        seats=pairing.seatings[0].count(bot),
        share=share,
        times_fair=share.times(tournament.seats),
        points=distribution(points) if points else None,
    )


def _showing(tournament: Tournament, bot: int, met: list[Pairing], counted: list[Result]) -> Showing:
    sat = [(r, seat) for r in counted for seat, other in enumerate(met[r.pairing].seatings[r.seating]) if other == bot]
    decisions = sum(result.decisions[seat] for result, seat in sat)
    return Showing(
        bot=tournament.bots[bot],
        matches=len({result.sitting for result, _ in sat}),
        decisions=decisions / max(len(sat), 1),
        pace=pace(tournament, bot, sat),
        forfeits=sum(result.forfeit is not None and result.forfeit.seat == seat for result, seat in sat),
    )


def _quantile(spans: Counter[int], part: float) -> float:
    """The time that so large a part of the actions did not exceed."""
    left = part * spans.total()
    for span in sorted(spans):
        left -= spans[span]
        if left <= 0:
            return float(2 ** (span / OCTAVE))
    return 0.0


def _lost(tournament: Tournament, met: list[Pairing], result: Result) -> Lost:
    assert result.forfeit
    seat = result.forfeit.seat
    bot = met[result.pairing].seatings[result.seating][seat]
    return Lost(met[result.pairing].title, result.deal, result.seating, seat, tournament.bots[bot], result.forfeit.reason)
