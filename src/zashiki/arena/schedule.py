"""Who meets whom: every deal is played in every seating, so that neither the cards nor the seats favour anybody."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import combinations, permutations
from typing import Any, NamedTuple

import msgspec

from zashiki.core.errors import WrongOption, WrongSeats, ZashikiError
from zashiki.core.game import OptionValue, as_game

Lineup = tuple[int, ...]
"""The bot of each seat, as its place in the tournament's list of bots."""
ALL_ORDERS = 3
"""Up to so many seats, bots that sit together do so in every order; with more, each order would cost too many matches."""


class WrongTournament(ZashikiError, ValueError):
    """Nobody can meet like that."""


class Tournament(msgspec.Struct, frozen=True):
    """All that decides what is played.

    `alone`: only the first bot meets the others; `apart`: every seat has a process of its own; `noting`: what each seat could do
    and did is noted too.
    """

    game: str
    version: int
    seats: int
    options: dict[str, OptionValue]
    bots: tuple[str, ...]
    seed: int
    deals: int
    together: bool = False
    apart: bool = False
    noting: bool = False
    alone: bool = False


class Pairing(NamedTuple):
    """Bots that meet, and every way they sit."""

    title: str
    seatings: tuple[Lineup, ...]

    @property
    def bots(self) -> list[int]:
        """Who plays, the bot that is alone first."""
        lineup = self.seatings[0]
        return sorted(set(lineup), key=lambda bot: (lineup.count(bot), lineup.index(bot)))


class Sitting(NamedTuple):
    """One match of a tournament: which pairing, which deal, which seating."""

    pairing: int
    deal: int
    seating: int


def arrange(
    game: str,
    bots: list[str],
    *,
    matches: int,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    seed: int = 0,
    together: bool = False,
    apart: bool = False,
    noting: bool = False,
    alone: bool = False,
) -> Tournament:
    """A tournament with at least so many matches for each pairing, in whole deals."""
    found = as_game(game)
    full = found.full_options(options)
    if full.get("pace") == "live":
        raise WrongOption("bots meet at the pace of turns: play with pace=turns")
    count = found.check_seats(found.seats[0] if seats is None else seats)
    _check(bots, matches, count, together, alone)
    one = Tournament(found.id, found.version, count, full, tuple(bots), seed, 1, together, apart, noting, alone)
    return msgspec.structs.replace(one, deals=-(-matches // len(pairings(one)[0].seatings)))


def _check(bots: list[str], matches: int, seats: int, together: bool, alone: bool) -> None:
    if len(set(bots)) < len(bots):
        raise WrongTournament("name each bot once")
    if matches < 1:
        raise WrongTournament(f"a tournament has at least one match, not {matches}")
    if alone and len(bots) < 2:
        raise WrongTournament("whoever is alone needs others to meet: name at least two bots")
    if together and alone:
        raise WrongTournament("nobody is alone among bots that sit together: choose one of the two")
    if together and len(bots) != seats:
        raise WrongSeats(f"{len(bots)} bots cannot share a table of {seats}: name as many bots as there are seats")


def pairings(tournament: Tournament) -> list[Pairing]:
    """Everybody who meets. A single bot plays against itself."""
    bots, seats = tournament.bots, tournament.seats
    if len(bots) == 1:
        return [Pairing(f"{bots[0]} alone", ((0,) * seats,))]
    if tournament.together:
        return [Pairing("all together", _orders(seats))]
    met = [(0, other) for other in range(1, len(bots))] if tournament.alone else None
    if seats == 2:
        pairs = met or combinations(range(len(bots)), 2)
        return [Pairing(f"{bots[one]} against {bots[other]}", ((one, other), (other, one))) for one, other in pairs]
    return [_one_among(bots, seats, one, other) for one, other in met or permutations(range(len(bots)), 2)]


def _one_among(bots: tuple[str, ...], seats: int, one: int, other: int) -> Pairing:
    lineups = (tuple(one if seat == alone else other for seat in range(seats)) for alone in range(seats))
    return Pairing(f"one {bots[one]} among {seats - 1} {bots[other]}", tuple(lineups))


def _orders(seats: int) -> tuple[Lineup, ...]:
    if seats <= ALL_ORDERS:
        return tuple(permutations(range(seats)))
    return tuple(tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))


def sittings(tournament: Tournament) -> Iterator[Sitting]:
    """Every match, deal by deal, so that a tournament that is broken off has been as long for everybody."""
    seatings = [range(len(pairing.seatings)) for pairing in pairings(tournament)]
    for deal in range(tournament.deals):
        for pairing, places in enumerate(seatings):
            for seating in places:
                yield Sitting(pairing, deal, seating)


def deal_seed(tournament: Tournament, deal: int) -> int:
    """The seed of a deal, the same in all pairings and seatings."""
    return _hashed(128, "deal", tournament.seed, deal)


def bot_seed(tournament: Tournament, sitting: Sitting, seat: int) -> int:
    """The seed of the bot in a seat. It tells nothing of the deal's."""
    return _hashed(63, "bot", tournament.seed, sitting.deal, sitting.seating, seat)


def _hashed(bits: int, *parts: object) -> int:
    digest = blake2b(repr(parts).encode(), digest_size=16).digest()
    return int.from_bytes(digest) >> (128 - bits)
