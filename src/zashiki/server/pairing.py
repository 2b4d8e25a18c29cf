"""Who meets whom in a round of a league, and who sits where. It does no I/O, and the same past gives the same round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

Group = tuple[int, ...]
"""The players of a table by their numbers."""
Met = Counter[frozenset[int]]
"""How often two have met."""


TRIES = 20_000
"""So many steps are taken to find pairs who have not met; some pasts would need more than anybody waits for."""


class Past(NamedTuple):
    """The rounds so far: who met, who sat where how often, who had no opponent."""

    met: Met
    seats: Counter[tuple[int, int]]
    rested: frozenset[int]


def past_of(tables: Sequence[Group], players: Sequence[int], rounds: int) -> Past:
    """What the tables so far, by seat, tell."""
    met: Met = Counter(frozenset(pair) for group in tables for pair in combinations(group, 2))
    seats = Counter((player, seat) for group in tables for seat, player in enumerate(group))
    played = Counter(player for group in tables for player in group)
    return Past(met, seats, frozenset(player for player in players if played[player] < rounds))


def sizes_of(players: int, seats: int) -> list[int]:
    """How many sit at each table: as many as wanted, or some one fewer."""
    tables = -(-players // seats)
    least, more = divmod(players, tables)
    return [least + 1] * more + [least] * (tables - more)


def circle(players: Sequence[int], round_number: int) -> list[Group]:
    """A round of everybody against everybody, from 1: the first stays, the others go round. Who meets nobody has a rest."""
    ring: list[int | None] = [*players, *([None] if len(players) % 2 else [])]
    turned = ring[1:]
    step = (round_number - 1) % len(turned)
    turned = turned[len(turned) - step :] + turned[: len(turned) - step]
    order = [ring[0], *turned]
    pairs = zip(order[: len(order) // 2], reversed(order[len(order) // 2 :]), strict=True)
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def swiss(order: Sequence[int], past: Past) -> list[Group]:
    """Pairs of neighbours in the standings who have not met; of an odd number the lowest who has not yet rests."""
    waiting = list(order)
    if len(waiting) % 2:
        waiting.remove(next((player for player in reversed(waiting) if player not in past.rested), waiting[-1]))
    for most in range(len(order)):
        found = _pairs(waiting, past.met, most, iter(range(TRIES)))
        if found is not None:
            return found
    return [(waiting[place], waiting[place + 1]) for place in range(0, len(waiting), 2)]


def _pairs(waiting: list[int], met: Met, most: int, tries: Iterator[int]) -> list[Group] | None:
    """Pairs who have met so often at most, the first with the nearest possible; None if there are none, or not so soon."""
    if not waiting:
        return []
    if next(tries, None) is None:
        return None
    first, *rest = waiting
    for other in rest:
        if met[frozenset((first, other))] <= most:
            found = _pairs([player for player in rest if player != other], met, most, tries)
            if found is not None:
                return [(first, other), *found]
    return None


def grouped(order: Sequence[int], sizes: Sequence[int], met: Met) -> list[Group]:
    """Tables of neighbours, with as many swaps as make fewer people meet again."""
    groups, place = [], 0
    for size in sizes:
        groups.append(list(order[place : place + size]))
        place += size
    while _swap_best(groups, met):
        pass
    return [tuple(group) for group in groups]


def _swap_best(groups: list[list[int]], met: Met) -> bool:
    """Makes the swap of two players that helps most, if any does."""
    best: tuple[int, tuple[int, int], tuple[int, int]] | None = None
    for one, other in combinations(range(len(groups)), 2):
        for here in range(len(groups[one])):
            for there in range(len(groups[other])):
                gain = _gain(groups[one], here, groups[other], there, met)
                if gain > 0 and (best is None or gain > best[0]):
                    best = (gain, (one, here), (other, there))
    if best is None:
        return False
    _, (one, here), (other, there) = best
    groups[one][here], groups[other][there] = groups[other][there], groups[one][here]
    return True


def _gain(one: list[int], here: int, other: list[int], there: int, met: Met) -> int:
    def cost(group: list[int]) -> int:
        return sum(met[frozenset(pair)] ** 2 for pair in combinations(group, 2))

    swapped_one, swapped_other = one.copy(), other.copy()
    swapped_one[here], swapped_other[there] = other[there], one[here]
    return cost(one) + cost(other) - cost(swapped_one) - cost(swapped_other)


def seated(group: Group, past: Past) -> Group:
    """The players of a table by seat: each where he or she has sat least."""

    def worth(order: Group) -> int:
        return sum(past.seats[player, seat] ** 2 + past.seats[player, seat] for seat, player in enumerate(order))

    return min(permutations(group), key=worth)
