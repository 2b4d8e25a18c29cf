"""The standings of a league: what its tables add up to. It does no I/O."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec


class SeatScore(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat got at a table that is over: its place, its share of the victory, its points."""

    place: int
    share: float
    points: int


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a league, its players by seat. `ended`: over or closed. `seats`: null while it is not over, or was closed."""

    round: int
    board: int
    table: str
    players: tuple[int, ...]
    ended: bool
    seats: list[SeatScore] | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a league. `score`: a victory is 1. `opponents`: Buchholz, the sum of the opponents' scores.

    `median`: the same without the best and the worst of them. Ties are broken by those, then by `points`.
    """

    place: int
    number: int
    name: str
    account: int | None = None
    bot: str | None = None
    program: bool = False
    score: float = 0.0
    opponents: float = 0.0
    median: float = 0.0
    points: int = 0
    played: int = 0


def scores_of(meeting: Meeting, others: Sequence[Meeting], *, duplicate: bool) -> list[float]:
    """What a table brings each seat: the part of the others there that it beat, or, of the same deal, of those in its place."""
    if meeting.seats is None:
        return [0.0] * len(meeting.players)
    elsewhere = [each.seats for each in others if each.seats is not None and each.round == meeting.round and each is not meeting]
    if duplicate and elsewhere:
        return [_beaten(mine, [seats[seat] for seats in elsewhere], _worth) for seat, mine in enumerate(meeting.seats)]
    return [
        _beaten(mine, [seat for other, seat in enumerate(meeting.seats) if other != place], lambda seat: -seat.place)
        for place, mine in enumerate(meeting.seats)
    ]


def _worth(seat: SeatScore) -> tuple[float, int]:
    return seat.share, seat.points


def _beaten(mine: SeatScore, others: list[SeatScore], worth: Callable[[SeatScore], Any]) -> float:
    won = sum(worth(mine) > worth(other) for other in others)
    tied = sum(worth(mine) == worth(other) for other in others)
    return (won + tied / 2) / len(others) if others else 0.0


def standings(
    players: Sequence[Standing], meetings: Sequence[Meeting], *, duplicate: bool, rests: Sequence[int] = ()
) -> list[Standing]:
    """The players in the order of the standings. `rests`: who had no opponent in a round of Swiss, which counts as a victory."""
    score = {player.number: float(rests.count(player.number)) for player in players}
    points, played = dict.fromkeys(score, 0), dict.fromkeys(score, 0)
    faced: dict[int, list[int]] = {number: [] for number in score}
    for meeting in meetings:
        found = scores_of(meeting, meetings, duplicate=duplicate)
        for seat, number in enumerate(meeting.players):
            score[number] += found[seat]
            if meeting.seats is not None:
                points[number] += meeting.seats[seat].points
                played[number] += 1
            faced[number] += [other for other in meeting.players if other != number]
    told = [
        msgspec.structs.replace(
            player,
            score=round(score[player.number], 4),
            opponents=round(sum(score[other] for other in faced[player.number]), 4),
            median=round(_median([score[other] for other in faced[player.number]]), 4),
            points=points[player.number],
            played=played[player.number],
        )
        for player in players
    ]
    return _placed(sorted(told, key=lambda each: (*_rank(each), each.number)))


def _median(scores: list[float]) -> float:
    return sum(sorted(scores)[1:-1])


def _rank(player: Standing) -> tuple[float, float, float, int]:
    return -player.score, -player.opponents, -player.median, -player.points


def _placed(ordered: list[Standing]) -> list[Standing]:
    ranks = [_rank(player) for player in ordered]
    return [msgspec.structs.replace(player, place=ranks.index(_rank(player)) + 1) for player in ordered]
