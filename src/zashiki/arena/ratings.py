"""Ratings by maximum likelihood: a seat wins with a chance in proportion to its bot's strength (Bradley and Terry; Luce).

choix finds the strengths. The intervals are ours: they allow for the dependence between the matches of a deal, by the sandwich of
the likelihood's curvature and the variance of its slopes between deals.
"""

from __future__ import annotations

from importlib.util import find_spec
from math import lcm, log

import numpy as np
import numpy.typing as npt

from zashiki.arena.intervals import quantile_95
from zashiki.arena.play import Result
from zashiki.arena.results import Rating
from zashiki.arena.schedule import Tournament, pairings

ELO = 400 / log(10)
"""Points of Elo for a factor e in strength."""
DOUBT = 0.1
"""What choix adds against certainty, like a tenth of a match between any two: who always wins is not infinitely strong."""

Numbers = npt.NDArray[np.float64]
Lineups = list[tuple[int, ...]]


def rate(tournament: Tournament, results: list[Result]) -> list[Rating]:
    """The bots by strength, strongest first, with `random` or else the weakest at 0; none where choix is not installed."""
    bots = tournament.bots
    if len(bots) < 2 or not results or not find_spec("choix"):
        return []
    met = pairings(tournament)
    lineups = [met[result.pairing].seatings[result.seating] for result in results]
    strengths = _strengths(len(bots), lineups, results)
    zero = bots.index("random") if "random" in bots else int(strengths.argmin())
    deviations = _deviations(strengths, zero, lineups, results)
    reach = quantile_95(len({result.deal for result in results}) - 1) * deviations
    out_of_reach = _out_of_reach(len(bots), zero, lineups, results)
    elo = ELO * (strengths - strengths[zero])
    rated = [
        Rating(name, float(elo[bot]), None, None)
        if bot == zero or out_of_reach[bot] or not np.isfinite(reach[bot])
        else Rating(name, float(elo[bot]), float(elo[bot] - reach[bot]), float(elo[bot] + reach[bot]))
        for bot, name in enumerate(bots)
    ]
    return sorted(rated, key=lambda rating: -rating.elo)


def _strengths(bots: int, lineups: Lineups, results: list[Result]) -> Numbers:
    """The logarithms of the strengths."""
    import choix

    if len(lineups[0]) == 2:
        won = np.zeros((bots, bots))
        for lineup, result in zip(lineups, results, strict=True):
            won[lineup[0], lineup[1]] += result.share(0)
            won[lineup[1], lineup[0]] += result.share(1)
        dense: Numbers = choix.ilsr_pairwise_dense(won, alpha=DOUBT, max_iter=1000)
        return dense
    found: Numbers = choix.ilsr_top1(bots, _choices(lineups, results), alpha=DOUBT, max_iter=1000)
    return found


def _choices(lineups: Lineups, results: list[Result]) -> list[tuple[int, tuple[int, ...]]]:
    """Every victory as the winner and the others; where some are shared, all are counted as often as makes the shares whole."""
    copies = lcm(*{len(result.winners) for result in results})
    return [
        (lineup[seat], (*lineup[:seat], *lineup[seat + 1 :]))
        for lineup, result in zip(lineups, results, strict=True)
        for seat in result.winners
        for _ in range(copies // len(result.winners))
    ]


def _deviations(strengths: Numbers, zero: int, lineups: Lineups, results: list[Result]) -> Numbers:
    """The standard deviation of each difference to the bot at 0, in Elo."""
    bots, deals = len(strengths), {deal: place for place, deal in enumerate(sorted({result.deal for result in results}))}
    slopes, curvature = np.zeros((len(deals), bots)), np.zeros((bots, bots))
    for lineup, result in zip(lineups, results, strict=True):
        expected = _expected(strengths, lineup)
        curvature += np.diag(expected) - np.outer(expected, expected)
        slope = slopes[deals[result.deal]]
        slope -= expected
        for seat in result.winners:
            slope[lineup[seat]] += 1 / len(result.winners)
    others = [bot for bot in range(bots) if bot != zero]
    bread = np.linalg.pinv(curvature[np.ix_(others, others)])
    meat = slopes[:, others].T @ slopes[:, others] * len(deals) / max(len(deals) - 1, 1)
    found = np.zeros(bots)
    found[others] = ELO * np.sqrt(np.diag(bread @ meat @ bread))
    return found


def _expected(strengths: Numbers, lineup: tuple[int, ...]) -> Numbers:
    """The chance of each bot to win with any of its seats."""
    seats = np.exp(strengths[list(lineup)])
    chances: Numbers = np.bincount(lineup, seats / seats.sum(), len(strengths)).astype(np.float64)
    return chances


def _out_of_reach(bots: int, zero: int, lineups: Lineups, results: list[Result]) -> list[bool]:
    """Whose distance to the bot at 0 has no bound: no chain of victories leads from one to the other and back."""
    beat = np.eye(bots, dtype=bool)
    for lineup, result in zip(lineups, results, strict=True):
        for winner in {lineup[seat] for seat in result.winners}:
            beat[winner, list(lineup)] = True
    for _ in range(bots):
        beat = beat @ beat
    return [not (beat[bot, zero] and beat[zero, bot]) for bot in range(bots)]
